"""Writes a question about another value or name that fits it, judging by the questions and replies of the run.

A name of the same kind does not always fit. A kayak is rented by the hour and a hut by the night, and "the Basic
membership" cannot become "the Basic class".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from mutatis.core.dictionary import USER, Dictionary, Exchange, Name, NameKind
from mutatis.core.languages import is_english
from mutatis.core.transformation import generator
from mutatis.languages import word_set
from mutatis.text.values import values
from mutatis.transformations.formats import ends_phrase
from mutatis.transformations.given import GROWN, other_plausible, swaps_by_folder, written_shape
from mutatis.transformations.near_names import thing_and_others
from mutatis.transformations.pieces import replaced_at
from mutatis.transformations.values import ASKED_KINDS, MEASURED_KINDS, Slot, Swap, exchanged

BEHIND_NAME = re.compile(
    r"\s*(?:[?.,!]|\Z)|\s+(?:per|by|(?:in|on|at|for|to|with|from)(?! [A-Z])|still|already|now|today|abroad|and|or"
    r"|have|has|had|be|been|cost|costs"
    r"|take|takes|run|runs|last|lasts|come|comes|include|includes|need|needs|weigh|weighs|leave|leaves|open|opens|close"
    r"|closes|start|starts|begin|begins|end|ends|stop|stops|work|works|fit|fits|cover|covers|available|valid|closed"
    r"|sung|shown|free|covered|included|disrupted|cheaper|dearer|safe|good)\b",
    re.IGNORECASE,
)
"""Text that may follow a complete name. In "the Glide mouse", the name is not complete without its noun."""

_DETERMINED = re.compile(
    r"(?P<verb>\b(?:do|does|did|can|will|may)\s+)?\b(?:an?|the|my|your|our|\d+)\s+\Z", re.IGNORECASE
)
"""The article or number before a name, and the helping verb before it: "does the " before "Basic"."""

_NOUN = re.compile(r" (?P<noun>[a-z]{3,})\b(?! (?:of|the|an?|my|your)\b)")
"""A noun right after a name, unless an article or "of" follows: " plan" after "Basic"."""

_RATE = re.compile(
    r"\b(?:per|an?|each|every|one|two|three|four|five|\d+) (?:whole |full )?(hour|night|day|week|month|year)s?\b",
    re.IGNORECASE,
)
"""A unit of time that something is counted or paid by, as its group: "per night", "two whole days"."""

_PRICE_WORDS = frozenset({"much", "cost", "costs", "price", "fee", "charge", "expensive", "get", "have"})
_SEVERAL = re.compile(r"\band\b|[.!?]\s", re.IGNORECASE)
"""Words or marks between two things or two sentences."""

_WORD = re.compile(r"[^\W\d_]+")
"""A run of letters."""

_STEM = 5


def exchanges_in(question: str, dictionary: Dictionary) -> list[Swap]:
    """Return copies of the question, each with one value or name replaced by another of the same kind.

    >>> kind = NameKind(kind="", names=(Name(text="Basic", seen=("a", "b")), Name(text="Night Saver", seen=("a", "b"))))
    >>> [swap.text for swap in exchanges_in("How much is Basic?", Dictionary(names=(kind,)))]
    ['How much is Night Saver?']
    """
    if not is_english(dictionary.language):
        return swaps_by_folder(question, dictionary.language)
    names = [*name_swaps(question, dictionary)]
    names = names or [*_listed_swaps(question, dictionary), *_label_swaps(question, dictionary)]
    return [*names, *_value_swaps(question, dictionary)]


def _swap(question: str, start: int, old: str, new: str) -> Swap:
    """Return a question with the words at an offset replaced, and with the right article before them."""
    return Swap(text=replaced_at(question, start, start + len(old), new), old=old, new=new, start=start)


def name_swaps(question: str, dictionary: Dictionary) -> Iterator[Swap]:
    """Yield copies of a question, each with one of its names replaced by another of its kind.

    Nothing replaces one of two names of a kind, or a noun in lower case that is only part of the question's subject.
    """
    present = dictionary.kinds_of(question)
    names, kinds = {name.text for _, name in present}, [kind for kind, _ in present]
    for kind, name in present:
        start = question.find(name.text)
        if start < 0 or kinds.count(kind) > 1:
            continue
        is_common_noun = name.text[0].islower()
        if is_common_noun and not _is_whole_noun(question, start, name.text):
            continue
        others = [other for other in _others_of(kind, name, dictionary) if other not in names]
        for old, new in fitting_names(question, name.text, others, dictionary):
            yield _swap(question, start, old, new)


def _others_of(kind: NameKind, name: Name, dictionary: Dictionary) -> list[str]:
    """Return the other names of a kind, or [] if users may not ask about the name itself."""
    if not may_be_asked(name, dictionary):
        return []
    return [other.text for other in kind.names if other != name and may_be_asked(other, dictionary)]


def may_be_asked(name: Name, dictionary: Dictionary) -> bool:
    """Return True if users may ask about a name: it is capitalised, listed by the tester, or in earlier questions.

    A lower-case item in a reply's list may be anything, as in "ask me about tests and prices".
    """
    asked = USER in name.seen or any(name.text in exchange.question for exchange in dictionary.exchanges)
    return name.trusted and (name.text[0].isupper() or asked)


def _is_whole_noun(question: str, start: int, noun: str) -> bool:
    """Return True if no other noun stands before a noun and no "of" behind it.

    >>> question = "When does the airport bus leave?"
    >>> _is_whole_noun(question, question.index("bus"), "bus"), _is_whole_noun("What is the price of it?", 12, "price")
    (False, False)
    """
    before = re.search(r"([\w'-]+)\s+\Z", question[:start])
    begins = not before or before[1].lower() in word_set("function_words") or before[1][0].isdigit()
    return begins and not re.match(r"\s+of\b", question[start + len(noun) :])


def _listed_swaps(question: str, dictionary: Dictionary) -> Iterator[Swap]:
    """Yield copies of a question about another common object, unless the run itself knows objects of this kind."""
    known = {name.text for kind, name in dictionary.kinds_of(question) if _others_of(kind, name, dictionary)}
    item, others = thing_and_others(question)
    if item not in known:
        yield from (_swap(question, question.find(item), item, other) for other in others)


_LABELLED = re.compile(r"\b(?P<noun>[a-z]{4,}) (?P<label>[A-Z]{1,2}\d?|\d)\b(?![.,:/-]?\d|['\u2019-]\w|\s*%)")
"""A noun with a label of one or two letters or one digit: "class B", "zone A1", "terminal 2"."""

_NUMBERED = frozenset({"category", "class", "zone", "level", "terminal", "tier", "grade", "tariff", "band"})
"""Nouns that a number may follow, as in "zone 2", unlike the verb in "arrive 5 days later"."""

_NO_LABEL = frozenset({"I", "AM", "PM", "OK", "TV", "ID", "EU", "UK", "US", "IT", "PC"})


def _labelled(text: str) -> list[re.Match[str]]:
    """Return the labelled items in a text, such as "class B", with the groups `noun` and `label`."""
    small = word_set("function_words")
    return [
        match
        for match in _LABELLED.finditer(text)
        if match["noun"] not in small and match["label"] not in _NO_LABEL
        if match["noun"] in _NUMBERED or not match["label"].isdigit()
    ]


def _label_swaps(question: str, dictionary: Dictionary) -> Iterator[Swap]:
    """Yield copies of a question with the label of its only labelled item replaced by one in the run's texts.

    >>> known = Dictionary(exchanges=(Exchange(question="Is class A2 dear?", reply="No, class A1 is dearer."),))
    >>> [swap.text for swap in _label_swaps("How much is a lesson for class B?", known)]
    ['How much is a lesson for class A1?', 'How much is a lesson for class A2?']
    >>> [*_label_swaps("Can I open it from class B to class C?", known)]
    []
    """
    in_question = _labelled(question)
    if len(in_question) != 1:
        return
    [item] = in_question
    texts = [text for exchange in dictionary.exchanges for text in (exchange.question, exchange.reply)]
    labels = {other["label"] for text in texts for other in _labelled(text) if other["noun"] == item["noun"]}
    for label in sorted(labels - {item["label"]}):
        yield _swap(question, item.start(), item.group(), f"{item['noun']} {label}")


_SLOTS: tuple[Slot, ...] = tuple(kind for kind in (*ASKED_KINDS, *MEASURED_KINDS) if kind != "product")


def _value_swaps(question: str, dictionary: Dictionary) -> Iterator[Swap]:
    """Yield copies of a question, each with the only value of a kind replaced. A weekday with a date is left alone."""
    measures = {value.measure for value in values(question)}
    for kind in _SLOTS:
        if kind in ("weekday", "date") and {"weekday", "date"} <= measures:
            continue  # "Monday, 14 November" is no day
        swap = exchanged(question, kind, generator("together", question, kind))
        if swap is not None:
            for new in _other_values(question, swap, kind, dictionary):
                yield replace(swap, text=replaced_at(question, swap.start, swap.end, new), new=new)


def _other_values(question: str, swap: Swap, kind: Slot, dictionary: Dictionary) -> list[str]:
    """Return known values in the same format that may lead to a different answer, or else a new value."""
    shape = written_shape(swap.old)
    known = [value.text for value in dictionary.values if written_shape(value.text) == shape]
    others = [text for text in known if text != swap.old and not text.isdigit()]  # a bare number may be anything's
    if others:
        return others
    years = re.search(r"\d+", swap.old) if kind == "age" else None
    if years is not None:
        return [swap.old.replace(years.group(), _other_age(question, int(years.group())))]
    if kind not in ("count", "amount", "quantity") or swap.value is None:
        return [swap.new]
    new = other_plausible(swap.value, question, values(question))
    return [new] if new else []


def _other_age(question: str, years: int) -> str:
    """Return another age that a company may treat differently. A child remains a child."""
    if years >= GROWN:
        return "8"
    if not _CHILD.search(question):
        return "40"
    return "15" if years < 10 else "4"


_CHILD = re.compile(r"\b(?:child|children|kids?|bab(?:y|ies)|toddlers?|pupils?)\b", re.IGNORECASE)
"""Words for a child."""


def fitting_names(question: str, name: str, others: Sequence[str], dictionary: Dictionary) -> Iterator[tuple[str, str]]:
    """Yield, for each other name that fits, the words to replace in a question and their replacement.

    If both names only ever occur with a noun of their own, the noun is replaced, too. If the name has a noun in the
    question, the other name must take this noun or none; a name without one must be asked about in the same way.

    >>> talk = [("Is the Nova phone dear?", "No."), ("Is the Orbit tablet dear?", "Yes.")]
    >>> known = Dictionary(exchanges=tuple(Exchange(question=q, reply=r) for q, r in talk))
    >>> list(fitting_names("How much is the Nova phone?", "Nova", ["Orbit"], known))
    [('Nova phone', 'Orbit tablet')]
    """
    start = question.find(name)
    noun, noun_as_written = _noun_behind(question, start, start + len(name))
    nouns = {each: _nouns_of(each, dictionary.exchanges) for each in (name, *others)}
    is_own_noun = nouns[name] <= {noun} and not any(noun in nouns[other] for other in others)
    for other in others:
        if not noun:
            if _may_share(nouns[name], nouns[other]) and _is_asked_alike(question, name, other, dictionary):
                yield name, other
        elif is_own_noun and noun_as_written == noun and len(nouns[other]) == 1:  # "Nova phone" by "Orbit tablet"
            [other_noun] = nouns[other]
            yield f"{name} {noun}", f"{other} {other_noun}"
        elif noun in nouns[other] or not (nouns[other] or other.islower()):  # "Nova" phone by "Orbit", not by "tablet"
            yield name, other


def _may_share(known: frozenset[str], others: frozenset[str]) -> bool:
    """Return True if two sets share an element, or if either is empty, so that nothing is known."""
    return not (known and others) or bool(known & others)


def _is_plural(noun: str) -> bool:
    """Return True if a noun in lower case is in the plural.

    >>> [_is_plural(noun) for noun in ("lamps", "bus", "Boots")]
    [True, False, False]
    """
    return noun[0].islower() and noun.endswith("s") and not noun.endswith(("ss", "us", "is"))


def _noun_behind(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the noun after a name, in the singular and as written, or "" if no noun belongs to the name.

    >>> text = "How much is the Basic plan, and when does the night bus come?"
    >>> _noun_behind(text, 16, 21), _noun_behind(text, text.index("night"), text.index(" come"))
    (('plan', 'plan'), ('', ''))
    """
    lead, noun = _DETERMINED.search(text, 0, start), _NOUN.match(text, end)
    if lead is None or noun is None or BEHIND_NAME.match(text, end) or ends_phrase(text, end):
        return "", ""
    if lead["verb"] and ends_phrase(text, noun.end()):
        return "", ""  # "does the Basic reach?"
    return re.sub(r"(?<=ss)es\Z|(?<=[xh])es\Z|(?<!s)s\Z", "", noun["noun"]), noun["noun"]


@lru_cache(maxsize=1024)
def _nouns_of(name: str, exchanges: Sequence[Exchange]) -> frozenset[str]:
    """Return the nouns that follow a name in the questions of the run."""
    pattern = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    asked = (each.question for each in exchanges if name in each.question)
    return frozenset(
        noun for text in asked for match in pattern.finditer(text) if (noun := _noun_behind(text, *match.span())[0])
    )


def _is_asked_alike(question: str, name: str, other: str, dictionary: Dictionary) -> bool:
    """Return True if a question about one item can also be asked about another.

    Both must be singular or both plural. For common nouns, earlier questions must use similar words for both.
    """
    if _is_plural(name) is not _is_plural(other):
        return False
    if not (name.islower() or other.islower()):
        return True
    ways, other_ways = (_questions_about(each, dictionary.exchanges) for each in (name, other))
    return not _stems(question.replace(name, " ", 1)) or _may_share(ways, other_ways)


@lru_cache(maxsize=1024)
def _questions_about(name: str, exchanges: Sequence[Exchange]) -> frozenset[str]:
    """Return the questions about one item, in the singular or the plural, without its name, and their content words."""
    pattern = re.compile(rf"(?<![\w-]){re.escape(name)}(?:e?s)?(?![\w-])", re.IGNORECASE)
    asked = [each.question for each in exchanges if not _SEVERAL.search(each.question)]
    others = [pattern.sub("_", question) for question in asked if pattern.search(question)]
    return frozenset([*others, *(word for text in others for word in _stems(text))])


def _stems(text: str) -> frozenset[str]:
    """Return the beginnings of the content words of a text, without names and words for a price."""
    small = word_set("function_words") | _PRICE_WORDS
    words = (word for word in _WORD.findall(_RATE.sub(" ", text[:1].lower() + text[1:])) if word.islower())
    return frozenset(word[:_STEM] for word in words if word not in small and len(word) > 2)
