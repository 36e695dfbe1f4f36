"""Checks a data format: its cases must suit a task and be the same every time, and its errors must be clear."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mutatis.core.cases import Case
from mutatis.core.errors import MutatisError, UsageError
from mutatis.core.task import TASKS
from mutatis.datasets import DATASETS

_JUNK = (
    b"\xff\xfe\x00\x80",
    b"{",
    b"[]",
    b"{}",
    b"null",
    b"1,2\n3",
    b'[{"": 3}]',
    "Zoë — 東京\t\t\n".encode(),
    b"\n\n",
)
"""File contents that most formats cannot read. A format must yield cases or raise a UsageError for each."""


def check_dataset(
    name: str, path: Path | str, options: Mapping[str, Any] | None = None, *, bad: Sequence[str] = ()
) -> None:
    """Check that a registered data format reads a file with unique ids, known fields, and the same cases every time.

    The format must reject a missing file, an empty file and each text in `bad` with a UsageError. It may accept other
    junk, but must not raise any other exception.

    Args:
        name: registered name of the format.
        path: a file (or folder) that the format can read.
        options: options as in `[data]`.
        bad: file contents that the format must reject.
    """
    path, settings = Path(path), dict(options or {})
    reader = DATASETS[name]
    cases = list(reader.read(path, settings))
    assert cases == list(reader.read(path, settings)), f"{name}: it reads different cases the second time"
    assert len({case.id for case in cases}) == len(cases), f"{name}: two cases have one id"
    for case in cases:
        _check_case(name, case)
    first = list(reader.read(path, {**settings, "limit": 1})) if "limit" not in settings else cases[:1]
    assert first == cases[:1], f"{name}: with limit = 1 the first case is different"
    _check_mistakes(name, path, settings, bad)


def _check_case(name: str, case: Case) -> None:
    what = f"{name}: case {case.id!r}"
    assert "/" in case.id, f"{what}: no data name in its id; use source.id(...)"
    assert case.task in TASKS, f"{what}: unknown task {case.task!r}"
    for turn in case.turns:
        texts = [*turn.fields.values(), *turn.expected, *case.material.values()]
        assert turn.fields, f"{what}: a turn without fields"
        assert all(isinstance(text, str) for text in texts), f"{what}: a field or an expected answer is not text"
        assert isinstance(turn.expected, tuple), f"{what}: expected is a {type(turn.expected).__name__}, not a tuple"
        missing = set(TASKS[case.task].needed) - {*turn.fields, *case.material}
        open_fields = case.task == "classification"  # its fields are the data's own
        assert not missing or open_fields, f"{what}: task {case.task} needs the fields {missing}"
    assert all(0 <= turn < len(case.turns) for turn in case.asked), f"{what}: it asks turns that it does not have"
    try:
        record = json.loads(json.dumps(case.to_record(), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise AssertionError(f"{what}: the case cannot be written as JSON: {error}") from error
    again = json.loads(json.dumps(Case.from_record(record).to_record()))
    assert again == record, f"{what}: its record is read back as a different case"


def _check_mistakes(name: str, path: Path, options: dict[str, Any], bad: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        wrong = Path(folder) / f"wrong{''.join(path.suffixes[-1:])}"
        _check_refused(name, wrong, options, "a missing file", must=True)
        if path.is_dir():
            return
        contents = [(b"", True), *((text.encode(), True) for text in bad), *((junk, False) for junk in _JUNK)]
        for content, must in contents:
            wrong.write_bytes(content)
            _check_refused(name, wrong, options, f"the content {content[:40]!r}", must=must)


def _check_refused(name: str, path: Path, options: dict[str, Any], what: str, *, must: bool) -> None:
    try:
        list(DATASETS[name].read(path, options))
    except UsageError as error:
        raised = type(error.__cause__).__name__  # a run tells it in one line; a reader should do better
        by_itself = isinstance(error.__cause__, MutatisError | None)
        assert by_itself, f"{name}: on {what} it raised {raised} instead of UsageError"
        told = str(error)
        assert "\n" not in told, f"{name}: on {what} its error has several lines: {told}"
        return
    except Exception as error:
        raise AssertionError(f"{name} raised {type(error).__name__} instead of UsageError on {what}") from error
    assert not must, f"{name}: it accepts {what}"
