"""Transformations of negation and of negative contractions, based on the English auxiliary verbs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from mutatis.core.languages import ENGLISH
from mutatis.core.parameters import Within
from mutatis.core.transformation import transformation
from mutatis.languages import word_set
from mutatis.text.normalisation import like
from mutatis.text.sentences import split_sentences
from mutatis.transformations.feelings import feelings
from mutatis.transformations.pieces import Edit, edited, is_free, protected_spans

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
"""Words that keep "can", "will" or "do" beside them from being an auxiliary: "the can", "free will", "do a favour"."""
_PARTICIPLES = word_set("participles")
_PRONOUNS = frozenset({"i", "you", "he", "she", "it", "we", "they", "there", "that", "this", "these", "those", "who"})
_AUXILIARIES = frozenset(
    {"is", "are", "was", "were", "am", "can", "could", "will", "would", "shall", "should", "must", "may", "might"}
    | {"do", "does", "did", "has", "have", "had", "cannot"}
)
_SUBORDINATING = frozenset(
    {"although", "though", "while", "because", "since", "if", "unless", "when", "whenever", "where", "who", "which"}
    | {"that", "what", "whose", "whom", "as", "before", "after", "until", "how", "why", "whether"}
)
_CONTRACTED = {
    **{"is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't", "can": "can't", "could": "couldn't"},
    **{"will": "won't", "would": "wouldn't", "should": "shouldn't", "must": "mustn't", "do": "don't"},
    **{"does": "doesn't", "did": "didn't", "has": "hasn't", "have": "haven't", "had": "hadn't"},
}
_AFFIRMED = {short: auxiliary for auxiliary, short in _CONTRACTED.items()} | {"shan't": "shall"}
_PREDICATE = re.compile(
    r"\b(?P<verb>(?:is|are|was|were)|(?:it|this|that|he|she|there)\s?['\u2019]s|they\s?['\u2019]re)"
    r"\s+(?:(?:a|an|the|very|really|so|truly|also|always|quite|both|\w+ly)\s+){0,3}(?P<word>[a-z]+)\b",
    re.IGNORECASE,
)
"""A form of "to be" and the word that it introduces, after up to three articles and adverbs: "is a very good"."""
_ASKS_DEGREE = re.compile(
    r"\bhow\s+(?:much|many|long|often|far|fast|soon|late|early|big|large|old|tall|high|wide|deep|heavy|few|little)\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(rf"[^\W\d_]+(?:{_APOSTROPHE}[^\W\d_]+)?")


def _up_to(level: int) -> dict[str, str]:
    """Return the contractions of a level and those below it, each with its full form."""
    return {short: long for table in _LEVELS[:level] for short, long in table.items()}


def _replaced(text: str, pattern: re.Pattern[str], table: dict[str, str], protected: Sequence[str]) -> str:
    """Replace the phrases that a pattern matches, unless they are protected. The table is keyed by plain spelling."""
    spans = protected_spans(text, protected)
    edits = []
    for match in pattern.finditer(text):
        phrase = match.group()
        plain = re.sub(r"\s+", " ", re.sub(_APOSTROPHE, "'", phrase)).lower().replace(" n't", "n't")
        if is_free(*match.span(), spans):
            edits.append((match.start(), match.end(), like(phrase, table[plain])))
    return edited(text, edits)


def _any_of(phrases: Iterable[str]) -> str:
    """Return a pattern for any of the phrases, longest first. Some corpora write "do n't" for "don't"."""
    inside = "|".join(sorted(phrases, key=len, reverse=True)).replace(" ", r"[ \t]+")
    return inside.replace("n't", " ?n't").replace("'", _APOSTROPHE)


_EXPAND = {
    level: re.compile(
        rf"(?<!\w)(?<!\w{_APOSTROPHE})(?<!-)(?:{_any_of(_up_to(level))})(?!{_APOSTROPHE}?\w)(?!-)", re.IGNORECASE
    )
    for level in (1, 2, 3, 4)
}


@transformation(
    "expand-contractions", capability="wording", says="contractions written in full: {words}", languages=ENGLISH
)
def expand_contractions(text: str, *, level: Level = 4, protected: tuple[str, ...] = ()) -> str:
    """Write negative contractions in full. Each level includes the contractions of the levels below it.

    Level 1: don't, doesn't, didn't; 2: also can't, couldn't; 3: also won't, wouldn't; 4: also shan't, shalln't,
    shouldn't, isn't, wasn't, aren't, weren't (MRG2 in the paper on relation families).

    >>> expand_contractions("Don't ask; it can’t and won't run.", level=2)
    "Do not ask; it cannot and won't run."
    """
    return _replaced(text, _EXPAND[level], _up_to(level), protected)


def _shorter(level: int) -> dict[str, str]:
    """Return the full forms of a level and those below it, each with its contraction."""
    table = {long: short for short, long in _up_to(level).items() if short != "shalln't"}
    return {**table, "can not": "can't"} if level >= 2 else table


_CONTRACT = {
    level: re.compile(rf"(?<![\w'\u2019-])(?:{_any_of(_shorter(level))})(?![\w'\u2019-])(?! only\b)", re.IGNORECASE)
    for level in (1, 2, 3, 4)
}


@transformation("contract", capability="wording", says='"not" contracted: {words}', languages=ENGLISH)
def contract(text: str, *, level: Level = 4, protected: tuple[str, ...] = ()) -> str:
    """Contract negated auxiliary verbs. This reverses `expand-contractions` and has the same levels.

    >>> contract("Do not ask; it cannot and will not run, not only here.")
    "Don't ask; it can't and won't run, not only here."
    """
    return _replaced(text, _CONTRACT[level], _shorter(level), protected)


@transformation(
    "negation-auxiliary", capability="negation and opposites", says="negated at the auxiliary verb", languages=ENGLISH
)
def negation_auxiliary(
    text: str, *, where: Literal["every", "polar"] = "every", protected: tuple[str, ...] = ()
) -> str:
    """Negate every sentence at its first auxiliary verb, or remove its "not".

    Sentences without an auxiliary verb are left unchanged. In questions, the contracted form is put before the subject.
    `where = "polar"` negates only the verb that introduces the text's only word of praise or blame ("it is a charming
    film").

    >>> negation_auxiliary("The film is long. She didn't mind. Birds sing.")
    'The film is not long. She did mind. Birds sing.'
    >>> negation_auxiliary("When was the castle built?")
    "When wasn't the castle built?"
    >>> negation_auxiliary("How much does it cost?")
    'How much does it cost?'
    >>> negation_auxiliary("It is a charming film about war.", where="polar")
    'It is not a charming film about war.'
    """
    spans = protected_spans(text, protected)
    if where == "polar":
        edits = [_polar_negation(text)]
    else:
        edits = [_negation(text, sentence.start, sentence.end) for sentence in split_sentences(text)]
    return edited(text, [(start, end, new) for start, end, new in filter(None, edits) if is_free(start, end, spans)])


def _polar_negation(text: str) -> Edit | None:
    """Return the edit that reverses the only word of praise or blame in a text with "not", or None."""
    felt = feelings(text)
    if not felt.side or len(felt.praise) + len(felt.blame) > 1:
        return None
    for match in _PREDICATE.finditer(text):
        if match["word"].lower() in {*felt.praise, *felt.blame}:
            return match.end("verb"), match.end("verb"), " not"
    return None


def _negation(text: str, start: int, end: int) -> Edit | None:
    """Return the edit that negates a sentence at its first auxiliary verb or removes its "not", or None."""
    is_question = text[start:end].rstrip("\"')\u201d\u2019 ").endswith("?")
    if is_question and _ASKS_DEGREE.search(text, start, end):
        return None  # nobody asks how much something does not cost
    tokens = list(_TOKEN.finditer(text, start, end))
    plain = ["", *(re.sub(_APOSTROPHE, "'", token.group()).lower() for token in tokens), ""]
    for index, (before, verb, after) in enumerate(zip(plain, plain[1:], plain[2:], strict=False)):
        token = tokens[index]
        if verb in _SUBORDINATING and not is_question:
            return None  # it is unclear to which clause the next auxiliary verb belongs
        if verb in _AFFIRMED:
            return token.start(), token.end(), like(token.group(), _AFFIRMED[verb])
        if after == "n't" and verb + after in _AFFIRMED:
            return token.start(), tokens[index + 1].end(), like(token.group(), _AFFIRMED[verb + after])
        if _is_contracted_verb(verb) or _is_auxiliary(verb, before, after, token.group()):
            if after in {"not", "never"}:
                return token.end(), tokens[index + 1].end(), ""
            # "There is no bus" has a negation already, and the 's of "it's been" and "she's got" is "has".
            return None if after in {"no", "been", "got"} else _negated(token, verb, is_question)
    return None


def _negated(token: re.Match[str], verb: str, is_question: bool) -> Edit | None:
    """Return the edit that negates or restores one auxiliary verb, or None if the required form does not exist."""
    new = _CONTRACTED.get(verb) if is_question else {"can": "cannot", "cannot": "can"}.get(verb, f"{verb} not")
    return None if new is None else (token.start(), token.end(), like(token.group(), new))


def _is_contracted_verb(word: str) -> bool:
    """Return True for a pronoun with a contracted verb, such as "it's". "that's" is left out, because it may join."""
    pronoun, _, verb = word.partition("'")
    return pronoun in _PRONOUNS and verb in {"s", "re", "m", "ll"} and word != "that's"


def _is_auxiliary(bare: str, before: str, after: str, written: str) -> bool:
    """Return True if a word is an auxiliary verb, judging by the words next to it and its capital ("Will Smith")."""
    if bare not in _AUXILIARIES:
        return False
    may_be_noun_or_name = bare in {"can", "will", "might", "may", "must"}
    if may_be_noun_or_name and (before in _DETERMINERS or (before and written[0].isupper())):
        return False
    if bare in {"has", "have", "had"}:
        return after in _PARTICIPLES or after in {"not", "never"} or (len(after) > 4 and after.endswith(("ed", "en")))
    if bare in {"do", "does", "did"}:
        return after == "not" or (bool(after) and after not in _DETERMINERS) or not before
    return True
