"""The grid of everything asked: inputs by systems, what is left out, how systems compare, hostile text."""

from __future__ import annotations

from mutatis.records.report import VerdictRecord
from mutatis.reports.grid import grid_of, render_grid
from support import report_builder as builder


def report(**systems):
    made = builder.sample()
    made["summary"] = [builder.row(name, "chat", "upper-case", *counts) for name, counts in systems.items()]
    made["run"]["systems"] = [{"system": name} for name in systems]
    return builder.typed(made)


def judged(system, source, outcome, answer="at noon", **extra):
    return VerdictRecord.model_validate(
        {
            "system": system,
            "task": "chat",
            "relation": "upper-case",
            "source": source,
            "turn": 0,
            "variant": ["message"],
            "outcome": outcome,
            "reason": "they differ",
            "source_input": {"message": f"When, {source}?"},
            "source_output": {"text": "at nine"},
            "finding": "ab12",
            "followups": [
                {"case": f"{source}>1", "turn": 0, "input": {"message": f"WHEN, {source}?"}, "output": {"text": answer}}
            ],
            **extra,
        }
    )


def test_a_follow_up_is_one_row_with_a_cell_for_each_system():
    made = grid_of(
        report(ann=(1, 1), bob=(1, 0)),
        [
            judged("ann", "q1", "violated"),
            judged("ann", "q2", "satisfied", "at nine"),
            judged("bob", "q1", "satisfied"),
        ],
    )
    assert [(item.source, sorted(item.cells)) for item in made.inputs] == [("q1", ["ann", "bob"]), ("q2", ["ann"])]
    [row] = made.inputs[0].rows.values()
    assert {name: (cell.answer, cell.outcome) for name, cell in row.cells.items()} == {
        "ann": ("at noon", "violated"),
        "bob": ("at noon", "satisfied"),
    }
    assert [span.text for span in row.asked if span.changed] == ["WHEN"]
    assert [system.rate for system in made.systems] == ["1 of 2 violated (50.0 %)", "0 of 1 violated (0 %)"]


def test_what_was_never_asked_is_no_row_and_what_failed_is_one():
    unasked = judged("ann", "q1", "invalid", precondition="too short")
    unasked = unasked.model_copy(update={"followups": []})
    failed = judged("ann", "q2", "error")
    member = failed.followups[0].model_copy(update={"output": None, "error": "timed out"})
    made = grid_of(report(ann=(0, 0)), [unasked, failed.model_copy(update={"followups": [member]})])
    [item] = made.inputs
    [row] = item.rows.values()
    assert (item.source, row.cells["ann"].answer, row.cells["ann"].outcome) == ("q2", "(timed out)", "error")


def test_what_is_left_out_is_counted():
    made = grid_of(report(ann=(3, 0)), [judged("ann", f"q{place}", "satisfied") for place in range(5)], most=3)
    assert (len(made.inputs), made.left_out) == (3, 2)


def test_what_is_left_out_is_a_row_and_no_answer_of_one_that_is_there():
    names = ["q1", "q2"]
    verdicts = [judged(system, name, "satisfied") for system in ("ann", "bob") for name in names]
    made = grid_of(report(ann=(2, 0), bob=(2, 0)), verdicts, most=1)
    [item] = made.inputs
    [row] = item.rows.values()
    assert (sorted(item.cells), sorted(row.cells), made.left_out) == (["ann", "bob"], ["ann", "bob"], 2)


def test_a_group_is_one_row_though_each_system_is_worst_at_another_follow_up():
    def group(system, worst):
        members = [
            {"case": f"q1>{place}", "turn": 0, "input": {"message": text}, "output": {"text": f"{system} {text}"}}
            for place, text in enumerate(("WHEN?", "when?"))
        ]
        return judged(system, "q1", "violated", worst=[worst], followups=members)

    [item] = grid_of(report(ann=(0, 1), bob=(0, 1)), [group("ann", 0), group("bob", 1)]).inputs
    [row] = item.rows.values()
    assert "".join(span.text for span in row.asked) == "WHEN?"
    assert {name: cell.answer for name, cell in row.cells.items()} == {"ann": "ann WHEN?", "bob": "(when?) bob when?"}


def test_hostile_text_is_inert_in_rows_and_in_the_data_of_the_script():
    spoilt = judged("ann", builder.HOSTILE, "violated", builder.HOSTILE, reason=builder.HOSTILE)
    page = render_grid(report(ann=(0, 1)), [spoilt])
    assert "<script>document" not in page
    assert "<img src=x" not in page
    assert "\u202e" not in page
    assert "\x1b" not in page
    assert page.count("<script") == page.count("</script>") == 2  # one chunk of rows, one script of ours


def test_the_mean_answer_of_a_system_stands_over_its_column():
    made = report(ann=(1, 0)).to_json()
    mean = {"seconds": 1.25, "prompt_tokens": 90.0, "completion_tokens": 10.0, "money": 0.0005}
    made["run"]["systems"] = [{"system": "ann", "answer": mean, "currency": "EUR"}]
    [column] = grid_of(builder.typed(made), []).systems
    assert column.answer == "1.25 s and 100 tokens an answer; 0.5 EUR a thousand"
