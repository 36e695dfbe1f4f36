"""Detects signs that a question depends on its context: pronouns, ellipsis, and words that point back.

Only the question itself is examined, not the dialogue. The semantic check decides whether it can be resolved on its
own: by spaCy with coreferee if they are installed, and by these signs otherwise.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from mutatis.context.words import (
    AUXILIARIES,
    INTERROGATIVES,
    LIGHT_VERBS,
    LINKS,
    PRONOUNS,
    is_content,
    plain_words,
)
from mutatis.text.normalisation import listed_words
from mutatis.text.segments import stem

_POSSESSIVES = listed_words("his her its their")
_BEFORE_NOUNS = (AUXILIARIES | INTERROGATIVES | listed_words(
    """a an the this these those my your our his her its their some any all every each no of in on at to for from with
    by about into over under after before during between and or like than as using"""
)) - {"who", "how", "why", "when", "where"}  # fmt: skip
_VERBAL = re.compile(r"(?<=[a-z][a-z])(?:ed|ing)$")
# A pronoun may refer to a noun in an earlier clause, but not in its own ("Did Ann like it?").
_CLAUSE = re.compile(
    r"[,;:.?!()]|\s[-\u2013\u2014]+\s|\b(?:and|or|but|so|if|when|while|because|since|that|which|who|how|what|where|why|whether|as|than)\b",
    re.IGNORECASE,
)
# "It" that refers to nothing, as in "Is it true that ...", unlike "Is it the one that ...".
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
    """Return, in lower case, the third-person pronouns of a question that have no antecedent in it.

    >>> outside("Speaking about vaccines, how are they made?"), outside("Is it true that it rains?")
    ((), ())
    >>> outside("How are they made?"), outside("Did Ann like it?")
    (('they',), ('it',))
    """
    text = _EMPTY_IT.sub(_without_it, question.replace("’", "'"))
    pronouns: list[str] = []
    noun_before, begins_question = False, True
    for part in _CLAUSE.split(text):
        clause = plain_words(part)
        for place, word in enumerate(map(str.lower, clause)):
            # "His" may also refer to a noun in its own clause ("Did Ann sell her car?").
            in_clause = word in _POSSESSIVES and _has_noun(clause[:place], begins_question=begins_question)
            if word in PRONOUNS and not noun_before and not in_clause:
                pronouns.append(word)
        noun_before = noun_before or _has_noun(clause, begins_question=begins_question)
        begins_question = begins_question and not clause
    return tuple(pronouns)


def _without_it(match: re.Match[str]) -> str:
    return re.sub(r"\bit(?:'s)?\b", " ", match.group(), flags=re.IGNORECASE)


def _has_noun(words: Sequence[str], *, begins_question: bool) -> bool:
    """Return True if any word is clearly a noun: a name, or a content word that begins a noun phrase.

    Words in -ed and -ing do not count. The first word of the question is not taken for a name, because it is always
    capitalised.
    """
    for place, word in enumerate(words):
        if not is_content(word) or _VERBAL.search(word):
            continue
        before = words[place - 1].lower() if place else ""
        if word[0].isupper() and (place > 0 or not begins_question):
            return True
        if before in _BEFORE_NOUNS:
            return True
    return False


_DEMONSTRATIVES = listed_words("this that these those")
_OTHER = listed_words("else other others another more additional besides different aside further")
_SEQUENCE = listed_words("then next after afterwards later before subsequently finally eventually")
_PERSON_OR_PLACE = frozenset({word for word, kind in PRONOUNS.items() if kind != "it"} | {"there", "here"})
_LIGHT = LIGHT_VERBS | {"explain", "describe", "define", "list", "want", "need"}
_VERBS = AUXILIARIES | LIGHT_VERBS
_FRAME = AUXILIARIES | INTERROGATIVES | LINKS
_SPECIFIERS = listed_words("of in that who whom whose which where when")

LEAST_WORDS = 3
"""Minimum number of words in a question that can be resolved on its own, or from a story."""

Kind: TypeAlias = Literal["pronoun", "pointer", "plain"]
KINDS: tuple[Kind, ...] = ("pronoun", "pointer", "plain")


class Cues:
    """Surface signs in a question that it depends on its context.

    >>> cues("What else?").very_short, cues("Did he like the album?").pronoun, cues("Who is Ann?").dependent
    (True, 'he', False)

    Attributes:
        words: number of words.
        contents: number of content words.
        pronoun: the first third-person pronoun as `he`, `she`, `it` or `they`, or empty.
        outside: number of third-person pronouns that refer to something not named in the question itself.
        demonstrative: the question has "this", "that", "these" or "those" without a noun after it.
        pointed: the word stem that follows a demonstrative ("that album"), or empty.
        definite: the word stems that follow "the" without a specifying "of", "in", ... after them ("the old album").
        other: the question contains "else", "other", "another" or "more".
        sequence: the question contains "then", "next", "after" or "later".
        about: the question contains "what about" or "how about".
        auxiliary: the question contains an auxiliary verb.
        name: the question contains a capitalised content word after its first word.
        question_word: the first of "who", "what", ..., or empty.
        fragment: the question is a few words without verb or question word ("Opposition leader for the movement").
        clause: the question has a verb and its complement, and refers only to a person or a place ("Was she okay?").
    """

    def __init__(self, question: str) -> None:
        raw = plain_words(question)
        words = [word.lower() for word in raw]
        self.words = len(words)
        self.contents = sum(is_content(word) for word in words)
        self.pronoun = next((PRONOUNS[word] for word in words if word in PRONOUNS), "")
        self.pronouns = sum(word in PRONOUNS for word in words)
        self.outside = len(outside(question))
        self.demonstrative, self.pointed = _pointers(words)
        self.definite = _definite(words)
        self.other = any(word in _OTHER for word in words)
        self.sequence = any(word in _SEQUENCE for word in words)
        self.about = words[:2] in (["what", "about"], ["how", "about"])
        self.auxiliary = any(word in AUXILIARIES or word.endswith("n't") for word in words)
        self.name = any(word[0].isupper() and is_content(word) for word in raw[1:])
        self.question_word = next((word for word in words if word in INTERROGATIVES), "")
        has_verb = self.auxiliary or bool(self.question_word) or not _LIGHT.isdisjoint(words)
        self.fragment = 0 < len(words) <= 6 and not has_verb
        self.clause = _clause(words, question)

    @property
    def very_short(self) -> bool:
        """True if the question asks about the exchange before it ("Why?", "What else?", "Did he?")."""
        if not 0 < self.words <= 3 or self.contents:
            return False
        return not self.auxiliary or self.demonstrative or not self.question_word

    @property
    def kind(self) -> Kind:
        """How the question refers to its context: by a pronoun, by another word, or not at all.

        Examples of other words are "that", "else" and "then". The three kinds have different thresholds, because a
        model is only reliable for pronouns. A question without a pronoun often seems to lack context but opens a new
        topic.
        """
        if self.outside:
            return "pronoun"
        return "pointer" if self.points or not self.contents else "plain"

    @property
    def dependent(self) -> bool:
        """True if anything in the question needs an antecedent outside it."""
        return bool(self.outside or self.points or self.definite or self.words < LEAST_WORDS or not self.contents)

    @property
    def points(self) -> bool:
        """True if a word other than a pronoun points to the context, such as "that", "else" or "then"."""
        return bool(self.demonstrative or self.pointed or self.other or self.sequence or self.about)


def _definite(words: list[str]) -> tuple[str, ...]:
    """Return the stems of content words that directly follow "the", except those followed by a specifying word."""
    stems: list[str] = []
    for place, word in enumerate(words):
        if word != "the":
            continue
        end = place + 1
        while end < len(words) and is_content(words[end]):
            end += 1
        if end == len(words) or words[end] not in _SPECIFIERS:
            stems += [stem(word) for word in words[place + 1 : end]]
    return tuple(stems)


def _clause(words: list[str], question: str) -> bool:
    """Return True if the question leaves open only a person or a place.

    "Did he?" is False: what he did is open, too.
    """
    if (_DEMONSTRATIVES | _OTHER | _SEQUENCE).intersection(words):
        return False
    verb = "'s" in question.replace("’", "'") or any(word in _VERBS for word in words)
    rest = [word for word in words if word not in _FRAME]
    return verb and len(rest) > 1 and not _PERSON_OR_PLACE.isdisjoint(rest)


def _pointers(words: list[str]) -> tuple[bool, str]:
    """Return whether a demonstrative stands alone ("What is that?"), and the stem after the first one that does not.

    "That" is often a conjunction or a relative pronoun instead, and other demonstratives after a noun only count at the
    end of the question.

    >>> [_pointers(question.split()) for question in ("what is that", "did that album sell", "which boats that sank")]
    [(True, ''), (False, 'album'), (False, '')]
    >>> [_pointers(question.split()) for question in ("is it true that he left", "did he sell boats like these")]
    [(False, ''), (True, '')]
    """
    alone, pointed = False, ""
    for before, word, following in zip(["", *words], words, [*words[1:], ""], strict=False):
        if word not in _DEMONSTRATIVES:
            continue
        after_noun, is_last = bool(before) and is_content(before), not following
        if not is_last and is_content(following):
            is_conjunction = word == "that" and after_noun  # "the boats that sank"
            pointed = pointed or ("" if is_conjunction else stem(following))
        else:
            is_conjunction = word == "that" and not is_last and following not in AUXILIARIES  # "true that he left"
            alone = alone or (not is_conjunction and (is_last or not after_noun))
    return alone, pointed


cues = lru_cache(maxsize=20_000)(Cues)
"""Returns the signs of dependence on context in one question."""

PIPELINES = ("en_core_web_trf", "en_core_web_lg", "en_core_web_md", "en_core_web_sm")


@lru_cache(maxsize=1)
def pipeline() -> Any | None:
    """Return a spaCy pipeline with coreferee, or None if the packages or their models are missing."""
    try:
        import coreferee  # noqa: F401
        import spacy
    except ImportError:
        return None
    for name in PIPELINES:
        try:
            nlp = spacy.load(name)
            # coreferee prints what it then raises, and standard output may be somebody's JSON.
            with contextlib.redirect_stdout(io.StringIO()):
                nlp.add_pipe("coreferee")
        except Exception:  # coreferee's errors have no base in common with spaCy's, nor with Python's narrower ones
            continue
        return nlp
    return None


@lru_cache(maxsize=1_000)
def referring(text: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the kinds of third-person pronouns in a text: those with an antecedent in it, and those without.

    A pronoun does not count as an antecedent. Return None if coreferee is not available.
    """
    nlp = pipeline()
    if nlp is None:
        return None
    document = nlp(text)
    known: set[str] = set()
    lacking: set[str] = set()
    for token in document:
        kind = PRONOUNS.get(token.text.lower(), "")
        if kind and token.pos_ in ("PRON", "DET"):
            resolved = document._.coref_chains.resolve(token) or ()
            (known if any(other.pos_ != "PRON" for other in resolved) else lacking).add(kind)
    return frozenset(known), frozenset(lacking)


def self_resolved(question: str) -> bool:
    """Return True if a question contains no anaphora or ellipsis, so that it needs no context.

    Return False for questions of fewer than three words.

    >>> self_resolved("Who is Ann?"), self_resolved("Did she leave?"), self_resolved("Why?")
    (True, False, False)
    """
    seen = cues(question)
    if seen.words < LEAST_WORDS or not seen.contents or seen.points or seen.definite:
        return False
    return _pronouns_resolved(question)


def self_resolved_as_published(question: str) -> bool:
    """Return True if a question has at least three words and every third-person pronoun has an antecedent in it.

    The papers check nothing else, so "And then what happened?" passes and almost every context counts as equivalent.

    >>> self_resolved_as_published("And then what happened?"), self_resolved_as_published("Did she leave?")
    (True, False)
    """
    return cues(question).words >= LEAST_WORDS and _pronouns_resolved(question)


def _pronouns_resolved(question: str) -> bool:
    if not cues(question).pronouns:
        return True
    referred = referring(question)
    return referred is not None and not referred[1]
