"""How many findings of a row are expected to be real: from readings, from the judge, and from the system itself.

Repeats of one question are the same question: what the judge calls different among them is its false alarm on this
system, or the system's own chance. Knows rates and shares alone.
"""

from __future__ import annotations

from dataclasses import dataclass

ENOUGH = 20
"""Repeats in other words from which their rate of false alarms is taken for itself, where no other one is known."""

WEIGHT = 100
"""Repeats that a rate of false alarms measured on other systems counts for.

Between the systems that the measure `repertoire` was tried on it lies from 0 to 2 %, so it says little of the next one:
the noise floor of a run (100 sources) may outweigh it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """Pairs of answers to one and the same input.

    Attributes:
        pairs: how many there are.
        reworded: how many of them are of two texts.
        differing: how many of them the judge calls different.
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
        """The share of all pairs that differ; 0 where there are none."""
        return self.differing / self.pairs if self.pairs else 0.0

    def false_alarm(self, known: float | None) -> float | None:
        """Return how often two answers that should be the same in other words are called different.

        `known` was measured on other systems, None where nobody did; then enough repeats say it, or nobody knows.

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
    """Findings of a row: all of them, those that were there again when asked again, and those that were not."""

    distinct: int = 0
    held: int = 0
    flaky: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """What is known of a judge and of the readings beside it.

    Attributes:
        precision: how often people agree where it reports a violation.
        false_alarm: how often it calls two answers different that say the same in other words, on systems that it was
            not made on; None where nobody measured that.
        unsound: the share of the follow-ups that readers do not accept which systems then answer otherwise.
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
    """Return the expected share of real ones among the findings that count: those that were not FLAKY.

    Not a product of shares, which would forget how rare violations are: where 3 % of the follow-ups are unsound and 3 %
    violate, a system that is always right explains every finding. So unsound follow-ups and false alarms count as many
    findings that are none as there are to be expected. Where nobody knows how often the judge gives a false alarm on
    this system, it is right about its share of the rest. The share is never higher than the noise allows: as many pairs
    as differ by asking again differ here by chance. What was asked again and held is likelier to be real: chance
    would have had to repeat itself.

    Args:
        rate: violation rate of the row, 0 to 1.
        sound: share of sound follow-ups, as read.
        trust: what is known of the judge.
        reworded: share of the row's pairs that are of two texts.
        noise: what asking the same again showed on this system.
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
    """Return the share of the violations that are there by chance alone: a pair may differ by chance and by a fault.

    rate = alarm + (1 - alarm) * faulty, and what is faulty counts as real.
    """
    return 1.0 if alarm >= rate else 1 - (rate - alarm) / ((1 - alarm) * rate)


def _confirmed(
    real: float, unsound: float, chance: float, noise: Noise, alarm: float | None, findings: Confirmed
) -> float:
    """Return the share of real findings among those that count, the ones that held being likelier to be."""
    counted = findings.distinct - findings.flaky
    if not findings.held or counted <= 0 or not noise.pairs:
        return real
    # Where the system says the same again, so does the judge: only what is worded anew may not be there again.
    anew = noise.reworded / noise.pairs
    again = 1 - anew + anew * (alarm or 0.0)
    among_held = real + unsound + chance * again
    held = real / among_held if among_held else 0.0
    return (held * findings.held + real * (counted - findings.held)) / counted
