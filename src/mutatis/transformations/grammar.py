"""Transformations of negation and of negative contractions, by the auxiliary verbs of English.

Must not know tasks or relations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from mutatis.core.parameters import Within
from mutatis.core.transformation import transformation
from mutatis.text.sentences import split_sentences
from mutatis.transformations.lexicon import word_set
from mutatis.transformations.pieces import edited, is_free, like, protected_spans

Level = Annotated[int, Within(1, 4)]

_APOSTROPHE = "['\u2019\u02bc]"
_LEVELS: tuple[dict[str, str], ...] = (
    {"don't": "do not", "doesn't": "does not", "didn't": "did not"},
    {"can't": "cannot", "couldn't": "could not"},
    {"won't": "will not", "wouldn't": "would not"},
    {
        **{"shan't": "shall not", "shalln't": "shall not", "shouldn't": "should not", "isn't": "is not"},
        **{"wasn't": "was not", "aren't": "are not", "weren't": "were not"},
    },
)
_DETERMINERS = frozenset(
    {"a", "an", "the", "my", "your", "his", "her", "its", "our", "their", "this", "that", "these", "those", "some"}
    | {"any", "no", "of", "free", "good", "ill", "at", "against"}
)
_PARTICIPLES = word_set("participles")
_PRONOUNS = frozenset({"i", "you", "he", "she", "it", "we", "they", "there", "that", "this", "these", "those", "who"})
_AUXILIARIES = frozenset(
    {"is", "are", "was", "were", "am", "can", "could", "will", "would", "shall", "should", "must", "may", "might"}
    | {"do", "does", "did", "has", "have", "had", "cannot"}
)
_CONTRACTED = {
    **{"is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't", "can": "can't", "could": "couldn't"},
    **{"will": "won't", "would": "wouldn't", "should": "shouldn't", "must": "mustn't", "do": "don't"},
    **{"does": "doesn't", "did": "didn't", "has": "hasn't", "have": "haven't", "had": "hadn't"},
}
_TOKEN = re.compile(rf"[^\W\d_]+(?:{_APOSTROPHE}[^\W\d_]+)?")


def _up_to(level: int) -> dict[str, str]:
    return {short: long for table in _LEVELS[:level] for short, long in table.items()}


def _replaced(text: str, pattern: re.Pattern[str], table: dict[str, str], protected: Sequence[str]) -> str:
    spans = protected_spans(text, protected)
    edits = []
    for match in pattern.finditer(text):
        found = match.group()
        key = re.sub(r"\s+", " ", re.sub(_APOSTROPHE, "'", found)).lower()
        if is_free(*match.span(), spans):
            edits.append((match.start(), match.end(), like(found, table[key])))
    return edited(text, edits)


def _any_of(phrases: Sequence[str]) -> str:
    inside = "|".join(sorted(phrases, key=len, reverse=True))
    return inside.replace("'", _APOSTROPHE).replace(" ", r"[ \t]+")


_EXPAND = {
    level: re.compile(
        rf"(?<!\w)(?<!\w{_APOSTROPHE})(?<!-)(?:{_any_of(list(_up_to(level)))})(?!{_APOSTROPHE}?\w)(?!-)", re.IGNORECASE
    )
    for level in (1, 2, 3, 4)
}


@transformation("expand-contractions")
def expand_contractions(text: str, *, level: Level = 4, protected: tuple[str, ...] = ()) -> str:
    """Write negative contractions in full; levels are nested sets of contractions.

    Level 1: don't, doesn't, didn't; 2: also can't, couldn't; 3: also won't, wouldn't; 4: also shan't, shalln't,
    shouldn't, isn't, wasn't, aren't, weren't (relation families, MRG2).

    >>> expand_contractions("Don't ask; it can\u2019t and won't run.", level=2)
    "Do not ask; it cannot and won't run."
    """
    return _replaced(text, _EXPAND[level], _up_to(level), protected)


def _shorter(level: int) -> dict[str, str]:
    table = {long: short for short, long in _up_to(level).items()}
    if level >= 2:
        table["can not"] = "can't"
    if "shall not" in table:
        table["shall not"] = "shan't"
    return table


_CONTRACT = {
    level: re.compile(
        rf"(?<![\w'\u2019-])(?:{_any_of(list(_shorter(level)))})(?![\w'\u2019-])(?! only\b)", re.IGNORECASE
    )
    for level in (1, 2, 3, 4)
}


@transformation("contract")
def contract(text: str, *, level: Level = 4, protected: tuple[str, ...] = ()) -> str:
    """Contract negated auxiliary verbs; the reverse of `expand-contractions`, with the same levels.

    >>> contract("Do not ask; it cannot and will not run, not only here.")
    "Don't ask; it can't and won't run, not only here."
    """
    return _replaced(text, _CONTRACT[level], _shorter(level), protected)


@transformation("negation-rules")
def negation_rules(text: str, *, protected: tuple[str, ...] = ()) -> str:
    """Negate every sentence at its first auxiliary verb, or take its "not" away; without one it stays as it is.

    Questions take the contracted form, which stands before their subject.

    >>> negation_rules("The film is long. She didn't mind. Birds sing.")
    'The film is not long. She did mind. Birds sing.'
    >>> negation_rules("When was the castle built?")
    "When wasn't the castle built?"
    """
    spans = protected_spans(text, protected)
    edits = []
    for sentence in split_sentences(text):
        edit = _negation(text, sentence.start, sentence.end)
        if edit is not None and is_free(edit[0], edit[1], spans):
            edits.append(edit)
    return edited(text, edits)


def _negation(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """Return the edit that negates the sentence at its first auxiliary verb."""
    question = text[start:end].rstrip("\"')\u201d\u2019 ").endswith("?")
    tokens = list(_TOKEN.finditer(text, start, end))
    for index, token in enumerate(tokens):
        bare = re.sub(_APOSTROPHE, "'", token.group()).lower()
        before = tokens[index - 1].group().lower() if index else ""
        after = tokens[index + 1].group().lower() if index + 1 < len(tokens) else ""
        taken_away = _affirmed(token, bare)
        if taken_away is not None:
            return taken_away
        stem, _, ending = bare.partition("'")
        if stem in _PRONOUNS and ending in {"s", "re", "m", "ll"} and bare != "that's":
            if after in {"not", "never"}:
                return token.end(), tokens[index + 1].end(), ""
            return None if after in {"been", "got", "no"} else (token.end(), token.end(), " not")
        if bare not in _AUXILIARIES or not _is_auxiliary(bare, before, after, token.group()):
            continue
        if after in {"not", "never"}:
            return token.end(), tokens[index + 1].end(), ""
        if after == "no":
            return None
        if bare == "cannot":
            return token.start(), token.end(), like(token.group(), "can")
        if question:
            short = _CONTRACTED.get(bare)
            return None if short is None else (token.start(), token.end(), like(token.group(), short))
        if bare == "can":
            return token.start(), token.end(), like(token.group(), "cannot")
        return token.end(), token.end(), " not"
    return None


def _affirmed(token: re.Match[str], bare: str) -> tuple[int, int, str] | None:
    """Return the edit that takes the "n't" of a contracted auxiliary away."""
    if not bare.endswith("n't"):
        return None
    table = {short: auxiliary for auxiliary, short in _CONTRACTED.items()} | {"shan't": "shall"}
    return (token.start(), token.end(), like(token.group(), table[bare])) if bare in table else None


def _is_auxiliary(bare: str, before: str, after: str, written: str) -> bool:
    if bare in {"can", "will", "might", "may", "must"} and (
        before in _DETERMINERS or (before and written[0].isupper())
    ):
        return False
    if bare in {"has", "have", "had"}:
        return after in _PARTICIPLES or after in {"not", "never"} or (len(after) > 4 and after.endswith(("ed", "en")))
    if bare in {"do", "does", "did"}:
        return after == "not" or (bool(after) and after not in _DETERMINERS) or not before
    return True
