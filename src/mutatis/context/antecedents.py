"""Decides whether a question's pronouns refer to something in the question itself, or to nothing at all.

"Speaking about vaccines, how are they made?" and "Is it true that ..." need no context, "How are they made?" does. Does
not see the dialogue around the question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mutatis.context.words import (
    AUXILIARIES,
    INTERROGATIVES,
    PRONOUNS,
    is_content,
    plain_words,
)
from mutatis.text.normalisation import listed_words

_POSSESSIVES = listed_words("his her its their")
_BEFORE_NOUNS = AUXILIARIES | listed_words(
    """a an the this these those my your our his her its their some any all every each no of in on at to for from with
    by about into over under after before during between and or like than as using"""
)
_VERBAL = re.compile(r"(?<=[a-z][a-z])(?:ed|ing)$")
# What parts two clauses: a pronoun after it may mean a noun before it. "It" right after its verb's own subject may not.
_CLAUSE = re.compile(
    r"[,;:.?!()]|\s[-\u2013\u2014]+\s|\b(?:and|or|but|so|if|when|while|because|since|that|which|who|how|what|where|why|whether|as|than)\b",
    re.IGNORECASE,
)
_EMPTY_IT = re.compile(
    r"""\b(?:
        (?:is|was|isn't|wasn't|be|will|would|can|could)\s+it\s+(?:be\s+)?
            (?!the\b|a\b|an\b|same\b|like\b|called\b|used\b|made\b)(?:\w+\s+){1,2}(?:to|that|if|when)\b
      | it(?:'s|\s+is|\s+was)\s+(?!the\b|a\b|an\b|same\b|called\b|used\b|made\b)(?:\w+\s+){1,2}(?:to|that|if|when)\b
      | (?:does|did|will|would)\s+it\s+(?:usually\s+)?(?:take|cost)\s+(?:\w+\s+){0,4}to\b
      | how\s+(?:long|much)\s+\w+\s+it\s+take\b
      | it\s+(?:rains|snows|rain|snow|seems|appears|looks\s+like|turns\s+out)\b
      | it\s+comes\s+to\b
      | what\s+(?:does|did)\s+it\s+(?:makes?|takes?|means?)\s+(?:a|an|to)\b
      | it\s+means\s+to\b
      | make\s+it\s+(?:\w+\s+){1,2}to\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def outside(question: str) -> tuple[str, ...]:
    """Return the pronouns of the third person, in lower case, whose antecedent is not in the question itself.

    >>> outside("Speaking about vaccines, how are they made?"), outside("Is it true that it rains?")
    ((), ())
    >>> outside("How are they made?"), outside("Did Ann like it?")
    (('they',), ('it',))
    """
    text = _EMPTY_IT.sub(_without_it, question.replace("’", "'"))
    pronouns: list[str] = []
    noun_before_clause = False
    words: list[str] = []
    at = 0
    for boundary in [*_CLAUSE.finditer(text), None]:
        clause = plain_words(text[at : boundary.start() if boundary else len(text)])
        for place, word in enumerate(clause):
            pronoun = word.lower()
            if pronoun not in PRONOUNS:
                continue
            inside = noun_before_clause or (pronoun in _POSSESSIVES and _has_noun(clause[:place], bool(words)))
            if not inside:
                pronouns.append(pronoun)
        noun_before_clause = noun_before_clause or _has_noun(clause, bool(words))
        words += clause
        at = boundary.end() if boundary else at
    return tuple(pronouns)


def _without_it(match: re.Match[str]) -> str:
    return re.sub(r"\bit(?:'s)?\b", " ", match.group(), flags=re.IGNORECASE)


def _has_noun(words: Sequence[str], started: bool) -> bool:
    """Return True if any word is surely a noun: a name, or a content word that begins a noun phrase (no -ed or -ing).

    If `started`, other words of the question stand before. Otherwise the first word has a capital by its place.
    """
    for place, word in enumerate(words):
        if not is_content(word) or _VERBAL.search(word):
            continue
        before = words[place - 1].lower() if place else ""
        if word[0].isupper() and (place > 0 or started):
            return True
        if before in _BEFORE_NOUNS:
            return True
        if before in INTERROGATIVES - {"who", "how", "why", "when", "where"}:
            return True
    return False
