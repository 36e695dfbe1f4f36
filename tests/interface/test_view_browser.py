"""`mutatis view` in a real browser: a run that goes on, and labels that are given on its page."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from mutatis.cli.view import served
from mutatis.query import Store
from mutatis.records.files import REPORT_FILE, VERDICTS_FILE, write_report
from mutatis.records.labels import Label, read_labels
from mutatis.records.runs import STORE_FILE
from support import report_builder as builder
from support.browser import chromium, opened
from support.viewing import ID, going_on, serving, verdict_line


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "out"
    write_report(builder.typed(builder.sample()), folder / REPORT_FILE)
    return folder


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture
def visit(browser):
    pages, errors = [], []

    def go(address):
        page = opened(browser)
        page.clock.install()  # the page asks every two seconds how the run goes on
        pages.append(page)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        return page

    yield go
    for page in pages:
        page.context.close()
    assert errors == []


def shown(page, place, words):
    """Let the page's time go by until something is told on it."""
    told = page.locator(place, has_text=words)
    while not told.count():
        page.clock.run_for(2000)
        page.wait_for_timeout(10)


def test_a_label_is_given_on_the_page_and_kept_beside_the_run(run, visit):
    with serving(run) as viewer:
        page = visit(f"{viewer.address}#f-{ID}")
        assert page.url.startswith(f"{viewer.address}run/0/")
        box = page.locator(f"#f-{ID} fieldset.label")
        box.get_by_label("real bug").check()
        page.locator(f"#f-{ID} .label [role=status]", has_text="kept").wait_for()
        box.get_by_label("comment").fill("a <b>typo</b> breaks it")
        box.get_by_label("comment").press("Tab")
        page.locator(f"#f-{ID} .label-tag", has_text="typo").wait_for()
        assert read_labels(run) == {ID: Label(label="real", comment="a <b>typo</b> breaks it")}
        page.locator("#filters [name=label]").select_option("real")
        assert page.locator("#list > .finding").count() == 1
        page.reload()
        assert page.locator(f"#f-{ID} .label-tag").inner_text() == "real bug: a <b>typo</b> breaks it"
        assert page.locator("table.relations td", has_text="1/1").count() == 1  # what is known of add-typos now
        page.locator(f"#f-{ID} > summary").click()
        box.get_by_label("not said").check()
        box.get_by_label("comment").fill("")
        box.get_by_label("comment").press("Tab")
        page.locator(f"#f-{ID} .label-tag").wait_for(state="detached")
    assert read_labels(run) == {}


def test_nothing_on_a_served_page_keeps_people_out(run, visit):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python (extra `test`)")
    with serving(run) as viewer:
        page = visit(f"{viewer.address}run/0/#f-{ID}")
        page.evaluate("document.querySelectorAll('details').forEach(item => { item.open = true; })")
        page.locator("fieldset.label").first.wait_for()
        policy = page.evaluate("document.querySelector('meta[http-equiv]').content")
        assert "connect-src 'self'" in policy
        violations = axe.Axe().run(page).response["violations"]
    assert [(violation["id"], violation["nodes"][0]["html"][:100]) for violation in violations] == []


def test_a_run_that_goes_on_is_followed(tmp_path, visit):
    folder = tmp_path / "out"
    with ExitStack() as running:
        add = running.enter_context(going_on(folder, verdict_line(0), verdict_line(1, "satisfied")))
        assert served(str(folder)) == [folder]
        with serving(folder) as viewer:
            page = visit(viewer.address)
            assert page.locator("#live").inner_text() == "the run goes on"
            assert "1 of 2 verdicts" in page.locator(".sentence").inner_text()
            assert page.locator("#list > .finding").count() == 1
            add(verdict_line(2), verdict_line(3))
            shown(page, ".sentence", "3 of 4 verdicts")
            assert page.locator("#list > .finding").count() == 1  # nothing moves under a reader's eyes
            page.locator("#live button").click()
            shown(page, "#count", "3 of 3")
            (folder / f"{VERDICTS_FILE}.part").rename(folder / VERDICTS_FILE)
            write_report(builder.typed(builder.sample()), folder / REPORT_FILE)
            running.close()  # a run lets go of its lock when its report is written
            shown(page, "#live", "the run is finished")
            page.locator("#live button").click()
            assert page.title() == "mutatis 20261120-101500-ab12"


def test_a_run_that_has_only_begun_is_waited_for(tmp_path, visit):
    folder = tmp_path / "out"
    folder.mkdir()
    Store(folder / STORE_FILE).close()
    assert served(str(folder)) == [folder]
    with serving(folder) as viewer:
        page = visit(viewer.address)
        assert page.locator(".sentence").inner_text() == "Nothing is decided yet; the run goes on."
        with going_on(folder, verdict_line(0)):
            shown(page, ".sentence", "1 of 1 verdicts")


def test_a_page_that_had_nothing_to_show_never_says_so_when_there_is(tmp_path, visit):
    folder = tmp_path / "out"
    with going_on(folder, verdict_line(0, "invalid")) as add, serving(folder) as viewer:
        page = visit(viewer.address)
        assert page.locator("#nothing").inner_text() == "Nothing is decided yet."
        add(verdict_line(1, "satisfied"))
        shown(page, "#nothing", "No violation yet: the run goes on, with 1 verdict so far.")
        add(verdict_line(2))
        shown(page, "#nothing", "There are findings now.")
        assert "1 of 2 verdicts so far" in page.locator(".sentence").inner_text()
