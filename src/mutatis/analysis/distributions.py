"""Tests whether a changed input makes the answers of a system vary more than they already do.

Statistical metamorphic testing (Guderlei and Mayer, "Statistical Metamorphic Testing", QSIC 2007) asks whether source
and follow-up have the same distribution of outputs, because a single pair of outputs proves nothing. Here clusters of
answers are compared, as in semantic entropy (Farquhar et al., Nature 630, 2024). Only counts and labels are used.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mutatis.analysis.intervals import discovery_levels

PERMUTATIONS = 4999
"""Number of permutations per test. The smallest p is 1 / 5000, so one significant row among 250 can be detected."""

LEVEL = 0.05
"""The false discovery rate among the rows marked as significant."""

LEFT_OUT = -1
"""Label of an answer that belongs to no cluster."""

TIE = 1e-5
"""Tolerance for comparing sums in single precision, whose rounding depends on the order of the terms."""


def entropy(counts: Sequence[int]) -> float:
    """Return the entropy of cluster sizes in nats (discrete semantic entropy, Farquhar et al. 2024).

    >>> entropy([8]), round(entropy([4, 4]), 4)
    (0.0, 0.6931)
    """
    total = sum(counts)
    return sum(-count / total * math.log(count / total) for count in counts if count) + 0.0


def pass_hat(passing: int, draws: int) -> list[float]:
    """Return pass^k for k from 1 to `draws`: the probability that k answers drawn without replacement all pass.

    This is C(passing, k) / C(draws, k), the unbiased estimate from tau-bench (Yao et al. 2024, section 4).

    >>> [round(share, 3) for share in pass_hat(3, 4)]
    [0.75, 0.5, 0.25, 0.0]
    """
    return [math.comb(passing, k) / math.comb(draws, k) for k in range(1, draws + 1)]


class PermutationTest:
    """A permutation test of whether follow-ups get different answers from their sources, pooled over all sources.

    The statistic compares how the answers to a source and to each of its follow-ups are distributed over clusters, and
    sums the squared distances. If an edit makes no difference, the answers to a source and its follow-ups are
    exchangeable, so they are permuted within each source. p is the share of permutations whose statistic is at least as
    large as the observed one; the original order counts as one permutation.

    All turns of a dialogue are permuted in the same way, because their answers come from the same conversations. Memory
    use does not grow with the number of sources.
    """

    def __init__(self) -> None:
        self.sources = 0
        self._observed = 0.0
        self._permuted: NDArray[np.float64] = np.zeros(PERMUTATIONS)

    def add(self, source: Sequence[int], follow_ups: Sequence[Sequence[int]], seed: str) -> None:
        """Add the cluster labels of the answers to one source and to each of its follow-ups.

        An answer labelled `LEFT_OUT` belongs to no cluster. The same `seed` and number of answers always give the same
        permutations.
        """
        labels = np.concatenate([np.asarray(group, dtype=np.intp) for group in (source, *follow_ups)])
        self.sources += 1
        clusters = np.unique(labels[labels != LEFT_OUT])
        if len(clusters) < 2:
            return  # whatever the order, nothing differs
        is_in = (labels[:, None] == clusters).astype(np.float32)
        ends = np.cumsum([len(group) for group in (source, *follow_ups)]).tolist()
        self._observed += float(_distances(is_in, np.arange(len(labels))[None, :], ends)[0])
        self._permuted += _distances(is_in, _permutations(seed, len(labels)), ends)

    @property
    def p(self) -> float | None:
        """The probability of a difference this large if edits have no effect; None without sources.

        It is at least 1 / 5000, because the original order counts as a permutation.
        """
        if not self.sources:
            return None
        return float((1 + (self._permuted >= self._observed - TIE).sum()) / (1 + PERMUTATIONS))


@lru_cache(maxsize=4)
def _permutations(seed: str, number: int) -> NDArray[np.int64]:
    """Return random permutations of answers: the new position of each answer, shape (permutations, answers).

    The permutations depend only on the seed and the number of answers, so all relations tested on a source share them.
    """
    digest = hashlib.blake2b(seed.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    chance = np.random.default_rng(int.from_bytes(digest, "big"))
    return chance.permuted(np.tile(np.arange(number), (PERMUTATIONS, 1)), axis=1)


def _distances(is_in: NDArray[np.float32], places: NDArray[np.int64], ends: Sequence[int]) -> NDArray[np.float64]:
    """Return the test statistic of one source for each permutation of its answers.

    `is_in` marks the cluster of each answer, shape (answers, clusters). `places` holds the new position of each answer,
    shape (permutations, answers). `ends` holds the end of each group of answers, with the source's group first.
    """
    total = np.zeros(len(places))
    shares = known = None
    for start, end in zip([0, *ends], ends, strict=False):
        counts = ((places >= start) & (places < end)).astype(np.float32) @ is_in
        number = counts.sum(axis=1, keepdims=True)
        frequencies = counts / np.maximum(number, 1)
        if shares is None or known is None:
            shares, known = frequencies, number > 0
        else:
            total += (((frequencies - shares) ** 2) * (known & (number > 0))).sum(axis=1, dtype=np.float64)
    return total


def significant(p_values: Sequence[float]) -> list[bool]:
    """Return for each p-value whether its test is significant (Benjamini and Hochberg 1995, at `LEVEL`).

    >>> significant([0.001, 0.04, 0.9]), significant([])
    ([True, False, False], [])
    """
    return [p <= LEVEL for p in discovery_levels(p_values)]
