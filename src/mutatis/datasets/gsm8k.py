"""Reads GSM8K (Cobbe et al. 2021): word problems with worked solutions."""

from __future__ import annotations

from collections.abc import Iterator

from mutatis.core.cases import Case, Turn
from mutatis.datasets.reader import DATASETS
from mutatis.reading import DataFile, json_lines


@DATASETS.register("gsm8k", task="word-problem", tasks=("word-problem",))
def gsm8k(file: DataFile) -> Iterator[Case]:
    """Read GSM8K JSONL. Each answer is a worked solution whose last line is "#### RESULT"."""
    for number, data in json_lines(file.path, file.encoding):
        record = file.record(f"line {number}", data)
        solution = record.text("answer")
        result = solution.rpartition("####")[2].strip().replace(",", "")
        if "####" not in solution or not result:
            raise record.error("answer", 'a worked solution that ends with "#### RESULT"')
        yield Case(
            id=file.id(number),
            task=file.task,
            turns=(
                Turn(
                    fields={"question": record.text("question")},
                    expected=(result,),
                    annotations={"solution": solution},
                ),
            ),
        )
