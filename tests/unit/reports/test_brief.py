from __future__ import annotations

import pytest

from mutatis.records.report import FindingRecord, Instability
from mutatis.reports.brief import brief, instability_text
from mutatis.reports.html import render_html
from mutatis.reports.terminal import console, print_findings
from mutatis.reports.view import finding_view

CARD = "In all of our shops and restaurants you can of course pay by card at any time of the day, as you like."
INVOICE = "In all of our shops and restaurants you can of course pay by invoice, which we send you later by post."


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        (["yes", "no"], ("yes", "no")),
        (["yes", f"no, {CARD}"], ("yes", "no, In all of our shops and restaur…")),
        ([CARD, INVOICE], ("…pay by card at any time of the day…", "…pay by invoice, which we send you…")),
        ([CARD, CARD.partition(" at")[0]], ("…pay by card at any time of the day…", "…pay by card")),
        (["長" * 60 + "春", "長" * 60 + "秋"], ("…" + "長" * 12 + "春", "…" + "長" * 12 + "秋")),
        (["a\nb"], ("a b",)),
        ([CARD], ("In all of our shops and restaurants…",)),
        ([], ()),
    ],
)
def test_long_answers_are_cut_from_where_they_differ(answers, told):
    assert brief(answers) == told
    assert all(len(shown) <= 36 for shown in told)


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        (['{"train-day": "monday"}', '{"train-day": "monday", "hotel-stars": 4}'], ("hotel-stars: (none)", "4")),
        (['{"a-x": "1", "a-y": "2", "a-z": "3"}', '{"a-z": "3"}'], ("a-x: 1", "(none); 1 more differ")),
        (['{"a-x": "Yes"}', '{"a-x": "yes"}'], ("a-x: Yes", "yes")),  # as the measure `state-exact` compares them
        (['{"a-x": "1"}', '{"a-x": "1"}'], ('{"a-x": "1"}', '{"a-x": "1"}')),
        (['{"a-x": "1"}', "I do not know"], ('{"a-x": "1"}', "I do not know")),
    ],
)
def test_of_dialogue_states_the_slots_that_differ_are_told(answers, told):
    assert brief(answers) == told


def answered(builder, sample, first, second):
    finding = sample["findings"][1]
    finding["source"]["response"] = builder.response(first)
    finding["followups"] = finding["followups"][:1]
    finding["followups"][0]["response"] = builder.response(second)
    finding["shrunk"] = None
    return FindingRecord.model_validate(finding)


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (88, "'…pay by card at any time of the day…' -> '…pay by invoice, which we send you…'"),
        (60, "'…by card at any time…' -> '…by invoice, which we…'"),
    ],
)
def test_the_terminal_shows_both_answers_where_they_begin_alike(builder, sample, width, told):
    out = console(width=width)
    with out.capture() as printed:
        print_findings([answered(builder, sample, CARD, INVOICE)], out)
    assert told in printed.get()


def test_the_page_shows_both_answers_where_they_begin_alike(builder, sample):
    answered(builder, sample, CARD, INVOICE)
    page = render_html(builder.typed(sample))
    assert "<bdi>…pay by card at any time of the day…</bdi>" in page
    assert "<bdi>…pay by invoice, which we send you…</bdi>" in page


def test_what_was_expected_is_cut_from_where_the_answer_differs(builder, sample):
    record = answered(builder, sample, CARD, CARD).model_copy(
        update={"reference": [INVOICE], "output_relation": "equal"}
    )
    assert finding_view(record).brief() == (
        ("…pay by card at any time of the day…",),
        "…pay by invoice, which we send you…",
    )


def test_two_long_answers_of_an_unstable_question_are_shown_where_they_differ():
    methods, names = "Visa and Mastercard, SEPA direct debit, bank transfer", ("Apple Pay", "PayPal")
    first, second = (f"Happy to help. We accept {methods} and {name}. Anything else?" for name in names)
    told = instability_text(Instability(wordings=16, shares=[(first, 9), (second, 6)]))
    assert "Apple Pay." in told
    assert "PayPal." in told
    first, second = (f"We accept {methods}, cheques, vouchers, cash and {name}." for name in names)
    told = instability_text(Instability(wordings=16, shares=[(first, 9), (second, 6)]))
    quoted = "'…vouchers, cash and Apple Pay.' in 9 and '…vouchers, cash and PayPal.' in 6"
    assert told == f"asked the same thing in 16 wordings it says {quoted}"
    same = instability_text(Instability(wordings=9, shares=[(f"{first} {first}", 5), (f"{first} {first} ", 4)]))
    assert same.count("We accept Visa") == 2
