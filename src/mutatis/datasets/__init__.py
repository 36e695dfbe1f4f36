"""Readers that turn public data formats into cases. Each format has a reader, registered in `DATASETS`.

for case in DATASETS["squad2"].read(Path("dev-v2.0.json"), {"limit": 100}): ...

@DATASETS.register("lines", task="sentiment") def lines(file: DataFile) -> Iterator[Case]: ...
"""

from mutatis.core.registry import load_modules
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
    "labels_of",
    "read",
    "read_lines",
    "read_rows",
    "sample",
]

load_modules(__name__)
