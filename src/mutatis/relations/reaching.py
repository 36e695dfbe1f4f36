"""Relations based on the run's own questions and replies: values and their notations, names and limits.

Whether a relation holds is decided from statements in the replies. Statements that cannot be interpreted leave a pair
undecided.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, pairwise
from typing import Any, ClassVar

from mutatis.core.cases import Step
from mutatis.core.constraint import Stage
from mutatis.core.decision import Decision, Outcome
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.measure import Judge, Says, Similarity
from mutatis.core.relation import Expects, Group, Grouping, Limits, Matching, Observation
from mutatis.dictionary import limits_of
from mutatis.languages import word_set
from mutatis.relations.moving import FollowsValue
from mutatis.relations.output import (
    OUTPUT_RELATIONS,
    Compared,
    Equal,
    ReadsByFolder,
    ReadsEnglish,
    answer,
    judged,
    language_of,
    nothing,
    on_answer,
    plain,
    untold,
)
from mutatis.relations.own_case import FREE_WORDS, charges, cut_at_separator, misread_as, own_case, side_of
from mutatis.relations.preconditions import NOT_A_REFUSAL
from mutatis.relations.said import MEASURE, open_decision, read_decision
from mutatis.relations.soundness import FORMATS, LOGIC, MUST_MOVE, READ, SHOWN
from mutatis.relations.table import CHAT, WANTED, Row, grouped_by, marked_by, register
from mutatis.text.abstention import is_abstention, is_lost, polarity
from mutatis.text.alike import amounts_apart, answer_alike, core, core_without_values, worded_alike
from mutatis.text.by_folder import side_at
from mutatis.text.openers import without_courtesies, without_openers
from mutatis.text.sentences import sentences
from mutatis.text.sides import side_begun, side_taken
from mutatis.text.stems import stem
from mutatis.text.values import values
from mutatis.transformations.conditions import CONDITION, LEFT_OUT, TURNED, condition_of
from mutatis.transformations.edges import AT_EDGE, EDGE, INSIDE, OUTSIDE
from mutatis.transformations.halving import HALVED, MOST, Walk, prices_of, walks_of
from mutatis.transformations.near_names import ANOTHER, ASKS_FOR_IT, INVENTED, TAKEN, tells_of
from mutatis.transformations.reaching import AT_LIMIT
from mutatis.transformations.two_ways import OTHERWISE, PLAIN, TWO_WAYS, WAY
from mutatis.transformations.wishes import asks_price

_CLAUSE = re.compile(r"(?<=[.;!?])\s+|,\s+|\s*\(|\)[\s:,]*|\s+(?:\u2013|-)\s+|\s+(?=\bbut\b)")
_FREE = re.compile(rf"\b(?:{FREE_WORDS}|without charge|included)\b", re.IGNORECASE)
_NOT_FREE = re.compile(r"\b(?:not|never)\b|n['\u2019]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitReading:
    """How a reply treats a value near a limit that the system's replies state.

    Attributes:
        side: yes or no, if the reply contains either outside the clause that states the limit.
        free: True if it calls something free, False if it states a cost, None if it does neither or both.
        costs: the amounts of money outside that clause.
        bare: the words of the reply without values.
        states: whether the reply states the limit.
    """

    side: bool | None
    free: bool | None
    costs: frozenset[tuple[str, float]]
    bare: str
    states: bool


def read_at_limit(reply: str, limit: str, exchanged: Sequence[str]) -> LimitReading:
    """Read how a reply treats a value near a limit. `exchanged` contains the values of both questions.

    >>> reading = read_at_limit("No, the discount is for guests from 65 on.", "from 65", ["65"])
    >>> reading.side, reading.free, reading.states
    (False, None, True)
    >>> reading = read_at_limit("Delivery costs 4.90 EUR; it is free from 35 EUR.", "from 35 EUR", ["35 EUR"])
    >>> reading.side, reading.free
    (None, False)
    """
    clauses = [clause for clause in _CLAUSE.split(without_openers(reply)) if clause]
    rest = [clause for clause in clauses if limit.casefold() not in clause.casefold()]
    costs = [_costs(clause, exchanged) for clause in rest]
    free = {said for clause, stated in zip(rest, costs, strict=True) if (said := _free(clause, stated)) is not None}
    side = side_begun(reply)
    if side is None:
        taken = [taken for clause in rest if (taken := side_taken(clause)) is not None]
        side = taken[0] if len(set(taken)) == 1 else None
    return LimitReading(
        side=side,
        free=free.pop() if len(free) == 1 else None,
        costs=frozenset().union(*costs),
        bare=core_without_values(reply),
        states=len(rest) < len(clauses),
    )


def _costs(clause: str, exchanged: Sequence[str]) -> frozenset[tuple[str, float]]:
    stated = (value for value in values(clause) if value.kind == "amount" and value.text not in exchanged)
    return frozenset((value.unit, value.size) for value in stated)


def _free(clause: str, costs: Collection[tuple[str, float]]) -> bool | None:
    if _FREE.search(clause):
        return None if _NOT_FREE.search(clause) else True
    return False if costs else None


@dataclass(frozen=True, slots=True)
class KeepsToLimit(ReadsByFolder):
    """Output relation `keeps-to-limit`: the answer is the same on one side of a stated limit and changes across it."""

    expects: ClassVar[Expects] = "other"
    in_words = "the answer follows the limit"
    for_readers = (
        "The new value is at a limit that a reply states, or just beside it. On the same side of the limit as the "
        "source's value, the new answer must not turn yes into no or free into not free, nor the other way round; "
        "across it, it must."
    )
    name: str = "keeps-to-limit"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if the answers (yes or no, free or not) contradict the wording of the limit.

        Leave the verdict open if they cannot be interpreted.
        """
        noted = group.members[0].asked.annotations.get(AT_LIMIT) if group.members else None
        if not group.reference or noted is None:
            return nothing(judge)
        limit, exchanged = noted["limit"], [noted["old"], noted["new"]]
        if not is_english(language := language_of(group)):
            return _keeps_elsewhere(str(group.reference[0]), str(answer(group, 0)), noted, language)
        before = read_at_limit(str(group.reference[0]), limit, exchanged)
        after = read_at_limit(str(answer(group, 0)), limit, exchanged)
        if is_lost(str(answer(group, 0))):
            return open_decision("the reply says that the message was not understood")
        decided = _one_side(before, after, noted) if noted["side"] == "same" else _across(before, after, noted)
        if decided is None:
            return open_decision("one of the answers does not say on which side of the limit the value is")
        held, seen = decided
        expectation = f"by {limit!r}, {noted['new']!r} is on {_SIDE[noted['side']]} as {noted['old']!r}"
        if not held and noted["trusted"] != "yes" and not after.states:
            return open_decision(f"{seen}; but only one reply states the limit {limit!r}, which may itself be wrong")
        return read_decision(held, expectation, seen)


def _keeps_elsewhere(before: str, after: str, noted: Mapping[str, str], language: str) -> Decision:
    """Decide `keeps-to-limit` for a language other than English, from whether the answers mean yes or no.

    Leave the verdict open if the answers do not show the side of the limit.
    """
    if is_lost(after, language):
        return open_decision("the reply says that the message was not understood")
    asked = ((noted["old"], before), (noted["new"], after))
    sides = [side_at(value, reply, noted["limit"], language) for value, reply in asked]
    if None in sides or before == after or noted["trusted"] != "yes":
        return open_decision("the answers do not say on which side of the limit the value is")
    held = (sides[0] is sides[1]) is (noted["side"] == "same")
    if not held and noted["side"] == "other" and sides[0] is not (noted["inside"] == "yes"):
        return open_decision("the answer to the source does not depend on the limit")
    expectation = f"by {noted['limit']!r}, {noted['new']!r} is on {_SIDE[noted['side']]} as {noted['old']!r}"
    return read_decision(held, expectation, f"the answer was {_words(sides[0])} and is now {_words(sides[1])}")


_SIDE = {"same": "the same side", "other": "another side"}


def _words(side: bool | None) -> str:
    return "yes" if side else "no"


def _one_side(before: LimitReading, after: LimitReading, noted: dict[str, str]) -> tuple[bool, str] | None:
    if before.bare == after.bare:
        return True, ""
    if before.side is not None and after.side is not None:
        return before.side is after.side, f"the answer was {_words(before.side)} and is now {_words(after.side)}"
    if before.free is not None and after.free is not None:
        return before.free is after.free, f"it was {'' if before.free else 'not '}free and is now the other"
    return (False, "it is no longer free") if _promised(before, noted) and after.free is False else None


def _across(before: LimitReading, after: LimitReading, noted: dict[str, str]) -> tuple[bool, str] | None:
    if before.side is not None and after.side is not None:
        if before.side is not after.side:
            return True, ""
        same_words = after.states and before.bare == after.bare
        stays = before.costs == after.costs if before.side else same_words  # a yes at another price is another answer
        if before.side is (noted["inside"] == "yes") and stays:
            return False, f"both answers are {_words(after.side)}"
        return None
    if before.free is not None and after.free is not None and before.free is (noted["inside"] == "yes"):
        return before.free is not after.free, "both are free" if before.free else "neither is free"
    return (True, "") if _promised(before, noted) and after.free is False else None


def _promised(before: LimitReading, noted: dict[str, str]) -> bool:
    """Return True if the source's answer only states the limit of a free offer that covers the source's value."""
    free = _FREE.search(before.bare) is not None and not _NOT_FREE.search(before.bare)
    return free and before.free is None and before.states and noted["inside"] == "yes"


OF_THE_CASE = on_answer(
    name="the answer is about the user's case",
    check=lambda evidence: evidence.response is None or _is_of_case(evidence.turn.question, evidence.response.text),
    broken="the reply states a general rule, or several prices, so it may stay the same when the condition is reversed",
    languages=ENGLISH,
)
"""Precondition that the answer is about the user's own case.

A rule that names the condition ("Students with a disability get more time") is correct for every user.
"""


def _is_of_case(question: str, reply: str) -> bool:
    """Return True if a reply is about the user's own case, rather than a general rule.

    This is assumed if the reply says yes or no or gives one price, or if it states no limit and does not mention the
    user's condition.

    >>> question = "I have a disability, do I get extra time?"
    >>> _is_of_case(question, "Yes."), _is_of_case(question, "Students with a disability get more time.")
    (True, False)
    >>> _is_of_case("How much is a room without breakfast?", "A room is 90 EUR, and breakfast 15 EUR each.")
    False
    """
    condition = condition_of(question)
    if condition is None:
        return True  # the edit says so
    if is_lost(reply) or is_abstention(reply) or "?" in without_courtesies(reply):
        return False
    amounts = _amounts(reply)
    if side_begun(reply) is not None:
        return len(amounts) <= 1
    if limits_of(reply) or len(amounts) != (1 if asks_price(question) else 0):
        return False
    named = set(core(question).split()) - set(core(condition.left_out).split()) - word_set("function_words")
    repeats = {stem(word) for word in named} & {stem(word) for word in core(reply).split()}
    return bool(amounts) or condition.wished or not repeats


def _amounts(reply: str) -> set[tuple[str, float]]:
    return {(value.unit, value.size) for value in values(reply) if value.kind == "amount"}


NOT_BY_CONDITION = f"{Stage.FOLLOW_UP_OUTPUT.value}: the answer depends on the condition"
"""Name of the precondition that is broken if the question without the condition gets the same answer."""


@dataclass(frozen=True, slots=True)
class MovesWithCondition(Compared):
    """Output relation `moves-with-condition`: the answer changes if the condition is reversed.

    This is required only if the answer also changes without the condition.
    """

    finds: ClassVar[Says | None] = "same"
    expects: ClassVar[Expects] = "different"
    expects_change: ClassVar[bool] = True
    in_words = "the answer changes if it depends on the condition"
    for_readers = (
        "If the question without its condition (the last one) is answered otherwise than before, with one other price "
        "or the other of yes and no, the answer goes by the condition; then the question with the opposite condition "
        "(the first one) must be answered otherwise, too. If it is answered as before, or with several prices (a list "
        "for all, say), nothing must hold."
    )
    name: str = "moves-with-condition"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if the reversed question gets the source's answer, although the condition matters.

        The condition matters if the question without it gets a different answer.
        """
        turned, without = group.with_role(TURNED), group.with_role(LEFT_OUT)
        if not turned or not without or not similarities:
            return nothing(judge)
        bare, reply = similarities[without[0]], str(answer(group, without[0]))
        if bare.open:
            return untold([bare], judge)
        if is_lost(reply) or "?" in reply:
            return open_decision("without the condition the question is not answered")
        if len(_amounts(reply)) > 1:
            return open_decision("without the condition the answer gives several prices")
        if bare.score >= judge.different:
            same = "the answer is the same without the condition, so it does not depend on it"
            return replace(plain(Outcome.INVALID, None, same, judge.measure.name, ()), precondition=NOT_BY_CONDITION)
        told = [place for place in turned if not similarities[place].open]
        if not told:
            return untold([similarities[place] for place in turned], judge)
        worst = max(told, key=lambda place: similarities[place].score)
        held = similarities[worst].score < judge.equal
        expectation = "the answer depends on the condition, so it should change with it"
        return judged(
            held, similarities[worst], judge, (worst,), expectation, "but stays the same when the condition is reversed"
        )


@dataclass(frozen=True, slots=True)
class SameInEachForm(Equal):
    """Output relation `same-in-each-form`: the answer is the same for every notation of a value.

    Each question gets a single verdict, however many notations were tried.
    """

    name: str = "same-in-each-form"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if the answer to any notation differs.

        Leave the verdict open only if the judge cannot decide on any of them.
        """
        told = [i for i, similarity in enumerate(similarities) if not similarity.open]
        if not told:
            return untold(similarities, judge) if similarities else nothing(judge)
        worst = min(told, key=lambda i: similarities[i].score)
        held = similarities[worst].score >= judge.equal
        expectation = "answers should be the same, whatever form the value has"
        return judged(held, similarities[worst], judge, (worst,), expectation, "but differ")


def _by_choice(group: Group, note: str) -> dict[str, dict[str, int]]:
    """Group the follow-ups by the choice recorded in their annotations, and return the index of each role."""
    chosen: dict[str, dict[str, int]] = {}
    for place, member in enumerate(group.members):
        noted = {name: value for name, value in _noted(member, note).items() if name != "side"}
        chosen.setdefault(str(sorted(noted.items())), {})[str(member.role)] = place
    return chosen


def _notes(group: Group, roles: Mapping[str, int], note: str) -> bool:
    """Return True if every follow-up in a group has this annotation, which only one kind of edit adds."""
    return all(note in group.members[place].asked.annotations for place in roles.values())


def _noted(member: Observation, note: str) -> dict[str, Any]:
    noted = member.asked.annotations.get(note, {})
    return dict(noted) if isinstance(noted, dict) else {"both": noted}


def worst_of(decisions: Sequence[Decision]) -> Decision:
    """Return the most important of several decisions on a question: violated, else satisfied, else invalid."""
    order = (Outcome.VIOLATED, Outcome.SATISFIED, Outcome.INVALID)
    return min(decisions, key=lambda decision: order.index(decision.outcome))


@dataclass(frozen=True, slots=True)
class OneAnswer(ReadsEnglish):
    """Output relation `one-answer`: the answer is the same for a value expressed in two ways."""

    expects: ClassVar[Expects] = "other"
    in_words = "both forms of the value get the same answer"
    for_readers = (
        "The last two follow-ups say the same in two ways: their answers must be the same. (Where a question comes "
        "before that shows the order of day and month, this counts if both are understood there.)"
    )
    name: str = "one-answer"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if one answer says yes and the other no, or if they give different values.

        Leave the verdict open if the answers cannot be compared.
        """
        noted = _by_choice(group, TWO_WAYS).values()
        pairs = [roles for roles in noted if {PLAIN, OTHERWISE} <= set(roles) and _notes(group, roles, TWO_WAYS)]
        decided = [self._pair(group, roles[PLAIN], roles[OTHERWISE]) for roles in pairs]
        return worst_of(decided) if decided else nothing(judge)

    @staticmethod
    def _pair(group: Group, plain_one: int, other: int) -> Decision:
        said = group.members[other].asked.annotations[TWO_WAYS][:2]
        before = [str(reply) for place in (plain_one, other) for reply in group.members[place].history[-1:]]
        if before and answer_alike(before[0], before[-1], said)[0] is not True:
            return open_decision("the answers to the earlier questions already differ, or are unclear")
        replies = str(answer(group, plain_one)), str(answer(group, other))
        same, seen = _alike_in_two_forms(*replies, said)
        if same is not False and (cut := cut_at_separator(replies[1], said[1], _noun_behind(group, other))):
            same, seen = False, f"it repeats {said[1]!r} as {cut!r}"
        if same is None:
            return open_decision("it is unclear whether the two answers agree")
        decided = read_decision(same, f"{said[0]!r} and {said[1]!r} are the same, so the answer should be", seen)
        return replace(decided, worst=(other, plain_one))


def _noun_behind(group: Group, place: int) -> str:
    """Return up to two words that follow the replaced value in the question, or ""."""
    said = group.members[place].asked.annotations[TWO_WAYS]
    old = str(said[2]) if len(said) > len((PLAIN, OTHERWISE)) else ""
    match = re.search(rf"\b{re.escape(old)} (?P<noun>[a-z]+(?: [a-z]+s\b)?)", group.question) if old else None
    return match["noun"] if match else ""


def _alike_in_two_forms(plain_one: str, other: str, said: Sequence[str]) -> tuple[bool | None, str]:
    """Compare the replies to a value in two notations. Return the result with the evidence.

    The result is True if they agree, False if they differ, and None if they cannot be compared.
    """
    free_from = [limit.value for reply in (plain_one, other) for limit in limits_of(reply) if "free" in limit.about]
    same, seen = answer_alike(plain_one, other, [*said, *free_from])
    if same is False:
        return same, seen
    sides = side_of(plain_one, said), side_of(other, said)
    if None not in sides and sides[0] is not sides[1]:
        return False, "one says yes and the other no"
    free = own_case(plain_one, said).free, own_case(other, said).free
    if None not in free and free[0] is not free[1]:
        return False, "it is free in one and not in the other"
    asked = charges(plain_one, said), charges(other, said)
    if None not in asked and asked[0] is not asked[1]:
        return False, "one charges something and the other nothing"
    if repeated := misread_as(other, said[1]):
        return False, f"it repeats {said[1]!r} as {repeated!r}"
    if turned := _turned_day(other, said[0]):
        return False, f"it repeats {said[1]!r} as {turned!r}"
    if same is None and (seen := worded_alike(plain_one, other, said) or amounts_apart(plain_one, other)):
        same = False
    return same, seen


def _turned_day(reply: str, day: str) -> str:
    """Return a date in a reply that is the given date with day and month swapped, or ""."""
    asked = [value for value in values(day) if value.measure == "date"]
    if len(asked) != 1 or asked[0].key[2] == asked[0].key[3]:
        return ""
    turned = (asked[0].key[3], asked[0].key[2])
    dates = (value for value in values(reply) if value.measure == "date" and not value.open)
    return next((value.text for value in dates if tuple(value.key[2:4]) == turned), "")


NOT_BY_LIMIT = f"{Stage.FOLLOW_UP_OUTPUT.value}: the answer depends on the limit"
"""Name of the precondition that is broken if the answers inside and outside a limit are the same."""


@dataclass(frozen=True, slots=True)
class EdgeBelongs(ReadsByFolder):
    """Output relation `edge-belongs`: a value exactly at a limit is treated as the wording of the limit demands.

    "From 65" includes 65, and "over 65" does not. This is judged only if the answers on the two sides differ.
    """

    expects: ClassVar[Expects] = "other"
    in_words = "the answer at a limit is that of the side to which its words count it"
    for_readers = (
        "Of three follow-ups one has a value inside of a limit that a reply states, one the limit itself or a "
        'comparison to it ("more than 10 kg"), one a value outside. If inside and outside are answered otherwise, the '
        "second must not be answered as the side to which the words do not count it "
        '("from 65" counts 65 inside, "over 65" outside).'
    )
    name: str = "edge-belongs"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if the answer at the limit is the answer for the wrong side.

        Leave the verdict open if the answers cannot be compared.
        """
        noted = _by_choice(group, EDGE).values()
        whole = [roles for roles in noted if len(roles) == len(_SIDES) and _notes(group, roles, EDGE)]
        return worst_of([self._limit(group, roles) for roles in whole]) if whole else nothing(judge)

    @staticmethod
    def _limit(group: Group, roles: dict[str, int]) -> Decision:
        noted = _noted(group.members[roles[AT_EDGE]], EDGE)
        values_said = noted["values"].split(" | ")
        replies = {side: str(answer(group, roles[side])) for side in _SIDES}
        belongs, _, limit = noted["rule"].partition(": ")
        wrong = OUTSIDE if belongs == INSIDE else INSIDE
        if not is_english(language := language_of(group)):
            return _edge_elsewhere(roles, replies, noted, language)
        held = _by_own_case(replies, values_said, belongs)
        if held:
            return read_decision(True, f"by {limit!r}, {values_said[1]!r} is {belongs}")
        if held is False:
            return _at_wrong_side(roles, values_said, noted["rule"])
        apart, _ = answer_alike(replies[INSIDE], replies[OUTSIDE], values_said)
        if apart is not False:
            if apart is None:
                return open_decision("it is unclear whether the answers inside and outside differ")
            return _not_by_limit()
        right, _ = answer_alike(replies[AT_EDGE], replies[belongs], values_said)
        if right:
            return read_decision(True, f"by {limit!r}, {values_said[1]!r} is {belongs}")
        as_wrong, _ = answer_alike(replies[AT_EDGE], replies[wrong], values_said)
        if right is None or as_wrong is not True:
            return open_decision("the answer at the limit matches neither side")
        return _at_wrong_side(roles, values_said, noted["rule"])


def _not_by_limit() -> Decision:
    reason = "the answers inside and outside are the same, so they do not depend on the limit"
    return replace(plain(Outcome.INVALID, None, reason, MEASURE, ()), precondition=NOT_BY_LIMIT)


def _edge_elsewhere(
    roles: dict[str, int], replies: Mapping[str, str], noted: Mapping[str, str], language: str
) -> Decision:
    """Decide `edge-belongs` for a language other than English, from whether the three answers mean yes or no."""
    said, (belongs, _, limit) = noted["values"].split(" | "), noted["rule"].partition(": ")
    sides = {side: side_at(value, replies[side], limit, language) for side, value in zip(_SIDES, said, strict=True)}
    if None in sides.values():
        return open_decision("the answers do not say on which side of the limit the values are")
    if sides[INSIDE] is sides[OUTSIDE]:
        return _not_by_limit()
    if sides[AT_EDGE] is sides[belongs]:
        return read_decision(True, f"by {limit!r}, {said[1]!r} is {belongs}")
    return _at_wrong_side(roles, said, noted["rule"])


def _by_own_case(replies: Mapping[str, str], said: Sequence[str], belongs: str) -> bool | None:
    """Return True if the reply at a limit treats the user's own case like the reply on the side it belongs to.

    Return None if the replies inside and outside the limit are not opposite, or if one of the three replies does not
    mention the user's case.
    """
    asked = [(replies[side], [_COMPARED.sub("", value)]) for side, value in zip(_SIDES, said, strict=True)]
    for told in ([side_of(*each) for each in asked], [own_case(*each).free for each in asked]):
        inside, at_edge, outside = told
        if None not in told and inside is not outside:
            return at_edge is (inside if belongs == INSIDE else outside)
    return None


_COMPARED = re.compile(r"\A(?:(?:more|less|fewer) than|over|under) ")


def _at_wrong_side(roles: Mapping[str, int], said: Sequence[str], rule: str) -> Decision:
    belongs, _, limit = rule.partition(": ")
    wrong = OUTSIDE if belongs == INSIDE else INSIDE
    decided = read_decision(False, f"by {limit!r}, {said[1]!r} is {belongs}", f"it is answered as {wrong}")
    return replace(decided, worst=(roles[AT_EDGE], roles[belongs], roles[wrong]))


_SIDES = (INSIDE, AT_EDGE, OUTSIDE)
_KNOWS_NOT = re.compile(
    r"\?|\b(?:not|no|never|unknown|unfamiliar|sorry|unfortunately|only|if|could|would|instead|all|every|each|any|other)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class KnowsNone(ReadsEnglish):
    """Output relation `knows-none`: the answer states nothing about a name that does not exist.

    Nor does it give the answer that belongs to a similar name.
    """

    expects: ClassVar[Expects] = "other"
    in_words = "nothing is stated about a thing that does not exist"
    for_readers = (
        "The follow-up asks about another name. Of one that was made up the answer must not state a price, a day, a "
        "time or a quantity, nor that of another name, as if it were known, nor confirm that there is one. Of a place "
        "or thing called like the one before, the answer must not tell of the one before alone, as if it had been "
        "asked about: what names the new one, asks back, denies or corrects is right."
    )
    name: str = "knows-none"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if the answer clearly states a value for the invented name, or for a similar one.

        Leave the verdict open if the statement may apply to everything, or if the answer is a question.
        """
        noted = group.members[0].asked.annotations.get(INVENTED) if group.members else None
        if noted is None:
            return nothing(judge)
        reply, question = _without_courtesy(str(answer(group, 0))), group.members[0].question
        if noted.get("form") == ANOTHER:
            return _of_another(reply, question, noted)
        if noted.get("form") == TAKEN:
            return _taken_for(str(group.reference[0]) if group.reference else "", reply, noted)
        expectation = f"{noted['name']!r} does not exist, so nothing is known about it"
        first = next(iter(sentences(reply)), "")
        if ASKS_FOR_IT.match(question) and polarity(first) and not _KNOWS_NOT.search(reply):
            return read_decision(False, expectation, f"it says {first!r}")
        told = [sentence for sentence in sentences(reply) if values_of_matter(sentence, question)]
        if not told:
            return read_decision(True, expectation)
        named = [name for name in (noted["name"], *noted["known"]) if name.casefold() in told[0].casefold()]
        if _KNOWS_NOT.search(reply) or _tells_of_all(reply) or (not named and not group.reference):
            return open_decision("the reply may say that it is unknown, or describe what all have in common")
        repeated = _without_courtesy(str(group.reference[0])) == reply if group.reference else False
        if not named and not repeated:
            return open_decision("the reply does not say what it is about")
        return read_decision(False, expectation, f"it says {told[0]!r}")


_COURTESY = re.compile(
    r"\b(?:anything|something) else\b|\b(?:more|other|further) questions\b|\b(?:just|do|feel free to) (?:ask|write)\b"
    r"|\blet (?:me|us) know\b|\bhelp you\b",
    re.IGNORECASE,
)


def _without_courtesy(reply: str) -> str:
    """Remove the sentences that offer further help from a reply."""
    return " ".join(sentence for sentence in sentences(reply) if not _COURTESY.search(sentence))


def _of_another(reply: str, question: str, noted: Mapping[str, Any]) -> Decision:
    """Decide on a reply about a place or thing with a similar name.

    Report a violation if it only states values of that place or thing.
    """
    [old], new = noted["known"], str(noted["name"])
    told = [
        sentence for sentence in sentences(reply) if tells_of(sentence, old) and values_of_matter(sentence, question)
    ]
    expectation = f"{new!r} is not {old!r}, so the answer should not be the one for {old!r}"
    if new.casefold() in reply.casefold() or not told:
        return read_decision(True, expectation)
    if _KNOWS_NOT.search(reply) or _tells_of_all(reply):
        return open_decision("the reply may say that it is unknown, or describe what all have in common")
    return read_decision(False, expectation, f"it says {told[0]!r}")


def _taken_for(before: str, reply: str, noted: Mapping[str, Any]) -> Decision:
    """Decide on a reply to a question about a place that the system may have confused with a different one.

    Report a violation if the reply only describes that other place.
    """
    [old], new = noted["known"], str(noted["name"])
    if not tells_of(reply, new) or tells_of(reply, old) or _KNOWS_NOT.search(before):
        return open_decision(f"the reply about {new!r} does not describe it")
    return read_decision(False, f"{old!r} is not {new!r}", f"asked about {old!r}, it talks about {new!r}")


def _tells_of_all(reply: str) -> bool:
    """Return True if a reply makes the same statement about several things.

    That is so if two sentences with amounts share most of their words.

    >>> _tells_of_all("A trip to Oslo costs 9 EUR. A trip to Rome costs 12 EUR."), _tells_of_all("It is 9 EUR.")
    (True, False)
    """
    told = [set(core_without_values(each).split()) for each in sentences(reply) if values_of_matter(each, "")]
    return any(len(first & other) * 4 >= 3 * min(len(first), len(other)) > 0 for first, other in combinations(told, 2))


def values_of_matter(sentence: str, question: str) -> list[str]:
    """Return the amounts, dates, times and quantities that a sentence contains and the question does not."""
    asked = values(question)
    said = [value for value in values(sentence) if value.kind not in ("name", "number", "code")]
    return [value.text for value in said if not any(value.same(other) for other in asked)]


NO_DIRECTION = f"{Stage.SOURCE_OUTPUT.value}: a direction is stated"
"""Name of the precondition that is broken if neither user nor replies state how a price depends on a value."""


@dataclass(frozen=True, slots=True)
class KeepsDirection(ReadsEnglish):
    """Output relation `keeps-direction`: a price rises or falls with a value, as the user or two replies state.

    Without such a statement, the changes in price are shown in the report but not judged.
    """

    expects: ClassVar[Expects] = "other"
    in_words = "the price moves with the value in the stated direction"
    for_readers = (
        "The follow-ups give smaller and larger values than the source. If the user or two replies state which way the "
        'price goes with it ("the heavier, the dearer"), no price may go the other way.'
    )
    name: str = "keeps-direction"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if the prices for two values move against the stated direction.

        Leave the verdict open if fewer than two values have a price.
        """
        walked = walks_of(group)
        stated = [walk for walk in walked if walk.direction]
        if not stated:
            reason = "neither the user nor two replies state how a price depends on the value"
            return replace(plain(Outcome.INVALID, None, reason, MEASURE, ()), precondition=NO_DIRECTION)
        return worst_of([self._walk(group, walk) for walk in stated])

    @staticmethod
    def _walk(group: Group, walk: Walk) -> Decision:
        prices = prices_of(walk.points, walk.value)
        if len(prices) < 2:
            return open_decision("the replies do not each state a price")
        expectation = f"the price goes {walk.direction} with {walk.value.text!r}"
        for low, high in pairwise(prices):
            if (prices[high] < prices[low]) if walk.direction == "up" else (prices[high] > prices[low]):
                seen = f"it is {prices[low]:g} at {walk.texts[low]!r} and {prices[high]:g} at {walk.texts[high]!r}"
                numbers = [str(number) for number in (low, high)]
                worst = [
                    place
                    for place, member in enumerate(group.members)
                    if member.asked.annotations[HALVED]["at"] in numbers
                ]
                return replace(read_decision(False, expectation, seen), worst=tuple(worst))
        return read_decision(True, expectation)


_HOLDING = (KeepsDirection, KnowsNone, SameInEachForm, OneAnswer, EdgeBelongs, KeepsToLimit, MovesWithCondition)
OUTPUT_RELATIONS |= {holds.name: holds for holds in (relation() for relation in _HOLDING)}


_IN_TWO_FORMS = ("another-in-two-forms", "another-in-two-units", "beside-in-two-forms", "dates-in-one-order")

_asked = partial(Row, tasks=(CHAT,), tags=("ours", MUST_MOVE), purpose=LOGIC, matching=WANTED, enough=READ)

_edge = partial(
    Row,
    holds=EdgeBelongs(),
    tasks=(CHAT,),
    change="limit",
    draws=3,
    tags=("ours", MUST_MOVE),
    matching=grouped_by(EDGE, *_SIDES, key="side"),
    limits=Limits(unchanged="keep"),  # the source may be at the limit, or just beside it
    enough=READ,
)

register(
    Row(
        "write-otherwise",
        SameInEachForm(),
        (CHAT,),
        says="The answer stays the same for every common form of a value.",
        purpose=FORMATS,
        change="form",
        draws=6,
        tags=("ours",),
        matching=Matching(grouping=Grouping.QUESTION),
        enough=READ,
    ),
    _asked(
        "another-name",
        FollowsValue(),
        only_if=(NOT_A_REFUSAL,),
        says="Asked about another name of the same kind, the answer does not give the old one.",
        change="name",
        draws=2,
    ),
    _asked(
        "invented-name",
        KnowsNone(),
        only_if=(NOT_A_REFUSAL,),
        says="The answer states nothing about an invented name, nor the facts of a similar name.",
        change="name",
        draws=3,
    ),
    _asked(
        "at-limit",
        KeepsToLimit(),
        says="At a limit that a reply states, and just beside it, the answer follows the wording of the limit.",
        change="limit",
        draws=3,
    ),
    Row(
        "two-forms",
        OneAnswer(),
        (CHAT,),
        by=tuple(Step.of(edit, way=way) for edit in _IN_TWO_FORMS for way in (PLAIN, OTHERWISE)),
        says="A new value gets the same answer in two forms: with a comma, in words, in pounds for kilograms, as 8/5.",
        purpose=FORMATS,
        change="form",
        draws=3,
        tags=("ours",),
        matching=grouped_by(WAY, PLAIN, OTHERWISE),
        enough=READ,
    ),
    _edge(
        "at-edge",
        by=tuple(Step.of("at-edge", side=side) for side in _SIDES),
        says="The answer at a limit is that of the side to which the wording of the limit assigns it.",
        purpose=LOGIC,
    ),
    _edge(
        "more-than-limit",
        by=tuple(Step.of("beside-edge", side=side) for side in _SIDES),
        says='"More than" or "less than" a limit gets the answer of that side.',
        purpose=LOGIC,
    ),
    Row(
        "find-edges",
        KeepsDirection(),
        (CHAT,),
        says="Halving finds the values where the answer changes; a price moves in the stated direction.",
        change="limit",
        draws=MOST,
        tags=("ours", LOGIC, SHOWN),
        matching=marked_by(HALVED, grouping=Grouping.QUESTION),
    ),
    Row(
        "turn-condition",
        MovesWithCondition(),
        (CHAT,),
        by=("turn-condition", "drop-condition"),
        only_if=(OF_THE_CASE,),
        says="An answer that depends on what the user is, has or wants changes if that is reversed.",
        purpose=LOGIC,
        change="negation",
        draws=2,
        tags=("ours", MUST_MOVE),
        matching=grouped_by(CONDITION, TURNED, LEFT_OUT),
        enough=READ,
    ),
)
