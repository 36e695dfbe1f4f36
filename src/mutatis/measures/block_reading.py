"""Analyses a block of questions once: the replies without small talk, the facts in them, and their similarity.

Everything is computed from the block's own replies, as arrays over its distinct texts. A block of 64 sources has about
a thousand texts.
"""

from __future__ import annotations

import copy
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Self, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from mutatis.core.measure import QuestionReplies, ReplyBlock
from mutatis.measures.answer import LONGEST
from mutatis.measures.facts import (
    Fact,
    FactKind,
    distinct_facts,
    facts,
    is_among,
    is_named,
    masked_reply,
    names_of,
    same_fact,
    states_fact,
    without_address,
)
from mutatis.measures.payload import json_data
from mutatis.measures.seasons import Season, seasons
from mutatis.measures.small_talk import reply_parts, small_talk, without
from mutatis.text.blas import inner_products
from mutatis.text.values import Value

Embed: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]
"""A function that turns texts into unit vectors, one row per text."""

Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float32]
Numbers: TypeAlias = NDArray[np.intp]

KINDS: tuple[FactKind, ...] = get_args(FactKind)
"""The kinds of facts, in the order used by arrays with one entry per kind."""

AMOUNT = KINDS.index("amount")
"""Index of the kind of facts that state a quantity."""

NAME = KINDS.index("name")
"""Index of the kind of facts that are names, recognised by capital letters. Other words may have these, too."""

STANCE = KINDS.index("stance")
"""Index of the kind of facts that take a side: yes or no."""

RATE = KINDS.index("rate")
"""Index of the kind of facts that state the basis of an amount, as in "129 euros a night". They may be omitted."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReplyReading:
    """One reply, analysed with reference to the replies of a block.

    Attributes:
        core: the reply without small talk.
        states: which of the block's facts it states; shape (facts).
        exact: which facts it states in the fact's own unit. A bare "3" also states "3 days"; shape (facts).
        new: the facts that no reply in the block states.
        similarity: its similarity to every text of the block, ignoring numbers, days and names; shape (texts).
        number: its index among these texts, or None if it is not in the block.
    """

    core: str
    states: Bools
    exact: Bools
    new: tuple[Fact, ...]
    similarity: Floats
    number: int | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class QuestionReading:
    """The replies to one question. `members` holds the indices of the replies that should agree, with repetitions."""

    message: str
    members: Numbers

    def without(self, number: int | None) -> Numbers:
        """Return the members after removing one occurrence of a reply."""
        places = np.flatnonzero(self.members == number) if number is not None else np.zeros(0, dtype=np.intp)
        return np.delete(self.members, int(places[0])) if len(places) else self.members


class BlockReading:
    """The facts stated by the replies in a block, and the similarity of the replies to each other.

    Attributes:
        texts: the distinct replies without small talk.
        facts: the distinct facts stated in these texts.
        kinds: the kind of each fact, as its index in `KINDS`.
        states: which facts each text states, in any unit: "60 minutes" also states "1 hour". A text with a season also
            states the dates that another text gives for it; shape (texts, facts).
        exact: which of these it states in the fact's own unit; shape (texts, facts).
        similarity: similarity of each pair of texts, ignoring numbers, days and names; shape (texts, texts).
        questions: the replies to each question.
        language: the language of the replies.
    """

    def __init__(self, block: ReplyBlock, embed: Embed, language: str = "en") -> None:
        """Analyse a block. `embed` returns vectors whose inner product is large for similar texts."""
        self.language = language
        self._embed = embed
        self._serials = serial_places([[reply.text for reply in question.same] for question in block.questions])
        alone = [[self.without_serials(text) for text in texts] for texts in _asked_alone(block)]
        self._small_talk = small_talk(alone, language)
        replies = [reply for question in block.questions for reply in (*question.same, *question.others)]
        self._cores = {text: self._core(text) for text in dict.fromkeys(reply.text for reply in replies)}
        self.texts = sorted(set(self._cores.values()))
        self._numbers = {text: number for number, text in enumerate(self.texts)}
        self._names = names_of(self.texts, language)
        stated = [self.stated(text) for text in self.texts]
        distinct = list(dict.fromkeys(chain.from_iterable(stated)))
        # "3 days" and "3 stops" are both kept, although a bare "3" matches either.
        self.facts = distinct_facts(distinct, lambda fact: fact.unit)
        self.kinds = np.array([KINDS.index(fact.kind) for fact in self.facts], dtype=np.intp)
        self._season_dates = self._dates_by_season()
        self.states = self._marked(stated, self._in_any_unit(distinct)) | np.stack(
            [self._of_seasons(text) for text in self.texts]
        )
        self.exact = self._marked(stated, {fact: self._in_own_unit(fact) for fact in distinct})
        self.asked = self._asked(block)
        self._vectors = self._vectors_of(self.texts)
        self.similarity: Floats = _similarities(self._vectors, self._vectors)
        np.fill_diagonal(self.similarity, 1.0)  # a text without a word that counts ("It is.") has no direction
        self.questions = [self._question(question) for question in block.questions]

    def stated(self, text: str) -> list[Fact]:
        """Return the facts in a reply.

        Names only count if capitalised: "the theatre" is not the Mill Theatre. The user's name in "Thanks, Sarah." does
        not count.
        """
        stated, about = facts(text, self._names, self.language), without_address(text)
        return [fact for fact in stated if fact.kind != "name" or is_named(fact.key, about)]

    def _marked(self, stated: Sequence[Sequence[Fact]], masks: Mapping[Fact, Bools]) -> Bools:
        """Return, for each text, the union of the masks of the facts that it states; shape (texts, facts)."""
        marked: Bools = np.zeros((len(stated), len(self.facts)), dtype=bool)
        for row, facts_in_text in zip(marked, stated, strict=True):
            for fact in facts_in_text:
                row |= masks[fact]
        return marked

    def _in_any_unit(self, distinct: Sequence[Fact]) -> dict[Fact, Bools]:
        """Return, for each distinct fact, a mask of the block's facts that are the same.

        Equal facts in different units, such as "7 days" and "1 week", share a mask, so that the numbers 7 and 1 do not
        count as a difference. Times are not merged in this way, because "at 8" may mean 8:00 or 20:00.
        """
        masks: dict[Fact, Bools] = {
            fact: np.array([states_fact(fact, other) for other in self.facts], dtype=bool) for fact in distinct
        }
        groups: dict[int, list[Fact]] = defaultdict(list)  # by the first of the block's facts that is the same
        for fact in distinct:
            if fact.unit and fact.kind != "time":
                same = np.flatnonzero(masks[fact]).tolist()
                groups[next(number for number in same if self.facts[number].unit == fact.unit)].append(fact)
        for group in groups.values():
            united: Bools = np.any([masks[fact] for fact in group], axis=0)
            masks.update((fact, united) for fact in group)
        return masks

    def _dates_by_season(self) -> dict[Season, Bools]:
        """Return, for each season that a text states, a mask of the dates that any text gives for it."""
        masks: dict[Season, Bools] = defaultdict(lambda: np.zeros(len(self.facts), dtype=bool))
        for text in self.texts:
            for season, dates in seasons(text, self.language).items():
                masks[season] |= np.array([_is_one_of(fact, dates) for fact in self.facts], dtype=bool)
        return dict(masks)

    def _of_seasons(self, text: str) -> Bools:
        """Return a mask of the dates that the block's texts give for the seasons of this text."""
        dates: Bools = np.zeros(len(self.facts), dtype=bool)
        for season in seasons(text, self.language).keys() & self._season_dates.keys():
            dates |= self._season_dates[season]
        return dates

    def _in_own_unit(self, fact: Fact) -> Bools:
        """Return a mask of the block's facts that are equal to this one and in the same unit."""
        return np.array([fact.unit == other.unit and same_fact(fact, other) for other in self.facts], dtype=bool)

    def _vectors_of(self, texts: Sequence[str]) -> Floats:
        """Return, for each text, the normalised mean of its sentence vectors.

        The order of sentences does not matter. Each distinct sentence is embedded only once.
        """
        sentences = [
            [masked_reply(part, self._names, self.language) for part, _ in reply_parts(text)] or [text]
            for text in texts
        ]
        distinct = list(dict.fromkeys(part for listed in sentences for part in listed))
        places = {part: place for place, part in enumerate(distinct)}
        vectors = self._embed(distinct)
        means = np.stack([vectors[[places[part] for part in listed]].mean(axis=0) for listed in sentences])
        lengths = np.linalg.norm(means, axis=1, keepdims=True)
        return np.asarray(means / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)

    def _asked(self, block: ReplyBlock) -> Bools:
        """Return which facts each question itself contains; shape (questions, facts)."""
        rows = []
        for question in block.questions:
            messages = [facts(reply.message, self._names, self.language) for reply in question.same]
            said = set(chain.from_iterable(messages))
            rows.append([is_among(fact, said) for fact in self.facts])
        return np.array(rows, dtype=bool).reshape(len(rows), len(self.facts))

    def _question(self, question: QuestionReplies) -> QuestionReading:
        same = list(question.same)
        members = np.array([self._numbers[self._cores[reply.text]] for reply in same], dtype=np.intp)
        return QuestionReading(message=same[0].message if same else "", members=members)

    def as_stated(self, core: str, fact: Fact) -> Fact:
        """Return a fact as worded in this reply, or else as worded in the block."""
        return next(iter(self.stating(core, fact)), fact)

    def stating(self, core: str, fact: Fact) -> list[Fact]:
        """Return all mentions of a fact in a reply, in the reply's own words."""
        return [other for other in self.stated(core) if same_fact(fact, other)]

    def read(self, text: str) -> ReplyReading:
        """Analyse a reply, which may or may not belong to the block."""
        core = self._cores.get(text) or self._core(text)
        number = self._numbers.get(core)
        if number is not None:
            return self.reply(number)
        similarity: Floats = _similarities(self._vectors, self._vectors_of([core]))[:, 0]
        states, exact, new = np.zeros(len(self.facts), dtype=bool), np.zeros(len(self.facts), dtype=bool), []
        for fact in self.stated(core):
            same = [number for number, other in enumerate(self.facts) if states_fact(fact, other)]
            states[same] = True
            exact |= self._in_own_unit(fact)
            is_known = bool(same) or any(states_fact(other, fact) for other in self.facts)
            new += [] if is_known else [fact]
        states |= self._of_seasons(core)
        known = [dates for season, dates in seasons(core, self.language).items() if season in self._season_dates]
        new = [fact for fact in new if not any(_is_one_of(fact, dates) for dates in known)]
        return ReplyReading(core=core, states=states, exact=exact, new=tuple(new), similarity=similarity, number=None)

    def without_serials(self, text: str) -> str:
        """Return a reply without the serial numbers (such as ticket numbers) that the system adds to its replies."""
        return without_serials(text, self._serials)

    def _core(self, text: str) -> str:
        return without(self.without_serials(text), self._small_talk)

    def asked_for(self, questions: Sequence[QuestionReading]) -> Self:
        """Return a copy of this reading with the replies assigned to different questions."""
        changed = copy.copy(self)
        changed.questions = list(questions)
        return changed

    def reply(self, number: int) -> ReplyReading:
        """Return the analysis of the block's reply with this index."""
        core, states, exact = self.texts[number], self.states[number], self.exact[number]
        similarity = self.similarity[number]
        return ReplyReading(core=core, states=states, exact=exact, new=(), similarity=similarity, number=number)


def _asked_alone(block: ReplyBlock) -> list[list[str]]:
    """Return the replies to each question, leaving out replies to messages that combine questions of the block.

    If a question is combined with many others, its answer occurs in all of their replies and would look like small
    talk.
    """
    messages = [
        question.source.message.casefold().rstrip(" ?.!") if question.source is not None else ""
        for question in block.questions
    ]
    asked = []
    for place, question in enumerate(block.questions):
        different = [text for text in messages if text and text != messages[place]]
        alone = [reply for reply in question.others if not any(text in reply.message.casefold() for text in different)]
        asked.append([reply.text for reply in (*question.same, *alone)])
    return asked


def _similarities(rows: Floats, others: Floats) -> Floats:
    return inner_products(rows, others).round(4).astype(np.float32)


def _is_one_of(fact: Fact, dates: Sequence[Value]) -> bool:
    """Return True if a fact is one of these dates or months."""
    return fact.value is not None and any(
        fact.value.kind == date.measure and fact.value.value.same(date) for date in dates
    )


def nearness(first: ReplyReading, second: ReplyReading) -> float:
    """Return the similarity of two replies, ignoring numbers, days and names; 0 if neither belongs to the block."""
    if second.number is not None:
        return float(first.similarity[second.number])
    return 0.0 if first.number is None else float(second.similarity[first.number])


QUESTIONS, SHARE = 3, 0.15
"""Minimum number and minimum share of a block's questions whose replies contain serial numbers after a word."""

TEXTS = 3
"""Minimum number of different replies to a question. With fewer, all numbers may differ by chance."""

UNIQUE = 0.9
"""Minimum share of the numbers after a word that must occur in only one reply, to count as serial numbers."""

_WORD = re.compile(r"[^\W_](?:[\w.:/+-]*[^\W_])?")


def serial_places(replies: Sequence[Collection[str]]) -> frozenset[str]:
    """Return the words that precede serial numbers in the replies of a block. `replies` groups them by question.

    >>> lamp = ["Ticket 81: 20 euros.", "20 euros. Ticket 82", "Ticket 83. It costs 20 euros."]
    >>> fan, desk = ["Ticket 84: yes.", "Ticket 85", "Ticket 86. Yes."], ["Ticket 87: no", "Ticket 88", "Ticket 89"]
    >>> serial_places([lamp, fan, desk])
    frozenset({'ticket'})
    """
    held: dict[str, list[list[str]]] = defaultdict(list)
    for texts in replies:
        places: dict[str, list[str]] = defaultdict(list)
        for text in set(texts):
            for before, number in {(before, word.group()) for before, word in _numbers(text)}:
                places[before].append(number)
        for before, numbers in places.items():
            held[before].append(numbers)
    least = max(QUESTIONS, SHARE * len(replies))
    return frozenset(before for before, questions in held.items() if _is_serial(questions, least))


def _numbers(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield each word that contains a digit, together with the last word without a digit before it."""
    before = ""
    for word in _WORD.finditer(text[:LONGEST]):
        if any(map(str.isdigit, word.group())):
            yield before, word
        else:
            before = word.group().lower()


def _is_serial(questions: Sequence[Sequence[str]], least: float) -> bool:
    """Return True if the numbers after a word, listed by question, are serial numbers.

    At least `least` questions must have enough such numbers.
    """
    counts = Counter(number for numbers in questions for number in numbers)
    enough = [numbers for numbers in questions if len(numbers) >= TEXTS]
    is_unique = [counts[number] == 1 for numbers in enough for number in numbers]
    return len(enough) >= least and sum(is_unique) >= UNIQUE * len(is_unique)


def without_serials(text: str, places: Collection[str]) -> str:
    """Return a text without the numbers that follow these words. In JSON data, null replaces them.

    >>> without_serials("Ticket 81: it costs 20 euros.", {"ticket"}), without_serials('{"id":81,"n":2}', {"id"})
    ('Ticket : it costs 20 euros.', '{"id":null,"n":2}')
    """
    if not places:
        return text
    instead = "" if json_data(text) is None else "null"
    serials = {word.start() for before, word in _numbers(text) if before in places}
    return _WORD.sub(lambda word: instead if word.start() in serials else word.group(), text)
