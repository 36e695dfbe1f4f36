"""Estimates how many findings are real, from people's reviews, the judge's reliability and repeated questions.

If the judge calls two answers to the same question different, the cause is its own error or the system's randomness.
Only rates and shares are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

Figures: TypeAlias = Mapping[tuple[str, str, str], Mapping[str, Any]]
"""Figures on how many follow-ups readers found sound, as JSON data, by relation, task and language."""

NO_FIGURES: Figures = MappingProxyType({})

ENOUGH = 20
"""Minimum number of reworded repeats needed to estimate the judge's false-alarm rate on this system alone."""

WEIGHT = 100
"""Weight, in repeats, of a false-alarm rate that was measured on other systems.

The rate varies between systems (0 to 2 % for the measure `repertoire`), so a run with 100 repeats can outweigh it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """Counts of pairs of answers to identical inputs.

    Attributes:
        pairs: number of pairs.
        reworded: number of pairs with two different texts.
        differing: number of pairs that the judge calls different.
    """

    pairs: int = 0
    reworded: int = 0
    differing: int = 0

    def __add__(self, other: Noise) -> Noise:
        return Noise(
            pairs=self.pairs + other.pairs,
            reworded=self.reworded + other.reworded,
            differing=self.differing + other.differing,
        )

    @property
    def rate(self) -> float:
        """The share of all pairs that the judge calls different; 0 if `pairs` is 0."""
        return self.differing / self.pairs if self.pairs else 0.0

    def false_alarm(self, known: float | None) -> float | None:
        """Return how often the judge calls two answers different although they should mean the same.

        The argument is the rate measured on other systems, if any. Without it, the rate comes from the repeats alone,
        or is None if there are too few.

        >>> Noise(pairs=90, reworded=50, differing=10).false_alarm(None), Noise(pairs=90).false_alarm(None)
        (0.2, None)
        >>> Noise(pairs=100, reworded=100, differing=9).false_alarm(0.01), Noise().false_alarm(0.01)
        (0.05, 0.01)
        """
        if known is not None:
            return (known * WEIGHT + self.differing) / (WEIGHT + self.reworded)
        return self.differing / self.reworded if self.reworded >= ENOUGH else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """Numbers of distinct findings in one row of a report: all, those that recurred when repeated, and the others."""

    distinct: int = 0
    held: int = 0
    flaky: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """The measured reliability of a judge and of the follow-ups.

    Attributes:
        precision: how often people agree with a violation that the judge reports.
        false_alarm: how often the judge calls two answers with the same meaning different, on systems that were not
            used to develop it; None if not measured.
        unsound: among the follow-ups that readers rejected, the share that systems answer differently.
    """

    precision: float
    false_alarm: float | None = None
    unsound: float = 1.0


NO_NOISE, UNTRIED = Noise(), Confirmed()


def expected_real(
    rate: float,
    sound: float,
    trust: Trust,
    *,
    reworded: float = 1.0,
    noise: Noise = NO_NOISE,
    findings: Confirmed = UNTRIED,
) -> float:
    """Return the expected share of real findings, not counting FLAKY ones.

    The expected numbers of unsound follow-ups and of false alarms are subtracted from the findings. For example, if 3 %
    of the follow-ups are unsound and 3 % are violations, the unsound ones alone may explain all findings. If the
    judge's false-alarm rate on this system is unknown, the rest is multiplied by its precision. At least as many count
    as false alarms as repeated questions produced differences. A finding that recurred is more likely to be real.

    Args:
        rate: violation rate of the row, 0 to 1.
        sound: share of follow-ups that readers found sound.
        trust: measured reliability of the judge.
        reworded: share of the pairs in the row whose two texts differ.
        noise: results of repeating the same questions to this system.
        findings: number of findings whose questions were repeated, and how many recurred.

    >>> judge = Trust(precision=0.87)
    >>> [round(expected_real(*shares, judge), 2) for shares in ((0.5, 1.0), (0.03, 0.97), (0.5, 0.97))]
    [0.87, 0.0, 0.82]
    >>> round(expected_real(0.3, 1.0, Trust(precision=0.9), noise=Noise(pairs=100, reworded=100, differing=20)), 2)
    0.42
    """
    if rate <= 0:
        return 0.0
    unsound = min(1.0, trust.unsound * (1 - sound) / rate)
    alarm = noise.false_alarm(trust.false_alarm)
    chance = (1 - trust.precision) * (1 - unsound) if alarm is None else _share_by_chance(rate, alarm * reworded)
    chance = min(1 - unsound, max(chance, _share_by_chance(rate, noise.rate)))
    return _confirmed(1 - unsound - chance, unsound, chance, noise, alarm, findings)


def _share_by_chance(rate: float, alarm: float) -> float:
    """Return the share of violations that chance alone explains.

    It follows from rate = alarm + (1 - alarm) * faulty, because a pair may differ by chance, by a fault, or both. The
    faulty part counts as real.
    """
    return 1.0 if alarm >= rate else 1 - (rate - alarm) / ((1 - alarm) * rate)


def _confirmed(
    real: float, unsound: float, chance: float, noise: Noise, alarm: float | None, findings: Confirmed
) -> float:
    """Return the share of real findings, not counting FLAKY ones. A finding that recurred is more likely to be real.

    `real`, `unsound` and `chance` are the shares of the causes before any question was repeated.
    """
    counted = findings.distinct - findings.flaky
    if not findings.held or counted <= 0 or not noise.pairs:
        return real
    # A chance finding recurs if the system repeats its words, or if the judge is wrong about the new ones, too.
    reworded = noise.reworded / noise.pairs
    recurring = 1 - reworded + reworded * (alarm or 0.0)
    all_held = real + unsound + chance * recurring
    real_if_held = real / all_held if all_held else 0.0
    return (real_if_held * findings.held + real * (counted - findings.held)) / counted
