"""Preconditions shared by several relations: properties that a source or follow-up must have to be judged.

Preconditions on words ("yes", "unknown", praise, a refusal) depend on the language, while those on labels and numbers
do not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain

from mutatis.core.constraint import Evidence, Precondition, Stage
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.task import TASKS
from mutatis.measures.by_folder import languages_read
from mutatis.relations.opposite import converses_of, is_symmetric, judge_symmetric
from mutatis.relations.output import on_answer, source_answer
from mutatis.text.abstention import is_abstention
from mutatis.text.by_folder import polarity_in
from mutatis.text.refusals import is_refusal
from mutatis.text.sentences import sentences
from mutatis.transformations.exchange import exchangeable_numbers
from mutatis.transformations.feelings import feelings


def _informative(evidence: Evidence) -> bool:
    """Return True if the source's answer contains information."""
    if evidence.response is None or evidence.response.value is None:
        return False
    value, language = evidence.response.value, evidence.case.language
    # The parsers of tasks recognise "unknown" in English. In other languages, the folder of words does.
    if isinstance(value, str) and not is_english(language) and is_abstention(value, language):
        return False
    return not TASKS[evidence.task].uninformative(value)


def _has_label(*labels: str) -> Callable[[Evidence], bool]:
    return lambda evidence: evidence.response is not None and evidence.response.value in labels


def _not_neutral(evidence: Evidence) -> bool:
    value = None if evidence.response is None else evidence.response.value
    return isinstance(value, float | int) and abs(value - 0.5) > 1e-9


def _edited_texts(evidence: Evidence) -> list[str]:
    """Return the texts of the relation's fields, or all texts of the turn if it does not name fields."""
    return [evidence.turn.fields.get(name, "") for name in evidence.fields or evidence.turn.fields]


def _several_sentences(evidence: Evidence) -> bool:
    return all(len(sentences(text)) >= 2 for text in _edited_texts(evidence))


def _answered(evidence: Evidence) -> bool:
    return evidence.response is not None and not is_refusal(evidence.response.text, language=evidence.case.language)


_POLAR = re.compile(
    r"(?:(?:and|but|so|then|well|or)\s+)?(?:is|are|was|were|am|can|could|will|would|shall|should|must|may|might|do|does|did|has"
    r"|have|had)(?:n['\u2019]t)?\b",
    re.IGNORECASE,
)


def is_polar_question(question: str) -> bool:
    """Return True if a question can be answered by yes or no.

    >>> is_polar_question("Was he married?"), is_polar_question("Who was he?")
    (True, False)
    """
    return _POLAR.match(question.strip()) is not None


def _must_change(evidence: Evidence) -> bool:
    """Return True if this answer must change when the text is replaced by an opposite or an irrelevant one."""
    if evidence.task == "inference":
        return _has_label("entailment")(evidence)
    if not _informative(evidence):
        return False
    question = evidence.turn.question
    return not is_polar_question(question) or source_answer(evidence).lower().startswith("yes")


def _open_question(evidence: Evidence) -> bool:
    """Return True if the answer must change with the text and is not a yes or no.

    In English the question shows the latter, in other languages the answer.
    """
    if not is_english(language := evidence.case.language):
        return _informative(evidence) and polarity_in(source_answer(evidence), language) is None
    return _must_change(evidence) and not is_polar_question(evidence.turn.question)


def _yes_or_no(evidence: Evidence) -> bool:
    return re.match(r"\W*(?:yes|no)\b", source_answer(evidence), re.IGNORECASE) is not None


def _one_feeling(evidence: Evidence) -> bool:
    """Return True if all words of praise and blame in the edited texts are on the side of the source's answer."""
    value = None if evidence.response is None else evidence.response.value
    if not isinstance(value, float | int) or not _not_neutral(evidence):
        return False
    side = 1 if value > 0.5 else -1
    return all(feelings(text).side == side for text in _edited_texts(evidence))


def _number_answer(evidence: Evidence) -> bool:
    """Return True if the answer contains exactly one replaceable number, which the edited texts contain once."""
    language = evidence.case.language or ENGLISH[0]
    answer = source_answer(evidence)
    replaceable = _replaceable_numbers(answer, language)
    if len(replaceable) != 1 or len(re.findall(r"\d[\d.,]*", answer)) != 1:
        return False
    in_texts = chain.from_iterable(_replaceable_numbers(text, language) for text in _edited_texts(evidence))
    return list(in_texts).count(replaceable[0]) == 1


def _replaceable_numbers(text: str, language: str) -> list[str]:
    return [match.group().lower() for match in exchangeable_numbers(text, language)]


_BETWEEN_PLACES = re.compile(
    r"\b(?:country|continent|capital|located|location|parts?|member|borders?|contains|territor\w+|jurisdiction|state|region)\b",
    re.IGNORECASE,
)
"""Pattern of relations between places, which are fixed."""


def _not_between_places(evidence: Evidence) -> bool:
    """Return True unless the answer is a fixed relation between places ("country", "part of")."""
    return evidence.task != "relation-extraction" or _BETWEEN_PLACES.search(source_answer(evidence)) is None


async def _symmetric_or_none(evidence: Evidence) -> bool:
    return not _informative(evidence) or await judge_symmetric(evidence)


async def _not_symmetric(evidence: Evidence) -> bool:
    return _informative(evidence) and not await judge_symmetric(evidence)


ANNOTATED = Precondition(
    name="annotated answer",
    stage=Stage.SOURCE_INPUT,
    check=lambda evidence: bool(evidence.turn.expected),
    broken="no annotated answer",
)
"""Precondition that an annotated answer exists. Otherwise, an answer could only be compared with itself."""

INFORMATIVE = on_answer(name="source answer says something", check=_informative, languages=languages_read())
"""Precondition that the source's answer contains information.

It must not be "unknown" (question answering), neutral (inference), "no relation" (relation extraction) or between 0.4
and 0.6 (sentiment).
"""

ENTAILMENT = on_answer(name="source answer is entailment", check=_has_label("entailment"))

CONTRADICTION = on_answer(name="source answer is contradiction", check=_has_label("contradiction"))

NO_CONTRADICTION = on_answer(name="source answer is entailment or neutral", check=_has_label("entailment", "neutral"))

SETTLED = on_answer(name="source answer is not neutral", check=_has_label("entailment", "contradiction"))

NOT_BETWEEN_PLACES = on_answer(
    name="source answer is not a fixed relation between places", check=_not_between_places, languages=languages_read()
)
"""Precondition that the answer is not a fixed relation between places.

Without it, 5 of the 40 follow-ups that people read made false claims, such as that Beijing is in Italy.
"""

LISTED_SYMMETRIC = on_answer(
    name="source answer is a relation listed as symmetric",
    check=lambda evidence: is_symmetric(source_answer(evidence)),
    languages=ENGLISH,
)

LISTED_CONVERSE = on_answer(
    name="source answer is a relation with a listed converse",
    check=lambda evidence: bool(converses_of(source_answer(evidence))),
    languages=ENGLISH,
)

TURNED_ROUND = on_answer(name="source answer can be reversed", check=_must_change, languages=ENGLISH)
"""Precondition that the source's answer can be reversed.

It is like INFORMATIVE, but inference must have the answer entailment, since the opposite of a contradiction may also be
a contradiction. A yes-no question must have the answer yes.
"""

OPEN_QUESTION = on_answer(
    name="source answer can be reversed, and is not a yes or no", check=_open_question, languages=languages_read()
)
"""Precondition that the source's answer can be reversed and is not a yes or no.

Yes-no questions are excluded because "Wasn't he married?" has the same answer as "Was he married?".
"""

ONE_FEELING = on_answer(
    name="all words of praise and blame are on the source answer's side", check=_one_feeling, languages=ENGLISH
)

YES_OR_NO = on_answer(name="source answer is yes or no", check=_yes_or_no, languages=ENGLISH)

LABEL_WITHOUT_NUMBER = on_answer(
    name="source answer is not a label with a number",
    check=lambda evidence: re.search(r"\d", source_answer(evidence)) is None,
    broken="the source's label has a number, which may depend on those in the text",
)

NUMBER_ANSWER = on_answer(
    name="source answer is a number that the text contains once", check=_number_answer, languages=languages_read()
)

NOT_NEUTRAL = on_answer(name="source answer is not 0.5", check=_not_neutral)

SEVERAL_SENTENCES = Precondition(name="at least two sentences", stage=Stage.SOURCE_INPUT, check=_several_sentences)

NOT_A_REFUSAL = Precondition(name="answer is not a refusal", stage=Stage.FOLLOW_UP_OUTPUT, check=_answered)
"""Precondition that the answer is not a refusal.

A refusal differs from every answer, so it must not satisfy a relation that expects a difference. Refusals are read in
English and in languages with word lists. Other languages are not excluded, because all user-defined relations that
expect a difference have this precondition.
"""

SYMMETRIC = on_answer(
    name="relation is symmetric or none", check=_symmetric_or_none, needs_helper=True, languages=ENGLISH
)

NOT_SYMMETRIC = on_answer(name="relation is not symmetric", check=_not_symmetric, needs_helper=True, languages=ENGLISH)
