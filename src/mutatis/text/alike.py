"""Compares the replies to two wordings of the same question by their values, their words, and yes or no.

If it is not clear whether the replies give the same answer, the result is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mutatis.languages import word_set
from mutatis.text.abstention import is_abstention, is_lost
from mutatis.text.refusals import gives_no_answer, is_refusal
from mutatis.text.sentences import sentences
from mutatis.text.sides import side_begun, side_taken
from mutatis.text.values import Value, values

CLOSE = 0.02
"""Relative difference allowed if a reply repeats a value of the question in a different unit."""


def answer_alike(first: str, second: str, wordings: Sequence[str] = ()) -> tuple[bool | None, str]:
    """Return whether two replies give the same answer (None if unclear), and the evidence if they do not.

    `wordings` are wordings of the question. Values repeated from these do not count.

    >>> answer_alike("It costs 42 EUR.", "That is 42 euros."), answer_alike("Yes, we do.", "No, sorry.")[0]
    ((True, ''), False)
    >>> answer_alike("A dog of 12.5 kg costs 42 EUR.", "A dog of 12,5 kg costs 50 EUR.", ["12.5 kg", "12,5 kg"])
    (False, "one says '42 EUR' and the other '50 EUR'")
    >>> answer_alike("I recommend a 1/2 violin.", "I recommend a 4/4 violin.")
    (False, "one says '1/2' and the other '4/4'")
    >>> answer_alike("It is 9 EUR. To 12 it is 6 EUR, then 9 EUR.", "It is 6 EUR. To 12 it is 6 EUR, then 9 EUR.")
    (False, "one says '9 EUR' and the other '6 EUR'")
    >>> answer_alike("We treat dogs.", "It is a pleasure.")
    (None, '')
    """
    if first == second:
        return True, ""
    unanswered = [gives_no_answer(reply) for reply in (first, second)]
    if all(unanswered):
        return True, ""
    if any(unanswered):
        return (None, "") if _both_deny(first, second) else (False, "one is not answered")
    side, other_side = side_begun(first), side_begun(second)
    if None not in (side, other_side) and side is not other_side:
        return False, "one says yes and the other no"
    stated, other_stated = values_told(first, wordings), values_told(second, wordings)
    same_words = core_without_values(first) == core_without_values(second)
    if same_words and len(stated) == len(other_stated):
        apart = [pair for pair in zip(stated, other_stated, strict=True) if not pair[0].same(pair[1])]
        if len(apart) == 1 and apart[0][0].measure == apart[0][1].measure:  # two may have changed places in a list
            return False, _one_says(*apart[0], first, second)
    only_first, only_second = _missing(stated, other_stated), _missing(other_stated, stated)
    if not only_first and not only_second:
        return (True, "") if same_words or (stated and side is other_side) else (None, "")
    share_no_value = len(only_first) == len(stated)
    if same_words or share_no_value:  # otherwise they agree in part
        for value in only_first:
            for other in only_second:
                if value.measure == other.measure:
                    return False, _one_says(value, other, first, second)
    return None, ""


def _one_says(value: Value, other: Value, first: str, second: str) -> str:
    return f"one says {_as_written(value, first)!r} and the other {_as_written(other, second)!r}"


def _as_written(value: Value, text: str) -> str:
    """Return a value as its text states it, including the rest of a size such as "3/4"."""
    before = re.search(r"(?:\d+/)*\Z", text[max(0, value.start - 20) : value.start])
    behind = re.match(r"(?:/\d+)*", text[value.end : value.end + 20])
    return f"{before.group() if before else ''}{value.text}{behind.group() if behind else ''}"


def _both_deny(first: str, second: str) -> bool:
    """Return True if both replies withhold what was asked for: "I cannot give you one", "It is not possible"."""
    if any(is_lost(reply) or is_abstention(reply) for reply in (first, second)):
        return False
    return all(
        is_refusal(reply) or any(side_taken(sentence) is False for sentence in sentences(reply))
        for reply in (first, second)
    )


_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")


def core(reply: str) -> str:
    """Return the words of a reply in lower case, without punctuation."""
    return " ".join(_WORD.findall(reply.lower()))


def core_without_values(reply: str) -> str:
    """Return the words of a reply without its values. Names are kept.

    >>> core_without_values("No, Basic costs 9 EUR.")
    'no basic costs'
    """
    for value in reversed(values(reply)):
        if value.kind != "name":
            reply = reply[: value.start] + " " + reply[value.end :]
    return core(reply)


def values_told(reply: str, wordings: Sequence[str]) -> list[Value]:
    """Return the values that a reply states, except those that only repeat the questions."""
    asked = [value for text in wordings for value in values(text)]
    said = [value for value in values(reply) if value.kind != "name"]
    return [value for value in said if not any(_repeats(value, other) for other in asked)]


def worded_alike(first: str, second: str, wordings: Sequence[str]) -> str:
    """Return a message on how two replies with the same words contradict each other, or "" if they do not.

    They contradict each other if they state different values and only one of these repeats a wording of the question,
    or if one reply states a time that the other lacks.

    >>> worded_alike("On 8 March we are open.", "On 3 August we are open.", ["8 March", "8/3"])
    "one says '8 March' and the other '3 August'"
    >>> worded_alike("It leaves at 8:15 and 16:15.", "It leaves at 16:15.", [])
    "one says '8:15' and the other does not"
    >>> worded_alike("On 8 March we are open.", "On 8 March we are open.", ["8 March", "8/3"])
    ''
    """
    asked = [value for text in wordings for value in values(text)]
    stated, other_stated = ([value for value in values(reply) if value.kind != "name"] for reply in (first, second))
    if core_without_values(first) == core_without_values(second) and len(stated) == len(other_stated):
        for value, other in zip(stated, other_stated, strict=True):
            repeats, other_repeats = (any(_repeats(each, known) for known in asked) for each in (value, other))
            if value.measure == other.measure and repeats is not other_repeats and not value.same(other):
                return f"one says {value.text!r} and the other {other.text!r}"
    return _times_apart(first, second)


def amounts_apart(first: str, second: str) -> str:
    """Return a message about two different amounts that the replies state for the same thing, or "".

    Amounts that differ by less than 5 % are ignored, because one may come from a rounded quantity.

    >>> amounts_apart("It is £8 a metre. Yours come to £308.", "It is £8 a metre. Yours come to £28.")
    "one says '£308' and the other '£28'"
    >>> amounts_apart("A bed is 20 EUR.", "The deposit is 50 EUR."), amounts_apart("It is 20 EUR.", "It is 20 EUR.")
    ('', '')
    """
    stated = [list(_amounts(reply)) for reply in (first, second)]
    lacking = [
        [(value, words) for value, words in ours if not any(_nearly(value, other) for other, _ in theirs)]
        for ours, theirs in (stated, stated[::-1])
    ]
    for value, words in lacking[0]:
        for other, others in lacking[1]:
            fewest = min(len(words), len(others))
            if value.measure == other.measure and fewest and len(words & others) * 2 >= fewest:
                return f"one says {value.text!r} and the other {other.text!r}"
    return ""


def _amounts(reply: str) -> Iterator[tuple[Value, frozenset[str]]]:
    """Yield the amounts of money in a reply, each with the content words of its sentence."""
    small = word_set("function_words")
    for sentence in sentences(reply):
        bare = core_without_values(sentence)
        words = {word.removesuffix("s") for word in re.findall(r"[^\W\d_]{3,}", bare) if word not in small}
        for value in values(sentence):
            if value.kind == "amount":
                yield value, frozenset(words)


def _nearly(value: Value, other: Value) -> bool:
    return value.measure == other.measure and abs(value.size - other.size) <= _ROUNDED * max(value.size, other.size)


_ROUNDED = 0.05


def _times_apart(first: str, second: str) -> str:
    """Return a message about a time of day that only one of two otherwise equal replies mentions, or ""."""
    plain = [re.sub(r"\b(?:and|or)\b", " ", core_without_values(reply)).split() for reply in (first, second)]
    times = [[value for value in values(reply) if value.kind == "time"] for reply in (first, second)]
    if plain[0] != plain[1] or not all(times):
        return ""
    missing = next(iter([*_missing(times[0], times[1]), *_missing(times[1], times[0])]), None)
    return f"one says {missing.text!r} and the other does not" if missing else ""


def _repeats(value: Value, asked: Value) -> bool:
    if value.same(asked):
        return True
    near = value.measure == asked.measure and value.size and abs(value.size - asked.size) <= CLOSE * abs(value.size)
    return bool(near) and value.kind in ("quantity", "duration", "age")


def _missing(these: Sequence[Value], those: Sequence[Value]) -> list[Value]:
    """Return the values of `these` that are not among `those`."""
    return [value for value in these if not any(value.same(other) for other in those)]
