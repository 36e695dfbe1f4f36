"""Edits that ask a question with another value of the same kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from mutatis.core.cases import Turn
from mutatis.core.dictionary import USER, Dictionary, Exchange
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.transformation import as_a_whole, generator, transformation
from mutatis.dictionary import limits_of
from mutatis.languages import needing
from mutatis.text.by_folder import side_in
from mutatis.text.sentences import sentences
from mutatis.text.values import Value, values
from mutatis.transformations.conversation import Moved, Rounds, asked_instead, conversation
from mutatis.transformations.given import (
    BY_FOLDER,
    OF_THE_SERVICE,
    exchanged_for,
    phrase_by_folder,
    swaps_by_folder,
    values_given_once,
    written_shape,
)
from mutatis.transformations.known import at_least_one
from mutatis.transformations.values import (
    EXCHANGED,
    Slot,
    Swap,
    exchanged,
    products_of,
)


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
