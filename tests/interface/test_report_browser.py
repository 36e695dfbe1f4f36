"""The page and the labelling sheet operated in a real browser: our script runs, nothing else does."""

from __future__ import annotations

import json
import re

import pytest

from mutatis.core.system import Conversation
from mutatis.records import VerdictRecord
from mutatis.reports.grid import render_grid
from mutatis.reports.html import write_html
from mutatis.reports.sheets import Sheet, make_sheet
from mutatis.systems import SYSTEMS
from mutatis.systems.sheet import question_name
from support import report_builder as builder
from support.browser import chromium, opened

SYSTEM, QA = "bot", "question-answering"


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture
def visit(browser, tmp_path):
    """Opens a report, which may not throw or ask for anything, and returns the page."""
    pages, errors, asked = [], [], []

    def open_report(report, *, hash="", **options):
        file = tmp_path / "report.html"
        if report is not None:
            write_html(builder.typed(report), file)
        page = opened(browser, **{"viewport": {"width": 1280, "height": 900}, **options})
        pages.append(page)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri() + hash)
        return page

    yield open_report
    for page in pages:
        page.context.close()
    assert errors == []
    assert all(url.startswith("file:") for url in asked)


def many(number, relations=("add-typos", "uppercase")):
    """A report with a number of findings, each on an input of its own."""
    report = builder.sample()
    context = {"context": "It rains in Oslo."}
    findings = []
    for i in range(number):
        name, text = f"s/{i:05d}", f"Where does it rain, number {i}?"
        source = {"case": builder.case(name, {**context, "question": text}), "response": builder.response(f"Oslo {i}")}
        made = builder.case(f"{name}~1", {**context, "question": text.replace("rain", "raim")})
        steps = (relations[i % len(relations)], {})
        follow_up = builder.follow_up(made, f"nowhere {i}", name, steps)
        findings.append(builder.finding(SYSTEM, QA, steps[0], source, [follow_up]))
    report["findings"] = findings
    rows = [builder.row(SYSTEM, QA, relation, 5, number // 2, capability="typing noise") for relation in relations]
    report["summary"] = [*rows, builder.row(SYSTEM, QA, "calm", 40, 1, capability="wording")]
    return report


def shown(page):
    return page.locator("#list > .finding").count()


def test_the_page_says_what_is_wrong_how_bad_and_shows_it(visit):
    page = visit(builder.sample())
    assert page.title() == "mutatis 20261120-101500-ab12"
    assert page.locator(".sentence").count() == 2
    assert page.locator(".card").count() == 2  # the third finding is FLAKY: nobody saw it again
    places = [page.locator(f"#{name}").bounding_box()["y"] for name in ("summary", "rates", "findings", "metrics")]
    assert places == sorted(places)
    assert page.locator("#count").text_content() == "3 of 3 match, 3 drawn"


def test_a_folded_row_shows_the_changed_text_and_the_answers(visit):
    row = visit(many(1)).locator("#list > .finding > summary")
    assert row.locator("mark").text_content() == "raim"
    assert row.locator(".answers").inner_text() == "Oslo 0 -> nowhere 0"
    assert row.bounding_box()["height"] <= 34


def test_the_first_findings_are_there_without_scripts(visit):
    page = visit(many(60), java_script_enabled=False)
    assert shown(page) == 50
    assert page.locator("#filters").is_hidden()
    assert "The first 50 of 60 are shown" in page.content()


def test_rows_of_the_table_are_dense_and_sorted_by_what_is_clicked(visit):
    page = visit(many(40))
    table = page.locator("table.relations")
    names = table.locator("tbody tr:not(.group) th")
    assert names.all_inner_texts() == ["add-typos", "uppercase", "calm"]
    assert max(row.bounding_box()["height"] for row in table.locator("tbody tr").all()) <= 30
    head = table.locator("thead th", has_text="relation")
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert names.all_inner_texts() == ["add-typos", "uppercase", "calm"]
    head.locator("button").press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert names.all_inner_texts() == ["uppercase", "add-typos", "calm"]
    table.locator("thead th", has_text="rate").locator("button").click()
    assert names.all_inner_texts()[-1] == "calm"
    table.locator("thead th", has_text="rate").locator("button").click()
    assert names.all_inner_texts()[0] == "calm"


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("system", "openai:tiny-chat", 2),
        ("task", "dialogue", 1),
        ("relation", "add-typos", 2),
        ("state", "flaky", 1),
        ("state", "confirmed", 1),
        ("q", "COQA/7", 1),
        ("q", "no such text", 0),
    ],
)
def test_filters_are_in_the_address(visit, name, value, number):
    page = visit(builder.sample())
    field = page.locator(f"#filters [name={name}]")
    field.fill(value) if name == "q" else field.select_option(value)
    assert shown(page) == number
    assert page.locator("#count").text_content().startswith(f"{number} of 3 match")
    again = visit(None, hash=page.evaluate("location.hash"))
    assert shown(again) == number
    again.locator("#clear").click()
    assert shown(again) == 3


def test_a_relation_of_the_table_leads_to_its_findings(visit):
    page = visit(many(10))
    page.locator("table.relations a", has_text="uppercase").click()
    assert shown(page) == 5
    assert page.locator("#filters [name=relation]").input_value() == "uppercase"


def test_the_open_pairs_of_a_row_are_one_click_away(visit):
    report = builder.sample()
    pair = builder.question_finding(
        "Where is it?", "WHERE is it?", outcome="invalid", reason="the judge cannot tell: x"
    )
    report["open"] = [{**pair, "shrunk": None, "confirmed": None}]
    report["summary"][1] |= {"invalid": 1, "open": 1}
    page = visit(report)
    page.locator("#rates summary", has_text="builtin:reader: every relation").click()
    pairs = page.locator("#open details.finding")
    assert not pairs.locator(".seen").is_visible()
    page.get_by_role("link", name="1", exact=True).click()
    pairs.locator(".seen > summary").click()
    assert "the judge cannot tell: x" in pairs.inner_text()
    assert "Paris" in pairs.inner_text()


def test_a_link_opens_its_finding_wherever_it_is(visit):
    report = many(130)
    last = report["findings"][-1]["id"]
    page = visit(report, hash=f"#f-{last}")
    item = page.locator(f"#f-{last}")
    assert item.get_attribute("open") is not None
    assert item.locator("summary").first.evaluate("e => e === document.activeElement")
    assert shown(page) == 130
    page.locator(".card").first.click()
    assert page.locator("#list > .finding[open]").count() == 2


@pytest.mark.long
def test_ten_thousand_findings_are_drawn_fifty_at_a_time(visit):
    page = visit(many(10_000))
    assert shown(page) == 50
    page.locator("#more").click()
    assert shown(page) == 100
    page.locator("#filters [name=q]").fill("number 9999?")
    assert shown(page) == 1
    page.locator("#clear").click()
    page.locator("#filters [name=sort]").select_option("input")
    first = page.locator("#list > .finding").first
    assert "number 0?" in first.inner_text()
    assert page.locator("#count").text_content() == "10000 of 10000 match, 50 drawn"


def test_copy(visit):
    page = visit(builder.sample())
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    first = page.locator("#list > .finding").first
    first.locator("summary").first.click()
    first.get_by_role("button", name="copy command").first.click()
    assert page.evaluate("navigator.clipboard.readText()").startswith("mutatis replay out ")
    first.get_by_role("button", name="copy link").first.click()
    assert re.search(r"report\.html#f-[0-9a-f]{10}$", page.evaluate("navigator.clipboard.readText()"))


def test_two_versions_of_a_question_stand_side_by_side_and_their_source_one_click_away(visit):
    report = builder.sample()
    page = visit(report, hash=f"#f-{report['findings'][0]['id']}")
    shuffled, reduced = page.locator("#list .finding[open] > .body > .pair > .column").all()
    assert shuffled.locator(".talk .reply").all_inner_texts() == ["Rex", "Ann"]
    assert shuffled.locator(".talk .tag").all_inner_texts() == ["originally turn 2"]
    assert reduced.locator(".talk").count() == 0
    source = page.locator("#list .finding[open] .more", has_text="the source of both")
    assert source.locator(".column").is_hidden()
    source.locator("summary").click()
    assert source.locator(".talk .reply").all_inner_texts() == ["Ann", "Rex"]


def test_a_dialogue_is_two_transcripts_with_replies_and_the_expected_answer_in_its_own_box(visit):
    report = builder.sample()
    report["findings"][0]["reference"] = ["brown"]
    report["findings"][0]["output_relation"] = "equal"
    report["findings"][0]["source"]["response"] = builder.response("red")
    report["findings"][0]["followups"] = report["findings"][0]["followups"][1:]
    page = visit(report, hash=f"#f-{report['findings'][0]['id']}")
    finding = page.locator("#list .finding[open]")
    source, follow_up = finding.locator(".pair .column").all()
    assert source.locator(".talk .reply").all_inner_texts() == ["Ann", "Rex"]
    assert source.locator(".talk .tag").all_inner_texts() == ["left out", "left out"]
    assert follow_up.locator(".talk").count() == 0
    assert finding.locator(".expected bdi").inner_text() == "brown"
    assert finding.locator("> summary .answers").inner_text() == "got (no answer), expected brown"


def test_what_held_can_be_looked_at(visit):
    page = visit(builder.sample())
    page.locator("#examples .finding summary").first.click()
    page.locator("#examples .seen summary").first.click()
    assert "WHERE is it?" in page.locator("#examples .pair .follow-up").first.inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_follows_the_colours_of_the_reader(visit, scheme):
    page = visit(builder.sample(), color_scheme=scheme)
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", background))) < 200) == (scheme == "dark")


def test_a_phone_needs_no_sideways_scrolling(visit):
    report = many(3)
    report["findings"] += builder.sample()["findings"]
    report["summary"] += builder.sample()["summary"]
    page = visit(report, viewport={"width": 400, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach(item => { item.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_keeps_people_out(visit, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python (extra `test`)")
    page = visit(builder.sample(), color_scheme=scheme, viewport={"width": width, "height": 900})
    page.evaluate("document.querySelectorAll('details').forEach(item => { item.open = true; })")
    page.evaluate("document.querySelector('meta[http-equiv]').remove()")
    violations = axe.Axe().run(page).response["violations"]
    told = [
        (violation["id"], violation["impact"], [node["html"][:120] for node in violation["nodes"][:3]])
        for violation in violations
    ]
    assert told == []


def test_all_of_it_can_be_reached_by_keyboard(visit):
    page = visit(many(3))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.locator("#list > .finding summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("#list > .finding[open]").count() == 1


def with_calls(answer, *calls):
    return {**answer, "calls": [dict(zip(("name", "arguments", "result"), call, strict=True)) for call in calls]}


def test_trajectories_stand_side_by_side_and_the_step_where_they_part_is_shown(visit):
    report = many(1)
    [finding] = report["findings"]
    look, pay = ("look", {"day": "Fri"}, "3 seats"), ("pay", {}, "paid")
    booked, wrong = (("book", {"day": day, "seats": 2}, "seat 7") for day in ("Fri", "Sat"))
    finding["source"]["response"] = with_calls(builder.response("Done."), look, booked, pay)
    [made] = finding["followups"]
    made["response"] = with_calls(builder.response("Done."), look, wrong, pay)
    page = visit(report, hash="#findings")
    page.locator("#list > .finding > summary").click()
    ways = page.locator("#list .finding ol.calls")
    assert ways.count() == 2
    left, right = (way.bounding_box() for way in ways.all())
    assert left["x"] + left["width"] <= right["x"]
    assert abs(left["y"] - right["y"]) <= 2
    for way, day in zip(ways.all(), ("Fri", "Sat"), strict=True):
        steps = way.locator("li")
        assert steps.locator("code").all_inner_texts() == ['look(day="Fri")', f'book(day="{day}", seats=2)', "pay()"]
        assert way.locator("li.parts").all_inner_texts() == [f'book(day="{day}", seats=2) seat 7']
        assert way.locator("mark").all_inner_texts() == [day]
        borders = [step.evaluate("step => getComputedStyle(step).borderLeftWidth") for step in steps.all()]
        assert borders == ["0px", "3px", "0px"], "seen, not only named"


def test_on_paper_everything_drawn_is_unfolded(visit):
    page = visit(many(3))
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#list > .finding[open]").count() == 3
    assert page.locator("#filters").is_hidden()


def test_hostile_text_is_inert(visit):
    report = builder.hostile()
    report["run"]["id"] = "safe"
    page = visit(report)
    page.evaluate("document.querySelectorAll('details').forEach(item => { item.open = true; })")
    page.locator("#filters [name=sort]").select_option("relation")
    assert page.title() == "mutatis safe"
    assert page.locator("#count").text_content() == "3 of 3 match, 3 drawn"
    assert page.locator("script:not([type])").count() == 1
    assert page.locator("img").count() == 0
    dom = page.content()
    assert "document.title='pwned'" in page.locator("#list").inner_text()
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x1b\ud800-\udfff]", dom)
    assert json.loads(page.locator("#index").text_content())


def test_a_sheet_offers_to_save_its_labels(browser, tmp_path):
    report = builder.hostile()
    lines = [builder.typed_verdict(finding) for finding in report["findings"]]
    file = tmp_path / "sheet.html"
    file.write_text(make_sheet("bugs", lambda: iter(lines), builder.typed_findings(report)).as_html(), encoding="utf-8")
    page = opened(browser)
    page.goto(file.as_uri())
    assert "0 of 3 labelled" in page.content()
    assert page.title() == "mutatis labelling sheet: bugs"
    assert page.locator("#save").is_enabled()
    page.context.close()


def test_an_answer_sheet_is_filled_in_on_its_page_and_read_as_a_system(browser, tmp_path):
    question = Conversation(messages=(), fields={"question": "How cold was it?"})
    row = ("1", question_name(question), "1", "", "", "How cold was it?", "", "")
    file = tmp_path / "answers.html"
    file.write_text(Sheet(kind="answers", rows=(row,), available=1).as_html(), encoding="utf-8")
    page = opened(browser)
    page.goto(file.as_uri())
    page.locator("input.value").fill("-5, or so")
    assert "1 of 1 labelled" in page.content()
    with page.expect_download() as saved:
        page.locator("#save").click()
    saved.value.save_as(tmp_path / "filled.csv")
    page.context.close()
    people = SYSTEMS["sheet"](path=str(tmp_path / "filled.csv"))
    assert [answer.text for answer in people.answers.values()] == ["-5, or so"]


def test_the_grid_shows_where_systems_differ_and_finds_words(browser, tmp_path):
    lines = []
    for place in range(60):  # more than are drawn at once
        for name in ("ann", "bob"):
            signs = ' <Where\'s> "R&D"?' if place == 50 else ""
            asked = f"here is hall {place}?{signs}"
            made = builder.question_finding(f"W{asked}", f"WH{asked}", system=name)
            outcome = "violated" if name == "bob" and place in (3, 41) else "satisfied"
            reason = builder.HOSTILE if place == 41 else "why"
            line = builder.verdict({**made, "reason": reason}, outcome, source=f"q{place:02}", followups=[])
            lines.append({**line, "followups": builder.verdict(made)["followups"][:1]})
    file = tmp_path / "grid.html"
    made = builder.sample()
    made["run"]["systems"] = [{"system": "ann"}, {"system": "bob"}]
    file.write_text(render_grid(builder.typed(made), map(VerdictRecord.model_validate, lines)), encoding="utf-8")
    errors, asked = [], []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        assert page.locator("#count").inner_text() == "25 follow-ups of 25 inputs so far"
        page.select_option("select[name=outcome]", "apart")
        assert page.locator("#count").inner_text() == "2 follow-ups of 2 inputs"
        assert page.locator(".tag.violated").count() == 2
        page.locator("#clear").click()
        page.fill("input[name=q]", "HALL 41?")
        assert page.locator("#count").inner_text() == "1 follow-up of 1 input"
        page.fill("input[name=q]", '<where\'s> "r&d"')
        assert page.locator("#count").inner_text() == "1 follow-up of 1 input"
        assert page.title().startswith("mutatis ")
    assert (errors, asked) == ([], [file.as_uri()])
