"""Finds the values that users give about their own case, and puts other values in their place.

A value in a question is the user's own in "I am 70" and "for 3 adults", but may be a fact about the service in "within
30 days" and "the 5 euro fee".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from mutatis.core.cases import Turn
from mutatis.core.dictionary import USER, Dictionary, Exchange
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.transformation import as_a_whole, generator, transformation
from mutatis.dictionary import limits_of
from mutatis.languages import Language, needing
from mutatis.text.by_folder import side_in
from mutatis.text.sentences import sentences, split_sentences
from mutatis.text.values import Value, values, vocabulary
from mutatis.text.values.numerals import NEAR
from mutatis.transformations.conversation import Moved, Rounds, asked_instead, conversation
from mutatis.transformations.interruptions import ASKING
from mutatis.transformations.known import at_least_one
from mutatis.transformations.pieces import replaced_at
from mutatis.transformations.values import EXCHANGED, Slot, Swap, exchanged, names_one_day, products_of, value_swap

GROWN = 18
"""Minimum age in years of users who are expected to write for themselves."""

_NO_VALUES = frozenset({"year", "decade", "ordinal", "day", "month", "percent"})
_LISTED_BEFORE, _LISTED_BEHIND = re.compile(r"\d\s?[,\u3001\uff0c]\s?\Z"), re.compile(r"\s?[,\u3001\uff0c]\s?\d")
"""Numbers before and after a value in a list of numbers: "de 3, 6 y 9 años"."""
_SPEAKS = re.compile(r"\b(?:i|i['\u2019]\w+|me|my|mine|we|we['\u2019]\w+|us|our|ours)\b", re.IGNORECASE)
"""Words that users use to speak about themselves."""

_GIVEN = re.compile(r"\b(?:for|a|an|of|with|at|on|aged?|turned)\s+\Z", re.IGNORECASE)
"""Words before a value that the user gives: "for 3 adults", "aged 70"."""

_NOT_GIVEN = re.compile(
    r"(?:\b(?:in|into|within|or|the|this|that|these|those|your|its|their|every|each|per|first|last|next|room|gate|line|number|no|size|row"
    r"|table|order|bus|train|tram|route|flight|version|model|page|zone|platform|unit|level|phase|type|class|chapter)"
    r"[\s.#-]{0,2}|[\w.,:/#$\u20ac\u00a3-])\Z",
    re.IGNORECASE,
)
"""Words before a value that is the service's own or part of a name: "within 30 days", "the 5 euro fee", "room 12"."""

OF_THE_SERVICE = re.compile(
    r"\b(?:why|true|right|correct|was|were|did|charged|says?|said|told|fees?|policy|rule|minimum|maximum|limit|least|most"
    r"|deposit|surcharge|discount of|costs? me)\b|%",
    re.IGNORECASE,
)
"""Words of a sentence about rules or past events, whose values are not the user's own: "Why was I charged 5 euros?"."""

_PRICE_OF = re.compile(
    r"\b(?:how (?:much|long)|what) (?:is|are|does|do|would|will) (?:it (?:cost|take) to [a-z]+ |[a-z]+ing )?\Z",
    re.IGNORECASE,
)
"""Text before a number of things whose price or time is asked: "How much are ", "How long does it take to iron "."""

_SEVERAL_OF = re.compile(r" (?:[a-z-]+ ){0,2}(?!(?:is|was|has|does|costs)\b)[a-z]{2,}s\b")
"""Words after a number of things, in a question for their price or time: "How much is ironing 10 shirts?"."""

_RATE = re.compile(r"\s*(?:/|\b(?:per|an?|each|every|off)\b)", re.IGNORECASE)
"""Words after a value that is a rate: "5 euros per hour"."""

_JOINED_BEHIND = re.compile(r"[\w%]|[.,:/-]\d|\s?(?:-|\u2013|to|x|\u00d7)\s?\d|\s+or\b", re.IGNORECASE)
"""Text after a value that is the beginning of a range or a longer code: "-10 days", " to 10", " or"."""

_ENDS_RANGE = re.compile(r"\d\S*\s*(?:-|\u2013|to|and|or|x|\u00d7)\s*\Z", re.IGNORECASE)
"""Text before a value that is the end of a range: "9 to ", "2 x "."""

_FOR_OR_ARE = re.compile(r"\b(?:for|are)\s+\Z", re.IGNORECASE)
"""Words before a number of people without a noun: "a table for 4", "we are 4"."""


def given_values(question: str, language: str = "en") -> list[Value]:
    """Return the values that users give about their own case, in order. Parts of a range are left out.

    Outside English, each must be the only one of its measure, and no year and no limit.

    >>> [value.text for value in given_values("I am 70, and we are 3 adults. Is it within 30 days?")]
    ['70', '3']
    >>> given_values("Why was I charged the 5 euro fee?"), given_values("Is it true that you open at 9:00?")
    ([], [])
    >>> [value.text for value in given_values("Was kostet ein Tisch für 4 Personen am Montag?", "de")]
    ['4', 'Montag']
    """
    limits = {limit.value for limit in limits_of(question, language)}
    if not is_english(language):
        return _given_by_folder(question, limits, language)
    return [
        replace(value, start=value.start + sentence.start)
        for sentence in split_sentences(question)
        for value in values(sentence.text)
        if (value.text not in limits or value.kind in _STATED_AS_LIMITS) and _is_given(sentence.text, value)
    ]


_STATED_AS_LIMITS = ("age", "date")
"""Kinds of values that a user may write like a limit: "he is under 12", "from 3 May"."""


def _is_given(sentence: str, value: Value) -> bool:
    """Return True if a value is about the user's own case, judging by the words around it."""
    before = sentence[: value.start]
    if not _may_be_given(sentence, value) or OF_THE_SERVICE.search(sentence) is not None:
        return False
    is_count = value.measure == "count"
    asks_price = is_count and _PRICE_OF.search(before) and _SEVERAL_OF.match(sentence, value.end)
    if asks_price or value.kind in ("age", "quantity"):
        return True
    has_noun = value.unit.endswith("s") or value.unit in vocabulary().counted
    counts_nothing = is_count and not has_noun and not _FOR_OR_ARE.search(before)
    is_of_user = _SPEAKS.search(sentence) is not None or _GIVEN.search(before) is not None
    return is_of_user and not counts_nothing


def _may_be_given(sentence: str, value: Value) -> bool:
    """Return True unless a value is a name, a rate ("5 euros per hour"), or part of a range or of a longer code."""
    takes_singular = value.raw == 1 and not (value.kind == "quantity" and value.text.endswith(value.unit))
    if value.kind in ("name", "code") or value.measure in _NO_VALUES or takes_singular or value.open:
        return False
    before = sentence[: value.start]
    is_rate = value.kind in ("amount", "number") and _RATE.match(sentence, value.end)
    is_part_of_more = _JOINED_BEHIND.match(sentence, value.end) or names_one_day(sentence, value)
    return not (is_rate or is_part_of_more or _NOT_GIVEN.search(before) or _ENDS_RANGE.search(before))


def _given_by_folder(question: str, limits: Collection[str], language: str) -> list[Value]:
    """Return the user's own values in a language other than English. `limits` are the texts of all limits."""
    present = values(question, language)
    return [
        value
        for value in present
        if _is_only_one(value, present)
        and (value.text not in limits or value.kind in _STATED_AS_LIMITS)
        and _may_be_given_in(question, value, Language(language))
    ]


def _is_only_one(value: Value, present: Sequence[Value]) -> bool:
    """Return True if no other value has the same measure."""
    return sum(other.measure == value.measure for other in present) == 1


def _may_be_given_in(question: str, value: Value, folder: Language) -> bool:
    """Return True if a value may be the user's own in another language, judging by the words around it.

    Of names, only cities may be. A number needs its noun ("4 Personen") and may stand neither in a range ("10 bis 12"),
    nor in a list ("3, 6 y 9 años"), nor after a word that numbers something ("Linie 12").
    """
    if value.kind == "code" or value.measure in ("year", "decade", "ordinal", "month", "day", "percent", "size"):
        return False
    if value.kind == "name":
        return value.unit == "city"
    before = question[max(0, value.start - NEAR) : value.start]
    if folder.pattern("range_before").search(before) or folder.pattern("range_behind").match(question, value.end):
        return False
    if value.text.isdigit() and (_LISTED_BEFORE.search(before) or _LISTED_BEHIND.match(question, value.end)):
        return False
    if value.measure == "count":
        counted = folder.pattern("counted_thing").match(question, value.end)
        return counted is not None and value.raw != 1 and not folder.pattern("names_number").search(before)
    return value.raw is None or value.raw > 1


_PATTERNS = ("counted_thing", "names_number", "range_before", "range_behind")
BY_FOLDER = ("values", "limits", "function_words", *(f"speech.patterns.{name}" for name in _PATTERNS))
"""Lists of a language's folder for finding and replacing the values that a user gives."""

RESTING = (*ASKING, *BY_FOLDER, "speech.patterns.before_value")
"""Lists of a language's folder for messages that repeat the value of an earlier message, with its preposition."""


def swaps_by_folder(question: str, language: str) -> list[Swap]:
    """Return copies of a question in a language other than English, each with one of the user's values replaced.

    >>> [swap.text for swap in swaps_by_folder("Was kostet ein Tisch für 4 Personen?", "de")]
    ['Was kostet ein Tisch für 5 Personen?']
    """
    present = values(question, language)
    others = ((value, other_plausible(value, question, present)) for value in given_values(question, language))
    return [value_swap(question, value, new) for value, new in others if new is not None]


def other_plausible(value: Value, question: str, present: Sequence[Value]) -> str | None:
    """Return another value of the same kind, as users give it, or None.

    An age changes by a few years, and a round number stays round.

    >>> [other_plausible(values(text)[0], "", ()) for text in ("I am 70.", "We need 100 cards.")]
    ['60', '200']
    """
    if value.kind == "age" and value.raw is not None and value.text[0].isdigit():
        return re.sub(r"\A\d+", str(int(value.raw) + _years_away(value.raw)), value.text)
    if value.kind == "number" and value.text.isdigit() and int(value.text) >= _ROUND and not int(value.text) % 10:
        return str(2 * int(value.text))  # nobody orders 102 cards after 100
    other = other_as_round(value, generator("elsewhere", question, value.text), besides=present)
    return None if other is None else other.text


_ROUND = 20


def _years_away(age: float) -> int:
    """Return a plausible error in an age, in years. It never turns a child into an adult, or vice versa."""
    if age < GROWN:
        return 3 if age < GROWN - 3 else -3
    return 10 if age < _OLD else -10


_OLD = 60


def other_as_round(
    value: Value, rng: Random, *, besides: Sequence[Value] = (), fits: Callable[[Value], bool] | None = None
) -> Value | None:
    """Return another value that fits, if possible as round as the value: no one asks for 109 minutes. None without one.

    >>> other = other_as_round(values("It takes 90 minutes.")[0], Random(1))
    >>> other and other.text
    '115 minutes'
    """
    drawn = (value.other(rng, besides) for _ in range(_TRIES))
    fitting = (other for other in drawn if other.text != value.text and (fits is None or fits(other)))
    first = next(fitting, None)
    if first is None or _is_as_round(value, first):
        return first
    return next((other for other in fitting if _is_as_round(value, other)), first)


_TRIES = 30
_MEASURED = frozenset({"amount", "quantity", "duration"})


def _is_as_round(value: Value, other: Value) -> bool:
    """Return True if the replacement for a round value is also round."""
    if value.kind not in _MEASURED or value.raw is None or other.raw is None:
        return True
    return bool(value.raw % 5) or not other.raw % 5


def phrase_by_folder(question: str, swap: Swap, text: str, language: str) -> str | None:
    """Return a text with the preposition, article and noun of the old value; None if it has no preposition.

    >>> question = "Was kostet ein Tisch für 4 Personen?"
    >>> [phrase_by_folder(question, swap, swap.new, "de") for swap in swaps_by_folder(question, "de")]
    ['für 5 Personen']
    """
    folder = Language(language)
    lead = folder.pattern("before_value").search(question, 0, swap.start)
    if lead is None or lead["p"] is None or swap.value is None:
        return None
    noun = folder.pattern("counted_thing").match(question, swap.end) if swap.value.measure == "count" else None
    return f"{lead['p'].lower()}{lead['a'] or ''}{text}{noun.group() if noun else ''}"


def values_given_once(question: str) -> list[Value]:
    """Return the user's values that occur only once in an English question, so that their position is unambiguous."""
    present = values(question)
    return [value for value in given_values(question) if sum(other.same(value) for other in present) == 1]


def written_shape(text: str) -> str:
    """Return a written value with every number as "9", so that values written alike are equal.

    >>> written_shape("1,250 EUR"), written_shape("9:30")
    ('9 EUR', '9:9')
    """
    return re.sub(r"\d+", "9", text.replace(",", ""))


def exchanged_for(question: str, old: str, new: str, language: str = "en") -> str | None:
    """Return a question with one of the user's values replaced; None if the question lacks that value."""
    value = next((value for value in given_values(question, language) if value.text == old), None)
    if value is None:
        return None
    return replaced_at(question, value.start, value.end, new, language)


def single_values(question: str, language: str) -> list[Value]:
    """Return the values that a user gives, each the only one of its measure in the question."""
    present = values(question, language)
    return [value for value in given_values(question, language) if _is_only_one(value, present)]


# Questions with another value of the same kind


def other_values(question: str, answer: str, dictionary: Dictionary) -> list[dict[str, str]]:
    """Return other values of the same measure to replace a user's value that the answer repeats.

    Raises:
        UnusableFollowUp: the question gives no value, the answer does not repeat it, or the value may be the service's
            own.

    >>> other_values("Is a table free for 3 adults?", "Yes, a table for 3 adults is free.", Dictionary())
    [{'old': '3', 'new': '6'}]
    """
    if not is_english(dictionary.language):
        return _other_values_by_folder(question, answer, dictionary.language)
    of_user = at_least_one(values_given_once(question), "the user gives no value of their own")
    limits = {limit.value for limit in limits_of(answer) if limit.measure not in ("time of day", "date")}
    stated = [value for value in values(answer) if value.kind not in ("name", "code") and value.text not in limits]
    repeated = [value for value in of_user if any(other.same(value) for other in stated)]
    at_least_one(repeated, "the answer does not repeat a value from the question")
    repeated = [value for value in repeated if not _is_of_the_service(value, stated, answer)]
    at_least_one(repeated, "the answer may state the value as a limit of the service or as one of several values")
    exchange = Exchange(question=question, reply=answer).name
    repeated = [value for value in repeated if not _is_in_other_exchange(value, exchange, dictionary)]
    at_least_one(repeated, "other answers also give this value, so the service may have set it")
    return [{"old": value.text, "new": new} for value in repeated for new in _others(value, question, dictionary)]


def _other_values_by_folder(question: str, answer: str, language: str) -> list[dict[str, str]]:
    """Return replacements for a value that the answer repeats without stating it as the service's own."""
    if side_in(answer, language) is not None:  # "you may bring 3": of 7 it may say so again
        raise UnusableFollowUp("the answer says yes or no, so the service may have set the value")
    limits = {limit.value for limit in limits_of(answer, language)}
    at_limits = [value for limit in limits for value in values(limit, language)]
    stated = [value for value in values(answer, language) if value.kind not in ("name", "code")]
    choices = []
    for swap in swaps_by_folder(question, language):
        value = swap.value
        if value is None or value.kind == "name" or value.measure == "weekday":
            continue  # "from Monday to Friday" may be right of both days
        repeated = any(other.same(value) for other in stated)
        several = any(other.measure == value.measure and not other.same(value) for other in stated)
        if repeated and not several and not any(other.same(value) for other in at_limits):
            choices.append({"old": swap.old, "new": swap.new})
    return at_least_one(choices, "the answer does not repeat a value from the question as the user's own")


def _is_of_the_service(value: Value, stated: Sequence[Value], answer: str) -> bool:
    """Return True if an answer states a value as a limit or rule, or next to other values.

    A date or time also counts as the service's own, part of its schedule, unless the answer confirms an order.
    """
    several = any(other.measure == value.measure and not other.same(value) for other in stated)
    rules = [s for s in sentences(answer) if OF_THE_SERVICE.search(s) or _RULES.search(s)]
    rules += [limit.value for limit in limits_of(answer)]
    in_rule = any(other.same(value) for rule in rules for other in values(rule))
    scheduled = value.kind in ("date", "time") and _ORDERS.search(answer) is None
    return several or in_rule or scheduled


_RULES = re.compile(r"\b(?:must|have to|has to|needs? to|required|old enough|eligible)\b", re.IGNORECASE)
"""Words of a sentence that states a rule."""

_ORDERS = re.compile(r"\b(?:booked|reserved|ordered|noted|confirmed|arranged|moved|changed)\b", re.IGNORECASE)
"""Words that confirm an order. They make a day or a time the user's own, unlike a fact about the schedule."""


def _is_in_other_exchange(value: Value, exchange: str, dictionary: Dictionary) -> bool:
    """Return True if a reply in any exchange other than this one states a value."""
    texts = [
        entry.text
        for entry in dictionary.values
        if entry.measure == value.measure and set(entry.seen) - {exchange, USER}
    ]
    return any(other.same(value) for text in texts for other in values(text))


def _others(value: Value, question: str, dictionary: Dictionary) -> Iterator[str]:
    """Yield other values of the same measure: similarly written ones from the dictionary, then a random one."""
    present = values(question)
    drawn = value.other(generator(question, value.text), besides=present).text
    known = () if value.kind in ("date", "time") else dictionary.values
    for entry in known:
        comparable = (entry.measure, entry.unit) == (value.measure, value.unit)
        alike = comparable and written_shape(entry.text) == written_shape(value.text)
        singular = re.fullmatch(r"1\b.*", entry.text)  # the noun behind it would change
        if alike and not singular and entry.text not in {other.text for other in present}:
            yield entry.text
    if drawn != value.text:
        yield drawn


@conversation(
    "another-value",
    capability="numbers",
    says="another value of the same measure",
    languages=needing(*BY_FOLDER, also=ENGLISH),
    reads=other_values,
)
def another_value(rounds: Rounds, turns: tuple[Turn, ...], written_in: str = "en", **choice: str) -> Moved:
    """Ask the question with a different value of the same measure.

    >>> turns = (Turn(fields={"message": "I am 70. Do I get a discount?"}),)
    >>> for _, turn in another_value((0,), turns, old="70", new="33"): print(turn.fields["message"])
    I am 33. Do I get a discount?
    """
    old, new = choice["old"], choice["new"]
    text = exchanged_for(turns[-1].question, old, new, written_in)
    return asked_instead(rounds, turns, text, **{EXCHANGED: ["value", old, new]})


@transformation(
    "exchange-value",
    level="turn",
    capability="numbers",
    says="a {kind} exchanged for another",
    languages=needing(*BY_FOLDER, "speech.patterns.before_value", also=ENGLISH),
)
@as_a_whole
def exchange_value(
    turn: Turn, rng: Random, fields: tuple[str, ...], written_in: str = "en", *, kind: Slot = "weekday"
) -> Turn:
    """Replace the only value of a kind that the user asks for: a day, number, amount, time, size, place or product.

    Other texts are left unchanged. Outside English, only days, dates, times and numbers are replaced.

    >>> turn = Turn(fields={"message": "A table on Friday, please."})
    >>> changed = exchange_value(turn, Random(1), ("message",))
    >>> changed.fields["message"], changed.annotations["exchanged"]
    ('A table on Saturday, please.', ['weekday', 'Friday', 'Saturday'])
    """
    name = fields[0]
    text = turn.fields[name]
    swap = (
        exchanged(text, kind, rng, products_of(turn))
        if is_english(written_in)
        else _only_swap_of(text, kind, written_in)
    )
    if swap is None:
        return turn
    annotations = {**turn.annotations, EXCHANGED: [kind, swap.old, swap.new]}
    return replace(turn, fields={**turn.fields, name: swap.text}, annotations=annotations)


_MEASURE_OF: Mapping[Slot, str] = {"weekday": "weekday", "count": "count", "date": "date", "time": "time of day"}


def _only_swap_of(question: str, kind: Slot, language: str) -> Swap | None:
    """Return a copy of a question with its only value of a kind replaced; None if it has none or several.

    A value counts if it has a preposition.
    """
    swaps = [
        swap
        for swap in swaps_by_folder(question, language)
        if swap.value is not None and swap.value.measure == _MEASURE_OF.get(kind)
        if phrase_by_folder(question, swap, swap.new, language) is not None
    ]
    return swaps[0] if len(swaps) == 1 else None
