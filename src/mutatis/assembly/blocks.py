"""Finds the language of each case in a block of data, and the names that word edits must leave alone.

A case that is clearly in a language other than the rest of the block keeps its own. Short texts take the language of
the block. Names are the entries of the user's list (`[data] names`) and pairs of words that repeatedly occur together
in the data. A product is only swapped for another from the same list, or for one that the data put in the same
category, as in "the Max plan" and "the Basic plan".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, pairwise
from typing import TypeAlias

from mutatis.assembly.spool import Spool
from mutatis.core.cases import NAMES, PRODUCTS, Case, Turn
from mutatis.core.languages import SEVERAL, UNKNOWN, language_name
from mutatis.languages import given_names, listed, word_set
from mutatis.text.languages import commonest, is_no_language, language
from mutatis.text.products import others_of, product_kinds
from mutatis.text.values import vocabulary
from mutatis.transformations.pieces import is_free, protected_spans

SAMPLE = 400
"""Number of cases, spread evenly over a block of data, that are used to detect the language of the block."""

MOST = 2 / 3
"""Minimum share of a language among the cases with a clear language, for it to be the language of the block."""

SENTENCE = 8
"""Minimum number of words for a text to get its own language; a shorter one may be a foreign name or title."""

TINY = 60
"""Minimum number of characters in a block for its language to be detected.

A shorter block is typically a first try. It counts as English unless it clearly is in a different language.
"""

_FOREIGN_LETTER = re.compile(r"[^\W\d_\x00-\x7f]")
_ENDED = re.compile(r"[?!\u3002\uff1f\uff01][\"'\u201d\u300d)]*\s*\Z")
"""Matches the end of a question or exclamation, with closing quotes or brackets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockLanguage:
    """The most common language of a block of data, used for all cases that are not clearly in a different one."""

    usual: str
    note: str = ""

    @classmethod
    def of(cls, cases: Sequence[Case]) -> BlockLanguage:
        """Return the language of most cases in an evenly spaced sample of a block, or `UNKNOWN` if it is unclear.

        `note` reports the detected language, unless it is clearly English.
        """
        sampled = (cases[number] for number in evenly_spread(cases, SAMPLE))
        sample = [case for case in sampled if not case.language]
        if not sample:
            return cls(usual=UNKNOWN)
        texts = [" \n".join(_texts(case)) for case in sample]
        code, share = commonest(texts)
        if code == "en" and share >= MOST:
            return cls(usual=code)
        about = f"language of {sample[0].id.partition('/')[0]}"
        remedy = 'name it: [data] language = "...", or mutatis.cases(..., language="...")'
        if share >= MOST:
            return cls(usual=code, note=f"{about}: {language_name(code)}; if that is wrong, {remedy}")
        is_tiny = sum(map(len, texts)) < TINY and not any(map(_FOREIGN_LETTER.search, texts))
        has_words = not is_no_language(texts)  # "Ok.", but not "4711 / 0815"
        if not code and is_tiny and has_words:
            why = "too little text to recognise, so English is assumed; if that is wrong"
            return cls(usual="en", note=f"{about}: {why}, {remedy}")
        which = f"several, most often {language_name(code)}" if code else "not recognised"
        effect = "a case whose language is not clear is tested by relations for every language"
        return cls(usual=UNKNOWN, note=f"{about}: {which}; {effect}; {remedy}")

    def spoken(self, case: Case) -> Case:
        """Return the case with its language set. The language is detected if the case does not state it."""
        return case if case.language else replace(case, language=self._language(case))

    def _language(self, case: Case) -> str:
        weights: Counter[str] = Counter()
        whole: set[str] = set()
        for text in _texts(case):
            if code := language(text, self.usual):
                words = len(text.split())
                weights[code] += max(words, len(text) // SENTENCE)  # scripts without spaces are measured by characters
                if words >= SENTENCE or _ENDED.search(text):
                    whole.add(code)
        if len(whole) > 1:
            return SEVERAL
        return weights.most_common(1)[0][0] if weights else self.usual


def evenly_spread(cases: Sequence[Case], most: int) -> range:
    """Return the numbers of at most `most` cases, spread evenly over a block.

    >>> list(evenly_spread(range(10), 4))
    [0, 3, 6, 9]
    """
    return range(0, len(cases), max(1, -(-len(cases) // most)))


def _texts(case: Case) -> Iterator[str]:
    """Yield the questions of a case, turn by turn, without the accompanying material, which is never edited."""
    for turn in case.turns:
        yield from turn.fields.values()


SEARCHED = 20_000
"""Number of cases, spread evenly over a block of data, that are searched for names."""

OTHERS = 24
"""Maximum number of replacements stored for a product, in every turn that mentions the product."""

_CALENDAR = tuple(name.lower() for name in (*vocabulary().weekdays, *vocabulary().months))


@cache
def _no_products() -> frozenset[str]:
    """Return lower-case words that cannot be product names: days, places, people's names and function words."""
    people = (name.lower() for names in given_names() for name in names)
    places = (word.lower() for rows in ("places", "nations") for row in listed(rows) for word in row.split())
    return frozenset({*word_set("function_words"), *people, *places, *_CALENDAR})


@dataclass(frozen=True, slots=True)
class BlockNames:
    """The names in a block of data.

    `said` holds the names that the user listed, `bound` the pairs of words that nearly always occur together, and
    `kinds` the products of each category.
    """

    said: tuple[str, ...]
    bound: frozenset[WordPair]
    kinds: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, cases: Sequence[Case], said: Iterable[str]) -> BlockNames:
        """Return the names in a block, found in an evenly spread sample of its cases."""
        turns = chain.from_iterable(cases[number].turns for number in evenly_spread(cases, SEARCHED))
        texts = list(dict.fromkeys(chain.from_iterable(turn.fields.values() for turn in turns)))
        return cls(
            tuple(name for name in said if name.strip()),
            collocations(texts, word_set("function_words")),
            product_kinds(texts, _no_products()),
        )

    def marked(self, case: Case) -> Case:
        """Return the case with the names in each turn marked, so that edits can leave them alone."""
        turns: list[Turn] = []
        for turn in case.turns:
            turns.append(self._marked(turn, turns))
        return case if tuple(turns) == case.turns else replace(case, turns=tuple(turns))

    def _marked(self, turn: Turn, earlier: Sequence[Turn]) -> Turn:
        """Return a turn with its names and products marked. Products of earlier turns do not replace others."""
        names: list[str] = []
        for text in turn.fields.values():
            names += standing_in(text, self.bound)
            names += [text[start:end] for start, end in protected_spans(text, self.said)]
        # Nobody asks for a product that the dialogue has already been about.
        before = {name for turn_before in earlier for name, *_ in turn_before.annotations.get(PRODUCTS, ())}
        products = []
        for product, *others in self._products(turn):
            products.append((product, *(other for other in others if other not in before)))
        marks = {NAMES: tuple(dict.fromkeys(names)), PRODUCTS: tuple(products)}
        annotations = {**turn.annotations, **{kind: marked for kind, marked in marks.items() if marked}}
        return replace(turn, annotations=annotations) if names or products else turn

    def _products(self, turn: Turn) -> Iterator[tuple[str, ...]]:
        """Yield the products that a turn mentions, each followed by its possible replacements."""
        for text in turn.fields.values():
            taken: list[tuple[int, int]] = []
            for group in (self.said, *self.kinds):
                for name in _mentioned(group, text):
                    spans = [span for span in protected_spans(text, (name,)) if is_free(*span, taken)]
                    taken += spans
                    if spans and (others := others_of(name, group)):
                        # A long list is rotated, so that different products get different replacements.
                        following = sum(other < name for other in others)
                        yield (name, *(*others[following:], *others[:following])[:OTHERS])


def _mentioned(names: Iterable[str], text: str) -> list[str]:
    """Return the names that a text mentions, longest first, so that "Premium" is not read in "Premium plan"."""
    lowered = text.lower()
    return sorted((name for name in names if name.lower() in lowered), key=len, reverse=True)


def with_languages_and_names(cases: Sequence[Case], said: Iterable[str], notes: list[str]) -> Sequence[Case]:
    """Return the cases of a block with their languages set and their names marked.

    `said` holds the names that the user listed. If the cases are stored in a file, the result is stored in a new file.
    If the detected language is not English, a note on it is added to `notes`.
    """
    if not cases:
        return cases
    block, names = BlockLanguage.of(cases), BlockNames.of(cases, said)
    notes += [block.note] if block.note else []
    completed_cases = (names.marked(block.spoken(case)) for case in cases)
    return Spool(completed_cases) if isinstance(cases, Spool) else list(completed_cases)


LEAST = 3
"""Minimum number of distinct texts that must contain two words side by side for these to count as a name."""

BOUND = 0.8
"""Minimum share of the texts with the rarer word that must also have the other word next to it."""

_WORD = re.compile(r"[^\W\d_]{2,}(?:['\u2019-][^\W\d_]+)*")
"""Matches a word of at least two letters, which may contain apostrophes and hyphens."""


WordPair: TypeAlias = tuple[str, str]
"""Two words that stand side by side, in lower case."""


def _neighbours(text: str) -> Iterator[tuple[str, WordPair]]:
    """Yield each two words with only a blank between them: as they are spelt, and as a pair."""
    for first, second in pairwise(_WORD.finditer(text)):
        if text[first.end() : second.start()] == " ":
            yield text[first.start() : second.end()], (first.group().casefold(), second.group().casefold())


def collocations(texts: Iterable[str], common: Set[str]) -> frozenset[WordPair]:
    """Return the pairs of words that are often adjacent and rarely apart, such as "freedom card".

    Args:
        texts: the texts to search. Repeated texts count once.
        common: words that are not part of any name, in lower case (articles, prepositions, everyday verbs).

    >>> said = ["my freedom card is lost", "block the freedom card", "a freedom card please", "the card", "a lost card"]
    >>> collocations(said, {"my", "is", "the", "a"})
    frozenset({('freedom', 'card')})
    """
    singles: Counter[str] = Counter()
    doubles: Counter[WordPair] = Counter()
    for text in dict.fromkeys(texts):
        singles.update({match.group().casefold() for match in _WORD.finditer(text)})
        doubles.update({pair for _, pair in _neighbours(text) if common.isdisjoint(pair)})
    return frozenset(
        pair
        for pair, number in doubles.items()
        if number >= LEAST and number >= BOUND * min(singles[word] for word in pair)
    )


def standing_in(text: str, pairs: Collection[WordPair]) -> tuple[str, ...]:
    """Return the given pairs of words that occur in a text, as they are spelt there.

    >>> standing_in("Is the Freedom card free?", {("freedom", "card")})
    ('Freedom card',)
    """
    return tuple(dict.fromkeys(spelt for spelt, pair in _neighbours(text) if pair in pairs)) if pairs else ()
