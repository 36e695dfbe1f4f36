"""Finds the names in a block of data, so that word edits leave them alone and product names can be swapped.

Names are the entries of the user's list (`[data] names`) and pairs of words that repeatedly occur together in the data.
A product is only swapped for another from the same list, or for one that the data put in the same category, as in "the
Max plan" and "the Basic plan".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, pairwise
from typing import TypeAlias

from mutatis.assembly.spool import Altered
from mutatis.core.cases import NAMES, PRODUCTS, Case, Turn
from mutatis.languages import listed, word_set
from mutatis.text.products import others_of, product_kinds
from mutatis.text.values import vocabulary
from mutatis.transformations.exchange import given_names
from mutatis.transformations.pieces import is_free, protected_spans

SAMPLE = 20_000
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
    bound: frozenset[tuple[str, str]]
    kinds: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, cases: Sequence[Case], said: Iterable[str]) -> BlockNames:
        """Return the names in a block, found in an evenly spread sample of its cases."""
        numbers = range(0, len(cases), max(1, -(-len(cases) // SAMPLE)))
        turns = chain.from_iterable(cases[number].turns for number in numbers)
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
            lowered = text.lower()
            for group in (self.said, *self.kinds):
                mentioned = [name for name in group if name.lower() in lowered]  # few of perhaps hundreds of names
                # Longest first, so that "Premium" is not read in "Premium plan".
                for name in sorted(mentioned, key=len, reverse=True):
                    spans = [span for span in protected_spans(text, (name,)) if is_free(*span, taken)]
                    taken += spans
                    if spans and (others := others_of(name, group)):
                        # A long list is rotated, so that different products get different replacements.
                        following = sum(other < name for other in others)
                        yield (name, *(*others[following:], *others[:following])[:OTHERS])


def with_names(cases: Sequence[Case], said: Iterable[str]) -> Sequence[Case]:
    """Return the cases of a block with their names marked. Cases stored in a file are not loaded into memory."""
    block = BlockNames.of(cases, said)
    if not block.said and not block.bound and not block.kinds:
        return cases
    if isinstance(cases, list):
        return [block.marked(case) for case in cases]
    return Altered(cases, lambda _, case: block.marked(case))


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
    """Return those of the given pairs of words that occur in a text, as they are spelt there.

    >>> standing_in("Is the Freedom card free?", {("freedom", "card")})
    ('Freedom card',)
    """
    return tuple(dict.fromkeys(spelt for spelt, pair in _neighbours(text) if pair in pairs)) if pairs else ()
