"""Estimates how many findings of a row are real: from readings, from the judge, and from the system itself.

Repeats ask the same question. If the judge calls some of the answers different, that is its false alarm on this system,
or the system's own randomness. Only rates and shares are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

Figures: TypeAlias = Mapping[tuple[str, str, str], Mapping[str, Any]]
"""How sound follow-ups were found, as JSON data, by relation, task and language."""

NO_FIGURES: Figures = MappingProxyType({})

ENOUGH = 20
"""Minimum number of reworded repeats for their rate of false alarms to count alone, without that of other systems."""

WEIGHT = 100
"""Weight, in repeats, of a rate of false alarms measured on other systems.

On the systems used to test the measure `repertoire` it ranges from 0 to 2 %, so it is weak evidence for the next one:
the noise floor of a run (100 sources) may outweigh it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """Pairs of answers to identical inputs.

    Attributes:
        pairs: the number of pairs.
        reworded: how many pairs consist of two different texts.
        differing: how many pairs the judge calls different.
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
        """The share of all pairs that differ; 0 if there are no pairs."""
        return self.differing / self.pairs if self.pairs else 0.0

    def false_alarm(self, known: float | None) -> float | None:
        """Return how often two answers that should have the same meaning are called different.

        `known` was measured on other systems. Without it, the repeats give the rate, or None if there are too few.

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
    """Findings of a row: all findings, those that recurred when asked again, and those that did not."""

    distinct: int = 0
    held: int = 0
    flaky: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """Measured reliability of a judge and of the readings.

    Attributes:
        precision: how often people agree with a violation that it reports.
        false_alarm: how often it calls two answers with the same meaning different, on systems that were
            not used to develop it; None if not measured.
        unsound: the share of the follow-ups rejected by readers that systems then answer differently.
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
    """Return the expected share of real findings among those that count, which excludes FLAKY ones.

    A product of shares would ignore how rare violations are: if 3 % of the follow-ups are unsound and 3 % violate, a
    system that is always right explains every finding. Unsound follow-ups and false alarms therefore count as their
    expected number of false findings. If the judge's rate of false alarms on this system is unknown, it is right about
    its share of the rest. The share is never higher than the noise allows: as many pairs differ by chance here as in
    repeated answers. A finding that recurred when asked again is more likely to be real, since chance would have had to
    repeat itself.

    Args:
        rate: violation rate of the row, 0 to 1.
        sound: share of sound follow-ups, as read.
        trust: measured reliability of the judge.
        reworded: share of the row's pairs that consist of two different texts.
        noise: results of asking the same again on this system.
        findings: how many were asked again.

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
    chance = (1 - trust.precision) * (1 - unsound) if alarm is None else _by_chance(rate, alarm * reworded)
    chance = min(1 - unsound, max(chance, _by_chance(rate, noise.rate)))
    return _confirmed(1 - unsound - chance, unsound, chance, noise, alarm, findings)


def _by_chance(rate: float, alarm: float) -> float:
    """Return the share of the violations caused by chance alone. A pair may differ both by chance and by a fault.

    rate = alarm + (1 - alarm) * faulty, and the faulty part counts as real.
    """
    return 1.0 if alarm >= rate else 1 - (rate - alarm) / ((1 - alarm) * rate)


def _confirmed(
    real: float, unsound: float, chance: float, noise: Noise, alarm: float | None, findings: Confirmed
) -> float:
    """Return the share of real findings among those that count. Those that recurred are more likely to be real."""
    counted = findings.distinct - findings.flaky
    if not findings.held or counted <= 0 or not noise.pairs:
        return real
    # Where the system says the same again, so does the judge: only what is worded anew may not be there again.
    anew = noise.reworded / noise.pairs
    again = 1 - anew + anew * (alarm or 0.0)
    among_held = real + unsound + chance * again
    held = real / among_held if among_held else 0.0
    return (held * findings.held + real * (counted - findings.held)) / counted
