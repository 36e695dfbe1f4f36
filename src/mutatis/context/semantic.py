"""The semantic check: does a question resolve alone? spaCy with coreferee where installed, surface cues otherwise.

Must not know the dialogue the question stands in.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from mutatis.context.cues import cues

LEAST_WORDS = 3
PIPELINES = ("en_core_web_trf", "en_core_web_lg", "en_core_web_md", "en_core_web_sm")


@lru_cache(maxsize=1)
def pipeline() -> Any | None:
    """Return a spaCy pipeline with coreferee, or None where the packages or their models are not installed."""
    try:
        import coreferee  # noqa: F401
        import spacy
    except ImportError:
        return None
    for name in PIPELINES:
        try:
            nlp = spacy.load(name)
            nlp.add_pipe("coreferee")
        except (OSError, ValueError, RuntimeError):
            continue
        return nlp
    return None


def _pronouns_resolved(nlp: Any, question: str) -> bool:
    """Whether every third-person pronoun of the question has its antecedent inside the question."""
    document = nlp(question)
    for token in document:
        if token.pos_ == "PRON" and "3" in token.morph.get("Person"):
            resolved = document._.coref_chains.resolve(token)
            if not resolved or all(other.pos_ == "PRON" for other in resolved):
                return False
    return True


def self_resolved(question: str) -> bool:
    """Whether a question has no anaphora and no ellipsis that needs context; under three words it never passes.

    >>> self_resolved("Who is Ann?"), self_resolved("Did she leave?"), self_resolved("Why?")
    (True, False, False)
    """
    seen = cues(question)
    if seen.words < LEAST_WORDS or not seen.contents:
        return False
    ellipsis = seen.other or seen.sequence or seen.about or seen.demonstrative or seen.pointed
    if ellipsis or seen.definite:
        return False
    nlp = pipeline() if seen.pronoun else None
    return _pronouns_resolved(nlp, question) if nlp else not seen.pronoun
