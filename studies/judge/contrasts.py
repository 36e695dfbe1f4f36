"""Prints how the judge takes one word in another's place, by models that saw no class of the same part.

Used by `evaluate.py --contrast`. Test pairs: `substitutions.py`; the control is a synonym in a word's place.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from fitting import Bools, Floats, Table, fit, tabulate, without
from substitutions import FOLDS, Substitution, own_synonyms, part_of, substitutions, synonyms
from train import CAUTION, THRESHOLD, class_folds, tables

from mutatis.measures import contrast

_LISTED = "the package's own list"
_GROUPS = (
    ("names of persons and places by type", ("name",)),
    ("numbers, ordinals, digits", ("number-word", "ordinal", "digits")),
    ("WordNet antonyms", ("antonym-",)),
    ("WordNet co-hyponyms", ("noun.", "verb.", "adj.")),
)


def _group(kind: str) -> str:
    return next((name for name, starts in _GROUPS if kind.startswith(starts)), _LISTED)


@contextmanager
def _taken_out(part: int) -> Iterator[None]:
    """Let the package's list lack the classes of a part."""
    whole = contrast.classes()
    left = {
        word: kept
        for word, places in whole.items()
        if (kept := tuple(place for place in places if place[0].startswith("alike") or part_of(place[0]) != part))
    }
    original, contrast.classes = contrast.classes, lambda: left  # type: ignore[assignment]
    try:
        yield
    finally:
        contrast.classes = original


def _test_table(replaced: list[Substitution], *, directed: bool, semantic: bool) -> Table:
    pairs = [
        replace(substitution.pair, comparison=replace(substitution.pair.comparison, directed=directed))
        for substitution in replaced
    ]
    parts = np.array([substitution.fold for substitution in replaced])
    return tabulate(pairs, parts, directed=directed, semantic=semantic, parts=parts)


class Contrasts:
    """The test pairs of one use, with the package's list as it is, and without the classes of each pair's part."""

    def __init__(self, *, directed: bool, embedded: bool) -> None:
        self.directed = directed
        self.embedded = embedded
        self.replaced = [*substitutions(), *synonyms(), *own_synonyms()]
        self.parts = np.array([substitution.fold for substitution in self.replaced])
        self.known = _test_table(self.replaced, directed=directed, semantic=embedded)
        self.unlisted: dict[int, Table] = {}
        for part in range(FOLDS):
            with _taken_out(part):
                here = [substitution for substitution in self.replaced if substitution.fold == part]
                self.unlisted[part] = _test_table(here, directed=directed, semantic=embedded)

    def scores(self, *, semantic: bool, leave: tuple[str, ...] = ()) -> tuple[Floats, Floats]:
        """Return the scores of all pairs with the list, and without the classes of each pair's part."""
        table, _ = tables(directed=self.directed, semantic=self.embedded, embedded=self.embedded)
        classes = class_folds(directed=self.directed)
        caution = CAUTION["directed" if self.directed else "symmetric", semantic]
        listed, unlisted = np.full((2, len(self.replaced)), np.nan)
        for part in range(FOLDS):
            here = self.parts == part
            fitted = fit(without(table, semantic, leave), classes != part, caution=caution)
            listed[here] = fitted.scores(without(self.known, semantic, leave), here)
            apart = without(self.unlisted[part], semantic, leave)
            unlisted[here] = fitted.scores(apart, np.ones(len(apart.same), dtype=bool))
        return listed, unlisted

    def report(self, name: str, *, semantic: bool, leave: tuple[str, ...] = ()) -> None:
        """Print the shares that are judged the same."""
        listed, unlisted = self.scores(semantic=semantic, leave=leave)
        same = self.known.same
        kinds = np.array([substitution.kind for substitution in self.replaced])
        groups = np.array([_group(kind) for kind in kinds])
        use = "directed" if self.directed else "symmetric"
        print(f"\n## {name}, {use}: {int((~same).sum())} substitutions of {len(set(kinds[~same]))} classes")
        print("  judged the same        with the list  without its classes")
        rows = [("classes never trained on, all", ~same)]
        rows += [(group, ~same & (groups == group)) for group in (_LISTED, *(name for name, _ in _GROUPS))]
        rows += [("control, WordNet synonyms", kinds == "synonym"), ("control, our synonyms", kinds == "synonym-own")]
        for title, here in rows:
            if here.any():
                print(
                    f"  {title:38s} {_share(listed, here)}  {_share(unlisted, here)}  of {int(here.sum())}", flush=True
                )
        worst = sorted(set(kinds[~same]), key=lambda kind: -((listed >= THRESHOLD) & (kinds == kind)).sum())[:40]
        told = [f"{kind} {_share(listed, kinds == kind)} of {(kinds == kind).sum()}" for kind in worst]
        print(f"  most: {', '.join(told)}", flush=True)


def _share(scores: Floats, here: Bools) -> str:
    return f"{(scores[here] >= THRESHOLD).mean():.1%}"
