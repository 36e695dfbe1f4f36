"""Combines questions from the data: two in one message, one after another, or a list with one more item.

The additions come from the run's dictionary: other questions with their replies, other names of the same kind. Rules
select self-contained questions, so that questions asked earlier do not change their answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Literal, TypeAlias

from mutatis.core.cases import Turn
from mutatis.core.dictionary import USER, Dictionary, Exchange, Name, NameKind, Parameters, Turned, ranked
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.transformation import generator
from mutatis.languages import Language, needing, word_set
from mutatis.text.abstention import is_lost
from mutatis.text.segments import segmented_words
from mutatis.text.values import values, vocabulary
from mutatis.transformations.conversation import conversation
from mutatis.transformations.exchange import given_names
from mutatis.transformations.fitting import BEHIND_NAME, PART_OF, fitting_names
from mutatis.transformations.formats import ends_phrase
from mutatis.transformations.interruptions import (
    ASKING,
    Moved,
    Rounds,
    asks_one_thing,
    check_one_thing,
    stands_by_itself,
)
from mutatis.transformations.known import at_least_one
from mutatis.transformations.pieces import edited, with_articles
from mutatis.transformations.reaching import (
    BY_FOLDER,
    GROWN,
    RESTING,
    Swap,
    exchanged_for,
    phrase_by_folder,
    swaps_by_folder,
    things_of_a_kind,
)
from mutatis.transformations.several import judged_after
from mutatis.transformations.values import ASKED_KINDS, MEASURED_KINDS, Slot, ValueExchange, exchanged

ASKED_WITH = "asked with"
"""Annotation of a turn with two questions: the other question, and its reply when asked alone."""

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_MEASURED = ("amount", "quantity", "duration", "age", "date", "time")


@lru_cache(maxsize=4096)
def _measures(text: str, language: str = "en") -> frozenset[str]:
    """Return what a later question could take over from a text: the measures of its values, and "name" for a name."""
    words = _WORD.findall(text)[1:] if is_english(language) else ()  # elsewhere a capital is no sign of a name
    named = {"name"} if any(word[:1].isupper() and word != "I" for word in words) else set()
    return frozenset({value.measure for value in values(text, language)} | named)


@lru_cache(maxsize=4096)
def _content(text: str) -> frozenset[str]:
    small = word_set("function_words")
    return frozenset(word for word in _WORD.findall(text.lower()) if word not in small and len(word) > 2)


def _leaves_alone(before: str, question: str, dictionary: Dictionary) -> bool:
    """Return True if a question cannot affect the next one, which has its own value for every measure in the first."""
    language = dictionary.language
    if before == question or not asks_one_thing(before, language):
        return False
    asked = [kind for kind, _ in dictionary.kinds_of(question)]
    names_fit = all(any(kind is other for other in asked) for kind, _ in dictionary.kinds_of(before))
    return (names_fit or not is_english(language)) and _measures(before, language) <= _measures(question, language)


_ASKS_BACK = re.compile(
    r"\b(?:which|what|when|where|who|how (?:many|much|old|long|far|big))\b"
    r"(?![^.?!]*\b(?:else|help|do for you)\b)[^.?!]*\?\W*\Z",
    re.IGNORECASE,
)


def asks_back(reply: str) -> bool:
    """Return True if a reply only asks for a missing detail, which an earlier turn may provide.

    >>> [asks_back(reply) for reply in ("For which age?", "It is 5 EUR. For which day?", "Yes. What else can I do?")]
    [True, False, False]
    """
    return _ASKS_BACK.search(reply) is not None and not any(value.kind != "name" for value in values(reply))


def _check_stands_alone(question: str, reply: str, language: str) -> None:
    """Check that neither a question nor its reply depends on other turns.

    Raises:
        UnusableFollowUp: one of them does.
    """
    if not stands_by_itself(question, language):
        raise UnusableFollowUp("the message refers to something earlier, or does not ask for anything")
    if asks_back(reply):
        raise UnusableFollowUp("the reply asks for more information, which an earlier turn may give")


def only_turn(turns: Sequence[Turn]) -> Turn:
    """Return the only turn of a dialogue.

    Raises:
        UnusableFollowUp: there are several turns, which may depend on each other.
    """
    if len(turns) > 1:
        raise UnusableFollowUp("the case is already a dialogue; only single questions are combined")
    return turns[0]


def after_texts(turn: Turn, texts: Sequence[str], last: str, **noted: object) -> Moved:
    """Return a dialogue with the given texts as turns, followed by the message to be judged."""
    return judged_after((0,), (turn,), 0, texts, last, **noted)


TAKEN_BACK = "taken back"
"""Annotation of a turn: the value or name that the user asked about first and then took back."""


# Two questions in one message


@lru_cache(maxsize=4096)
def _values_told(question: str, reply: str, language: str) -> frozenset[tuple[object, ...]]:
    """Return the keys of the measured values stated in a reply but not in its question."""
    in_question = {value.key for value in values(question, language) if value.kind in _MEASURED}
    in_reply = {value.key for value in values(reply, language) if value.kind in _MEASURED}
    return frozenset(in_reply - in_question)


def _names_told(question: str, reply: str, dictionary: Dictionary) -> frozenset[str]:
    asked = {name.text for _, name in dictionary.kinds_of(question)}
    return frozenset(name.text for _, name in dictionary.kinds_of(reply)) - asked


def _with_another(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    language = dictionary.language
    check_one_thing(question, language)
    if _is_dated(question, language):
        raise UnusableFollowUp("the day in the question may also apply to another question in the same message")
    told = facts_told(question, reply, dictionary)
    choices = [
        {"other": other.question, "reply": other.reply}
        for other in dictionary.exchanges
        if _is_other_part(other, question, language) and not told & facts_told(other.question, other.reply, dictionary)
    ]
    return at_least_one(choices, "no other question in the data asks for a different value")


def _is_dated(question: str, language: str) -> bool:
    """Return True if a question contains a day or a month that could also apply to a second question.

    Return False for English, whose follow-ups were read and found sound without this rule.
    """
    dated = (value.kind == "date" and value.measure != "year" for value in values(question, language))
    return not is_english(language) and any(dated)


def _is_other_part(other: Exchange, question: str, language: str) -> bool:
    """Return True if another question of the data asks for a value, which its reply states."""
    apart = other.question != question and asks_one_thing(other.question, language)
    asks = apart and asks_value(other.question, language) and not _is_dated(other.question, language)
    return asks and bool(_values_told(other.question, other.reply, language))


def asks_value(question: str, language: str = "en") -> bool:
    """Return True if a question asks for a value.

    >>> asks_value("How much is Basic?"), asks_value("Is Basic green?"), asks_value("Was kostet das?", "de")
    (True, False, True)
    """
    return Language(language).pattern("asks_value").search(question) is not None


_IN_ONE_MESSAGE = ("speech.also", "speech.of_two", "speech.patterns.asks_value")

Place: TypeAlias = Literal["first", "last"]


@conversation(
    "ask-with-another",
    capability="several questions",
    says="another question of the data in the same message",
    languages=needing(*ASKING, "values", *_IN_ONE_MESSAGE),
    reads=_with_another,
)
def ask_with_another(
    rounds: Rounds,
    turns: tuple[Turn, ...],
    written_in: str,
    *,
    other: str = "",
    reply: str = "",
    place: Place = "first",
) -> Moved:
    """Ask another question from the data in the same message, before or after the original one.

    `place` is the original question's place. `reply`, the other question's reply when asked alone, is only annotated.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> said = {"other": "When are you open?", "reply": "From 9 to 17."}
    >>> [(_, turn)] = ask_with_another((0,), turns, "en", **said, place="last")
    >>> turn.fields["message"]
    'When are you open? Also, how much is Basic?'
    """
    turn = only_turn(turns)
    if not other:
        return rounds
    parts = (turn.question, other) if place == "first" else (other, turn.question)
    message = _in_one_message("also", *parts, written_in)
    return after_texts(turn, [], message, **{ASKED_WITH: {"question": other, "reply": reply}})


def _in_one_message(wording: str, first: str, second: str, language: str) -> str:
    """Join two questions by a wording of the language's folder. The second begins in lower case.

    >>> _in_one_message("also", "How much is Basic?", "When are you open?", "en")
    'How much is Basic? Also, when are you open?'
    """
    [joined], second = Language(language).ways(wording), second.strip()
    start = len(second) - len(second.lstrip("\u00bf\u00a1 "))  # after an inverted question mark
    return joined.format(first.strip(), second[:start] + second[start : start + 1].lower() + second[start + 1 :])


# One question after another


def exchanges_in(question: str, dictionary: Dictionary) -> list[Swap]:
    """Return copies of the question, each with one value or name replaced by another of the same kind.

    >>> kind = NameKind(kind="", names=(Name(text="Basic", seen=("a", "b")), Name(text="Night Saver", seen=("a", "b"))))
    >>> [swap.text for swap in exchanges_in("How much is Basic?", Dictionary(names=(kind,)))]
    ['How much is Night Saver?']
    """
    if not is_english(dictionary.language):
        return swaps_by_folder(question, dictionary.language)
    names = [*_name_swaps(question, dictionary)] or [
        *_listed_swaps(question, dictionary),
        *_label_swaps(question, dictionary),
    ]
    return [*names, *_value_swaps(question, dictionary)]


def _label_swaps(question: str, dictionary: Dictionary) -> Iterator[Swap]:
    for start, old, new in other_labels(question, dictionary):
        text = f"{question[:start]}{new}{question[start + len(old) :]}"
        yield Swap(text=text, old=old, new=new, start=start)


def _listed_swaps(question: str, dictionary: Dictionary) -> Iterator[Swap]:
    known = {name.text for kind, name in dictionary.kinds_of(question) if _others_of(kind, name, dictionary)}
    for old, new in things_of_a_kind(question):
        if old in known or PART_OF.search(question, 0, question.find(old)):
            return  # the run's own things of this kind do not fit
        start = question.find(old)
        edits = with_articles(question, [(start, start + len(old), new)])
        yield Swap(text=edited(question, edits), old=old, new=new, start=start)


def _name_swaps(question: str, dictionary: Dictionary) -> Iterator[Swap]:
    present = dictionary.kinds_of(question)
    names = {name.text for _, name in present}
    for kind, name in present:
        start = question.find(name.text)
        others = [other for other in _others_of(kind, name, dictionary) if other not in names]
        if start < 0 or sum(other is kind for other, _ in present) > 1:
            continue
        common_noun = name.text[0].islower()
        if common_noun and (not _stands_alone(question, start, name.text) or PART_OF.search(question, 0, start)):
            continue
        for old, new in fitting_names(question, name.text, others, dictionary):
            edits = with_articles(question, [(start, start + len(old), new)])
            yield Swap(text=edited(question, edits), old=old, new=new, start=start)


def _others_of(kind: NameKind, name: Name, dictionary: Dictionary) -> list[str]:
    if not _is_thing(name, dictionary):
        return []
    return [other.text for other in kind.names if other != name and _is_thing(other, dictionary)]


def _stands_alone(question: str, start: int, name: str) -> bool:
    """Return True if a lower-case name is all that the question is about, not just a part of it.

    >>> question = "When does the airport bus leave?"
    >>> _stands_alone(question, question.index("bus"), "bus"), _stands_alone("What is the price of a bus?", 12, "price")
    (False, False)
    """
    before = re.search(r"([\w'-]+)\s+\Z", question[:start])
    begins = not before or before[1].lower() in word_set("function_words") or before[1][0].isdigit()
    return begins and not re.match(r"\s+of\b", question[start + len(name) :])


def _is_thing(name: Name, dictionary: Dictionary) -> bool:
    """Return True if users may ask about a name: it is capitalised, listed by the tester, or in earlier questions.

    A lower-case item in a reply's list may be anything, as in "ask me about tests and prices".
    """
    asked = USER in name.seen or any(name.text in exchange.question for exchange in dictionary.exchanges)
    return name.trusted and (name.text[0].isupper() or asked)


_SLOTS: tuple[Slot, ...] = tuple(kind for kind in (*ASKED_KINDS, *MEASURED_KINDS) if kind != "product")


def _value_swaps(question: str, dictionary: Dictionary) -> Iterator[Swap]:
    measures = _measures(question)
    for kind in _SLOTS:
        if kind in ("weekday", "date") and {"weekday", "date"} <= measures:
            continue  # "Monday, 14 November" is no day
        exchange = exchanged(question, kind, generator("together", question, kind))
        if exchange is not None:
            start = question.index(exchange.old)
            for other in _other_values(question, exchange, dictionary):
                end = start + len(exchange.old)
                text = exchanged_for(question, exchange.old, other) or question[:start] + other + question[end:]
                yield Swap(text=text, old=exchange.old, new=other, start=start)


def _other_values(question: str, exchange: ValueExchange, dictionary: Dictionary) -> list[str]:
    """Return known values in the same format that may lead to a different answer, or else a new value."""
    shape = _NUMBER.sub("0", exchange.old)
    known = [value.text for value in dictionary.values if _NUMBER.sub("0", value.text) == shape]
    others = [text for text in known if text != exchange.old and shape != "0"]  # a bare number may be anything's
    if not others and exchange.kind == "age":
        years = _NUMBER.search(exchange.old)
        return [_NUMBER.sub(_other_age(question, int(years.group())), exchange.old)] if years else [exchange.new]
    return others or [_as_round(exchange)]


def _as_round(exchange: ValueExchange) -> str:
    """Return the replacement value. A round number is doubled instead: no one orders 102 cards after 100.

    >>> [_as_round(ValueExchange(text="", kind="count", old=old, new=new)) for old, new in (("100", "102"), ("3", "5"))]
    ['200', '5']
    """
    old_figures, new_figures = _FIGURES.findall(exchange.old), _FIGURES.findall(exchange.new)
    if len(old_figures) != 1 or len(new_figures) != 1:
        return exchange.new
    if exchange.kind in ("date", "time", "weekday") or "%" in exchange.old:
        return exchange.new
    old, new = int(old_figures[0].replace(",", "")), int(new_figures[0].replace(",", ""))
    if old % _TEN or not new % _TEN:  # the old number is not round, or the new one is, too
        return exchange.new
    doubled = f"{2 * old:,}" if "," in exchange.old else f"{2 * old}"
    return _FIGURES.sub(doubled, exchange.old)


_FIGURES = re.compile(r"\d[\d,]*")
_TEN = 10


def _other_age(question: str, years: int) -> str:
    """Return another age that a company may treat differently. A child remains a child."""
    if years >= GROWN:
        return "8"
    if not _CHILD.search(question):
        return "40"
    return "15" if years < 10 else "4"


_CHILD = re.compile(r"\b(?:child|children|kids?|bab(?:y|ies)|toddlers?|pupils?)\b", re.IGNORECASE)


_NUMBER = re.compile(r"\d+")


def _before(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    _check_stands_alone(question, reply, dictionary.language)
    choices = [
        {"before": other.question}
        for other in dictionary.exchanges
        if _leaves_alone(other.question, question, dictionary)
    ]
    return at_least_one(choices, "every other question in the data might change how this question is understood")


def _akin_before(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    language = dictionary.language
    _check_stands_alone(question, reply, language)
    swaps = exchanges_in(question, dictionary) if asks_one_thing(question, language) else []  # two bookings are not one
    if swaps:
        return [{"before": swap.text} for swap in swaps]
    shared = {
        other.question: len(_content(other.question) & _content(question))
        for other in dictionary.exchanges
        if is_english(language) and _leaves_alone(other.question, question, dictionary)
    }
    most = max(shared.values(), default=0)
    akin = [{"before": other} for other, number in shared.items() if number == most > 0]
    return at_least_one(
        akin, "the question has no value or name that could be replaced, and the data has no similar question"
    )


@conversation(
    "ask-before",
    capability="other turns",
    says="another question of the data asked before",
    languages=needing(*ASKING, "values"),
    reads=_before,
    adds=1,
)
def ask_before(rounds: Rounds, turns: tuple[Turn, ...], *, before: str = "") -> Moved:
    """Ask another question from the data before the original one.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> [turn.fields["message"] for _, turn in ask_before((0,), turns, before="When are you open?")]
    ['When are you open?', 'How much is Basic?']
    """
    turn = only_turn(turns)
    return after_texts(turn, [before], turn.question) if before else rounds


@conversation(
    "ask-akin-before",
    capability="other turns",
    says="the question asked about another value or name before",
    languages=needing(*ASKING, *BY_FOLDER, also=ENGLISH),
    reads=_akin_before,
    adds=1,
)
def ask_akin_before(rounds: Rounds, turns: tuple[Turn, ...], *, before: str = "") -> Moved:
    """Ask the same question about a different value or name first, or ask a similar question first.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> [turn.fields["message"] for _, turn in ask_akin_before((0,), turns, before="How much is Night Saver?")]
    ['How much is Night Saver?', 'How much is Basic?']
    """
    return ask_before(rounds, turns, before=before)


_ONE_OF = 5


def is_one_in(number: int, question: str) -> bool:
    """Return True for about one question in `number`, chosen by its text, so that costly edits are made less often."""
    return generator("one in", number, question).random() * number < 1


def _ten_turns(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    language = dictionary.language
    _check_stands_alone(question, reply, language)
    asked = _stems(question, language)
    if any(asked & _stems(text, language) for text in Language(language).ways("ten_turns")):
        raise UnusableFollowUp("one of the ten turns asks for the same thing as the question")
    if not is_one_in(_ONE_OF, question):
        raise UnusableFollowUp(f"this change is made to only one in {_ONE_OF} questions, because ten turns are added")
    return [{}]


@conversation(
    "ten-turns-before",
    capability="other turns",
    says="ten turns on other topics before",
    languages=needing(*ASKING, "speech.ten_turns"),
    reads=_ten_turns,
    adds=10,
)
def ten_turns_before(rounds: Rounds, turns: tuple[Turn, ...], written_in: str) -> Moved:
    """Begin with ten turns of greetings, general questions and thanks, and then ask the original question.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> [_, *between, (_, last)] = ten_turns_before((0,), turns, "en")
    >>> len(between), last.fields["message"]
    (9, 'How much is Basic?')
    """
    turn = only_turn(turns)
    return after_texts(turn, Language(written_in).ways("ten_turns"), turn.question)


_FEW = 3


def _independent(question: str, dictionary: Dictionary) -> list[str]:
    """Return questions that share no content word with this one. In English, those with a value or a name come first.

    Their values and names must not affect this question.
    """
    language = dictionary.language
    apart = [
        {"before": other.question}
        for other in dictionary.exchanges
        if other.question != question
        and asks_one_thing(other.question, language)
        and not _stems(other.question, language) & _stems(question, language)
    ]
    order = [choice["before"] for choice in ranked(question, apart)]
    return sorted(order, key=lambda text: is_english(language) and not _measures(text))


@lru_cache(maxsize=4096)
def _stems(text: str, language: str = "en") -> frozenset[str]:
    if is_english(language):
        return frozenset(word[:_STEM] for word in _content(text))
    folder = Language(language)
    small, least = folder.words("function_words"), 3 if folder.spaces else 2
    words = (word.group().lower() for word in segmented_words(text, language))
    return frozenset(word[:_STEM] for word in words if word not in small and len(word) >= least)


_STEM = 5


def _three(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    _check_stands_alone(question, reply, dictionary.language)
    others = _independent(question, dictionary)
    if len(others) < _FEW:
        raise UnusableFollowUp(f"fewer than {_FEW} questions in the data are about a different topic")
    return [dict(zip(("first", "second", "third"), others, strict=False))]


@conversation(
    "three-turns-before",
    capability="other turns",
    says="three questions of the data on other topics before",
    languages=needing(*ASKING),
    reads=_three,
    adds=_FEW,
)
def three_turns_before(
    rounds: Rounds, turns: tuple[Turn, ...], *, first: str = "", second: str = "", third: str = ""
) -> Moved:
    """First ask three questions from the data on other topics, which have their own values and names.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> said = {"first": "When are you open?", "second": "Is there a lift?", "third": "Can 3 people come?"}
    >>> len(three_turns_before((0,), turns, **said))
    4
    """
    turn = only_turn(turns)
    texts = [first, second, third]
    return after_texts(turn, texts, turn.question) if all(texts) else rounds


def set_apart(question: str, dictionary: Dictionary) -> Iterator[tuple[Swap, str, str]]:
    """Yield questions about a different value or name, each with the words for the new one and the original.

    Raises:
        UnusableFollowUp: the message is not a single, self-contained question.
    """
    language = dictionary.language
    check_one_thing(question, language)
    for swap in exchanges_in(question, dictionary):
        phrases = _phrases(question, swap) if is_english(language) else _phrases_by_folder(question, swap, language)
        if phrases is not None:
            other, original = phrases
            yield swap, other, original


def _phrases(question: str, swap: Swap) -> tuple[str, str] | None:
    """Return the words for the new and the old value or name in English; None if nobody would rule it out."""
    if swap.old in {old for old, _ in things_of_a_kind(question)}:
        return None  # whoever has a caravan does not ask about a moped first
    if not (swap.old[0].isupper() or ends_phrase(question, swap.end) or values(swap.old)):
        return None  # "a double room" is no double
    if values(swap.old) and not {value.measure for value in values(swap.old)} & _SET_APART:
        return None
    _, phrase = phrase_of(question, swap)
    article, _, noun = phrase.partition(swap.old)
    if article in ("a ", "an "):
        article = "an " if _VOWEL.match(swap.new) else "a "
    return f"{article}{swap.new}{noun}", phrase


def _phrases_by_folder(question: str, swap: Swap, language: str) -> tuple[str, str] | None:
    """Return the words for the new and the old value in another language; None if nobody would rule it out."""
    if swap.value is None or swap.value.measure not in _SET_APART:
        return None
    other, original = (phrase_by_folder(question, swap, text, language) for text in (swap.new, swap.old))
    return None if other is None or original is None else (other, original)


def _not_others(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    choices = [{"other": other, "before": swap.text} for swap, other, _ in set_apart(question, dictionary)]
    return at_least_one(choices, "the question has no value or name that could be replaced")


_SET_APART = frozenset({"age", "weekday", "date", "name"})
"""Kinds of values that people exclude by saying "I don't mean ...". They do not say this of plain numbers."""

_VOWEL = re.compile(r"[aeio]|8|1[18]\b", re.IGNORECASE)


@conversation(
    "not-the-other",
    capability="negation",
    says="the previous value or name taken back",
    languages=needing(*RESTING, "speech.not_that", also=ENGLISH),
    reads=_not_others,
    adds=1,
)
def not_the_other(
    rounds: Rounds, turns: tuple[Turn, ...], written_in: str, *, other: str = "", before: str = ""
) -> Moved:
    """Ask about a different value or name, retract that question, and ask the original one.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> said = not_the_other((0,), turns, "en", other="Night Saver", before="How much is Night Saver?")
    >>> [turn.fields["message"] for _, turn in said]
    ['How much is Night Saver?', "Sorry, I don't mean Night Saver. How much is Basic?"]
    """
    turn, [said] = only_turn(turns), Language(written_in).ways("not_that")
    if not (other and before):
        return rounds
    wanted = _wanted(turn.question, before, written_in) if "{wanted}" in said else ""
    if wanted is None:
        return rounds
    text = said.format(other=other, wanted=wanted, question=turn.question.strip())
    return after_texts(turn, [before], text, **{TAKEN_BACK: other})


def _wanted(question: str, before: str, language: str) -> str | None:
    """Return the words for the original value in a question, of which `before` is the copy with another value.

    Return None if `before` is no such copy.
    """
    apart = set_apart(question, Dictionary(language=language))
    return next((original for swap, _, original in apart if swap.text == before), None)


# The same of several things in one message

_AND_ASKS = re.compile(r"\band (?:what|how|when|where|which|is|are|do|does|can)\b", re.IGNORECASE)


def asks_two(question: str, language: str = "en") -> bool:
    """Return True if "and" introduces a second question in a message.

    In languages other than English, "and" is the word of the folder that joins two questions, without a comma.

    >>> asks_two("How much is it and where is it?"), asks_two("Was kostet es für Kinder und Eltern?", "de")
    (True, False)
    """
    if is_english(language):
        return _AND_ASKS.search(question) is not None
    folder = Language(language)
    also = folder.ways("also")[0].strip("{} ")
    joints = re.finditer(rf"\s{re.escape(also)}\s+", question, re.IGNORECASE)
    return any(folder.pattern("asks").match(question, joint.end()) for joint in joints)


SEVERAL = "several"
"""Annotation of a turn: its role among the follow-ups, and the other questions that are asked."""

ASKED_ALONE, IN_ONE, TURNED_ROUND = "alone", "in one", "turned round"

Asked: TypeAlias = Literal["alone", "in one", "turned round"]


def _of_two(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return the same question about a different value or name."""
    language = dictionary.language
    if not asks_one_thing(question, language) or not asks_value(question, language) or asks_two(question, language):
        raise UnusableFollowUp("the message is not a single question about a value")
    swaps = exchanges_in(question, dictionary)
    return at_least_one(
        [{"second": swap.text} for swap in swaps], "the question has no value or name that could be replaced"
    )


@conversation(
    "ask-of-two",
    capability="several questions",
    says="one question about two things in one message",
    languages=needing(*ASKING, *BY_FOLDER, *_IN_ONE_MESSAGE, also=ENGLISH),
    reads=_of_two,
)
def ask_of_two(
    rounds: Rounds, turns: tuple[Turn, ...], written_in: str, *, asked: Asked = "in one", second: str = ""
) -> Moved:
    """Ask the same question about two values or names in one message, or only about the second one.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> [(_, turn)] = ask_of_two((0,), turns, "en", asked="turned round", second="How much is Duo?")
    >>> turn.fields["message"]
    'How much is Duo? And how much is Basic?'
    """
    turn = only_turn(turns)
    if not second:
        return rounds
    orders = {IN_ONE: (turn.question, second), TURNED_ROUND: (second, turn.question)}
    text = _in_one_message("of_two", *orders[asked], written_in) if asked in orders else second
    return after_texts(turn, [], text, **{SEVERAL: {"asked": asked, "second": second}})


# Messages that rest on an earlier one: only for systems that were seen to understand them

NO_HISTORY = "keeps no history: it did not understand a message that depends on an earlier one"

_LEAD = re.compile(
    r"(?P<p>\b(?:for|on|at|in|with|(?:next )?to|from|until|by|under|over)\s+)?(?P<a>(?:an?|the|my|your|our)\s+)?\Z",
    re.IGNORECASE,
)


def phrase_of(question: str, swap: Swap) -> tuple[str, str]:
    """Return the preposition before the words to replace, and the phrase around them: "for ", "a 14-year-old"."""
    preposition, article = _lead_of(question, swap)
    end = swap.end
    for value in values(question):
        unit = re.match(rf"\s+{re.escape(value.unit)}\w*", question[end:], re.IGNORECASE) if value.unit else None
        if value.start == swap.start and unit:
            end += unit.end()
    if swap.old[0].isupper() and not _name_ends_at(question, end):
        article = ""  # "the Basic tariff"
    return preposition, article + question[swap.start : end]


def _lead_of(question: str, swap: Swap) -> tuple[str, str]:
    """Return the preposition and the article before the words to replace, or "" for each that is missing."""
    lead = _LEAD.search(question, 0, swap.start)
    assert lead is not None, "it also matches nothing"
    return lead["p"] or "", lead["a"] or ""


def _name_ends_at(question: str, end: int) -> bool:
    """Return True if a name that ends at an offset is complete, and not the first part of a longer one."""
    return ends_phrase(question, end) or BEHIND_NAME.match(question, end) is not None


def _is_name(question: str, swap: Swap, dictionary: Dictionary) -> bool:
    return any(f"{swap.old} ".startswith(f"{name.text} ") for _, name in dictionary.kinds_of(question))


def left_out(question: str, dictionary: Dictionary) -> list[Parameters]:
    """Return questions to ask first, each with a short question that returns to the original value or name.

    >>> [choice["short"] for choice in left_out("How much is a ticket for a 14-year-old?", Dictionary())]
    ['And for a 14-year-old?']
    >>> [choice["short"] for choice in left_out("Haben Sie am Montag offen?", Dictionary(language="de"))]
    ['Und am Montag?']
    """
    [said] = Language(dictionary.language).ways("and_for")
    return [
        {"before": swap.text, "short": said.format(f"{preposition}{phrase}")}
        for swap, preposition, phrase in _returning(question, dictionary)
    ]


def _returning(question: str, dictionary: Dictionary) -> Iterator[tuple[Swap, str, str]]:
    """Yield questions about a different value or name, each with the words by which a user returns to the original.

    These are a preposition, in lower case, and a phrase. Outside English, the phrase contains the preposition, and
    there are none for a message with two questions.
    """
    language = dictionary.language
    asked = _without_greeting(question)
    if not is_english(language) and asks_two(asked, language):
        return
    for swap in exchanges_in(asked, dictionary) if asks_one_thing(asked, language) else ():
        if is_english(language):
            preposition, phrase = _whole_phrase(asked, swap)
            if phrase and (preposition or _is_name(asked, swap, dictionary)):
                yield swap, preposition.lower(), phrase
        elif (phrase_there := phrase_by_folder(asked, swap, swap.old, language)) is not None:
            yield swap, "", phrase_there


def _whole_phrase(question: str, swap: Swap) -> tuple[str, str]:
    """Return the preposition before the words to replace, and the whole phrase around them, with its noun.

    Both are empty if the extent of the phrase is unclear.

    >>> text = "How much is the parking permit?"
    >>> _whole_phrase(text, Swap(text="How much is the building permit?", old="parking", new="building", start=16))
    ('', 'the parking permit')
    """
    preposition, phrase = phrase_of(question, swap)
    if values(swap.old):
        return preposition, phrase
    if _NUMBER_BEFORE.search(question, 0, swap.start) or question.startswith(" of ", swap.end):
        return "", ""  # "5 Basic mice", "the price of"
    if _name_ends_at(question, swap.end) or _HELPS.search(question, 0, swap.start):
        # A capital, a preposition or an article shows where a name begins; a bare common noun may be part of more.
        begins = swap.old[0].isupper() or preposition or phrase != swap.old
        return (preposition, phrase) if begins else ("", "")
    noun = _NOUN_BEHIND.match(question, swap.end)
    if noun is None or not _name_ends_at(question, noun.end()):
        return "", ""
    _, article = _lead_of(question, swap)
    return preposition, f"{article}{question[swap.start : noun.end()]}"


_HELPS = re.compile(r"\b(?:do|does|did|can|will|may)\s+\Z", re.IGNORECASE)
"""Text before a name that is followed by a verb: "When does Cabaret finish?"."""

_NOUN_BEHIND = re.compile(r" [a-z]{3,}\b")
_NUMBER_BEFORE = re.compile(rf"\b(?:\d+|{'|'.join(vocabulary().ones[2:11])})\s+\Z", re.IGNORECASE)


def _without_greeting(message: str) -> str:
    """Return a message without its opening greeting.

    >>> _without_greeting("Hello, are you open?"), _without_greeting("Hi there")
    ('Are you open?', 'Hi there')
    """
    asked = _GREETING.sub("", message)
    return f"{asked[0].upper()}{asked[1:]}" if asked else message


_GREETING = re.compile(
    r"\s*(?:hi|hello|hey|good (?:morning|day|afternoon|evening))(?: there)?\s*[,!.]\s*", re.IGNORECASE
)


def _check_understood(way: Turned, dictionary: Dictionary) -> None:
    """Raise UnusableFollowUp if the system has not shown that it understands this kind of message."""
    if way not in dictionary.understands:
        raise UnusableFollowUp(NO_HISTORY)


def short_choices(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return questions to ask first, each with a short question that returns to the original value or name.

    Raises:
        UnusableFollowUp: the system has not shown that it understands short questions, or the question has no short
            form.
    """
    _check_understood("left out", dictionary)
    if is_lost(reply, dictionary.language):
        raise UnusableFollowUp("the question was not understood, so no other question can follow")
    if asks_two(question, dictionary.language):
        raise UnusableFollowUp(
            "the message asks two things, and a short question that follows may be about only one of them"
        )
    return at_least_one(left_out(question, dictionary), _NOTHING_TO_REPLACE)


_NOTHING_TO_REPLACE = "the message is not a question with a value or name that could be replaced"


def corrected(question: str, dictionary: Dictionary) -> list[Parameters]:
    """Return questions to ask first, each with a correction that restores the original value or name.

    >>> [choice["short"] for choice in corrected("How much is a ticket for a 14-year-old?", Dictionary())]
    ['Sorry, I meant a 14-year-old.']
    """
    [said] = Language(dictionary.language).ways("i_meant")
    return [
        {"before": swap.text, "short": said.format(f"{preposition if preposition in _KEPT else ''}{phrase}")}
        for swap, preposition, phrase in _returning(question, dictionary)
    ]


_KEPT = frozenset({"next to "})
"""Prepositions that a correction repeats. "Sorry, I meant Monday." needs no "on"."""


def _meant(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    _check_understood("corrected", dictionary)
    return at_least_one(corrected(question, dictionary), _NOTHING_TO_REPLACE)


@conversation(
    "leave-out",
    capability="memory",
    says="only a new value for the previous question",
    languages=needing(*RESTING, "speech.and_for", also=ENGLISH),
    reads=short_choices,
    adds=1,
)
def leave_out(rounds: Rounds, turns: tuple[Turn, ...], *, before: str = "", short: str = "") -> Moved:
    """Ask the same question about a different value or name first, and then state only what is different.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> [turn.fields["message"] for _, turn in leave_out((0,), turns, before="How much is Duo?", short="And Basic?")]
    ['How much is Duo?', 'And Basic?']
    """
    turn = only_turn(turns)
    return after_texts(turn, [before], short) if before and short else rounds


@conversation(
    "correct-next",
    capability="memory",
    says="a value corrected in the next turn",
    languages=needing(*RESTING, "speech.i_meant", also=ENGLISH),
    reads=_meant,
    adds=1,
)
def correct_next(rounds: Rounds, turns: tuple[Turn, ...], *, before: str = "", short: str = "") -> Moved:
    """Ask the same question about a different value or name first, and then correct it to the original one.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> said = correct_next((0,), turns, before="How much is Duo?", short="Sorry, I meant Basic.")
    >>> [turn.fields["message"] for _, turn in said]
    ['How much is Duo?', 'Sorry, I meant Basic.']
    """
    return leave_out(rounds, turns, before=before, short=short)


_SUBJECT = re.compile(
    r"\b(?:is|does|do|did|can|will|has|cost|of|(?:fee|price|cost|deposit|charge) for|with|take|use|return|about)\s+\Z",
    re.IGNORECASE,
)
_POSSESSED = re.compile(r"\bthe\s+(?P<thing>[a-z]+(?:\s[a-z]+)?)\s+of\s+\Z", re.IGNORECASE)
_NO_THING = ("weekday", "date", "month", "city", "country")


def _with_pronoun(question: str, name: str) -> str | None:
    """Return a question with "it" or "its" in place of a name, or None.

    The result is None if the question would not be correct English, or if the name is not the name of a thing.

    >>> _with_pronoun("How long is the term of Basic?", "Basic"), _with_pronoun("To Oslo?", "Oslo")
    ('How long is its term?', None)
    >>> _with_pronoun("How much is Basic?", "Basic"), _with_pronoun("How much is the Basic mouse?", "Basic")
    ('How much is it?', None)
    """
    start = question.find(name)
    before, behind = re.sub(r"\b[Tt]he\s+\Z", "", question[:start]), question[start + len(name) :]
    person = name.split()[0] in {first for names in given_names() for first in names}
    if start < 0 or person or any({value.measure, value.unit} & set(_NO_THING) for value in values(name)):
        return None
    if not BEHIND_NAME.match(behind) or behind[:1] in ("'", "\u2019", "-") or question.count(name) > 1:
        return None
    if owned := _POSSESSED.search(question[:start]):
        return f"{question[: owned.start()]}its {owned['thing']}{behind}"
    return f"{before}it{behind}" if _SUBJECT.search(before) else None


def _is_subject(question: str, name: str) -> bool:
    before = re.sub(r"\b[Tt]he\s+\Z", "", question[: question.find(name)])
    return _SUBJECT.search(before) is not None and _POSSESSED.search(before) is None


def _named(question: str, name: str) -> str:
    """Return a name, with the article "the" if it has one in the question."""
    article = re.search(r"\bthe\s+\Z", question[: question.find(name)])
    return f"the {name}" if article else name


def pronouns(question: str, dictionary: Dictionary) -> list[Parameters]:
    """Return pairs of a message to send first and the original question, with "it" in place of its only name.

    The first message is a question from the data about the same thing. If there is none, it only names the thing.
    Outside English there are no pairs, since the right pronoun depends on the gender of the noun.
    """
    present = dictionary.kinds_of(question)
    if len(present) != 1 or not asks_one_thing(question) or not is_english(dictionary.language):
        return []
    [(_, name)] = present
    short = _with_pronoun(question, name.text) if _is_thing(name, dictionary) else None
    if short is None or _has_word_of(_without_name(question, name.text), name.text):
        return []
    others = (other.question for other in dictionary.exchanges if other.question != question)
    firsts = [other for other in others if _introduces(other, name.text, question, dictionary)]
    firsts = firsts or [f"I have a question about {_named(question, name.text)}."]
    return [{"before": first, "short": short} for first in firsts]


def _introduces(first: str, name: str, question: str, dictionary: Dictionary) -> bool:
    """Return True if "it" can only mean the named thing in a question that is asked after `first`.

    The two must also not ask alike, or the answer to the first could be repeated.
    """
    names = [known.text for _, known in dictionary.kinds_of(first)]
    if names != [name] or not asks_one_thing(first) or not _is_subject(first, name):
        return False  # of the flight to Oslo, the flight is "it"
    rest, rest_of_first = _without_name(question, name), _without_name(first, name)
    of_another_price = _PRICED.search(rest) and _MAY_BE_PRICED.search(rest_of_first)
    return not (_has_word_of(rest_of_first, name) or _asks_alike(rest_of_first, rest) or of_another_price)


def _without_name(question: str, name: str) -> str:
    return question.replace(name, " ", 1)


def _has_word_of(text: str, name: str) -> bool:
    """Return True if a text repeats a word of a name, as in asking if the night bus runs at night."""
    return not {*_WORD.findall(name.lower())}.isdisjoint(_WORD.findall(text.lower()))


_PRICED = re.compile(r"\b(?:how much|how expensive|prices?|costs?|fees?|charges?|deposit|surcharge)\b", re.IGNORECASE)
_MAY_BE_PRICED = re.compile(r"\A\s*(?:can|may|could) (?:I|we)\b|\ban? (?!lot\b)", re.IGNORECASE)
"""What a deed or another thing shows, whose price "it" may mean: "Can I take the van abroad?", "a tow bar"."""

_LENGTH_OF = re.compile(r"\bhow \w+\b|\bwhen\b|\bwhere\b", re.IGNORECASE)
_COST = re.compile(r"\b(?:how much (?:is|are|does|do)|how expensive|price|costs?)\b", re.IGNORECASE)


def _asks_alike(first: str, second: str) -> bool:
    """Return True if two questions share a content word, or if both ask for a length of time or for a price.

    >>> _asks_alike("What is the fee for  ?", "How high is the fee of  ?"), _asks_alike("Is   red?", "Is   dear?")
    (True, False)
    """
    lengths, other_lengths = ({words.lower() for words in _LENGTH_OF.findall(text)} for text in (first, second))
    both_priced = _COST.search(first) and _COST.search(second)
    return bool(_stems(first) & _stems(second) or lengths & other_lengths or both_priced)


def _it(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    _check_understood("pronoun", dictionary)
    return at_least_one(
        pronouns(question, dictionary),
        "the message is not a question about a single thing that a pronoun could replace",
    )


def _it_of_two(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    return at_least_one(
        [
            {**choice, "other": swap.text}
            for choice in _it(question, reply, dictionary)
            for swap in _name_swaps(question, dictionary)
            if swap.text != choice["before"]
        ],
        "no other name of its kind is known",
    )


@conversation("say-it", capability="memory", says='"it" in place of the name just asked about', reads=_it, adds=1)
def say_it(rounds: Rounds, turns: tuple[Turn, ...], *, before: str = "", short: str = "") -> Moved:
    """Ask another question about something first, and then refer to it as "it".

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> [turn.fields["message"] for _, turn in say_it((0,), turns, before="Is Basic green?", short="How much is it?")]
    ['Is Basic green?', 'How much is it?']
    """
    return leave_out(rounds, turns, before=before, short=short)


@conversation(
    "say-it-of-two",
    capability="memory",
    says='"it" in place of the later of two names just asked about',
    reads=_it_of_two,
    adds=2,
)
def say_it_of_two(
    rounds: Rounds, turns: tuple[Turn, ...], *, other: str = "", before: str = "", short: str = ""
) -> Moved:
    """Ask about another item, then about the original one, and then refer to the original one as "it".

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> said = {"other": "How much is Duo?", "before": "Is Basic green?", "short": "How much is it?"}
    >>> [turn.fields["message"] for _, turn in say_it_of_two((0,), turns, **said)]
    ['How much is Duo?', 'Is Basic green?', 'How much is it?']
    """
    turn = only_turn(turns)
    return after_texts(turn, [other, before], short) if other and short else rounds


PROBES: Mapping[Turned, Callable[[str, Dictionary], Sequence[Parameters]]] = {
    "left out": left_out,
    "corrected": corrected,
    "pronoun": pronouns,
}
"""Functions that return questions to test whether a system understands a message that depends on earlier turns."""


def facts_told(question: str, reply: str, dictionary: Dictionary) -> frozenset[object]:
    """Return the values and names stated in a reply but not in its question."""
    told = _values_told(question, reply, dictionary.language)
    return frozenset[object](told) | frozenset[object](_names_told(question, reply, dictionary))


# What a user is called

CALLED = "called"
"""Annotation of a turn: the names that users gave, from the earliest to the latest."""


def _callers(question: str, reply: str, dictionary: Dictionary) -> list[str]:
    """Return the names of callers that occur in neither the question, the reply nor the dictionary."""
    folder = Language(dictionary.language)
    if folder.pattern("named").search(question) or folder.pattern("greets").match(question):
        raise UnusableFollowUp("the message already contains a name or a greeting")
    known = [question, reply, *(name.text for kind in dictionary.names for name in kind.names)]
    words = {word.group().lower() for text in known for word in segmented_words(text, folder.code)}
    return [name for name in folder.ways("callers") if words.isdisjoint(name.lower().split())]


def _a_name(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    return [{"name": name} for name in _callers(question, reply, dictionary)]


_NAMES = ("speech.callers", "speech.by_name", "speech.patterns.named", "speech.patterns.greets")


@conversation(
    "give-name",
    capability="names and pronouns",
    says="the user's name given first",
    languages=needing(*_NAMES),
    reads=_a_name,
)
def give_name(rounds: Rounds, turns: tuple[Turn, ...], written_in: str, *, name: str = "") -> Moved:
    """Begin the message by giving the user's name.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> [(_, turn)] = give_name((0,), turns, "en", name="Priya Nair")
    >>> turn.fields["message"]
    'Hi, this is Priya Nair. How much is Basic?'
    """
    turn = only_turn(turns)
    return after_texts(turn, [], _introduced(name, turn.question, written_in)) if name else rounds


def _introduced(name: str, message: str, language: str, wording: str = "by_name") -> str:
    """Return a message that begins with the name of its writer."""
    [introduction] = Language(language).ways(wording)
    return introduction.format(name=name, question=message)


def _two_names(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    callers, folder = _callers(question, reply, dictionary), Language(dictionary.language)
    if not asks_one_thing(question, folder.code) or folder.pattern("mine").search(question):
        raise UnusableFollowUp("the message is not a single question that any user could ask")
    if not is_one_in(_ONE_IN, question):
        raise UnusableFollowUp(f"this change is made to only one in {_ONE_IN} questions, because a question is added")
    others = [
        {"before": other.question}
        for other in dictionary.exchanges
        if _leaves_alone(other.question, question, dictionary)
        and not any(folder.pattern(name).search(other.question) for name in ("mine", "named"))
    ]
    at_least_one(others, "every other question in the data might change how this question is understood")
    before = ranked(question, others)[0]["before"]
    return [{"first": first, "second": second, "before": before} for first, second in permutations(callers, 2)]


_ONE_IN = 3


@conversation(
    "names-in-turn",
    capability="other turns",
    says="asked under two names in turn",
    languages=needing(*ASKING, *_NAMES, "speech.by_next_name", "speech.patterns.mine"),
    reads=_two_names,
    adds=1,
)
def names_in_turn(
    rounds: Rounds, turns: tuple[Turn, ...], written_in: str, *, first: str = "", second: str = "", before: str = ""
) -> Moved:
    """Ask another question under one name, and then the original question under a different name.

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> said = {"first": "Priya Nair", "second": "Tom Miller", "before": "When are you open?"}
    >>> [turn.fields["message"] for _, turn in names_in_turn((0,), turns, "en", **said)]
    ['Hi, this is Priya Nair. When are you open?', 'Hello, this is Tom Miller now. How much is Basic?']
    """
    turn = only_turn(turns)
    if not (first and second and before):
        return rounds
    asked = _introduced(second, turn.question, written_in, "by_next_name")
    return after_texts(turn, [_introduced(first, before, written_in)], asked, **{CALLED: [first, second]})


_LABELLED = re.compile(r"\b(?P<noun>[a-z]{4,}) (?P<label>[A-Z]{1,2}\d?|\d)\b(?![.,:/-]?\d|['\u2019-]\w|\s*%)")
_NUMBERED = frozenset({"category", "class", "zone", "level", "terminal", "tier", "grade", "tariff", "band"})
"""Nouns that a number may follow, as in "zone 2", unlike the verb in "arrive 5 days later"."""

_NO_LABEL = frozenset({"I", "AM", "PM", "OK", "TV", "ID", "EU", "UK", "US", "IT", "PC"})


def _labelled(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the position, noun and label of each labelled item in a text, such as "class B"."""
    small = word_set("function_words")
    for match in _LABELLED.finditer(text):
        noun, label = match["noun"], match["label"]
        if noun not in small and label not in _NO_LABEL and (noun in _NUMBERED or not label.isdigit()):
            yield match.start(), noun, label


def other_labels(question: str, dictionary: Dictionary) -> list[tuple[int, str, str]]:
    """Return replacements for the only labelled item in a question, using the labels in the run's texts.

    Each replacement consists of a position, the old text and the new text.

    >>> from mutatis.core.dictionary import Exchange
    >>> known = Dictionary(exchanges=(Exchange(question="Is class A2 dear?", reply="No, class A1 is dearer."),))
    >>> other_labels("How much is a lesson for class B?", known)
    [(25, 'class B', 'class A1'), (25, 'class B', 'class A2')]
    >>> other_labels("Can I open it from class B to class C?", known)
    []
    """
    in_question = list(_labelled(question))
    if len(in_question) != 1:
        return []
    [(start, noun, label)] = in_question
    texts = (text for exchange in dictionary.exchanges for text in (exchange.question, exchange.reply))
    labels = {its_label for text in texts for _, its_noun, its_label in _labelled(text) if its_noun == noun}
    return [(start, f"{noun} {label}", f"{noun} {other}") for other in sorted(labels - {label})]
