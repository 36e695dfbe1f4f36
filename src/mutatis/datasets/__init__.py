"""Public data formats -> cases: one reader per format, registered in `DATASETS`.

for case in DATASETS["squad2"].read(Path("dev-v2.0.json"), {"limit": 100}): ...

@DATASETS.register("lines", task="sentiment")
def lines(file: DataFile) -> Iterator[Case]: ...
"""

from mutatis.datasets import (
    coqa,
    docred,
    gsm8k,
    intents,
    otlp,
    pairs,
    quac,
    sentiment,
    squad,
    stackoverflow,
    tables,
)
from mutatis.datasets.reader import DATASETS, DataOptions, Reader, accepted, labels_of, read
from mutatis.datasets.samples import SAMPLES, sample
from mutatis.reading import DataFile, Record, read_lines, read_rows

__all__ = [
    "DATASETS",
    "SAMPLES",
    "DataFile",
    "DataOptions",
    "Reader",
    "Record",
    "accepted",
    "coqa",
    "docred",
    "gsm8k",
    "intents",
    "labels_of",
    "otlp",
    "pairs",
    "quac",
    "read",
    "read_lines",
    "read_rows",
    "sample",
    "sentiment",
    "squad",
    "stackoverflow",
    "tables",
]
