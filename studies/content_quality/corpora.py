"""The labelled texts of the study: read by the library, lower-cased as in the paper, split once and for all.

A corpus is named FORMAT:PATH as on the command line. Where the data come as one file, a quarter of the cases (by a hash
of their ids, so that nothing depends on their order) is for testing, as in the paper.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mutatis.api import read_cases
from mutatis.core.cases import Case

TEST_SHARE = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Cases to train on and cases to test on; `original` are the training texts in their own case, for tokenizers."""

    name: str
    train: tuple[Case, ...]
    test: tuple[Case, ...]
    original: tuple[str, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of both parts, sorted."""
        return tuple(sorted({case.turns[0].expected[0] for case in (*self.train, *self.test)}))


def text_of(case: Case) -> tuple[str, ...]:
    """Return the texts of a case, in the order of its fields: (title, body) or (text,)."""
    return tuple(case.turns[0].fields.values())


def load(
    data: str,
    *,
    test: Path | None = None,
    limit: int | None = None,
    train_limit: int | None = None,
    **options: Any,
) -> Corpus:
    """Return a corpus; `test` is the file of the test part where there is one, the limits are numbers of cases."""
    form, _, path = data.partition(":")
    if form == "clinc150":
        options = {"task": "classification", **options}
    cases = read_cases(form, path, **{"task": "classification", **options, **_split(form, "train")})
    original = tuple(" ".join(text_of(case)) for case in cases)
    if form == "clinc150":
        held_out = read_cases(form, path, **{"task": "classification", **options, **_split(form, "test")})
    elif test is not None:
        held_out = read_cases(form, test, task="classification", **options)
    else:
        held_out = [case for case in cases if _drawn(case) < TEST_SHARE]
        cases = [case for case in cases if _drawn(case) >= TEST_SHARE]
    kept = sorted(held_out, key=_drawn)[:limit]
    cases = sorted(cases, key=_drawn)[:train_limit]
    return Corpus(name=Path(path).name.split(".")[0], train=_lowered(cases), test=_lowered(kept), original=original)


def _split(form: str, name: str) -> dict[str, str]:
    return {"split": name} if form == "clinc150" else {}


def _drawn(case: Case) -> float:
    digest = hashlib.blake2b(case.id.partition("/")[2].encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") / 2**32


def _lowered(cases: Sequence[Case]) -> tuple[Case, ...]:
    """Return the cases in lower case: the paper's are, before training and testing."""
    lowered = []
    for case in cases:
        turn = case.turns[0]
        fields = {name: text.lower() for name, text in turn.fields.items()}
        lowered.append(replace(case, turns=(replace(turn, fields=fields),)))
    return tuple(lowered)
