"""Edits that use the run's dictionary: a different value or name of the same kind, an alias, a value at a limit.

A value in a question is replaced only if it is the user's own ("I am 70", "for 3 adults"), not if it may be a fact
about the service ("within 30 days", "the 5 euro fee"). Based on boundary value analysis.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from itertools import chain
from random import Random

from mutatis.core.cases import Turn
from mutatis.core.dictionary import USER, Dictionary, Exchange, Limit, Name, NameKind
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.transformation import as_a_whole, generator, transformation
from mutatis.dictionary import limits_of
from mutatis.languages import Language, language_tables, listed, needing
from mutatis.text.abstention import polarity
from mutatis.text.by_folder import side_at, side_in
from mutatis.text.normalisation import like
from mutatis.text.sentences import sentences
from mutatis.text.sides import side_taken
from mutatis.text.values import Value, on_day, values, vocabulary
from mutatis.transformations.applying import applies, is_near_age_words, is_of_age, is_same_limit, restates
from mutatis.transformations.conversation import Moved, Rounds, asked_instead, conversation
from mutatis.transformations.formats import NEAR, ends_phrase
from mutatis.transformations.interruptions import ASKING
from mutatis.transformations.known import at_least_one
from mutatis.transformations.pieces import edited, replaced_at
from mutatis.transformations.values import (
    EXCHANGED,
    Slot,
    ValueExchange,
    exchanged,
    is_in_a_name,
    names_one_day,
    products_of,
)

AT_LIMIT = "at-limit"
"""Annotation of a turn: the limit near its value, and the way this value was drawn (`Drawn`), as strings."""

GROWN = 18
"""Age in years from which users are expected to write for themselves."""

_NO_VALUES = frozenset({"year", "decade", "ordinal", "day", "month"})
_LISTED_BEFORE, _LISTED_BEHIND = re.compile(r"\d\s?[,\u3001\uff0c]\s?\Z"), re.compile(r"\s?[,\u3001\uff0c]\s?\d")
"""Numbers before and after a value in a list of numbers: "de 3, 6 y 9 años"."""
_SPEAKS = re.compile(r"\b(?:i|i['\u2019]\w+|me|my|mine|we|we['\u2019]\w+|us|our|ours)\b", re.IGNORECASE)
"""Words by which users speak about themselves."""

_GIVEN = re.compile(r"\b(?:for|a|an|of|with|at|on|aged?|turned)\s+\Z", re.IGNORECASE)
"""Words before a value that the user gives: "for 3 adults", "aged 70"."""

_NOT_GIVEN = re.compile(
    r"(?:\b(?:in|into|within|or|the|this|that|these|those|your|its|their|every|each|per|first|last|next|room|gate|line|number|no|size|row"
    r"|table|order|bus|train|tram|route|flight|version|model|page|zone|platform|unit|level|phase|type|class|chapter)"
    r"[\s.#-]{0,2}|[\w.,:/#$\u20ac\u00a3-])\Z",
    re.IGNORECASE,
)
"""Words before a value that is the service's own or part of a name: "within 30 days", "the 5 euro fee", "room 12"."""

_OF_THE_SERVICE = re.compile(
    r"\b(?:why|true|right|correct|was|were|did|charged|says?|said|told|fees?|policy|rule|minimum|maximum|limit|least|most"
    r"|deposit|surcharge|discount of|costs? me)\b|%",
    re.IGNORECASE,
)
"""Words of a sentence about rules or past events, whose values are not the user's own: "Why was I charged 5 euros?"."""

_OWN_SHARE = re.compile(
    r"\b(?:(?:I|we)(?:['\u2019](?:ve|m|re)| have| had| got| am| are| scored| reached| attended| used?| own| hold)"
    r"|my\b[^,.;:?!]{1,40}\b(?:is|are|was))\b"
    r"(?![^,.;:?!]*\b(?:charged|told|vouchers?|coupons?|discount|offer|code|fee)\b)"
    r"\s(?:[^,.;:?!]{0,40}\s)?\Z",
    re.IGNORECASE,
)
"""Text before a percentage that the user has: "I have used ", "my disability is "."""

_PRICED = re.compile(r"\s*(?:off|discount|rebate|reduction|interest|vat|tax|vouchers?|coupons?|more|less)\b", re.I)
"""Words after a percentage of a price. Other percentages may be the user's own: "a disability of 60 percent"."""
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

_NOUN_AND = re.compile(r"\s+[^\W\d]+,?\s+(?:and\s+)?", re.IGNORECASE)
"""The words between two values of a list: " adults and ", " adults, "."""

_FOR_OR_ARE = re.compile(r"\b(?:for|are)\s+\Z", re.IGNORECASE)
"""Words before a number of people without a noun: "a table for 4", "we are 4"."""

_FIGURES = re.compile(r"\d[\d,]*(?:\.\d+)?")
"""A number in figures, with separators of thousands and decimals: "1,250.50"."""


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
    of_user: list[Value] = []
    offset = 0
    for sentence in sentences(question):
        offset = question.find(sentence, offset)
        if offset < 0:
            return []
        of_user += [replace(value, start=value.start + offset) for value in _given_in(sentence, limits)]
        offset += len(sentence)
    return of_user


_STATED_AS_LIMITS = ("age", "date")
"""Kinds of values that a user may write like a limit: "he is under 12", "from 3 May"."""


def _given_in(sentence: str, limits: Collection[str]) -> list[Value]:
    """Return the user's own values in an English sentence. `limits` are the texts of all limits in the message."""
    of_user: list[Value] = []
    for value in values(sentence):
        is_limit = value.text in limits and value.kind not in _STATED_AS_LIMITS
        if not is_limit and (_is_given(sentence, value) or _continues_list(sentence, value, of_user)):
            of_user.append(value)
    return of_user


def _is_given(sentence: str, value: Value) -> bool:
    """Return True if a value is about the user's own case, judging by the words around it."""
    before = sentence[: value.start]
    if value.measure == "percent":
        return _OWN_SHARE.search(before) is not None and _PRICED.match(sentence, value.end) is None
    if not _may_be_given(sentence, value) or _OF_THE_SERVICE.search(sentence) is not None:
        return False
    if value.kind in ("age", "quantity"):
        return True
    if value.measure == "count":
        if _PRICE_OF.search(before) and _SEVERAL_OF.match(sentence, value.end):
            return True
        has_noun = value.unit.endswith("s") or value.unit in vocabulary().counted
        if not (has_noun or _FOR_OR_ARE.search(before)):
            return False
    return _SPEAKS.search(sentence) is not None or _GIVEN.search(before) is not None


def _continues_list(sentence: str, value: Value, earlier: Sequence[Value]) -> bool:
    """Return True if a value is the next one in the user's list, as in "2 adults and 3 children"."""
    if not earlier or value.kind != earlier[-1].kind or not _may_be_given(sentence, value):
        return False
    return _NOUN_AND.fullmatch(sentence[earlier[-1].end : value.start]) is not None


def _may_be_given(sentence: str, value: Value) -> bool:
    """Return True unless a value is a name, a rate ("5 euros per hour"), or part of a range or of a longer code."""
    if value.kind in ("name", "code") or value.measure in _NO_VALUES or value.raw == 1 or value.open:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """A question with one value or name replaced: its new text, the old and new words, and their position.

    `value` is the old value, as read in a language other than English.
    """

    text: str
    old: str
    new: str
    start: int
    value: Value | None = None

    @property
    def end(self) -> int:
        """End offset of the replaced words in the original question."""
        return self.start + len(self.old)


BY_FOLDER = (
    *("values", "limits", "function_words", "speech.patterns.counted_thing", "speech.patterns.names_number"),
    *("speech.patterns.range_before", "speech.patterns.range_behind"),
)
"""Lists of a language's folder by which the values that a user gives are found and replaced."""

RESTING = (*ASKING, *BY_FOLDER, "speech.patterns.before_value")
"""Lists of a language's folder for messages that repeat the value of an earlier message, with its preposition."""


def swaps_by_folder(question: str, language: str) -> list[Swap]:
    """Return copies of a question in a language other than English, each with one of the user's values replaced.

    >>> [swap.text for swap in swaps_by_folder("Was kostet ein Tisch für 4 Personen?", "de")]
    ['Was kostet ein Tisch für 5 Personen?']
    """
    present = values(question, language)
    swaps = []
    for value in given_values(question, language):
        new = _other_by_folder(value, question, present)
        if new != value.text:
            text = edited(question, [(value.start, value.end, new)])
            swaps.append(Swap(text=text, old=value.text, new=new, start=value.start, value=value))
    return swaps


def _other_by_folder(value: Value, question: str, present: Sequence[Value]) -> str:
    """Return another value of the same kind. An age changes by a few years, and a round number stays round."""
    if value.kind == "age" and value.raw is not None and value.text[0].isdigit():
        return re.sub(r"\A\d+", str(int(value.raw) + _years_away(value.raw)), value.text)
    if value.kind == "number" and value.text.isdigit() and int(value.text) >= _ROUND and not int(value.text) % 10:
        return str(2 * int(value.text))  # nobody orders 102 cards after 100
    first = value.other(generator("elsewhere", question, value.text), besides=present)
    further = (value.other(generator("elsewhere", question, value.text, n), besides=present) for n in range(1, _TRIES))
    return next((other for other in chain([first], further) if _is_as_round(value, other)), first).text


_ROUND = 20
_TRIES = 30
_MEASURED = frozenset({"amount", "quantity", "duration"})


def _is_as_round(value: Value, other: Value) -> bool:
    """Return True if the replacement for a round value is also round: no one asks for 109 minutes."""
    if value.kind not in _MEASURED or value.raw is None or other.raw is None:
        return True
    return bool(value.raw % 5) or not other.raw % 5


def _years_away(age: float) -> int:
    """Return a plausible error in an age, in years. It never turns a child into an adult, or vice versa."""
    if age < GROWN:
        return 3 if age < GROWN - 3 else -3
    return 10 if age < _OLD else -10


_OLD = 60


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
    repeated = at_least_one(
        [value for value in of_user if any(other.same(value) for other in stated)],
        "the answer does not repeat a value from the question",
    )
    repeated = at_least_one(
        [value for value in repeated if not _is_of_the_service(value, stated, answer)],
        "the answer may state the value as a limit of the service or as one of several values",
    )
    exchange = Exchange(question=question, reply=answer).name
    exchangeable = at_least_one(
        [value for value in repeated if not _is_in_other_exchange(value, exchange, dictionary)],
        "other answers also give this value, so the service may have set it",
    )
    return [{"old": value.text, "new": new} for value in exchangeable for new in _others(value, question, dictionary)]


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
    """Return True if an answer states a value as a limit or rule, in a name, in a denial, or next to other values.

    A date or time also counts as the service's own, part of its schedule, unless the answer confirms an order.
    """
    several = any(other.measure == value.measure and not other.same(value) for other in stated)
    rules = [s for s in sentences(answer) if _OF_THE_SERVICE.search(s) or _RULES.search(s)]
    rules += [limit.value for limit in limits_of(answer)]
    in_rule = any(other.same(value) for rule in rules for other in values(rule))
    in_name = any(other.same(value) and is_in_a_name(other, answer) for other in stated)
    scheduled = value.kind in ("date", "time") and _ORDERS.search(answer) is None
    return several or in_rule or in_name or scheduled or polarity(answer) is False


_RULES = re.compile(r"\b(?:must|have to|has to|needs? to|required|old enough|eligible)\b", re.IGNORECASE)
"""Words of a sentence that states a rule."""

_ORDERS = re.compile(r"\b(?:booked|reserved|ordered|noted|confirmed|arranged|moved|changed)\b", re.IGNORECASE)
"""Words that confirm an order. They make a day or a time the user's own, unlike a fact about the schedule."""


def _is_in_other_exchange(value: Value, exchange: str, dictionary: Dictionary) -> bool:
    """Return True if a reply of another exchange than the named one states a value."""
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


def exchanged_for(question: str, old: str, new: str, language: str = "en") -> str | None:
    """Return a question with one of the user's values replaced; None if the question lacks that value."""
    value = next((value for value in given_values(question, language) if value.text == old), None)
    if value is None:
        return None
    return replaced_at(question, value.start, value.end, new, language)


@conversation(
    "another-value",
    capability="numbers",
    says="another value of the same measure",
    languages=needing(*BY_FOLDER, also=ENGLISH),
    reads=other_values,
)
@as_a_whole
def another_value(
    rounds: Rounds, turns: tuple[Turn, ...], written_in: str = "en", *, old: str = "", new: str = ""
) -> Moved:
    """Ask the question with a different value of the same measure.

    >>> turns = (Turn(fields={"message": "I am 70. Do I get a discount?"}),)
    >>> for _, turn in another_value((0,), turns, old="70", new="33"): print(turn.fields["message"])
    I am 33. Do I get a discount?
    """
    text = exchanged_for(turns[-1].question, old, new, written_in) if new else None
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
    exchange: ValueExchange | Swap | None
    if is_english(written_in):
        exchange = exchanged(text, kind, rng, products_of(turn))
    else:
        exchange = _only_swap_of(text, kind, written_in)
    if exchange is None:
        return turn
    annotations = {**turn.annotations, EXCHANGED: [kind, exchange.old, exchange.new]}
    return replace(turn, fields={**turn.fields, name: exchange.text}, annotations=annotations)


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


def _only_name(question: str, dictionary: Dictionary) -> tuple[NameKind, Name]:
    """Return the only name in a question, with its kind. Raise UnusableFollowUp if there are none or several."""
    standing = dictionary.kinds_of(question)
    if not standing:
        raise UnusableFollowUp("the question has no name whose kind is known from questions and replies")
    if len(standing) > 1:
        raise UnusableFollowUp("the question has several names")
    return standing[0]


def other_names(question: str, answer: str, dictionary: Dictionary) -> list[dict[str, str]]:
    """Return replacements for the only name in a question, if its answer repeats it: others of the same kind.

    Raises:
        UnusableFollowUp: there is not exactly one name, the answer does not repeat it, or no other name is known to be
            of its kind.
    """
    if mistaken := [*_taken_for(question, answer), *_of_a_kind(question, answer, dictionary)]:
        return mistaken
    kind, name = _only_name(question, dictionary)
    if name.text.casefold() not in answer.casefold():
        raise UnusableFollowUp("the answer does not repeat the name")
    others = [other.text for other in kind.names if other.trusted and _agree(name.text, other.text)]
    if not name.trusted or not others:
        raise UnusableFollowUp("no other name of this kind occurs in several questions or replies")
    return [{"old": name.text, "new": other} for other in others]


def _taken_for(question: str, answer: str) -> list[dict[str, str]]:
    """Return replacements for a country or city named in both question and answer: places with a similar name.

    >>> _taken_for("Do you deliver to Austria?", "Yes, to Austria it takes 3 days.")
    [{'old': 'Austria', 'new': 'Australia'}]
    """
    names = dict.fromkeys(re.findall(r"[^\W\d_]+", question))
    in_both = [name for name in names if re.search(rf"\b{name}\b", answer)]
    return [{"old": old, "new": new} for old in in_both for new in look_alikes(old) if new not in question]


def look_alikes(name: str) -> list[str]:
    """Return the places whose names people confuse with a name.

    >>> look_alikes("Austria"), look_alikes("Hull")
    (['Australia'], [])
    """
    pairs = [line.split() for line in listed("look_alikes")]
    return [other for pair in pairs if name in pair for other in pair if other != name]


def _of_a_kind(question: str, answer: str, dictionary: Dictionary) -> list[dict[str, str]]:
    """Return other objects of the same kind for the only object in a question, if no other reply mentions it."""
    item, others = thing_and_others(question)
    if not item or dictionary.kinds_of(question):
        return []
    named = re.compile(rf"\b{item}", re.IGNORECASE)
    in_other_reply = any(named.search(each.reply) for each in dictionary.exchanges if each.question != question)
    if not named.search(answer) or in_other_reply:
        return []  # what other replies name, too, may be the service's own word: every envelope is its parcel
    return [{"old": item, "new": other} for other in others]


_BEFORE_THING = re.compile(r"(?<![\w-])(?:an?|the|my|your|for|with|of) \Z", re.IGNORECASE)
"""Words that may stand right before a thing. In "the city car", another word comes between."""


def thing_and_others(question: str) -> tuple[str, list[str]]:
    """Return the only object in a question that people own or buy, and others of its kind; "" and [] if there is none.

    >>> thing_and_others("Is it safe for my dog?"), thing_and_others("What is your phone number?")
    (('dog', ['cat', 'rabbit', 'hamster', 'guinea pig']), ('', []))
    """
    present = [(match, name) for name in _kinds_of_things() for match in re.finditer(rf"\b{name}\b", question)]
    if len(present) != 1:
        return "", []
    [(match, item)] = present
    is_whole = ends_phrase(question, match.end()) and _BEFORE_THING.search(question, 0, match.start())
    if not is_whole or question.startswith(" for ", match.end()):
        return "", []  # "a phone number" is no phone, and nobody has a lorry for children
    if any(value.kind in ("quantity", "age") for value in values(question)):
        return "", []  # nobody has a hamster of 4 kg
    return item, [other for other in _kinds_of_things()[item] if other != item]


@cache
def _kinds_of_things() -> Mapping[str, Sequence[str]]:
    """Return the objects that people own or buy, each with all objects of its kind."""
    kinds = [[name.replace("_", " ") for name in line.split()] for line in listed("kinds")]
    return {name: kind for kind in kinds for name in kind}


def _agree(name: str, other: str) -> bool:
    """Return True if two different names agree in capitalisation and number, so that one can replace the other."""
    same_case = name[:1].isupper() is other[:1].isupper()
    same_number = name.endswith("s") is other.endswith("s")
    return same_case and same_number and name.casefold() != other.casefold()


def with_name(question: str, old: str, new: str) -> str | None:
    """Return a question with one name replaced and the article adapted, or None if the old name does not occur."""
    match = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", question, re.IGNORECASE)
    if match is None or not new:
        return None
    return replaced_at(question, *match.span(), new if new[:1].isupper() else like(match.group(), new))


@conversation("another-name", capability="names and pronouns", says="another name of the same kind", reads=other_names)
@as_a_whole
def another_name(rounds: Rounds, turns: tuple[Turn, ...], *, old: str = "", new: str = "") -> Moved:
    """Ask about a different name of the same kind, taken from the questions and replies of the run.

    >>> turns = (Turn(fields={"message": "What does Basic cost?"}),)
    >>> for _, turn in another_name((0,), turns, old="Basic", new="Green Flex"): print(turn.fields["message"])
    What does Green Flex cost?
    """
    text = with_name(turns[-1].question, old, new)
    return asked_instead(rounds, turns, text, **{EXCHANGED: ["product", old, new]})


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedValue:
    """A user's value and a limit that applies to it, with the number at the limit in the value's own unit."""

    value: Value
    limit: Limit
    at: int

    @property
    def rule(self) -> tuple[int, str, bool]:
        """The number at the limit, the side it bounds, and whether it is inclusive. Equal limits have equal rules."""
        return self.at, self.limit.side, self.limit.inclusive

    def sizes(self) -> Iterator[int]:
        """Yield the numbers to ask about: one on either side of the limit, and the limit if its side is clear."""
        step = 5 if self.value.kind == "time" else 1
        yield self.at + step
        yield self.at - step
        if has_clear_edge(self.limit, self.value.language):
            yield self.at

    def holds(self, number: float) -> bool:
        """Return True if the limit covers a number."""
        at = float(self.at)
        return replace(self.limit, size=at).holds(number)


_UNTIL = re.compile(r"(?:until|till|by|through)\b", re.IGNORECASE)
"""Words before a limit that may or may not include it: "until 14:00"."""

_CLEARLY_MOST = re.compile(r"(?:before|no later than|not later than)\b", re.IGNORECASE)
"""Words before the last time of day, which show if it is included."""

_SHUT = frozenset({"closed", "shut", "unavailable", "suspended"})


def has_clear_edge(limit: Limit, language: str = "en") -> bool:
    """Return True if the wording of a limit shows whether the limit itself is included.

    "Until 14:00" and "after 22:00" may or may not include the minute itself. "Until 31 March" includes the day, unless
    something is closed until then. In other languages, "bis 14 Jahre" and the upper end of a range are unclear, but
    "bis zu 40 kg" includes 40 kg.

    >>> [has_clear_edge(limits_of(text)[0]) for text in ("Open until 14:00.", "Open from 9:00.", "Up to 10 kg.")]
    [False, True, True]
    """
    if not is_english(language):
        return limit.side == "least" or _is_clearly_most(limit, language)
    if limit.measure == "time of day":
        most = limit.side == "most"
        return _CLEARLY_MOST.match(limit.text) is not None if most else limit.inclusive
    if limit.measure == "date":
        return not (_UNTIL.match(limit.text) and _SHUT & {*limit.about})
    return limit.side == "least" or not _UNTIL.match(limit.text)


def _is_clearly_most(limit: Limit, language: str) -> bool:
    """Return True if the wording of an upper limit in a language other than English shows if the limit is included."""
    starts_with_figure = limit.text[0].isdigit()
    if not starts_with_figure and not limit.text.lower().startswith(Language(language).ways("until")):
        return True
    if limit.measure in _UNCLEAR_MEASURES or (limit.measure == "time" and limit.size >= _NOTICE):
        return False
    ends_range = starts_with_figure and not limit.text.startswith(limit.value)
    return not (ends_range or limit.text.endswith(_unclear_words(language)))


_UNCLEAR_MEASURES = frozenset({"age", "months", "date", "time of day"})
"""Measures of which "bis" may or may not include the limit: a child "bis 14 Jahre" may be 14."""

_NOTICE = 2 * 60 * 60
"""Seconds from which a duration may be a notice, whose limit is the least: "bis 24 Stunden vorher"."""


@cache
def _unclear_words(language: str) -> tuple[str, ...]:
    """Return the words behind a value that leave open if the value itself is included."""
    rows = language_tables("limits", language).get("behind", ())
    return tuple(word for row in rows for word in row.get("unclear", ()))


_MONTHS = frozenset({"age", "months"})
"""Measures whose sizes are in months, so that an age and a duration can be compared."""


def placed_value(value: Value, limit: Limit, *, stated_here: bool) -> PlacedValue | None:
    """Return a value with a limit that applies to it.

    The result is None if their measures differ, or if the limit in the value's unit is below 2 or no whole number.
    `stated_here` states that the limit is from the question's own answer.
    """
    if value.kind == "date":
        return _placed_date(value, limit)
    unit_size = _unit_size(value, limit, stated_here=stated_here)
    if unit_size is None:
        return None
    at = round(limit.size / unit_size, 9)  # 7 % is 0.07, or 7.000000000000001 times 1 %
    return PlacedValue(value=value, limit=limit, at=int(at)) if at == int(at) and at >= 2 else None


def _unit_size(value: Value, limit: Limit, *, stated_here: bool) -> float | None:
    """Return the size of the unit of a value in the unit of a limit, or None if the limit measures something else."""
    measure, _, noun = limit.measure.partition(":")
    is_bare_number = measure == "count" and not noun and stated_here
    is_in_years = value.kind == "age" and value.unit == "year"
    if is_bare_number and is_in_years and value.raw:
        return 1.0  # "from 65 on", in the answer to "I am 70", is in years
    if not _measures_same(value, measure, noun, stated_here=stated_here):
        return None
    if value.kind == "time":
        return 1.0
    return value.size / value.raw if value.raw else None


def _measures_same(value: Value, measure: str, noun: str, *, stated_here: bool) -> bool:
    """Return True if a limit has the measure of a value. Two counts must also be of the same objects."""
    if measure == "count":
        return value.measure == "count" and _counts_same(value.unit, noun, stated_here)
    return measure == value.measure or {measure, value.measure} <= _MONTHS


def _placed_date(value: Value, limit: Limit) -> PlacedValue | None:
    """Return a date with a limit that is also a date. Dates are represented as day numbers."""
    in_limit = values(limit.value)
    if not value.measure == limit.measure == "date" or value.open or len(in_limit) != 1 or in_limit[0].open:
        return None
    limit_date = in_limit[0].date
    years = {year for year in (value.date.year, limit_date.year) if year}
    if len(years) > 1:
        return None
    at = number_written(replace(value, key=limit_date._replace(year=value.date.year).key))
    return PlacedValue(value=value, limit=limit, at=int(at))


PEOPLE = frozenset({"people", "persons", "person", "guests", "adults", "visitors", "travellers", "travelers", "us"})


_COUNTED_PEOPLE = PEOPLE | {"children", "kids", "child", "adult", "seniors", "pensioners", "students"}


def _counts_same(noun: str, other: str, stated_here: bool) -> bool:
    """Return True if a number and a limit count the same objects.

    A missing noun counts as the same if the limit is stated in the question's own answer.
    """
    if not noun or not other:
        return stated_here
    bare, bare_other = noun.lower().removesuffix("s"), other.lower().removesuffix("s")
    return bare == bare_other or (noun in PEOPLE and other in PEOPLE)


def number_written(value: Value) -> float:
    """Return the number in a value, as written: minutes for a time, days for a date, 0 if it contains no number.

    >>> [number_written(values(text)[0]) for text in ("9:30", "10 kg")]
    [570.0, 10.0]
    """
    if value.measure == "date":
        year, month, day = value.date
        try:
            return date(year or _COMMON_YEAR, month, day).toordinal()
        except ValueError:
            return 0.0  # 31 June
    return value.size if value.kind == "time" else value.raw or 0.0


_COMMON_YEAR = 2027
"""Year assumed for a date without one. It is not a leap year."""


def value_with_number(value: Value, number: int) -> str | None:
    """Return a value in the same form with a different number, or None if the form cannot express that number.

    Outside English, only a number in figures at the beginning of the value is replaced, and no time or date.

    >>> [value_with_number(values(text)[0], 12) for text in ("10 kg", "three", "1,000 EUR")]
    ['12 kg', 'twelve', '12 EUR']
    """
    if not is_english(value.language):
        in_figures = value.kind not in ("time", "date") and _FIGURES_FIRST.match(value.text)
        return _FIGURES_FIRST.sub(str(number), value.text) if in_figures else None
    if value.kind == "time":
        return _clock(value, number)
    if value.kind == "date":
        day, now = date.fromordinal(number), date.fromordinal(int(number_written(value)))
        return on_day(value, day.month, day.day) if day.year == now.year else None
    figures = _FIGURES.search(value.text)
    if figures is None:
        return _in_words(value, number)
    commas = "," in figures.group() or (number >= 10_000 and "," in value.text)
    written = f"{number:,}" if commas else str(number)
    cents = ".00" if figures.group().endswith(".00") else ""
    return value.text[: figures.start()] + written + cents + value.text[figures.end() :]


_FIGURES_FIRST = re.compile(r"\A[\d.,]+")
"""The figures at the beginning of a value outside English."""


def _in_words(value: Value, number: int) -> str | None:
    """Return a value whose number is an English word with another number: "four hours" for "three hours".

    A number without a word of its own is written in figures. The result is None if the first word is no number.
    """
    ones = vocabulary(value.language).ones
    first, *others = value.text.split()
    if first.lower() not in ones:
        return None
    new = ones[number] if number < len(ones) else str(number)
    return " ".join([like(first, new), *others])


def _clock(value: Value, minutes: int) -> str | None:
    """Return a time of day in minutes in the form of another, or None before 1 o'clock and for other forms.

    The forms are "09:30" and "9:30 am", the latter without minutes on the hour.

    >>> _clock(values("9:30 am")[0], 600), _clock(values("9:30")[0], 800)
    ('10 am', '13:20')
    """
    hour, minute = divmod(minutes, 60)
    if not 1 <= hour < 24:
        return None
    if re.fullmatch(r"\d{1,2}:\d\d", value.text):
        return f"{hour:02}:{minute:02}"
    half = re.fullmatch(r"\d{1,2}(?::\d\d)?(?P<half> ?[ap]m)", value.text, re.IGNORECASE)
    if half is None:
        return None
    on_dial, minutes_on_dial = (hour - 1) % 12 + 1, f":{minute:02}" if minute else ""
    half_day = re.sub("[ap]", "p" if hour >= 12 else "a", half["half"].lower())
    return f"{on_dial}{minutes_on_dial}{half_day}"


def values_at_limits(question: str, answer: str, dictionary: Dictionary) -> list[dict[str, str]]:
    """Return values just inside, at and just beyond each limit that replies state for the user's value.

    Raises:
        UnusableFollowUp: the question gives no value, or no reply states a limit on it.

    >>> for drawn in values_at_limits("I am 70. Is there a discount?", "Yes, for guests from 65 on.", Dictionary()):
    ...     print(drawn["new"], drawn["side"], drawn["trusted"])
    66 same no
    64 other no
    65 same no
    """
    language = dictionary.language
    of_user = at_least_one(
        single_values(question, language), "the user gives no value of their own, or several values of the same kind"
    )
    placed = at_least_one(
        [place for value in of_user for place in limits_on(value, question, answer, dictionary)],
        "no reply states a limit on the user's value",
    )
    if not takes_side(answer, placed, language):
        raise UnusableFollowUp("the answer says neither yes nor no, nor that something is free")
    if is_english(language):
        placed = [place for place in placed if place.value.kind != "date"]  # what is in a season depends on the year
    else:
        sure = [place for place in placed if _is_sure(place, placed)]
        placed = at_least_one(sure, "there are no two replies that state a limit on the user's value")
    choices = [choice for place in placed for choice in _choices_at(place, placed)]
    return at_least_one(
        [choice for choice in choices if _answer_may_change(choice, answer, language)],
        "the value cannot be moved to the limit, or a second limit lies in between",
    )


def single_values(question: str, language: str) -> list[Value]:
    """Return the values that a user gives, each the only one of its measure in the question."""
    present = values(question, language)
    return [value for value in given_values(question, language) if _is_only_one(value, present)]


def takes_side(answer: str, placed: Sequence[PlacedValue], language: str) -> bool:
    """Return True if an answer says yes, no or, in English, that something is free."""
    if is_english(language):
        return side_taken(answer) is not None or polarity(answer) is not None or bool(_FREE.search(answer))
    sides = (side_at(place.value.text, answer, place.limit.text, language) for place in placed)
    return side_in(answer, language) is not None or any(side is not None for side in sides)


def _is_sure(place: PlacedValue, placed: Sequence[PlacedValue]) -> bool:
    """Return True if two replies state a limit, since one may be wrong, and no other limit on the value is known."""
    return place.limit.trusted and len({other.at for other in placed if other.value is place.value}) == 1


def _answer_may_change(choice: Mapping[str, str], answer: str, language: str) -> bool:
    """Return True if the answer can be expected to change at a limit.

    The answer does not depend on the limit if it denies something to users within it, or grants something to users
    beyond it. An answer that only offers something free changes only at the limit of that offer.
    """
    if choice["side"] == "same":
        return True
    if not is_english(language):
        return side_at(choice["old"], answer, choice["limit"], language) in (None, choice["inside"] == "yes")
    if any(_FREE.search(part) for part in _PART.split(answer) if choice["limit"] in part):
        return True
    taken = side_taken(answer)
    return taken is (choice["inside"] == "yes") or (taken is None and not _FREE.search(answer))


def limits_on(value: Value, question: str, answer: str, dictionary: Dictionary) -> Iterator[PlacedValue]:
    """Yield the limits on a value that are stated in the answer, or in other replies on the same subject.

    For times and dates, and in languages other than English, only limits in the answer itself are used: others may
    apply to different days, seasons or things.
    """
    if not is_english(dictionary.language):
        yield from _limits_by_folder(value, question, answer, dictionary)
        return
    if value.kind in ("date", "time"):
        yield from _moments_on(value, [limit for limit in limits_of(answer) if applies(limit, question, answer)])
        return
    in_dictionary = {_key(limit): limit for limit in dictionary.limits}
    in_answer = {_key(limit): limit for limit in limits_of(answer)}
    # A limit in both is taken from the dictionary, with the names of all exchanges that state it.
    for key, limit in (in_answer | in_dictionary).items():
        stated_here = key in in_answer
        same_subject = limit.trusted and shared_words(limit.about, f"{question} {answer}") >= ENOUGH_WORDS
        if not (stated_here or same_subject) or not applies(limit, question, answer):
            continue
        place = placed_value(value, limit, stated_here=stated_here)
        if place is not None and _is_of_such(limit, value, answer):
            yield place


def _limits_by_folder(value: Value, question: str, answer: str, dictionary: Dictionary) -> Iterator[PlacedValue]:
    """Yield the limits on a value that the answer states, each with the names of all exchanges that state it."""
    language = dictionary.language
    for limit in limits_of(answer, language):
        if restates(limit, question, language) or (value.kind == "age" and not is_of_age(limit, answer, language)):
            continue
        same = [known for known in dictionary.limits if not known.contradicted and is_same_limit(known, limit)]
        seen = tuple(dict.fromkeys(name for known in same for name in known.seen))
        place = placed_value(value, replace(limit, seen=seen), stated_here=True)
        if place is not None:
            yield place


def _is_of_such(limit: Limit, value: Value, answer: str) -> bool:
    """Return True if a limit can apply to a value.

    An age is compared only with limits on ages, and a number of people is never compared with these.
    """
    if value.kind == "age":
        return is_of_age(limit, answer)
    counts_people = value.measure == "count" and value.unit in _COUNTED_PEOPLE
    return not (counts_people and limit.measure == "count" and is_near_age_words(limit))


def _moments_on(value: Value, stated: Sequence[Limit]) -> Iterator[PlacedValue]:
    """Yield the limits on a time or date. Two limits on the same side, as of two seasons, are both left out."""
    sides = Counter((limit.measure, limit.side) for limit in stated)
    for limit in stated:
        place = placed_value(value, limit, stated_here=True)
        if place is not None and sides[limit.measure, limit.side] == 1:
            yield place


_PART = re.compile(r"[.;!?](?:\s|\Z)")
"""The end of a part of a reply."""

_FREE = re.compile(r"\b(?:free|no charge|no fee)\b", re.IGNORECASE)
"""Words that something costs nothing."""

ENOUGH_WORDS = 3
"""Minimum number of content words that a question and its reply share with a limit stated in a different reply."""


def shared_words(about: Iterable[str], text: str) -> int:
    """Return how many of the given content words occur in a text, ignoring plural endings."""
    words = {_stem(word) for word in re.findall(r"[^\W\d_]{4,}", text.lower())}
    return len({_stem(word) for word in about} & words)


def _stem(word: str) -> str:
    """Return a word without the "s" of a plural."""
    return word.removesuffix("s")


def _key(limit: Limit) -> tuple[object, ...]:
    """Return all that makes two limits the same."""
    return limit.measure, limit.size, limit.side, limit.inclusive, limit.about


def _choices_at(place: PlacedValue, placed: Sequence[PlacedValue]) -> Iterator[dict[str, str]]:
    """Yield the parameters of `at-limit` for the values at one limit. No other limit may lie in between."""
    old = number_written(place.value)
    inside = place.holds(old)
    for number in place.sizes():
        new = value_with_number(place.value, number)
        if number < 2 or number == old or new is None or _another_between(place, placed, old, number):
            continue
        yield {
            "old": place.value.text,
            "new": new,
            "limit": place.limit.text,
            "side": "same" if place.holds(number) is inside else "other",
            "inside": "yes" if inside else "no",
            "trusted": "yes" if place.limit.trusted else "no",
        }


def _another_between(place: PlacedValue, placed: Sequence[PlacedValue], first: float, second: float) -> bool:
    """Return True if another limit on the same value lies between two numbers or contradicts this one."""
    low, high = min(first, second), max(first, second)
    return any(other.value is place.value and other.rule != place.rule and low <= other.at <= high for other in placed)


@conversation(
    "at-limit",
    capability="limits",
    says="a value at a limit that a reply states",
    languages=needing(*BY_FOLDER, "speech.until", also=ENGLISH),
    reads=values_at_limits,
)
@as_a_whole
def at_limit(  # noqa: PLR0913 - six of them are parameters of the follow-up
    rounds: Rounds,
    turns: tuple[Turn, ...],
    written_in: str = "en",
    *,
    old: str = "",
    new: str = "",
    limit: str = "",
    side: str = "",
    inside: str = "",
    trusted: str = "",
) -> Moved:
    """Ask the question with a value at a limit stated in a reply, just inside it or just beyond it.

    >>> turns = (Turn(fields={"message": "My order is 40 EUR. What does delivery cost?"}),)
    >>> for _, turn in at_limit((0,), turns, old="40 EUR", new="35 EUR"): print(turn.fields["message"])
    My order is 35 EUR. What does delivery cost?
    """
    text = exchanged_for(turns[-1].question, old, new, written_in) if new else None
    noted = {"old": old, "new": new, "limit": limit, "side": side, "inside": inside, "trusted": trusted}
    return asked_instead(rounds, turns, text, **{AT_LIMIT: noted})
