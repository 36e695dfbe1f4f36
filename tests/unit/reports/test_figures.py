from __future__ import annotations

from xml.etree import ElementTree

import pytest

from mutatis.analysis.families import Point, family_record
from mutatis.core.errors import UsageError
from mutatis.reports.figures import family_svg, save_family


@pytest.fixture
def family():
    points = [Point(value=value, violated=max(0, value - 2), satisfied=100) for value in range(1, 5)]
    return family_record("duplication", "copies", {"a": points, "b": points[:1]}, unchanged_at=0, task="qa")


def test_svg_is_valid_and_repeatable(family):
    first = family_svg(family)
    ElementTree.fromstring(first)
    assert first == family_svg(family)


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_files(tmp_path, family, suffix):
    assert save_family(family, tmp_path / f"plot{suffix}").stat().st_size > 1000


def test_unknown_kind_of_picture(tmp_path, family):
    with pytest.raises(UsageError, match=r"\.svg, \.png or \.pdf"):
        save_family(family, tmp_path / "plot.gif")


def test_hostile_and_empty_families(builder):
    ElementTree.fromstring(family_svg({}))
    points = [Point(value=1, violated=1, satisfied=1), Point(value=2, violated=0, satisfied=0, unchanged=3)]
    name = builder.HOSTILE + "$\\frac{"
    ElementTree.fromstring(family_svg(family_record(name, name, {name: points}, unchanged_at=0, task=name)))
