"""What the paper reports: RR, ACC and MCC (in percent) of four systems, Tables 2, 3, 4 and 6.

45,000 questions to train on, 15,000 to test, three labels (HQ, LQ_EDIT, LQ_CLOSE). RR of the extra relations is given
for GPT-1 alone.
"""

from __future__ import annotations

SYSTEMS = ("XLNet", "XLM-R", "GPT-1", "T5")

_RELATIONS = [f"mr{group}.{number}" for group, last in ((1, 5), (2, 4), (3, 4)) for number in range(1, last + 1)]

_RR = {
    "XLNet": "0.41 0.66 0.97 1.31 1.57 0.02 0.05 0.06 0.06 24.30 26.95 27.09 27.11",
    "XLM-R": "0.37 0.37 0.37 0.37 0.37 0.02 0.11 0.11 0.11 19.40 21.27 21.33 21.35",
    "GPT-1": "0 0 0 0 0 0.04 0.39 0.40 0.40 0 0 0 0",
    "T5": "0.35 0.37 0.37 0.37 0.37 0.04 0.11 0.11 0.14 17.85 20.39 20.48 20.46",
}
_ACC = {
    "XLNet": "85.67 85.51 85.51 85.50 85.41 85.44 85.69 85.67 85.68 85.68 73.70 71.57 71.47 71.43",
    "XLM-R": "85.86 85.72 85.72 85.72 85.72 85.72 85.87 85.89 85.89 85.88 77.85 76.57 76.65 76.69",
    "GPT-1": "46.15 46.15 46.15 46.15 46.15 46.15 46.16 46.20 46.20 46.20 46.15 46.15 46.15 46.15",
    "T5": "86.15 86.06 86.06 86.06 86.06 86.06 86.16 86.18 86.18 86.19 78.37 76.85 76.89 76.93",
}
_MCC = {
    "XLNet": "78.55 78.30 78.28 78.27 78.13 78.17 78.58 78.55 78.56 78.56 61.22 58.70 58.56 58.51",
    "XLM-R": "78.86 78.63 78.63 78.63 78.63 78.63 78.87 78.90 78.90 78.89 67.01 65.14 65.25 65.30",
    "GPT-1": "20.27 20.27 20.27 20.27 20.27 20.27 20.28 20.32 20.32 20.32 20.27 20.27 20.27 20.27",
    "T5": "79.22 79.09 79.09 79.09 79.09 79.09 79.24 79.27 79.27 79.29 68.95 67.60 67.79 67.85",
}


def _table(rows: dict[str, str], relations: list[str]) -> dict[str, dict[str, float]]:
    return {system: dict(zip(relations, map(float, row.split()), strict=True)) for system, row in rows.items()}


RR = _table(_RR, _RELATIONS)
RR["GPT-1"] |= {f"mr3.{number}": 0.0 for number in (5, 6, 7, 8)}
ACC = _table(_ACC, ["source", *_RELATIONS])
MCC = _table(_MCC, ["source", *_RELATIONS])
