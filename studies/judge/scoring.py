"""Agreement of scores with people: Cohen's kappa, precision and recall of "different", calibration."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How a judge agrees with people on some pairs; `different` is a reported bug."""

    pairs: int
    different: int
    kappa: float
    precision: float
    recall: float
    false_alarms: float

    def as_json(self) -> dict[str, float | int]:
        """Return plain data, rounded."""
        return {name: round(value, 3) if isinstance(value, float) else value for name, value in asdict(self).items()}

    def __str__(self) -> str:
        return (
            f"kappa {self.kappa:.3f}  precision {self.precision:.3f}  recall {self.recall:.3f}  "
            f"false alarms {self.false_alarms:.3f}  ({self.pairs} pairs, {self.different} different)"
        )


def agreement(same: NDArray[np.bool_], scores: NDArray[np.float64], threshold: float) -> Agreement:
    """Compare decisions at a threshold with the human verdicts."""
    reported, different = scores < threshold, ~same
    hits = int((reported & different).sum())
    return Agreement(
        pairs=len(same),
        different=int(different.sum()),
        kappa=float(cohen_kappa_score(same, ~reported)),
        precision=hits / max(int(reported.sum()), 1),
        recall=hits / max(int(different.sum()), 1),
        false_alarms=int((reported & same).sum()) / max(int(same.sum()), 1),
    )


def reliability(
    same: NDArray[np.bool_], scores: NDArray[np.float64], bins: int = 10
) -> list[tuple[str, int, float, float]]:
    """Return per bin of scores: its range, how many pairs, the mean score and the share people call the same."""
    edges = np.minimum((scores * bins).astype(int), bins - 1)
    return [
        (
            f"{b / bins:.1f}-{(b + 1) / bins:.1f}",
            int((edges == b).sum()),
            float(scores[edges == b].mean()),
            float(same[edges == b].mean()),
        )
        for b in range(bins)
        if (edges == b).any()
    ]
