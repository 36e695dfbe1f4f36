"""The understanding of a message: typing slips, inflections, numbers, dates, synonyms, small talk.

A world has a lexicon (concept -> words and phrases), names (kind -> name -> spellings) and intents (rules over
concepts); a `Reader` turns a message into a `Reading`. Nothing is random, nothing but the message is looked at.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from .plain_text import (
    DAYS,
    FREQUENT,
    MONTHS,
    MULTIPLES,
    NUMBERS,
    SHORT_DAYS,
    SMALL_MONTHS,
    calendar,
    plain,
    sentences,
    split,
    stem,
    take_numbers,
    without_slips,
)
from .slips import distance, likely, limit, one_key_off

# Common English words, so that none of them is taken for a slip in another word.
COMMON = frozenset((Path(__file__).parent / "common_words.txt").read_text(encoding="utf-8").split())
SMALL_TALK = {"thanks", "bye", "wellbeing", "greeting", "polite"}
# Understood by every bot: courtesies, and questions that have nothing to do with it.
OF_ALL = """
    trivia: week_have comes_after sun moon spider bees grass season in_an_hour rainbow
    thanks: thank thanks cheers appreciated
    bye: bye goodbye see_you
    wellbeing: how_are_you how_you_are
    polite: hope_you much_appreciated in_advance
    greeting: hello hi hey good_morning good_afternoon good_evening
"""
FIRST_RULES = "trivia: trivia"
LAST_RULES = """
    wellbeing: wellbeing
    bye: bye -OTHER
    thanks: thanks -OTHER
    greeting: greeting -OTHER
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A message as a bot understood it.

    Attributes:
        words: the words after correction, in lower case.
        concepts: concepts of the lexicon that were named, the kinds of names, "NUMBER", "DAY", "DATE", "TIME", and the
            days themselves, as "Sunday"; "OTHER" if a sentence is more than a courtesy.
        intent: the first intent with a rule that fits; None without one.
        names: names by kind, in the order of their mention, each once.
        misspelt: names of `names` that do not stand in the message as they are written.
        numbers: plain numbers, each once, in order; ages, dates and times are none.
        days: weekdays, "today", "tomorrow".
        dates: as "3 May".
        times: as "14:00".
    """

    words: tuple[str, ...]
    concepts: frozenset[str]
    intent: str | None
    names: Mapping[str, tuple[str, ...]]
    misspelt: frozenset[str]
    numbers: tuple[float, ...]
    days: tuple[str, ...]
    dates: tuple[str, ...]
    times: tuple[str, ...]

    def name(self, kind: str) -> str | None:
        """Return the first name of a kind, None if none was mentioned."""
        return next(iter(self.names.get(kind, ())), None)

    def of_nothing(self) -> "Reading":
        """Return what there is to understand of an empty message."""
        empty = dict.fromkeys(("words", "numbers", "days", "dates", "times"), ())
        return replace(self, concepts=frozenset(), intent=None, names={}, misspelt=frozenset(), **empty)


class Reader:
    """Reads messages with the words, names and intents of one bot."""

    def __init__(self, lexicon: str, names: Mapping[str, Mapping[str, str]], intents: str) -> None:
        """Make a reader.

        Args:
            lexicon: lines of a concept and its words; a phrase is written with underscores.
            names: for each kind of name the names, each with its spellings.
            intents: lines of an intent and its rules, separated by ";". A rule is concepts that must all be named
                ("a|b": one of them, "-a": not this one). The first rule that fits decides.
        """
        self._phrases: dict[tuple[str, ...], set[str]] = {}
        self._names: dict[tuple[str, ...], tuple[str, str]] = {}
        forms: set[str] = set()
        for concept, spellings in _lines(lexicon + OF_ALL):
            for phrase in spellings.split():
                words = re.split("[_-]", phrase)
                forms.update(form for word in words for form in _forms(word))
                self._phrases.setdefault(tuple(map(stem, words)), set()).add(concept)
        for kind, entries in names.items():
            for name, spellings in entries.items():
                for phrase in spellings.split():
                    words = re.split("[_-]", phrase)
                    forms.update(words)
                    self._names[tuple(map(stem, words))] = (kind, name)
        self._longest = max(map(len, [*self._phrases, *self._names]))
        rules = [*_lines(FIRST_RULES), *_lines(intents), *_lines(LAST_RULES)]
        self._rules = [(intent, rule.split()) for intent, alternatives in rules for rule in alternatives.split(";")]
        calendar = {word.lower() for word in (*DAYS, *MONTHS, *NUMBERS, *MULTIPLES, "today", "tomorrow", *SHORT_DAYS)}
        self._own = frozenset(forms | calendar)
        self._known = frozenset(self._own | COMMON | FREQUENT)
        self._known_stems = frozenset(map(stem, self._known))
        self.correct = lru_cache(maxsize=20_000)(self._correct)
        self.read = lru_cache(maxsize=20_000)(self._read)

    def _read(self, text: str) -> Reading:
        clean = without_slips(text)
        words = list(self._joined(self._corrected(split(clean))))
        words = [word for before, word in zip(["", *words], words, strict=False) if word != before]
        words, days, dates, times = calendar(words)
        numbers, words = take_numbers(words)
        concepts, names = self._concepts(words)
        if any(not self._concepts(self._corrected(split(part)))[0] & SMALL_TALK for part in sentences(clean)):
            concepts.add("OTHER")
        concepts.update(days)
        for kind, values in (("NUMBER", numbers), ("DAY", days), ("DATE", dates), ("TIME", times)):
            if values:
                concepts.add(kind)
        as_written = " ".join(split(plain(text)))
        return Reading(
            words=tuple(words),
            concepts=frozenset(concepts),
            intent=self._intent(concepts),
            names={kind: tuple(spellings) for kind, spellings in names.items()},
            misspelt=frozenset(
                name
                for spellings in names.values()
                for name, spelling in spellings.items()
                if f" {spelling} " not in f" {as_written} "
            ),
            numbers=tuple(dict.fromkeys(numbers)),
            days=tuple(dict.fromkeys(days)),
            dates=tuple(dict.fromkeys(dates)),
            times=tuple(dict.fromkeys(times)),
        )

    def _concepts(self, words: list[str]) -> tuple[set[str], dict[str, dict[str, str]]]:
        """Return the concepts in a message, and its names by kind, each with the words that stood for it."""
        stems = [stem(word) for word in words]
        concepts: set[str] = set()
        names: dict[str, dict[str, str]] = {}
        taken: set[int] = set()
        for length in range(min(self._longest, len(stems)), 0, -1):
            for start in range(len(stems) - length + 1):
                phrase = tuple(stems[start : start + length])
                span = set(range(start, start + length))
                concepts |= self._phrases.get(phrase, set())
                if phrase in self._names and not span & taken:
                    taken |= span
                    kind, name = self._names[phrase]
                    concepts.add(kind)
                    names.setdefault(kind, {}).setdefault(name, " ".join(words[start : start + length]))
        order = {
            name: " ".join(words).find(spelling) for spellings in names.values() for name, spelling in spellings.items()
        }
        return concepts, {
            kind: dict(sorted(spellings.items(), key=lambda item: order[item[0]])) for kind, spellings in names.items()
        }

    def _intent(self, concepts: set[str]) -> str | None:
        """Return the first intent with a rule that fits."""
        for intent, rule in self._rules:
            if all((part[1:] not in concepts) if part[0] == "-" else concepts & {*part.split("|")} for part in rule):
                return intent
        return None

    def _corrected(self, words: list[str]) -> list[str]:
        """Return the words that were meant; after a number, which may begin a date or time, months, am and pm first."""
        corrected = []
        for before, word in zip(["", *words], words, strict=False):
            near = []
            if re.fullmatch(r"[0-3]?\d(?:st|nd|rd|th)?", before) and word.isalpha():
                near = [(0.6, half) for half in ("am", "pm") if len(word) == 2 and one_key_off(word, half)]
                near += [(distance(word, month), month) for month in SMALL_MONTHS if word not in self._known]
            cost, meant = min(near, default=(9.0, ""))
            corrected.append(meant if cost <= limit(word) else self.correct(word))
        return corrected

    def _joined(self, words: list[str]) -> Iterator[str]:
        """Put together what a stray blank has cut: "sto ck"."""
        position = 0
        while position < len(words):
            pair = "".join(words[position : position + 2])
            cut = (
                position + 1 < len(words) and pair in self._own and not {*words[position : position + 2]} <= self._known
            )
            yield pair if cut else words[position]
            position += 2 if cut else 1

    def _correct(self, word: str) -> str:
        """Return the word that was meant: itself if it is known, else the nearest one that is near enough."""
        if word[0].isdigit() or word in self._known or stem(word) in self._known_stems or len(word) < 3:
            return word
        near = (
            (distance(word, other), other) for other in self._known if likely(word, other) and other not in SHORT_DAYS
        )
        ranked = ((cost + 0.05 * (other not in self._own) - 0.15 * (other in FREQUENT), other) for cost, other in near)
        cost, nearest = min(ranked, default=(9.0, ""))
        return nearest if cost <= limit(word) else word


def _lines(table: str) -> Iterator[tuple[str, str]]:
    """Return the lines "name: text" of a table."""
    for line in table.strip().splitlines():
        name, _, text = line.partition(":")
        yield name.strip(), text.strip()


def _forms(word: str) -> Iterable[str]:
    short = word.removesuffix("e")
    return (word, word + "s", short + "ed", short + "ing") if len(word) > 3 else (word,)
