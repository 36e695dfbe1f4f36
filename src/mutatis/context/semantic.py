"""The semantic check, which decides whether a question can be resolved on its own.

It uses spaCy with coreferee if they are installed, and surface cues otherwise. Only the question itself is examined,
not the dialogue.
"""

from __future__ import annotations

import contextlib
import io
from functools import lru_cache
from typing import Any

from mutatis.context.cues import cues
from mutatis.context.words import PRONOUNS, third_person

LEAST_WORDS = 3
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
    if seen.words < LEAST_WORDS or not seen.contents:
        return False
    ellipsis = seen.other or seen.sequence or seen.about or seen.demonstrative or seen.pointed
    return not ellipsis and not seen.definite and _pronouns_resolved(question)


def self_resolved_as_published(question: str) -> bool:
    """Return True if a question has at least three words and every third-person pronoun has an antecedent in it.

    The papers check nothing else, so "And then what happened?" passes and almost every context counts as equivalent.

    >>> self_resolved_as_published("And then what happened?"), self_resolved_as_published("Did she leave?")
    (True, False)
    """
    return cues(question).words >= LEAST_WORDS and _pronouns_resolved(question)


def _pronouns_resolved(question: str) -> bool:
    if not third_person(question):
        return True
    referred = referring(question)
    return referred is not None and not referred[1]
