"""How many of a relation's findings are real, as expected from what was measured: of its follow-ups, and of the judge.

Knows shares only: neither relations nor systems.
"""

from __future__ import annotations


def expected_precision(rate: float, sound: float, judge: float) -> float:
    """Return the expected share of real findings.

    Not a product of shares, which would forget how rare violations are: where 3 % of the follow-ups are unsound and 3 %
    violate, a system that is always right explains every finding. So every unsound follow-up counts as a finding that
    is none; of the others the judge is right about its share.

    Args:
        rate: violation rate, 0 to 1.
        sound: share of sound follow-ups, as read.
        judge: share of right decisions of the judge where it reports a violation.

    >>> [round(expected_precision(*shares), 2) for shares in ((0.5, 1.0, 0.87), (0.03, 0.97, 0.87), (0.5, 0.97, 1.0))]
    [0.87, 0.0, 0.94]
    """
    if rate <= 0:
        return 0.0
    return judge * max(0.0, 1 - (1 - sound) / rate)
