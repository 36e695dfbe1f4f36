from __future__ import annotations

from xml.etree import ElementTree

import pytest

from mutatis.api import Run
from mutatis.core import extras
from mutatis.core.errors import MissingExtra, UsageError
from mutatis.recipes.content_quality import Point, family_record
from mutatis.reports.figures import family_svg, save_family
from mutatis.reports.html import render_html


@pytest.fixture
def family():
    points = [
        Point(value=value, violated=max(0, value - 2), satisfied=100, interval=[0.0, 0.1]) for value in range(1, 5)
    ]
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
    points = [
        Point(value=1, violated=1, satisfied=1, interval=[0.01, 0.99]),
        Point(value=2, violated=0, satisfied=0, unchanged=3),
    ]
    name = builder.HOSTILE + "$\\frac{"
    ElementTree.fromstring(family_svg(family_record(name, name, {name: points}, unchanged_at=0, task=name)))


def test_without_the_extra_the_page_says_so_and_a_plot_that_is_asked_for_names_it(
    builder, family, monkeypatch, tmp_path
):
    report = builder.typed({**builder.sample(), "metrics": {"families": {"families": [family]}}})
    assert 'class="figures"' in render_html(report)
    assert "mutatis[plot]" not in render_html(report)
    monkeypatch.setattr(extras, "PACKAGES", {**extras.PACKAGES, "plot": ("no_such_package",)})
    page = render_html(report)
    assert 'class="figures"' not in page
    assert "<code>pip install 'mutatis[plot]'</code>" in page
    for call in (
        Run(report=report).plot,
        lambda: save_family(family, tmp_path / "plot.svg"),
    ):
        with pytest.raises(MissingExtra, match=r"pip install 'mutatis\[plot\]'"):
            call()
    assert "mutatis[plot]" not in render_html(builder.typed(builder.sample()))
