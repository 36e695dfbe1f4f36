"""Public data formats -> cases: one reader per format, registered in `DATASETS`.

    for case in DATASETS["squad2"].read(Path("dev-v2.0.json"), {"limit": 100}): ...

Must not know how a task is asked or which relations use the cases.
"""

from mutatis.datasets import coqa, docred, intents, multiwoz, pairs, quac, sentiment, squad, stackoverflow, tables
from mutatis.datasets.reader import DATASETS, Reader, labels_of, read
from mutatis.datasets.samples import SAMPLES, sample

__all__ = [
    "DATASETS",
    "SAMPLES",
    "Reader",
    "coqa",
    "docred",
    "intents",
    "labels_of",
    "multiwoz",
    "pairs",
    "quac",
    "read",
    "sample",
    "sentiment",
    "squad",
    "stackoverflow",
    "tables",
]
