"""Relations whose answer must move with the question, as far as the source's answer says that it depends on it.

Nobody has to say what the right answer is: an answer that repeated "for four people" from the question must not repeat
it where the question says six. What the answers say is read from their words (`relations.said`), so wording does not
count, and what cannot be read is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import ClassVar

import mutatis.transformations  # noqa: F401 - registers what is named here
from mutatis.core.cases import Step
from mutatis.core.constraint import Evidence, Precondition, Stage
from mutatis.core.decision import Decision
from mutatis.core.languages import ENGLISH
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Expects, Group
from mutatis.measures.words import FUNCTION_WORDS
from mutatis.relations.deciding import ReadsEnglish, answer, nothing
from mutatis.relations.define import relation
from mutatis.relations.output import OUTPUT_RELATIONS
from mutatis.relations.preconditions import NOT_A_REFUSAL
from mutatis.relations.said import StatedPlace, open_decision, read_decision, value_places
from mutatis.relations.soundness import ENOUGH, LOGIC, MUST_MOVE, standing
from mutatis.transformations.values import (
    ASKED_KINDS,
    EXCHANGED,
    Slot,
    only_value,
    products_of,
    value_as,
    values_said,
)

CHAT = ("chat",)
ALONE: tuple[Slot, ...] = ("weekday", "date", "time", "size", "city", "country", "product")
"""Kinds of which an answer must give one alone: of several, some are the service's own (opening hours)."""


def repeats(answer_text: str, question: str, kind: Slot, names: Sequence[str] = ()) -> bool:
    """Whether an answer gives the value that its question asks for, and does not hedge it.

    Products are known by their `names`: the one of the question, and those that may stand in its place.

    >>> repeats("A table for 4 is booked.", "Can I have a table for four people?", "count")
    True
    >>> repeats("We only have tables for 4.", "Can I have a table for four people?", "count")
    False
    """
    value = only_value(question, kind, names)
    said = value_places(answer_text, kind, names)
    if value is None or (kind in ALONE and len({other.key for other, _ in said}) > 1):
        return False
    there = [place for other, place in said if other.same(value)]
    return bool(there) and not any(place.hedged for place in there)


def _repeats(kind: Slot, evidence: Evidence) -> bool:
    names = products_of(evidence.turn)
    if evidence.response is None or not repeats(evidence.response.text, evidence.turn.question, kind, names):
        return False
    value = only_value(evidence.turn.question, kind, names)
    earlier = takewhile(lambda turn: turn is not evidence.turn, evidence.case.turns)
    # What was said before may still hold: another value would contradict the user's own words.
    texts = (text for turn in earlier for text in (turn.question, turn.reply or ""))
    said = [other for text in texts for other in values_said(text, kind, names)]
    return value is not None and not any(other.same(value) for other in said)


def _is_a_word(text: str, product: str, place: StatedPlace) -> bool:
    """Whether a part of a product's name may be a mere word: it begins a sentence, and what follows goes with it.

    >>> _is_a_word("Night", "Night tariff", value_places("Night hours are until 6.", "product", ["Night tariff"])[0][1])
    True
    """
    in_part = len(text.split()) < len(product.split())
    return in_part and place.first and place.after != "" and place.after not in FUNCTION_WORDS


@dataclass(frozen=True, slots=True)
class FollowsValue(ReadsEnglish):
    """The answer gives the new value where the source's answer gave the old one."""

    expects: ClassVar[Expects] = "different"
    expects_change: ClassVar[bool] = True
    for_readers = (
        "The new answer must not give the old value where the source answer gave it; where it gives a value there,"
        " it must be the new one. (An answer that names both, or none, or refuses, is allowed.)"
    )
    name: str = "follows-value"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold where the new value is given; violated where only the old one is, in its old place; else open."""
        exchange = group.members[0].asked.annotations.get(EXCHANGED) if group.members else None
        if not group.reference or exchange is None:
            return nothing(judge)
        kind, old, new = exchange
        before = value_places(str(group.reference[0]), kind, (old, new))
        after = value_places(str(answer(group, 0)), kind, (old, new))
        old_value, new_value = value_as(kind, old), value_as(kind, new)
        says_old = any(value.same(old_value) for value, _ in after)
        expectation = f"the answer should go by {new!r}, not {old!r}"
        if any(value.same(new_value) for value, _ in after):
            return open_decision("it names both values") if says_old else read_decision(True, expectation)
        stood = [place for value, place in before if value.same(old_value)]
        # A small number may be there by chance, for something else; a day or a place hardly is.
        shared = 2 if kind == "count" else 1
        again = [(value.text, here) for value, here in after if value.same(old_value) and not here.hedged]
        there = [(text, here) for text, here in again if any(here.is_like(place, shared=shared) for place in stood)]
        plainly = [text for text, here in there if kind != "product" or not _is_a_word(text, old, here)]
        if plainly:
            return read_decision(False, expectation, f"it still says {plainly[0]!r}")
        if there:
            return open_decision(f"{there[0][0]!r} may be a word there, and not the product")
        third = [value.text for value, here in after if not here.hedged and any(map(here.is_framed_as, stood))]
        if kind in ("count", "amount") and third:
            return read_decision(False, expectation, f"it says {third[0]!r} there")
        return open_decision("it gives no value there")


OUTPUT_RELATIONS[FollowsValue().name] = FollowsValue()

for _kind in ASKED_KINDS:
    relation(
        f"other-{_kind}",
        transformations=[Step.of("exchange-value", kind=_kind)],
        output_relation=FollowsValue(),
        tasks=CHAT,
        turns="each",
        tags={"ours", MUST_MOVE, *standing(f"other-{_kind}", CHAT, LOGIC, enough=ENOUGH)},
        preconditions=(
            Precondition(
                name=f"source answer repeats the {_kind}",
                stage=Stage.SOURCE_OUTPUT,
                check=partial(_repeats, _kind),
                broken=f"the source's answer does not go by a {_kind} of the question",
                languages=ENGLISH,
            ),
            NOT_A_REFUSAL,
        ),
        summary=f"With another {_kind} in the question, the answer does not repeat the old one.",
    )
