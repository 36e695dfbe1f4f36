"""Relations on answers that must change with the question, because the source's answer depends on it.

The correct answer need not be known. If an answer repeats "for four people" from the question, it must not do so when
the question is changed to six. Answers are interpreted by their key words (`relations.said`), so that their wording
does not matter. Answers that cannot be interpreted leave the verdict open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import chain, takewhile
from typing import ClassVar

from mutatis.core.cases import Step
from mutatis.core.constraint import Evidence
from mutatis.core.decision import Decision
from mutatis.core.languages import is_english
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Expects, Group
from mutatis.dictionary import limits_of
from mutatis.measures.folder_words import content_words
from mutatis.measures.words import FUNCTION_WORDS
from mutatis.relations.output import (
    OUTPUT_RELATIONS,
    ReadsByFolder,
    language_of,
    on_answer,
    recorded,
    replies_in,
    without_answers,
)
from mutatis.relations.preconditions import NOT_A_REFUSAL
from mutatis.relations.said import StatedPlace, open_decision, read_decision, value_places
from mutatis.relations.soundness import ENOUGH, LOGIC, MUST_MOVE
from mutatis.relations.table import CHAT, Row, marked_by, register
from mutatis.text.abstention import polarity
from mutatis.text.sides import side_taken
from mutatis.text.values import values, whole_value
from mutatis.transformations.together import asks_value
from mutatis.transformations.values import ASKED_KINDS, EXCHANGED, Slot, only_value, products_of, value_as, values_said

ALONE: tuple[Slot, ...] = ("weekday", "date", "time", "size", "city", "country", "product")
"""Kinds of values that must be the only one in an answer, since others may be the service's own (opening hours)."""


def repeats(answer_text: str, question: str, kind: Slot, names: Sequence[str] = ()) -> bool:
    """Return True if an answer repeats the value in its question without hedging.

    Products are recognised by `names`: the question's product, and others that may replace it.

    >>> repeats("A table for 4 is booked.", "Can I have a table for four people?", "count")
    True
    >>> repeats("We only have tables for 4.", "Can I have a table for four people?", "count")
    False
    """
    asked = only_value(question, kind, names)
    answered = value_places(answer_text, kind, names)
    if asked is None or (kind in ALONE and len({value.key for value, _ in answered}) > 1):
        return False
    places = [place for value, place in answered if value.same(asked)]
    return bool(places) and not any(place.hedged for place in places)


def _repeats(kind: Slot, evidence: Evidence) -> bool:
    """Return True if the source's answer repeats the question's value, which no earlier turn has mentioned.

    After an earlier mention, another value would contradict the user's own words.
    """
    turn, names = evidence.turn, products_of(evidence.turn)
    if evidence.response is None or not repeats(evidence.response.text, turn.question, kind, names):
        return False
    asked = only_value(turn.question, kind, names)
    earlier_turns = takewhile(lambda other: other is not turn, evidence.case.turns)
    texts = chain.from_iterable((earlier.question, earlier.reply or "") for earlier in earlier_turns)
    mentioned = chain.from_iterable(values_said(text, kind, names) for text in texts)
    return asked is not None and not any(value.same(asked) for value in mentioned)


def _repeats_asked(evidence: Evidence) -> bool:
    """Return True if the source's answer repeats every value that an edit replaces.

    The edit `another-value` checks this itself.
    """
    kinds = [step.parameters["kind"] for step in evidence.steps if step.transformation == "exchange-value"]
    return all(_repeats(kind, evidence) for kind in kinds)


def _is_a_word(text: str, product: str, place: StatedPlace) -> bool:
    """Return True if part of a product's name may be an ordinary word.

    That is so if it begins a sentence and belongs to the following word.

    >>> _is_a_word("Night", "Night tariff", value_places("Night hours are until 6.", "product", ["Night tariff"])[0][1])
    True
    """
    in_part = len(text.split()) < len(product.split())
    return in_part and place.first and place.after != "" and place.after not in FUNCTION_WORDS


class FollowsValue(ReadsByFolder):
    """Output relation `follows-value`: the answer gives the new value if the source's answer gave the old one."""

    expects: ClassVar[Expects] = "different"
    expects_change: ClassVar[bool] = True
    for_readers = (
        "The new answer must not give the old value in the place where the source answer gave it; a value given "
        "there must be the new one. (An answer that says no, names both or none, or refuses, is allowed.)"
    )
    name = "follows-value"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Decide that the relation holds if the answer gives the new value.

        Report a violation if it gives only the old value, in the same place as before. Otherwise, leave the verdict
        open.
        """
        exchange = recorded(group, EXCHANGED)
        if not group.reference or exchange is None:
            return without_answers(judge)
        kind, old, new = exchange
        before, after = replies_in(group)
        if not is_english(language := language_of(group)):
            return _follows_by_folder(before, after, old, new, language)
        expectation = f"the answer should use {new!r}, not {old!r}"
        values_after = [value for value, _ in value_places(after, kind, (old, new))]
        if any(value.same(value_as(kind, new)) for value in values_after):
            says_old = any(value.same(value_as(kind, old)) for value in values_after)
            return open_decision("it names both values") if says_old else read_decision(True, expectation)
        if polarity(after) is False:
            return open_decision("it says no, and may list what is available")
        if _prices_named(group.question, kind, old):
            return open_decision(f"it may state the price of what is offered, {old!r}")
        return _without_new_value(before, after, exchange, expectation)


def _prices_named(question: str, kind: Slot, measure: str) -> bool:
    """Return True if a question asks for the price of something that it names by a measure ("a 30 minute lesson").

    The reply may then rightly state the price of the only such thing that is offered.
    """
    value = value_as(kind, measure)
    named = re.search(rf"\b(?:an?|the|one|your)\s+{re.escape(measure)}[\s-]+[^\W\d_]", question, re.IGNORECASE)
    return named is not None and value.measure != "count" and value.kind != "amount" and asks_value(question)


def _without_new_value(before: str, after: str, exchange: tuple[Slot, str, str], expectation: str) -> Decision:
    """Decide on an answer that does not give the new value.

    It is wrong if it gives the old value, or another number, where the source's answer gave the old value.
    """
    kind, old, new = exchange
    old_value = value_as(kind, old)
    old_places = [place for value, place in value_places(before, kind, (old, new)) if value.same(old_value)]
    # "Only on Friday" may rightly give an old value, and so may "The limit is 120 kg" in both answers.
    limits = {limit.value for limit in limits_of(before)} & {limit.value for limit in limits_of(after)}
    places = value_places(after, kind, (old, new))
    stated = [(value, place) for value, place in places if not place.hedged and value.text not in limits]
    # A small number may occur by chance, for something else. A day or a place hardly does.
    shared = 2 if old_value.measure == "count" else 1
    repeated = [
        (value.text, place)
        for value, place in stated
        if value.same(old_value) and any(place.is_like(old_place, shared=shared) for old_place in old_places)
    ]
    certain = [text for text, place in repeated if kind != "product" or not _is_a_word(text, old, place)]
    if certain:
        return read_decision(False, expectation, f"it still says {certain[0]!r}")
    if repeated:
        return open_decision(f"{repeated[0][0]!r} may be an ordinary word there, not the product")
    other = [value.text for value, place in stated if any(map(place.is_framed_as, old_places))]
    if kind in ("count", "amount") and other:
        return read_decision(False, expectation, f"it says {other[0]!r} there")
    return open_decision("it does not give a value there")


def _follows_by_folder(before: str, after: str, old: str, new: str, language: str) -> Decision:
    """Decide `follows-value` for a language other than English.

    The relation holds if the answer gives the new value, and is violated if it still clearly gives the old one.
    """
    expectation = f"the answer should use {new!r}, not {old!r}"
    old_value, new_value = whole_value(old, language), whole_value(new, language)
    if old_value is None or new_value is None:
        return open_decision("the exchanged value cannot be read separately")
    says_old, says_new = (any(map(value.same, values(after, language))) for value in (old_value, new_value))
    if says_new:
        return open_decision("it names both values") if says_old else read_decision(True, expectation)
    if side_taken(after, language) is False or limits_of(after, language):
        return open_decision("it says no or states a limit, and may list what is available")
    said_before = any(map(old_value.same, values(before, language)))
    if says_old and said_before and content_words(before, language).keys() & content_words(after, language).keys():
        return read_decision(False, expectation, f"it still says {old!r}")
    return open_decision("it does not give a value there")


GIVES_VALUE = on_answer(
    name="source answer repeats the value",
    check=_repeats_asked,
    broken="the source's answer does not depend on a value of the question",
)
OUTPUT_RELATIONS[FollowsValue().name] = FollowsValue()

_moves = partial(Row, tasks=(CHAT,), purpose=LOGIC, tags=("ours", MUST_MOVE), enough=ENOUGH)


register(
    _moves(
        "another-value",
        FollowsValue(),
        only_if=(GIVES_VALUE, NOT_A_REFUSAL),
        by=("another-value", *(Step.of("exchange-value", kind=kind) for kind in ASKED_KINDS)),
        says="With another value in the question, the answer does not repeat the old one.",
        change="value",
        matching=marked_by(EXCHANGED),
    ),
)
