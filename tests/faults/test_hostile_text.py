"""Nothing that reads a text may take longer than in proportion to its length, whatever somebody wrote into it.

Ratios of processor time within one run; `benchmarks/hostile.py` (`make hostile`) asks the same of a million characters
and prints the table. Patterns are counted step by step in `tests/unit/test_growth.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

from mutatis.text.embedder import DIMENSIONS, Embedder
from support import hostile
from support.hostile import MOST, SHAPES, Growth, Job, jobs, uncollected, warm

LENGTH = 4000
"""Characters at first, then twice as many: what grows with their square takes four times as long already."""

PARTS = 8
"""Tests, for several processes to share."""


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model reads the beginning of a text, which takes as long for each: half a minute of this test."""
    monkeypatch.setattr(Embedder, "embed", lambda self, texts: np.full((len(texts), DIMENSIONS), DIMENSIONS**-0.5))


@pytest.mark.long
@pytest.mark.usefixtures("no_model")
@pytest.mark.parametrize("part", range(PARTS))
def test_twice_the_text_takes_twice_the_time(part: int) -> None:
    slow = []
    for job in list(jobs(every_task=False))[part::PARTS]:
        warm(job)
        with uncollected():
            grown = [Growth(job=job, shape=shape, length=LENGTH) for shape in SHAPES]
            slow += [growth for growth in grown if growth.measure(MOST) > MOST]
    assert [f"{growth.job.name}, {growth.shape}: {growth.ratio:.1f}" for growth in slow] == []


@pytest.mark.parametrize(("exponent", "ratio"), [(1, 2), (2, 4)])
def test_what_grows_with_the_square_is_seen(exponent: int, ratio: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that only the work moves on: a second for a thousand letters, or for the square of them."""
    now = 0.0

    def work(text: str) -> None:
        nonlocal now
        now += (len(text) / 1000) ** exponent

    monkeypatch.setattr(hostile.time, "process_time", lambda: now)
    monkeypatch.setattr(hostile, "unit", lambda: 0.001)
    job = Job("work", lambda text: lambda: work(text))
    measured = Growth(job=job, shape="spaces", length=LENGTH).measure(MOST, tries=3, longer=2)
    assert measured == pytest.approx(ratio, rel=1e-3)
