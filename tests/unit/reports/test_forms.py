"""Every form of a report, on a report made by hand and on the same one with hostile text everywhere."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mutatis.recipes.content_quality import Point, family_record
from mutatis.records import ResponseRecord
from mutatis.records.files import check_report
from mutatis.reports.csv import SUMMARY, csv_lines, neutral, summary_rows, write_csv
from mutatis.reports.html import render_html
from mutatis.reports.junit import render_junit
from mutatis.reports.metrics import metric_tables
from mutatis.reports.overview import blocks
from mutatis.reports.pairs import answer_view
from mutatis.reports.plain import finding_text
from mutatis.reports.ranking import spread
from mutatis.reports.tables import print_summary
from mutatis.reports.terminal import console, print_finding, print_findings, print_report
from mutatis.reports.view import finding_view


def typed(data):
    return check_report(data, "the report built by hand")


class Page(HTMLParser):
    """Collects what a page would do: its elements, event attributes and addresses."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.handlers, self.addresses, self.text, self.scripts = [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append(tag)
        if tag == "script" and ("type", "application/json") not in attributes:
            self.scripts.append(attributes)
        self.handlers += [name for name, _ in attributes if name.startswith("on")]
        self.addresses += [value for name, value in attributes if name in ("src", "href", "action")]

    def handle_data(self, data):
        self.text.append(data)


def text_of(render, *arguments, width=100, **options):
    stream = io.StringIO()
    render(*arguments, console(width=width, file=stream), **options)
    return stream.getvalue()


def test_page_tells_the_numbers(sample):
    page = render_html(typed(sample))
    for piece in ("28.6 %", "80/280", "23.6-35.6 %", "within noise", "300 of 300 follow-ups are INVALID", "31,942"):
        assert piece in page
    assert "mutatis replay out" in page
    assert "EIFFEL</mark>" in page
    assert "FLAKY" in page
    assert "not shown" not in page


def test_page_doubts_only_what_is_doubtful(sample):
    silent = {"name": "never-matched", "message": "none of 5 follow-ups could be judged", "subject": "leet"}
    rows = [{**row, "noise_floor": 0.0, "above_noise": False} for row in sample["summary"]]
    page = render_html(typed({**sample, "summary": rows, "health": [silent]}))
    assert "too few for a conclusion" in page
    assert "within noise" not in page
    told = "none of 5 follow-ups could be judged"
    assert told in page
    assert told not in page[: page.index("</section>")]  # the summary: only what makes the run another one stands there
    grave = render_html(typed({**sample, "health": [silent, {**silent, "name": "errors"}]}))
    assert told in grave[: grave.index("</section>")]


def test_page_asks_the_network_for_nothing_and_runs_one_script(sample, hostile):
    for report in (sample, hostile):
        page = Page(render_html(typed(report)))
        assert len(page.scripts) == 1
        assert page.handlers == []
        assert "img" not in page.elements
        assert {address for address in page.addresses if not address.startswith(("#", "data:"))} == set()


def test_hostile_text_is_shown_as_text(hostile):
    page = render_html(typed(hostile))
    page.encode("utf-8")
    assert "<script>document.title" not in page
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page)
    assert "{{7*7}}" in "".join(Page(page).text)
    assert "⟨U+D800⟩49" not in page


def test_a_cut_page_says_so(sample):
    many = [{**finding, "id": f"{i:010x}"} for i in range(10) for finding in sample["findings"]]
    page = render_html(typed({**sample, "findings": many}), most=7)
    index = json.loads(re.search(r'id="index">(.*?)</script>', page).group(1))
    assert sum(len(fault["ids"]) for fault in index) == 7
    assert "7 of 30 findings are on this page" in page
    assert "23 are not shown" in page
    assert "findings.jsonl" in page


def test_findings_are_taken_in_turn_from_every_system(sample):
    def of(number, finding):
        case = {**finding["source"]["case"], "id": f"s/{number}"}
        return {**finding, "source": {**finding["source"], "case": case}, "confirmed": True}

    _, reader, bot = sample["findings"]
    sample["findings"] = [*(of(number, reader) for number in range(50)), of(1, bot), of(2, bot)]
    chosen = [finding.system for finding in spread(typed(sample).findings, 6)]
    assert [chosen.count("builtin:reader"), chosen.count("openai:tiny-chat")] == [4, 2]


def test_matrix_leaves_holes_where_nothing_ran(sample):
    question, dialogue = blocks(typed(sample).summary)
    assert question.systems == ("builtin:reader", "openai:tiny-chat")
    [(capability, rows)] = question.matrix
    [(_, without_findings)] = question.folded
    cells = {relation: cells for relation, _, cells in (*rows, *without_findings)}
    assert capability == "relations"
    assert [relation for relation, *_ in without_findings] == ["paraphrase"]
    assert cells["paraphrase"][1] is None
    assert cells["paraphrase"][0].judged == 0
    assert cells["add-typos"][1].rate == 0.8
    assert (dialogue.task, dialogue.matrix) == ("dialogue", ())


def test_empty_reports_are_pages_too(sample):
    empty = {**sample, "summary": [], "findings": [], "health": [], "metrics": {}}
    assert "Nothing was judged" in render_html(typed(empty))
    assert "Nothing was judged" in text_of(print_report, typed(empty))
    ElementTree.fromstring(render_junit(typed(empty)))
    assert len(list(csv.reader(csv_lines(SUMMARY, summary_rows(typed(empty)))))) == 1


def test_family_plots_take_the_colour_of_the_page(sample):
    points = [
        Point(value=value, violated=max(0, value - 2), satisfied=100, interval=[0.0, 0.1]) for value in range(1, 5)
    ]
    family = family_record("duplication $x_1$", "copies", {"a$b": points, "漢字": points}, unchanged_at=0, task="qa")
    sample["metrics"]["families"] = {"families": [family]}
    page = render_html(typed(sample))
    plot = page[page.index('<figure role="img"') : page.index("</figure>")]
    assert plot.count("<svg") == 1
    assert "currentColor" in plot
    assert "<style" not in plot
    assert "#ffffff" not in plot
    assert "1 to" not in page
    assert "0 to 2, 0 violations in 100 items per value, at most 3.0 %" in page


def test_probes_have_no_rates(sample):
    probe = {"value": 3, "violated": 1, "satisfied": 2, "unchanged": 0, "rate": None, "interval": None, "partial": True}
    family = {"name": "f", "task": "t", "parameter": "p", "systems": {"bot": {"points": [probe], "region": None}}}
    [table] = metric_tables({"families": {"families": [family]}})
    assert table.rows[0][:7] == ("bot", "3 (probe)", "1", "2", "0", "-", "")
    sample["metrics"] = {"families": {"families": [family]}}
    render_html(typed(sample))


def test_metrics_of_any_shape_become_tables():
    tables = metric_tables(
        {
            "a": {"x": 1, "y": {"p": 2.5, "q": {"r": 1}}, "z": [{"c": 1}, {"d": "e"}], "l": [1, 2]},
            "b": 3,
            "c": {},
            "d": [],
        }
    )
    assert [(t.title, t.columns, t.rows) for t in tables] == [
        ("a", ("", "value"), (("x", "1"), ("l", "[1, 2]"))),
        ("a: y", ("", "value"), (("p", "2.5"),)),
        ("a: y", ("", "r"), (("q", "1"),)),
        ("a: z", ("c", "d"), (("1", "-"), ("-", "e"))),
        ("b", ("value",), (("3",),)),
        ("d", ("value",), (("[]",),)),
    ]


def test_inner_objects_become_columns_where_rows_are_alike():
    [table] = metric_tables({"per": {"DRS": {"bugs": 3, "levels": {"l1": 1}}, "DRR": {"bugs": 2, "levels": {"l1": 0}}}})
    assert table.columns == ("", "bugs", "levels l1")
    assert table.rows == (("DRS", "3", "1"), ("DRR", "2", "0"))


def test_mortar_table_has_levels_or_says_why_not(sample):
    [table, detections, *_] = metric_tables(sample["metrics"])
    assert table.columns[-3:] == ("L1", "L2", "L3")
    assert table.rows[0][-3:] == ("6,819", "5,756", "10")
    assert detections.rows[0] == ("openai:tiny-chat", "40,100", "9", "2,100", "52", "42,261")
    sample["metrics"]["mortar"]["systems"]["openai:tiny-chat"]["levels"] = None
    assert metric_tables(sample["metrics"])[0].note == "L1-L3 need annotated answers"


def test_junit_counts_and_names(sample):
    sample["run"]["config"]["gate"] = {"max_rate": 0.0}
    root = ElementTree.fromstring(render_junit(typed(sample)))
    assert root.attrib == {"name": "mutatis", "tests": "8", "failures": "5", "errors": "0", "skipped": "1"}
    suites = {suite.get("name"): suite for suite in root}
    cases = {case.get("name"): case for case in suites["builtin:reader on question-answering"]}
    assert cases["no-change"].find("failure") is None
    assert cases["paraphrase"].find("skipped") is not None
    failure = cases["add-typos"].find("failure")
    assert failure.get("message").startswith("80 of 280 violated")
    assert "mutatis replay out" in failure.text


def test_junit_follows_the_gate(sample):
    for rate, failures in ((0.5, "2"), (1.0, "0")):
        sample["run"]["config"]["gate"] = {"max_rate": rate}
        assert ElementTree.fromstring(render_junit(typed(sample))).get("failures") == failures


def test_junit_of_a_failed_system_is_an_error(sample):
    sample["summary"][3]["error"] = 300
    assert ElementTree.fromstring(render_junit(typed(sample))).get("errors") == "1"


def test_junit_is_xml_whatever_is_in_it(hostile):
    text = render_junit(typed(hostile))
    root = ElementTree.fromstring(text.encode("utf-8"))
    assert "<script>document.title='pwned'</script>" in root[0].get("name")


def test_csv_cells_are_no_formulas(tmp_path, sample):
    for text in ("=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\tx", "  =1"):
        sample["findings"][1]["reason"] = text
        write_csv(typed(sample), tmp_path / "s.csv")
        row = next(row for row in findings_rows(tmp_path) if row["reason"] == neutral(text))
        assert row["reason"].startswith("'")
    paths = write_csv(typed(sample), tmp_path / "s.csv")
    assert [path.name for path in paths] == ["s.csv", "s-findings.csv"]
    rows = list(csv.DictReader(io.StringIO(paths[0].read_text(encoding="utf-8"))))
    assert rows[1]["rate"].startswith("0.2857")
    assert float(rows[1]["low"]) < float(rows[1]["high"])


def findings_rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "s-findings.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_csv_keeps_long_texts_whole(tmp_path, sample):
    sample["findings"][1]["source"]["case"]["turns"][0]["fields"]["context"] = "x" * 50_000
    write_csv(typed(sample), tmp_path / "s.csv")
    assert any("x" * 50_000 in row["source_input"] for row in findings_rows(tmp_path))
    assert "characters not shown" in render_html(typed(sample))


@pytest.mark.parametrize("width", [80, 120])
def test_terminal_fits_its_width(sample, width):
    text = text_of(print_report, typed(sample), width=width, where="out/report.html")
    table = text[: text.index("note too-many-invalid")]
    sentence = "asked the same question twice, "  # wrapped by the terminal, so that it can be copied whole
    assert table.count(sentence) == 3
    assert max(len(line.rstrip()) for line in table.splitlines() if not line.startswith(sentence)) <= width
    for piece in ("equivalent-contexts-agree", "80/280", "28.6 %", "noise"):
        assert piece in text
    assert "1 more of 3 findings" in text_of(print_findings, typed(sample).findings, width=width, top=2)
    assert "inv/err" in text or "invalid" in text
    assert "next: mutatis show RUN" in text


def test_terminal_shows_one_finding_side_by_side(sample):
    text = text_of(print_finding, typed(sample).findings[1], width=120)
    assert "{+teh+} {+EIFFEL+} Tower" in text
    assert "[-the-] [-Eiffel-] Tower" in text
    assert "follow-up, shrunk" in text
    assert re.search(r"answer: Paris .* answer: 1889", text)
    assert text.rstrip().endswith(f"mutatis replay out {sample['findings'][1]['id']}")


def test_terminal_is_not_steered(hostile):
    for render, record in ((print_report, typed(hostile)), (print_finding, typed(hostile).findings[0])):
        text = text_of(render, record)
        assert "\x1b" not in text
        assert "\u202e" not in text
        text.encode("utf-8")


def test_markup_in_texts_is_not_read(sample):
    sample["findings"][1]["reason"] = "[bold red]no[/bold red] :smile:"
    assert "[bold red]no[/bold red] :smile:" in text_of(print_finding, typed(sample).findings[1])


def test_answers_say_what_is_odd():
    def view(**answer):
        return answer_view(ResponseRecord(**answer))

    assert answer_view(None).note == "no answer"
    assert view(text="", value=None).note == "empty answer"
    assert view(text="long", finish="length").note == "cut off at the length limit"
    assert view(text="It is Positive!", value="positive").value == "positive"
    assert view(text="positive ", value="Positive").value is None
    assert view(text="x", value={"a": 1}).value == '{"a": 1}'


def test_dialogue_turns_say_what_became_of_them(sample):
    sample["findings"][0]["source"]["history"] = ["Ann", "Rex"]
    view = finding_view(typed(sample).findings[0])
    shuffled, reduced = view.pairs
    assert [(turn.number, turn.mark, turn.reply) for turn in shuffled.follow_up.history] == [
        (1, "originally turn 2", "Rex"),
        (2, "", "Ann"),
    ]
    assert [turn.mark for turn in reduced.source.history] == ["left out", "left out"]
    assert shuffled.follow_up.title == "follow-up (equivalent)"
    assert reduced.follow_up.notes == "context: altered; context missing: dog"
    assert view.record.source.turn == 2


def test_replies_are_the_given_ones_or_what_the_system_said(sample):
    source = sample["findings"][0]["source"]
    for turn in source["case"]["turns"]:
        turn.pop("reply", None)
    assert [turn.reply for turn in finding_view(typed(sample).findings[0]).alone.history] == [None, None]
    source["history"] = ["Ann Lee", "Rex!"]
    assert [turn.reply for turn in finding_view(typed(sample).findings[0]).alone.history] == ["Ann Lee", "Rex!"]


@pytest.mark.parametrize(
    ("reference", "relation", "expected", "compared"),
    [
        (["Paris"], "equal", "in the story", ""),
        (["Lyon", "Nice"], "equal", "Lyon | Nice", "expected"),
        (["Lyon"], "different", "Lyon", "must differ from"),
        (["Lyon"], "inner-consistency", "Lyon", ""),
    ],
)
def test_the_annotated_answer_is_told_with_its_part_in_the_verdict(sample, reference, relation, expected, compared):
    sample["findings"][1]["source"]["case"]["turns"][0]["expected"] = ["in the story"]
    record = typed(sample).findings[1].model_copy(update={"reference": reference, "output_relation": relation})
    view = finding_view(record)
    assert (view.expected, view.compared) == (expected, compared)
    assert view.answers == (("1889",) if compared else ("Paris", "1889"))


def test_what_no_command_can_find_again_has_no_replay(tmp_path, sample):
    for finding in sample["findings"]:
        finding["replay"] = None
    sample["run"]["config"]["gate"] = {"max_rate": 0.0}
    report = typed(sample)
    page, junit = render_html(report), render_junit(report)
    text = text_of(print_finding, report.findings[1], width=120)
    assert "copy command" not in page
    assert "replay" not in junit
    assert "replay" not in text
    assert not any("None" in told for told in (page, junit, text))
    write_csv(report, tmp_path / "s.csv")
    assert {row["replay"] for row in findings_rows(tmp_path)} == {""}


def test_the_list_of_findings_shows_the_answer_to_the_text_that_it_shows(builder):
    source = {"case": builder.case("d/1", "Who is it?"), "response": builder.response("Ann")}
    made = builder.follow_up(builder.case("d/1~a", "WHO IS IT?"), "Ben", "d/1", ("upper-case", {}))
    shrunk = builder.follow_up(builder.case("d/1~b", "WHO is it?"), "Eve", "d/1", ("upper-case", {}))
    report = {
        **builder.sample(),
        "summary": [builder.row("bot", "question-answering", "upper-case", 0, 1)],
        "findings": [builder.finding("bot", "question-answering", "upper-case", source, [made], shrunk=shrunk)],
        "health": [],
    }
    text = text_of(print_report, typed(report))
    assert "{+WHO+} is it?" in text
    assert "'Ann' -> 'Eve'" in text
    assert "Ben" not in text


def shrunk_finding(builder, **shrunk):
    source = {"case": builder.case("d/1", "Which money?"), "response": builder.response("The yen.")}
    made = builder.follow_up(builder.case("d/1~a", "WHICH MONEY?"), "No idea.", "d/1", ("upper-case", {}))
    least = builder.follow_up(builder.case("d/1~b", "WHICH money?"), "The yen (JPY).", "d/1", ("upper-case", {}))
    reason = "no mention of yen"
    [record] = builder.typed_findings(
        {
            "findings": [
                builder.finding("bot", "chat", "upper-case", source, [made], reason=reason, shrunk={**least, **shrunk})
            ]
        }
    )
    return record


def test_a_shrunk_pair_stands_beside_its_own_reason_and_the_original_beside_the_original_one(builder):
    finding = shrunk_finding(builder, reason="JPY in place of yen", score=0.25)
    view = finding_view(finding)
    assert (view.record.why, view.first_reason) == ("JPY in place of yen", "no mention of yen")
    assert "0.25" in view.judged
    text = text_of(print_finding, finding)
    assert "why: JPY in place of yen" in text
    assert "as found: no mention of yen" in text
    plain = finding_text(finding)  # there the pair as it was found stands first, and so does its reason
    assert "-> The yen (JPY). (JPY in place of yen)" in plain
    assert re.search(r"why +no mention of yen", plain)


def test_a_report_of_an_earlier_version_has_no_reason_of_its_shrunk_pair_and_gives_none(builder):
    view = finding_view(shrunk_finding(builder))
    assert view.record.why == "as found, before shrinking: no mention of yen"
    same = shrunk_finding(builder, response=builder.response("No idea."))
    assert finding_view(same).record.why == "no mention of yen", "the same answer, and so the same reason"


def test_perturbations_stand_side_by_side():
    split = {"DRS": {"bugs": 72, "levels": {"l1": 32}}, "DRR": {"bugs": 54, "levels": {"l1": 19, "l2": 3}}}
    tables = metric_tables({"mortar": {"systems": {"bot": {"seeds": 1, "per_perturbation": split, "critical": 9}}}})
    [shown] = [table for table in tables if "per perturbation" in table.title]
    assert shown.columns == ("", "DRS", "DRR")
    assert shown.rows == (("bugs", "72", "54"), ("levels l1", "32", "19"), ("levels l2", "-", "3"))
    [more] = [table for table in tables if table.title == "mortar: more"]
    assert (more.columns, more.rows) == (("", "bot"), (("critical", "9"),))


@pytest.mark.parametrize("width", [80, 100, 120, 130, 140])
def test_the_summary_is_never_cut_in_the_middle_of_a_number(sample, width):
    first = next(row for row in sample["summary"] if row["violated"] == 80)
    trust = {"soundness": {"read": 60, "sound": 57, "share": 0.95, "interval": [0.8, 0.98]}, "expected_precision": 0.9}
    sample["summary"] = [
        {**first, **trust, "relation": "r" * 46, "noise_floor": 0.0123, "flaky": 1234, "invalid": 5678}
    ]
    header, row = (
        text
        for text in text_of(print_summary, typed(sample), width=width).splitlines()
        if "violated" in text or "80/280" in text
    )
    assert ("sound" in header) == ("real" in header) == (width >= 140)
    assert ("9/10" in row) == (width >= 140)
    assert "9/" not in row.replace("9/10", "")


def scored(builder, source: str, follow_up: str, why: str):
    """The text of a finding of two answers that are numbers."""
    asked = {"case": builder.case("d/1", "Fine."), "response": builder.response(source)}
    made = builder.follow_up(builder.case("d/1~1", "FINE."), follow_up, "d/1", ("upper-case", {}))
    record = builder.finding("bot", "sentiment", "upper-case", asked, [made], reason=why)
    return finding_text(builder.typed({**builder.sample(), "findings": [record]}).findings[0])


def test_scores_are_told_with_four_decimals_unless_they_would_look_alike(builder):
    told = scored(builder, "0.893523", "0.5", "differ: 0.893523 / 0.5")
    assert "  answers    0.8935 -> 0.5\n" in told
    assert "  why        differ: 0.8935 / 0.5" in told
    assert "  answers    0.893523 -> 0.893522\n" in scored(builder, "0.893523", "0.893522", "differ")


def test_two_fields_that_change_places_are_told_as_that(builder):
    source = {"answer_a": "Rain falls softly", "answer_b": "Snow falls"}
    asked = {"case": builder.case("d/1", source), "response": builder.response("A")}
    swapped = builder.case("d/1~1", {"answer_a": "Snow falls", "answer_b": "Rain falls softly"})
    made = builder.follow_up(swapped, "A", "d/1", ("swap-answers", {}))
    record = builder.finding("bot", "pairwise-judge", "swap-answers", asked, [made])
    told = finding_text(builder.typed({**builder.sample(), "findings": [record]}).findings[0])
    assert "  change     answer_a and answer_b swapped (swap-answers)\n" in told
