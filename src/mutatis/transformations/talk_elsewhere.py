"""Edits of dialogues and values in languages other than English, using each language's sentences and patterns.

They add questions, correct or replace values, change names, or hide an instruction in pasted text. English has more
precise rules in `together.py`, `reaching.py` and others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain
from random import Random

from mutatis.core.cases import Turn
from mutatis.core.dictionary import ENOUGH, USER, Dictionary, Limit, Parameters, Turned
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.transformation import as_a_whole, generator, in_other_languages
from mutatis.dictionary import limits_of
from mutatis.languages import Language, needing
from mutatis.text.abstention import is_abstention, is_lost
from mutatis.text.by_folder import reads, side_at, side_in, without_courtesy
from mutatis.text.refusals import is_refusal
from mutatis.text.sentences import END_MARKS, QUESTION_MARKS
from mutatis.text.values import Value, values
from mutatis.transformations.applying import is_of_age, restates
from mutatis.transformations.edges import INSIDE, OUTSIDE, at_edge
from mutatis.transformations.interruptions import ASKING, Moved, Rounds, asks_one_thing, check_one_thing
from mutatis.transformations.known import at_least_one, one_of
from mutatis.transformations.pieces import edited
from mutatis.transformations.pressure import CLAIMED, Claim, asks_permission, doubt_answer
from mutatis.transformations.reaching import (
    AT_LIMIT,
    PlacedValue,
    another_value,
    asked_instead,
    exchanged_for,
    given_values,
    placed_value,
)
from mutatis.transformations.ruling_out import OTHER, rule_out
from mutatis.transformations.several import judged_after
from mutatis.transformations.together import (
    NO_HISTORY,
    TAKEN_BACK,
    after_texts,
    ask_akin_before,
    ask_of_two,
    ask_with_another,
    asks_value,
    correct_next,
    leave_out,
    only_turn,
)
from mutatis.transformations.values import EXCHANGED, Slot

_VALUES = (
    *("values", "limits", "function_words", "speech.patterns.counted_thing", "speech.patterns.names_number"),
    *("speech.patterns.range_before", "speech.patterns.range_behind"),
)
_GROWN, _OLD = 18, 60
_FEWEST_AT_LIMIT = 2
_BANKNOTES = frozenset({5, 10, 20, 50, 100, 200, 500})


# Values that a user gives, and others in their place


@dataclass(frozen=True, slots=True, kw_only=True)
class Swapped:
    """A question with one value replaced: its new text, the old value, and the replacement."""

    text: str
    value: Value
    new: str


def values_exchanged(question: str, folder: Language) -> Iterator[Swapped]:
    """Yield copies of the question, each with one of its values replaced by another of the same kind."""
    present = values(question, folder.code)
    for value in given_values(question, folder.code):
        new = _other(value, question, present)
        if new != value.text:
            yield Swapped(text=edited(question, [(value.start, value.end, new)]), value=value, new=new)


def _other(value: Value, question: str, present: Sequence[Value]) -> str:
    if value.kind == "age" and value.raw is not None and value.text[0].isdigit():
        return re.sub(r"\A\d+", str(int(value.raw) + _years_away(value.raw)), value.text)
    if value.kind == "number" and value.text.isdigit() and int(value.text) >= _ROUND and not int(value.text) % 10:
        return str(2 * int(value.text))  # nobody orders 102 cards after 100
    drawn = (value.other(generator("elsewhere", question, value.text, *tries), besides=present) for tries in _TRIES)
    first = next(drawn)
    return next((other for other in chain([first], drawn) if _as_round(value, other)), first).text


_ROUND = 20
_TRIES: Sequence[tuple[int, ...]] = ((), *((number,) for number in range(1, 30)))
_MEASURED = frozenset({"amount", "quantity", "duration"})


def _as_round(value: Value, other: Value) -> bool:
    """Return True if the replacement for a round value is also round: no one asks for 109 minutes."""
    if value.kind not in _MEASURED or value.raw is None or other.raw is None:
        return True
    return bool(value.raw % 5) or not other.raw % 5


def _years_away(age: float) -> int:
    """Return a plausible error in an age, in years. It never turns a child into an adult, or vice versa."""
    if age < _GROWN:
        return 3 if age < _GROWN - 3 else -3
    return 10 if age < _OLD else -10


def _phrase(question: str, swap: Swapped, folder: Language, text: str) -> str | None:
    """Return a new value with the preposition, article and noun of the old one, or None if it has no preposition."""
    lead = folder.pattern("before_value").search(question, 0, swap.value.start)
    if lead is None or lead["p"] is None:
        return None
    noun = folder.pattern("counted_thing").match(question, swap.value.end) if swap.value.measure == "count" else None
    return f"{lead['p'].lower()}{lead['a'] or ''}{text}{noun.group() if noun else ''}"


# Other questions before


def _akin(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    folder = Language(dictionary.language)
    check_one_thing(question, folder.code)
    asked = [{"before": swap.text} for swap in values_exchanged(question, folder)]
    return at_least_one(asked, "the question has no value that could be replaced")


in_other_languages("ask-akin-before", languages=needing(*ASKING, *_VALUES, but="en"), reads=_akin)(ask_akin_before)


# Two questions, or one about two values, in one message


@lru_cache(maxsize=4096)
def _told(question: str, reply: str, language: str) -> frozenset[tuple[object, ...]]:
    """Return the values stated in a reply but not in its question."""
    told, asked = (
        {value.key for value in values(text, language) if value.kind not in ("name", "code", "number")}
        for text in (reply, question)
    )
    return frozenset(told - asked)


def _is_dated(question: str, folder: Language) -> bool:
    """Return True if a question contains a day or a month that could also apply to a second question."""
    return any(value.kind == "date" and value.measure != "year" for value in values(question, folder.code))


def _with_another(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    folder = Language(dictionary.language)
    check_one_thing(question, folder.code)
    if _is_dated(question, folder):
        raise UnusableFollowUp("the day in the question may also apply to another question in the same message")
    told = _told(question, reply, folder.code)
    choices = [
        {"other": other.question, "reply": other.reply}
        for other in dictionary.exchanges
        if other.question != question
        and asks_one_thing(other.question, folder.code)
        and asks_value(other.question, folder.code)
        and not _is_dated(other.question, folder)
        and (others := _told(other.question, other.reply, folder.code))
        and not told & others
    ]
    return at_least_one(choices, "no other question in the data asks for a different value")


_TOGETHER = ("speech.also", "speech.of_two", "speech.patterns.asks_value")


def _of_two(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    folder = Language(dictionary.language)
    if not asks_one_thing(question, folder.code) or not asks_value(question, folder.code):
        raise UnusableFollowUp("the message is not a single question about a value")
    swaps = [{"second": swap.text} for swap in values_exchanged(question, folder)]
    return at_least_one(swaps, "the question has no value that could be replaced")


in_other_languages("ask-with-another", languages=needing(*ASKING, *_TOGETHER, but="en"), reads=_with_another)(
    ask_with_another
)
in_other_languages("ask-of-two", languages=needing(*ASKING, *_VALUES, *_TOGETHER, but="en"), reads=_of_two)(ask_of_two)


# Messages that rest on an earlier one


def shortened_in(question: str, dictionary: Dictionary, template: str = "and_for") -> list[Parameters]:
    """Return questions to ask first, each with a short question that returns to the original value.

    >>> [choice] = shortened_in("Haben Sie am Montag offen?", Dictionary(language="de"))
    >>> choice["short"]
    'Und am Montag?'
    """
    folder = Language(dictionary.language)
    if not reads(folder.code) or not asks_one_thing(question, folder.code) or _asks_two(question, folder):
        return []
    [said] = folder.ways(template)
    return [
        {"before": swap.text, "short": said.format(phrase)}
        for swap in values_exchanged(question, folder)
        if (phrase := _phrase(question, swap, folder, swap.value.text)) is not None
    ]


def _asks_two(question: str, folder: Language) -> bool:
    """Return True if "and" introduces a second question, so a short follow-up could refer to only one of them.

    >>> asked = "Wie viel kostet es am Montag, und wo ist die Schule?", "Was kostet es für Kinder und Eltern?"
    >>> [_asks_two(each, Language("de")) for each in asked]
    [True, False]
    """
    also = folder.ways("also")[0].strip("{} ")
    joints = re.finditer(rf"\s{re.escape(also)}\s+", question, re.IGNORECASE)
    return any(folder.pattern("asks").match(question, joint.end()) for joint in joints)


PROBES_ELSEWHERE: Mapping[Turned, Callable[[str, Dictionary], Sequence[Parameters]]] = {
    "left out": shortened_in,
    "corrected": partial(shortened_in, template="i_meant"),
}
"""Functions that return questions to test whether a system understands a message that depends on the one before.

Pronouns are not tested, since the right pronoun depends on the gender of the noun.
"""


def _short(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    if "left out" not in dictionary.understands:
        raise UnusableFollowUp(NO_HISTORY)
    return at_least_one(
        shortened_in(question, dictionary), "the message is not a question with a value that could be replaced"
    )


def _meant(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    if "corrected" not in dictionary.understands:
        raise UnusableFollowUp(NO_HISTORY)
    choices = PROBES_ELSEWHERE["corrected"](question, dictionary)
    return at_least_one(choices, "the message is not a question with a value that could be replaced")


_RESTS = (*ASKING, *_VALUES, "speech.patterns.before_value")


in_other_languages("leave-out", languages=needing(*_RESTS, "speech.and_for", but="en"), reads=_short)(leave_out)
in_other_languages("correct-next", languages=needing(*_RESTS, "speech.i_meant", but="en"), reads=_meant)(correct_next)


_SET_APART = frozenset({"age", "weekday", "date", "name"})


def _not_others(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    folder = Language(dictionary.language)
    check_one_thing(question, folder.code)
    choices = [
        {"other": phrase, "before": swap.text}
        for swap in values_exchanged(question, folder)
        if swap.value.measure in _SET_APART
        if (phrase := _phrase(question, swap, folder, swap.new)) is not None
    ]
    return at_least_one(choices, "the question has no value that could be replaced")


@in_other_languages("not-the-other", languages=needing(*_RESTS, "speech.not_that", but="en"), reads=_not_others)
def not_the_other_elsewhere(
    rounds: Rounds, turns: tuple[Turn, ...], written_in: str, *, other: str = "", before: str = ""
) -> Moved:
    """Ask about a different value, retract that question, and ask the original one."""
    turn, folder = only_turn(turns), Language(written_in)
    asked = (swap for swap in values_exchanged(turn.question, folder) if swap.text == before)
    if not (other and (swap := next(asked, None))):
        return rounds
    [said], wanted = folder.ways("not_that"), _phrase(turn.question, swap, folder, swap.value.text)
    text = said.format(other=other, wanted=wanted, question=turn.question.strip())
    return after_texts(turn, [before], text, **{TAKEN_BACK: other})


def _ruled_out(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return messages that state which value or name is not meant.

    Places are ruled out only if they occur in the run's texts.
    """
    folder = Language(dictionary.language)
    told = without_courtesy(reply, folder.code)
    unanswered = is_lost(reply, folder.code) or is_abstention(reply, folder.code) or is_refusal(reply, "", folder.code)
    if unanswered or any(mark in told for mark in QUESTION_MARKS):
        raise UnusableFollowUp("the question is not answered")
    check_one_thing(question, folder.code)
    elsewhere = "\n".join(f"{each.question}\n{each.reply}" for each in dictionary.exchanges)
    [said] = folder.ways("ruled_out")
    choices = []
    for swap in values_exchanged(question, folder):
        if swap.value.measure not in _SET_APART or (swap.value.kind == "name" and swap.new not in elsewhere):
            continue
        wanted, other = (_phrase(question, swap, folder, text) for text in (swap.value.text, swap.new))
        if wanted is not None and other is not None:
            text = f"{question.strip()}{folder.gap}{said.format(wanted=wanted, other=other)}"
            choices.append({"text": text, "excluded": other, "form": OTHER})
    return at_least_one(choices, "the question has no value that could be replaced")


in_other_languages("rule-out", languages=needing(*_RESTS, "speech.ruled_out", but="en"), reads=_ruled_out)(rule_out)


# Other values and limits


@in_other_languages("correct-value", languages=needing(*_VALUES, "speech.corrections", but="en"))
@as_a_whole
def correct_value_elsewhere(text: str, rng: Random, written_in: str) -> str:
    """Give a wrong value first and correct it in the same message. Other texts are left unchanged.

    >>> correct_value_elsewhere("Was kostet ein Tisch für 4 Personen", Random(2), "de")
    'Was kostet ein Tisch für 6, Moment, nein, 4 Personen'
    """
    place, share, folder = rng.random(), rng.random(), Language(written_in)
    swaps = list(values_exchanged(text, folder))
    if not swaps or folder.pattern("done_at_once").search(text):
        return text
    swap = swaps[int(place * len(swaps))]
    at_once, behind = folder.ways("corrections"), folder.ways("corrections_behind")
    ways = (*at_once, *behind) if text.rstrip().endswith(END_MARKS) else at_once
    way, lead = ways[int(share * len(ways))], _repeated(text, swap.value, folder)
    counter = _measure_word(text, swap.value, folder)
    old, new = lead + swap.value.text, swap.new + counter
    said = way.format(old=old, new=new) if way in at_once else way.format(old=old + counter, new=lead + new)
    if way in behind:
        return f"{swap.text.rstrip()}{folder.gap}{said}"
    return text[: swap.value.start] + said + text[swap.value.end :]


def _measure_word(text: str, value: Value, folder: Language) -> str:
    """Return the measure word that must follow a number in a language without spaces, or "" in other languages."""
    if folder.spaces or value.measure != "count":
        return ""
    counted = folder.pattern("counted_thing").match(text, value.end)
    return counted.group() if counted else ""


def _repeated(text: str, value: Value, folder: Language) -> str:
    """Return the words before a value that a correction must repeat: "le lundi, pardon, le mardi"."""
    if not folder.has("speech.patterns.repeated"):
        return ""
    lead = folder.pattern("repeated").search(text, 0, value.start)
    return lead.group().lower() if lead else ""


def _other_values(question: str, answer: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return replacements for a value that the answer repeats without stating it as the service's own."""
    folder = Language(dictionary.language)
    limits = {limit.value for limit in limits_of(answer, folder.code)}
    said = [value for value in values(answer, folder.code) if value.kind not in ("name", "code")]
    choices = [
        {"old": swap.value.text, "new": swap.new}
        for swap in values_exchanged(question, folder)
        if swap.value.kind != "name"
        and swap.value.measure != "weekday"  # "from Monday to Friday" may be right of both
        and any(value.same(swap.value) for value in said)
        and not any(value.measure == swap.value.measure and not value.same(swap.value) for value in said)
        and not any(other.same(swap.value) for limit in limits for other in values(limit, folder.code))
    ]
    if side_in(answer, folder.code) is not None:  # "you may bring 3": of 7 it may say so again
        raise UnusableFollowUp("the answer says yes or no, so the service may have set the value")
    return at_least_one(choices, "the answer does not repeat a value from the question as the user's own")


in_other_languages("another-value", languages=needing(*_VALUES, but="en"), reads=_other_values)(another_value)


_OF_KIND: dict[Slot, frozenset[str]] = {
    **{"weekday": frozenset({"weekday"}), "count": frozenset({"count"}), "date": frozenset({"date"})},
    **{"time": frozenset({"time of day"})},
}


@in_other_languages("exchange-value", languages=needing(*_VALUES, but="en"))
def exchange_value_elsewhere(turn: Turn, fields: tuple[str, ...], written_in: str, *, kind: Slot = "weekday") -> Turn:
    """Replace the only day, number or time that the user asks for. Other texts are left unchanged."""
    name, folder = fields[0], Language(written_in)
    swaps = [
        swap
        for swap in values_exchanged(turn.fields[name], folder)
        if swap.value.measure in _OF_KIND.get(kind, ()) and _phrase(turn.fields[name], swap, folder, swap.new)
    ]
    if len(swaps) != 1:
        return turn
    [swap] = swaps
    noted = {**turn.annotations, EXCHANGED: [kind, swap.value.text, swap.new]}
    return replace(turn, fields={**turn.fields, name: swap.text}, annotations=noted)


def _at_limits(question: str, answer: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return values just inside, at and just beyond each limit that the answer states for the user's value.

    The limit must be confirmed by a second reply, since a single one may be wrong.
    """
    folder = Language(dictionary.language)
    choices: list[Parameters] = []
    trusted = _trusted_limits(dictionary)
    for value, places in _on_limits(question, answer, folder):
        if len({place.at for place in places}) == 1 and value.text[0].isdigit():
            taken = side_at(value.text, answer, places[0].limit.text, folder.code)
            choices += _beside(places[0], taken) if _of_limit(places[0].limit) in trusted else []
    return at_least_one(choices, "there are no two replies that state a limit on the user's value")


def _on_limits(question: str, answer: str, folder: Language) -> Iterator[tuple[Value, list[PlacedValue]]]:
    """Yield each value that a user gives, with the limits on it that the answer states.

    Raises:
        UnusableFollowUp: the answer is neither a yes nor a no.
    """
    of_user = given_values(question, folder.code)
    limits = [limit for limit in limits_of(answer, folder.code) if not restates(limit, question, folder.code)]
    if side_in(answer, folder.code) is None and not any(
        side_at(value.text, answer, limit.text, folder.code) is not None for value in of_user for limit in limits
    ):
        raise UnusableFollowUp("the answer says neither yes nor no")
    for value in of_user:
        about = [limit for limit in limits if value.kind != "age" or is_of_age(limit, answer, folder.code)]
        placed = (placed_value(value, limit, stated_here=True) for limit in about)
        yield value, [place for place in placed if place is not None]


def _trusted_limits(dictionary: Dictionary) -> set[tuple[object, ...]]:
    """Return the limits that two replies state or that the tester listed. Differences in wording are ignored."""
    stating: defaultdict[tuple[object, ...], set[str]] = defaultdict(set)
    for limit in dictionary.limits:
        if not limit.contradicted:
            stating[_of_limit(limit)].update(limit.seen)
    return {limit for limit, seen in stating.items() if USER in seen or len(seen) >= ENOUGH}


def _of_limit(limit: Limit) -> tuple[object, ...]:
    return limit.measure, limit.size, limit.side


def _beside(place: PlacedValue, taken: bool | None) -> Iterator[Parameters]:
    """Yield the numbers at a limit and next to it, as replacements for the user's number.

    Numbers across the limit are left out if the answer denies a value within it or grants a value beyond it, since the
    answer must then depend on something else.
    """
    now, limit = place.value.raw or 0.0, place.limit
    inside = place.holds(now)
    for number in (place.at - 1, place.at, place.at + 1):
        may_turn = place.holds(number) is inside or taken in (None, inside)
        if number >= _FEWEST_AT_LIMIT and number != now and may_turn:
            yield {
                "old": place.value.text,
                "new": re.sub(r"\A[\d.,]+", str(number), place.value.text),
                "limit": limit.text,
                "side": "same" if place.holds(number) is inside else "other",
                "inside": "yes" if inside else "no",
                "trusted": "yes",
            }


@in_other_languages("at-limit", languages=needing(*_VALUES, but="en"), reads=_at_limits)
@as_a_whole
def at_limit_elsewhere(
    rounds: Rounds, turns: tuple[Turn, ...], written_in: str, *, old: str = "", new: str = "", **noted: str
) -> Moved:
    """Ask the question with a value at a limit stated in a reply, just inside it or just beyond it."""
    text = exchanged_for(turns[-1].question, old, new, written_in) if new else None
    return asked_instead(rounds, turns, text, **{AT_LIMIT: {"old": old, "new": new, **noted}})


def _at_edges(question: str, answer: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return questions with values inside, at and outside each limit that the answer states for a user's value."""
    folder = Language(dictionary.language)
    choices = [
        _three_sides(question, place, folder)
        for value, places in _on_limits(question, answer, folder)
        for place in places
        if value.text[0].isdigit() and _is_clear(place, places, folder)
    ]
    return at_least_one(choices, "the answer states no limit, with a clear edge, on a value that the user gives")


def _is_clear(place: PlacedValue, others: Sequence[PlacedValue], folder: Language) -> bool:
    """Return True if a limit clearly includes or excludes its own value and has no other limit next to it.

    "Bis 14 Jahre", "until 14:00" and the upper end of a range are unclear. Times, dates and banknotes are left out.
    """
    limit = place.limit
    until = any(limit.text.lower().startswith(word) for word in folder.ways("until"))
    open_end = limit.side == "most" and (limit.text[0].isdigit() or (until and not limit.measure.startswith("count")))
    alone = all(other.rule == place.rule or abs(other.at - place.at) > 1 for other in others)
    indivisible = place.value.kind in ("time", "date") or (
        place.value.kind == "amount" and place.value.raw in _BANKNOTES
    )
    return not indivisible and not open_end and alone and place.at - 1 >= _FEWEST_AT_LIMIT


def _three_sides(question: str, place: PlacedValue, folder: Language) -> Parameters:
    step = 1 if place.limit.side == "least" else -1
    sizes = (place.at + step, place.at, place.at - step)
    said = [re.sub(r"\A[\d.,]+", str(size), place.value.text) for size in sizes]
    inner, edge, outer = (str(exchanged_for(question, place.value.text, text, folder.code)) for text in said)
    side = INSIDE if place.limit.inclusive else OUTSIDE
    return {
        **{"inner": inner, "edge": edge, "outer": outer},
        **{"rule": f"{side}: {place.limit.text}", "values": " | ".join(said)},
    }


in_other_languages("at-edge", languages=needing(*_VALUES, "speech.until", but="en"), reads=_at_edges)(at_edge)


# Orders in a text, and what it can do


@in_other_languages("reorder-slots", languages=needing(*_VALUES, "speech.patterns.slot", but="en"))
@as_a_whole
def reorder_slots_elsewhere(text: str, rng: Random, written_in: str) -> str:
    """Reorder two or more adjacent parts of a request (day, time, number, place).

    >>> reorder_slots_elsewhere("Ein Tisch f\u00fcr 4 Personen am Montag um 19 Uhr?", Random(1), "de")
    'Ein Tisch um 19 Uhr f\u00fcr 4 Personen am Montag?'
    """
    drawn, folder = rng.random(), Language(written_in)
    runs: list[list[re.Match[str]]] = []
    for part in folder.pattern("slot").finditer(text):
        if runs and text[runs[-1][-1].end() : part.start()] == folder.gap:
            runs[-1].append(part)
        else:
            runs.append([part])
    for run in runs:
        slots = [part.group() for part in run]
        leads = [slot.split()[0].lower() for slot in slots] if folder.spaces else [part.lastgroup for part in run]
        if len(slots) > 1 and len(set(leads)) == len(leads):
            by = 1 + int(drawn * (len(slots) - 1))
            moved = folder.gap.join([*slots[-by:], *slots[:-by]])
            return text[: run[0].start()] + moved + text[run[-1].end() :]
    return text


# Users who press

_CLAIMED_KINDS = frozenset({"amount", "duration", "time"})


def _claims(question: str, answer: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return values that the answer states but the question does not, each with a different value to claim.

    Each value must be the only one of its measure.
    """
    folder = Language(dictionary.language)
    check_one_thing(question, folder.code)
    told, asked = (values(text, folder.code) for text in (answer, question))
    choices = [
        {"kind": value.kind, "value": value.text, "other": new}
        for value in told
        if value.kind in _CLAIMED_KINDS and value.raw != 1
        if sum(other.measure == value.measure for other in (*told, *asked)) == 1
        if (new := value.other(generator("claim", question, value.text), besides=told).text) != value.text
    ]
    return at_least_one(choices, "the answer states no single value that could be claimed")


@in_other_languages(
    "claim-value", languages=needing(*ASKING, "values", "speech.claims", "speech.reports", but="en"), reads=_claims
)
def claim_value_elsewhere(
    rounds: Rounds,
    turns: tuple[Turn, ...],
    written_in: str,
    *,
    claim: Claim = "other",
    asks: bool = True,
    kind: str = "",
    value: str = "",
    other: str = "",
) -> Moved:
    """Ask a question, and then claim the value in the system's own answer or a different one."""
    if not value:
        return rounds
    turn, said = only_turn(turns), value if claim == "own" else other
    ways = Language(written_in).ways("claims" if asks else "reports")
    text = one_of(ways, generator("claim", turn.question)).format(said)
    return after_texts(turn, [turn.question], text, **{CLAIMED: [kind, value, said]})


in_other_languages(
    "doubt-answer", languages=needing(*ASKING, "speech.doubts.sure", "speech.patterns.takes_back", but="en")
)(doubt_answer)


@in_other_languages("insist-twice", languages=needing("speech.insists", "speech.patterns.permission", but="en"))
def insist_twice_elsewhere(rounds: Rounds, turns: tuple[Turn, ...], written_in: str) -> Moved:
    """Repeat a request for permission twice, more urgently each time."""
    question = turns[-1].question
    if not asks_permission(question, written_in):
        raise UnusableFollowUp("the message is not a request on which a user could insist")
    please, really = (said.format(question.strip()) for said in Language(written_in).ways("insists"))
    return judged_after(rounds, turns, len(turns) - 1, [question, please], really)
