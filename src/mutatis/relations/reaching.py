"""Relations based on the run's own questions and replies: values and their notations, names and limits.

Whether a relation holds is decided from statements in the replies. Statements that cannot be interpreted leave a pair
undecided.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from mutatis.core.cases import Step
from mutatis.core.constraint import Stage
from mutatis.core.decision import Decision, Outcome
from mutatis.core.dictionary import Limit
from mutatis.core.languages import is_english
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Group, Grouping, Limits, Matching
from mutatis.dictionary import limits_of
from mutatis.relations.output import Equal, ReadsByFolder, ReadsEnglish, extreme, judge_unsure, judged, without_answers
from mutatis.relations.said import (
    Agreement,
    agreed,
    are_opposed,
    calls_free,
    charges,
    misread_as,
    open_decision,
    own_case,
    read_decision,
    side_of,
)
from mutatis.relations.soundness import FORMATS, LOGIC, MUST_MOVE, READ, SHOWN
from mutatis.relations.table import WANTED, grouped_by, marked_by, row
from mutatis.text.abstention import is_lost
from mutatis.text.alike import amounts_apart, answer_alike, worded_alike
from mutatis.text.by_folder import side_at
from mutatis.text.openers import without_openers
from mutatis.text.sides import side_begun, side_taken
from mutatis.text.values import values
from mutatis.transformations.at_limits import AT_LIMIT
from mutatis.transformations.edges import AT_EDGE, EDGE, FAR, INSIDE, OUTSIDE, WITHIN
from mutatis.transformations.halving import (
    HALVED,
    MOST,
    Walk,
    hole_in,
    misplaced_edge,
    prices_of,
    share_to_pay,
    shares_to_pay,
    turn_of_share,
    walks_of,
)
from mutatis.transformations.two_ways import OTHERWISE, PLAIN, TWO_WAYS, WAY

_CLAUSE = re.compile(r"(?<=[.;!?])\s+|,\s+|\s*\(|\)[\s:,]*|\s+(?:\u2013|-)\s+|\s+(?=\bbut\b)")
"""Pattern of the end of a clause: a mark, a bracket, a dash, or the word "but"."""


class KeepsToLimit(ReadsByFolder):
    """Output relation `keeps-to-limit`: the answer is the same on one side of a stated limit and changes across it."""

    in_words = "the answer follows the limit"
    for_readers = (
        "The new value is at a limit that a reply states, or just beside it. On the same side of the limit as the "
        "source's value, the new answer must not turn yes into no or free into not free, nor the other way round; "
        "across it, it must."
    )
    name = "keeps-to-limit"
    note = AT_LIMIT

    def read(self, group: Group) -> Decision:
        """Report a violation if the answers (yes or no, free or not) contradict the wording of the limit.

        Leave the verdict open if they cannot be interpreted.
        """
        noted = group.recorded(AT_LIMIT)
        before, after = group.replies
        language = group.language
        if is_lost(after, language):
            return open_decision("the reply says that the message was not understood")
        first, second = (
            _read_at_limit(reply, noted[place], noted["limit"], language)
            for reply, place in ((before, "old"), (after, "new"))
        )
        alike = answer_alike(before, after, [noted["old"], noted["new"]])[0] is True
        decide = _on_same_side if noted["side"] == "same" else _across
        held, violation = decide(first, second, is_inside=noted["inside"] == "yes", alike=alike)
        limit = noted["limit"]
        if held is False and noted["trusted"] != "yes" and not second.states:
            return open_decision(
                f"{violation}; but only one reply states the limit {limit!r}, which may itself be wrong"
            )
        side = "the same side" if noted["side"] == "same" else "another side"
        expectation = f"by {limit!r}, {noted['new']!r} is on {side} as {noted['old']!r}"
        unclear = "one of the answers does not say on which side of the limit the value is"
        return read_decision(held, expectation, violation, unclear)


@dataclass(frozen=True, slots=True, kw_only=True)
class _LimitReading:
    """How a reply treats a value near a limit that the system's replies state.

    Attributes:
        side: yes or no, if the reply contains either outside the clause that states the limit.
        free: True if it calls something free there, False if it states a cost, None if it does neither or both.
        states: whether the reply states the limit.
        offers_free: whether the limit that it states ends a free offer.
    """

    side: bool | None
    free: bool | None = None
    states: bool = False
    offers_free: bool = False


def _read_at_limit(reply: str, value: str, limit: str, language: str) -> _LimitReading:
    """Read how a reply treats a value near a limit.

    >>> reading = _read_at_limit("No, the discount is for guests from 65 on.", "65", "from 65", "en")
    >>> reading.side, reading.free, reading.states
    (False, None, True)
    >>> reading = _read_at_limit("Delivery costs 4.90 EUR; it is free from 35 EUR.", "35 EUR", "from 35 EUR", "en")
    >>> reading.side, reading.free
    (None, False)
    """
    if not is_english(language):
        return _LimitReading(side=side_at(value, reply, limit, language))
    clauses = [clause for clause in _CLAUSE.split(without_openers(reply)) if clause]
    beside_limit = [clause for clause in clauses if limit.casefold() not in clause.casefold()]
    side = side_begun(reply)
    return _LimitReading(
        side=agreed(map(side_taken, beside_limit)) if side is None else side,
        free=agreed(calls_free(clause, [value]) for clause in beside_limit),
        states=len(beside_limit) < len(clauses),
        offers_free=any("free" in stated.about for stated in limits_of(reply)),
    )


def _on_same_side(before: _LimitReading, after: _LimitReading, *, is_inside: bool, alike: bool) -> Agreement:
    """Return whether two answers agree, as they must on one side of a limit, and the evidence if they do not.

    None stands for answers that cannot be compared.
    """
    if before.side is not None and after.side is not None:
        return before.side is after.side, _from_to(before.side, after.side)
    if before.free is not None and after.free is not None:
        return before.free is after.free, f"it was {'' if before.free else 'not '}free and is now the other"
    if before.offers_free and is_inside and after.free is False:
        return False, "it is no longer free"
    return True if alike else None, ""


def _across(before: _LimitReading, after: _LimitReading, *, is_inside: bool, alike: bool) -> Agreement:
    """Return whether two answers differ, as they must across a limit, and the evidence if they do not.

    None stands for answers that cannot be compared, or if the first answer does not depend on the limit.
    """
    if before.side is not None and after.side is not None:
        if before.side is not after.side:
            return True, ""
        # A yes at another price, or a no for another reason, is another answer.
        return (False, _from_to(before.side, after.side)) if before.side is is_inside and alike else (None, "")
    if before.free is not None and after.free is not None and before.free is is_inside:
        return before.free is not after.free, "both are free" if before.free else "neither is free"
    return True if before.offers_free and is_inside and after.free is False else None, ""


def _from_to(first: bool, second: bool) -> str:
    yes_or_no = {True: "yes", False: "no"}
    return f"the answer was {yes_or_no[first]} and is now {yes_or_no[second]}"


class SameInEachForm(Equal):
    """Output relation `same-in-each-form`: the answer is the same for every notation of a value.

    Each question gets a single verdict, however many notations were tried.
    """

    name = "same-in-each-form"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if the answer to any notation differs.

        Leave the verdict open only if the judge cannot decide on any answer.
        """
        if not similarities:
            return without_answers(judge)
        worst = extreme(similarities, range(len(similarities)), lowest=True)
        if worst is None:
            return judge_unsure(similarities, judge)
        held = similarities[worst].score >= judge.equal
        expectation = "answers should be the same, whatever form the value has"
        return judged(held, similarities[worst], judge, (worst,), expectation, "but differ")


def by_choice(group: Group, note: str, roles: Collection[str]) -> list[dict[str, int]]:
    """Return the follow-ups that an edit made for each of its choices, as the index of each role.

    Follow-ups belong together if their annotations are equal except for the side or the way, which is the role. A
    choice without a follow-up in each of the roles is left out. For two choices of an edit in two ways, the result may
    be `[{"plain": 0, "otherwise": 1}, {"plain": 2, "otherwise": 3}]`.
    """
    places: dict[str, dict[str, int]] = {}
    for place, member in enumerate(group.members):
        choice = member.asked.annotations.get(note)
        if isinstance(choice, Mapping):
            choice = sorted((name, value) for name, value in choice.items() if name not in ("side", "way"))
        if choice is not None:
            places.setdefault(str(choice), {})[str(member.role)] = place
    return [by_role for by_role in places.values() if by_role.keys() >= set(roles)]


def worst_of(decisions: Sequence[Decision]) -> Decision | None:
    """Return the most important of several decisions on a question: violated, else satisfied, else invalid."""
    order = (Outcome.VIOLATED, Outcome.SATISFIED, Outcome.INVALID)
    return min(decisions, key=lambda decision: order.index(decision.outcome), default=None)


class OneAnswer(ReadsEnglish):
    """Output relation `one-answer`: the answer is the same for a value expressed in two ways."""

    in_words = "both forms of the value get the same answer"
    for_readers = (
        "The last two follow-ups say the same in two ways: their answers must be the same. (Where a question comes "
        "before that shows the order of day and month, this counts if both are understood there.)"
    )
    name = "one-answer"

    def read(self, group: Group) -> Decision | None:
        """Report a violation if one answer says yes and the other no, or if they give different values.

        Leave the verdict open if the answers cannot be compared.
        """
        pairs = by_choice(group, TWO_WAYS, (PLAIN, OTHERWISE))
        return worst_of([self._pair(group, places[PLAIN], places[OTHERWISE]) for places in pairs])

    @staticmethod
    def _pair(group: Group, plain: int, otherwise: int) -> Decision:
        """Decide on the answers to the plain and the other form of a value, which have these indices."""
        forms = group.members[otherwise].asked.annotations[TWO_WAYS][:2]
        earlier = [str(reply) for place in (plain, otherwise) for reply in group.members[place].history[-1:]]
        if earlier and answer_alike(earlier[0], earlier[-1], forms)[0] is not True:
            return open_decision("the answers to the earlier questions already differ, or are unclear")
        first, second = str(group.members[plain].answer), str(group.members[otherwise].answer)
        same, violation = _alike_in_two_forms(first, second, forms)
        if same is None:
            return open_decision("it is unclear whether the two answers agree")
        expectation = f"{forms[0]!r} and {forms[1]!r} are the same, so the answer should be"
        return replace(read_decision(same, expectation, violation), worst=(otherwise, plain))


def _alike_in_two_forms(first: str, second: str, forms: Sequence[str]) -> Agreement:
    """Compare the replies to a value in two notations."""
    free_from = [limit.value for reply in (first, second) for limit in limits_of(reply) if "free" in limit.about]
    same, difference = answer_alike(first, second, [*forms, *free_from])
    if same is not False:
        difference = _other_outcome(first, second, forms) or _misread(second, forms)
    if same is None and not difference:
        difference = worded_alike(first, second, forms) or amounts_apart(first, second)
    return (False, difference) if difference else (same, "")


def _other_outcome(first: str, second: str, forms: Sequence[str]) -> str:
    """Return the evidence that two replies have opposite outcomes for the user, or ""."""
    if are_opposed(side_of(first, forms), side_of(second, forms)):
        return "one says yes and the other no"
    if are_opposed(own_case(first, forms).free, own_case(second, forms).free):
        return "it is free in one and not in the other"
    if are_opposed(charges(first, forms), charges(second, forms)):
        return "one charges something and the other nothing"
    return ""


def _misread(reply: str, forms: Sequence[str]) -> str:
    """Return the evidence that a reply misread the second form of a value: its unit, or its day and month, or ""."""
    repeated = misread_as(reply, forms[1]) or _turned_day(reply, forms[0])
    return f"it repeats {forms[1]!r} as {repeated!r}" if repeated else ""


def _turned_day(reply: str, day: str) -> str:
    """Return a date in a reply that is the given date with day and month swapped, or ""."""
    asked = [value.date for value in values(day) if value.measure == "date"]
    if len(asked) != 1 or asked[0].month == asked[0].day:
        return ""
    swapped = (asked[0].day, asked[0].month)
    dates = (value for value in values(reply) if value.measure == "date" and not value.open)
    return next((value.text for value in dates if (value.date.month, value.date.day) == swapped), "")


NOT_BY_LIMIT = f"{Stage.FOLLOW_UP_OUTPUT.value}: the answer depends on the limit"
"""Name of the precondition that is broken if the answers inside and outside a limit are the same."""


_SIDES = (INSIDE, AT_EDGE, OUTSIDE)
_COMPARED = re.compile(r"\A(?:(?:more|less|fewer) than|over|under) ")
"""Pattern of the comparison before a value, as in "more than 10 kg"."""


class EdgeBelongs(ReadsByFolder):
    """Output relation `edge-belongs`: a value exactly at a limit is treated as the wording of the limit demands.

    "From 65" includes 65, and "over 65" does not. This is judged only if the answers on the two sides differ.
    """

    in_words = "the answer at a limit is that of the side to which its words count it"
    for_readers = (
        "Of three follow-ups one has a value inside of a limit that a reply states, one the limit itself or a "
        'comparison to it ("more than 10 kg"), one a value outside. If inside and outside are answered otherwise, the '
        "second must not be answered as the side to which the words do not count it "
        '("from 65" counts 65 inside, "over 65" outside).'
    )
    name = "edge-belongs"

    def read(self, group: Group) -> Decision | None:
        """Report a violation if the answer at the limit is the answer for the wrong side.

        Leave the verdict open if the answers cannot be compared.
        """
        edges = [_edge_of(group, places) for places in by_choice(group, EDGE, _SIDES)]
        decisions = [_decide_edge(edge) for edge in edges]
        decisions += [_decide_range(edge) for edge in edges if {WITHIN, FAR} <= edge.replies.keys()]
        return worst_of(decisions)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edge:
    """Follow-ups around a limit, by side: inside, at the limit and outside, and two more if the limit ends a range.

    Attributes:
        places: their indices in the group.
        asked: the values that they ask about.
        replies: the replies to them.
        limit: the wording of the limit.
        belongs: the side of the limit that includes the value at the limit, according to this wording.
        language: the language of the replies.
    """

    places: Mapping[str, int]
    asked: Mapping[str, str]
    replies: Mapping[str, str]
    limit: str
    belongs: str
    language: str

    @property
    def wrong(self) -> str:
        """The side that does not include the value at the limit, according to the wording."""
        return OUTSIDE if self.belongs == INSIDE else INSIDE

    def alike(self, first: str, second: str) -> bool | None:
        """Whether the replies on two sides give the same answer; None if this is unclear.

        Outside English, this is known only if both say yes or no.
        """
        if not is_english(self.language):
            answers = [
                side_at(self.asked[side], self.replies[side], self.limit, self.language) for side in (first, second)
            ]
            return None if None in answers else answers[0] is answers[1]
        asked = [self.asked[side] for side in (first, second, AT_EDGE)]
        return answer_alike(self.replies[first], self.replies[second], asked)[0]

    def decision(self, held: bool) -> Decision:
        """Return the decision: the value at the limit is answered as the side it belongs to, or as the other one."""
        expectation = f"by {self.limit!r}, {self.asked[AT_EDGE]!r} is {self.belongs}"
        decision = read_decision(held, expectation, f"it is answered as {self.wrong}")
        worst = tuple(self.places[side] for side in (AT_EDGE, self.belongs, self.wrong))
        return decision if held else replace(decision, worst=worst)


def _edge_of(group: Group, places: Mapping[str, int]) -> _Edge:
    """Return the follow-ups at these indices as an edge. The edit recorded a rule such as "inside: from 65"."""
    noted = group.members[places[AT_EDGE]].asked.annotations[EDGE]
    belongs, _, limit = noted["rule"].partition(": ")
    return _Edge(
        places=places,
        asked=dict(zip((*_SIDES, WITHIN, FAR), noted["values"].split(" | "), strict=False)),
        replies={side: str(group.members[place].answer) for side, place in places.items()},
        limit=limit,
        belongs=belongs,
        language=group.language,
    )


def _decide_edge(edge: _Edge) -> Decision:
    """Decide whether the value at a limit is answered like the side that it belongs to.

    In English, the user's own case decides, or else the likeness of the replies.
    """
    held = _as_own_case(edge) if is_english(edge.language) else None
    return _as_alike(edge) if held is None else edge.decision(held)


def _decide_range(edge: _Edge) -> Decision:
    """Decide whether a value within a stated range is answered like the ends of the range, if these are answered alike.

    So nothing is decided on a price that rises with the value. A discount at the limit holds in all of its range.
    """
    has_discount = 0 < (share_to_pay(edge.replies[AT_EDGE]) or 0) < 1
    denied = [side for side in (WITHIN, FAR) if has_discount and share_to_pay(edge.replies[side]) == 1]
    ends, same = edge.alike(AT_EDGE, FAR), edge.alike(AT_EDGE, WITHIN)
    if not denied and (not ends or same is None):
        return open_decision("it is unclear whether the answers at the ends of the range, and within it, are the same")
    held, odd = (False, denied[0]) if denied else (bool(same), WITHIN)
    expectation = f"by {edge.limit!r}, {edge.asked[odd]!r} is in one range with {edge.asked[AT_EDGE]!r}"
    decision = read_decision(held, expectation, "it is answered otherwise")
    worst = tuple(edge.places[side] for side in dict.fromkeys((odd, AT_EDGE, FAR)))
    return decision if held else replace(decision, worst=worst)


def _as_own_case(edge: _Edge) -> bool | None:
    """Return True if the reply at a limit treats the user's own case like the reply on the side it belongs to.

    Return None if the replies inside and outside the limit are not opposite, or if one of the three replies does not
    mention the user's case.
    """
    cases = [(edge.replies[side], [_COMPARED.sub("", edge.asked[side])]) for side in _SIDES]
    answers = [side_of(*case) for case in cases]
    free = [own_case(*case).free for case in cases]
    for inside, at_edge, outside in (answers, free):
        if at_edge is not None and are_opposed(inside, outside):
            return at_edge is (inside if edge.belongs == INSIDE else outside)
    return None


def _as_alike(edge: _Edge) -> Decision:
    """Decide by the reply at a limit: it should be like the one on the side that the limit belongs to."""
    alike = edge.alike(INSIDE, OUTSIDE)
    if alike is None:
        return open_decision("it is unclear whether the answers inside and outside differ")
    if alike:
        reason = "the answers inside and outside are the same, so they do not depend on the limit"
        return open_decision(reason, NOT_BY_LIMIT)
    right = edge.alike(AT_EDGE, edge.belongs)
    if right:
        return edge.decision(True)
    if right is None or edge.alike(AT_EDGE, edge.wrong) is not True:
        return open_decision("the answer at the limit matches neither side")
    return edge.decision(False)


NO_DIRECTION = f"{Stage.SOURCE_OUTPUT.value}: a direction is stated"
"""Name of the precondition that is broken if the dictionary does not state how a price depends on a value."""


class KeepsDirection(ReadsEnglish):
    """Output relation `keeps-direction`: a price rises or falls with a value, as the tester states.

    Without such a statement, the changes in price are shown in the report but not judged, except for a hole: a weight,
    a duration or a number of people whose price differs from the equal prices of a smaller and a larger one, or whose
    share of a price is larger or smaller than both neighbours' shares, and for an answer that changes beside a limit.
    """

    in_words = "the price moves with the value in the stated direction, and equal prices have no other one between them"
    for_readers = (
        "The follow-ups give smaller and larger values than the source. If the tester states which way the price goes "
        'with it ("the heavier, the dearer"), no price may go the other way. If a smaller and a larger '
        "value have the same price, those between them have it, too, and no share of a price (80 %, 100 %, 50 %) is "
        "larger or smaller than those of both neighbours (not for ages and times of day). If the answer "
        "changes beside a limit that a reply states, it changes at the limit."
    )
    name = "keeps-direction"

    def read(self, group: Group) -> Decision | None:
        """Report a violation if the prices for two values move against the stated direction.

        Leave the verdict open if fewer than two values have a price.
        """
        walks = walks_of(group)
        for walk in walks:
            if (misplaced := misplaced_edge(walk)) is not None:
                return _misplaced(group, walk, *misplaced)
            if (hole := hole_in(walk.points, walk.value)) is not None:
                return _hole(group, walk, *hole)
            if (turn := turn_of_share(walk.points, walk.value)) is not None:
                return _turned(group, walk, *turn)
        directed = [walk for walk in walks if walk.direction]
        if not directed:
            return open_decision("the dictionary does not state how a price depends on the value", NO_DIRECTION)
        return worst_of([self._walk(group, walk) for walk in directed])

    @staticmethod
    def _walk(group: Group, walk: Walk) -> Decision:
        """Decide on the prices at all values that were asked about, from the lowest value to the highest."""
        prices = prices_of(walk.points, walk.value)
        if len(prices) < 2:
            return open_decision("the replies do not each state a price")
        expectation = f"the price goes {walk.direction} with {walk.value.text!r}"
        for low, high in pairwise(prices):
            rise = prices[high] - prices[low]
            if rise < 0 if walk.direction == "up" else rise > 0:
                violation = f"it is {prices[low]:g} at {walk.texts[low]!r} and {prices[high]:g} at {walk.texts[high]!r}"
                return _against(group, expectation, violation, low, high)
        return read_decision(True, expectation)


def _misplaced(group: Group, walk: Walk, low: int, high: int, limit: Limit) -> Decision:
    """Return the violation by an answer that changes beside a limit instead of at it."""
    expectation = f"by {limit.text!r}, {walk.texts[low]!r} and {walk.texts[high]!r} are on one side of the limit"
    return _against(group, expectation, "the answer changes between them", low, high)


def _hole(group: Group, walk: Walk, low: int, middle: int, high: int) -> Decision:
    """Return the violation by a price that differs from the equal prices of a smaller and a larger value."""
    prices = prices_of(walk.points, walk.value)
    ends = f"{walk.texts[low]!r} and {walk.texts[high]!r}"
    expectation = f"the price is the same between {ends}, which both cost {prices[low]:g}"
    return _against(group, expectation, f"it is {prices[middle]:g} at {walk.texts[middle]!r}", low, middle)


def _turned(group: Group, walk: Walk, low: int, middle: int, high: int) -> Decision:
    """Return the violation by a value whose share of the price is larger, or smaller, than both beside it."""
    shares, texts = shares_to_pay(walk.points), walk.texts
    ends = f"{shares[low]:.0%} at {texts[low]!r} and {shares[high]:.0%} at {texts[high]!r}"
    expectation = f"the share of the price is {ends}, and so one of these or between them at {texts[middle]!r}"
    return _against(group, expectation, f"it is {shares[middle]:.0%}", low, middle, high)


def _against(group: Group, expectation: str, violation: str, *numbers: int) -> Decision:
    """Return a violation by the replies to these numbers."""
    noted = [member.asked.annotations[HALVED]["at"] for member in group.members]
    worst = tuple(place for place, number in enumerate(noted) if int(number) in numbers)
    return replace(read_decision(False, expectation, violation), worst=worst)


_IN_TWO_FORMS = ("another-in-two-forms", "another-in-two-units", "beside-in-two-forms", "dates-in-one-order")

_row = partial(row, tasks="chat", tags=("ours",), enough=READ)
_form = partial(_row, purpose=FORMATS, change="form")
_limit = partial(_row, purpose=LOGIC, change="limit", draws=3, tags=("ours", MUST_MOVE))
_edge = partial(
    _limit,
    holds=EdgeBelongs(),
    matching=grouped_by(EDGE, *_SIDES, key="side"),
    limits=Limits(unchanged="keep"),  # the source may be at the limit, or just beside it
)

_form(
    "write-otherwise",
    SameInEachForm(),
    says="The answer stays the same for every common form of a value.",
    draws=6,
    matching=Matching(grouping=Grouping.QUESTION),
)
_limit(
    "at-limit",
    KeepsToLimit(),
    says="At a limit that a reply states, and just beside it, the answer follows the wording of the limit.",
    matching=WANTED,
)
_form(
    "two-forms",
    OneAnswer(),
    by=tuple(Step.of(edit, way=way) for edit in _IN_TWO_FORMS for way in (PLAIN, OTHERWISE)),
    says="A new value gets the same answer in two forms: with a comma, in words, in pounds for kilograms, as 8/5.",
    draws=3,
    matching=grouped_by(WAY, PLAIN, OTHERWISE),
)
_edge(
    "at-edge",
    by=tuple(Step.of("at-edge", side=side) for side in (*_SIDES, WITHIN, FAR)),
    says="The answer at a limit is that of the side to which its wording assigns it, and alike in all of a range.",
)
_edge(
    "more-than-limit",
    by=tuple(Step.of("beside-edge", side=side) for side in _SIDES),
    says='"More than" or "less than" a limit gets the answer of that side.',
)
row(
    "find-edges",
    KeepsDirection(),
    "chat",
    says="Halving finds the values where the answer changes; prices have no hole and move in the stated direction.",
    change="limit",
    draws=MOST,
    tags=("ours", LOGIC, SHOWN),
    matching=marked_by(HALVED, grouping=Grouping.QUESTION),
)
