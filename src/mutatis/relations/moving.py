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

from mutatis.core.cases import Step
from mutatis.core.constraint import Evidence
from mutatis.core.decision import Decision
from mutatis.core.languages import is_english
from mutatis.core.relation import Group
from mutatis.dictionary import limits_of
from mutatis.relations.output import ReadsByFolder, on_answer
from mutatis.relations.preconditions import NOT_A_REFUSAL
from mutatis.relations.said import open_decision, read_decision, value_places
from mutatis.relations.soundness import ENOUGH, LOGIC, MUST_MOVE
from mutatis.relations.table import marked_by, row
from mutatis.text.sides import side_taken
from mutatis.text.values import Value
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


class FollowsValue(ReadsByFolder):
    """Output relation `follows-value`: the answer gives the new value if the source's answer gave the old one."""

    expects = "different"
    expects_change = True
    for_readers = (
        "The new answer must not give the old value in the place where the source answer gave it; a value given "
        "there must be the new one. (An answer that says no, names both or none, or refuses, is allowed.)"
    )
    name = "follows-value"
    note = EXCHANGED

    def read(self, group: Group) -> Decision:
        """Decide that the relation holds if the answer gives the new value.

        Report a violation if it gives only the old value, in the same place as before. Otherwise, leave the verdict
        open.
        """
        kind, old, new = group.recorded(EXCHANGED)
        before, after = group.replies
        language = group.language
        expectation = f"the answer should use {new!r}, not {old!r}"
        old_value, new_value = value_as(kind, old, language), value_as(kind, new, language)
        places = value_places(after, kind, (old, new), language)
        says_old, says_new = (any(value.same(wanted) for value, _ in places) for wanted in (old_value, new_value))
        if says_new:
            return open_decision("it names both values") if says_old else read_decision(True, expectation)
        if side_taken(after, language) is False:
            return open_decision("it says no, and may list what is available")
        if is_english(language) and _prices_named(group.question, kind, old):
            return open_decision(f"it may state the price of what is offered, {old!r}")
        # A small number may occur by chance, for something else. A day or a place hardly does.
        shared = 2 if old_value.measure == "count" else 1
        places_before = value_places(before, kind, (old, new), language)
        old_places = [place for value, place in places_before if value.same(old_value)]
        limits = {limit.value for limit in limits_of(after, language)}  # "The limit is 120 kg" holds for any weight
        for value, place in places:
            repeats_old = value.same(old_value) and not place.hedged and value.text not in limits
            if not repeats_old or not any(place.is_like(old_place, shared=shared) for old_place in old_places):
                continue
            if any(_is_another_number(value, other) for other, _ in places):
                return open_decision(f"it lists several numbers of {value.unit}")
            return read_decision(False, expectation, f"it still says {value.text!r}")
        return open_decision("it does not give a value there")


def _is_another_number(value: Value, other: Value) -> bool:
    """Return True if two values are different numbers of one thing, as in a list of prices for 1, 2 and 3 zones."""
    return value.measure == other.measure == "count" and value.unit == other.unit != "" and not value.same(other)


def _prices_named(question: str, kind: Slot, measure: str) -> bool:
    """Return True if a question asks for the price of something that it names by a measure ("a 30 minute lesson").

    The reply may then rightly state the price of the only such thing that is offered.
    """
    value = value_as(kind, measure)
    named = re.search(rf"\b(?:an?|the|one|your)\s+{re.escape(measure)}[\s-]+[^\W\d_]", question, re.IGNORECASE)
    return named is not None and value.measure != "count" and value.kind != "amount" and asks_value(question)


GIVES_VALUE = on_answer(
    name="source answer repeats the value",
    check=_repeats_asked,
    broken="the source's answer does not depend on a value of the question",
)

_moves = partial(row, tasks="chat", purpose=LOGIC, tags=("ours", MUST_MOVE), enough=ENOUGH)


_moves(
    "another-value",
    FollowsValue(),
    only_if=(GIVES_VALUE, NOT_A_REFUSAL),
    by=("another-value", *(Step.of("exchange-value", kind=kind) for kind in ASKED_KINDS)),
    says="With another value in the question, the answer does not repeat the old one.",
    change="value",
    matching=marked_by(EXCHANGED),
)
