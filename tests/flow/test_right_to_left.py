"""Arabic and Hebrew questions: tried by what needs no language, judged by what holds in all, shown as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.core.relation import RELATIONS
from mutatis.records import read_verdicts

ARABIC = [
    "متى يفتح المتحف الكبير في وسط المدينة يوم السبت القادم؟",
    "كم سعر تذكرة الدخول للأطفال؟",
    "هل يمكنني الدفع بالبطاقة؟",
    "أين أجد موقف السيارات القريب؟",
    "كيف أستطيع إلغاء الحجز؟",
    "ما هو رقم هاتف خدمة العملاء؟",
]
HEBREW = [
    "מתי המוזיאון הגדול במרכז העיר נפתח בשבת הקרובה?",
    "כמה עולה כרטיס כניסה לילדים?",
    "האם אפשר לשלם בכרטיס אשראי?",
    "איפה נמצא החניון הקרוב?",
    "איך אני יכול לבטל את ההזמנה?",
    "מה מספר הטלפון של שירות הלקוחות?",
]
QUESTIONS = {"ar": ARABIC, "he": HEBREW}
QUIET: dict[str, Any] = {"noise_floor": 0, "confirm": 0}
SURFACE = {"add-handle", "add-link", "break-lines", "double-spaces", "emphasis-marks", "final-mark", "in-quotes"}
"""Noise of layout and around a text, which needs no language; `drop-punctuation` and others join them."""


def bot(message: str) -> str:
    """Answer each question by its first words, whatever stands around them."""
    plain = " ".join(message.replace("\u00a0", " ").replace("*", "").split())
    for number, question in enumerate([*ARABIC, *HEBREW]):
        if " ".join(question.split()[:3]) in plain:
            return f"{number + 10}"
    return "?"


@pytest.mark.parametrize("code", ["ar", "he"])
def test_what_needs_no_language_is_tried_and_nothing_is_found(code: str, tmp_path: Path) -> None:
    run = mutatis.run(bot, QUESTIONS[code], out=tmp_path, settings=QUIET)
    judged = [verdict for verdict in read_verdicts(tmp_path / "verdicts.jsonl") if verdict.outcome != "invalid"]
    assert {verdict.relation for verdict in judged} >= SURFACE
    assert all(RELATIONS[verdict.relation].is_for(code) for verdict in judged)
    assert {verdict.language for verdict in judged} == {code}
    assert run.findings == []
    [left_out] = [check for check in run.report.health if check.name == "language"]
    assert left_out.subject == {"ar": "Arabic", "he": "Hebrew"}[code]
    assert "relations that do not know the language of a text" in left_out.message
    letters = set("abcdefghijklmnopqrstuvwxyz")
    around = {"add-handle", "add-link"}  # an address and a handle have Latin letters in every language
    made = [member.input["message"] for v in judged if v.relation not in around for member in v.followups]
    assert not [text for text in made if letters & set(text.lower())]


def test_a_bot_that_breaks_on_layout_is_found_in_arabic(tmp_path: Path) -> None:
    def fragile(message: str) -> str:
        return "99" if "\n" in message else bot(message)

    run = mutatis.run(fragile, ARABIC, settings=QUIET)
    assert {finding.relation for finding in run.findings} == {"break-lines"}
    page = run.save(tmp_path / "report.html").read_text(encoding="utf-8")
    assert 'class="text" dir="auto"' in page  # a browser takes the direction from the text


def test_mixed_data_keep_a_language_for_each_case(tmp_path: Path) -> None:
    german = ["Wann öffnet das Museum am Samstag?", "Was kostet der Eintritt für Kinder?", "Wo kann ich hier parken?"]
    english = ["When does the museum open on Saturday?", "What does a ticket for children cost?", "Where can I park?"]
    records = [
        {"message": text, "lang": code}
        for code, texts in (("ar", ARABIC), ("de", german), ("en", english))
        for text in texts
    ]
    cases = mutatis.cases(records, task="chat", fields={"message": "message", "language": "lang"})
    relations = ["break-lines", "in-quotes", "polite-words", "frame-question"]
    mutatis.run(lambda message: "ok", cases, relations, out=tmp_path, settings=QUIET)
    told = {(v.relation, v.language or "en", v.outcome) for v in read_verdicts(tmp_path / "verdicts.jsonl")}
    for relation in ("polite-words", "frame-question"):
        outcomes = {(language, outcome) for name, language, outcome in told if name == relation}
        assert outcomes == {("ar", "invalid"), ("de", "satisfied"), ("en", "satisfied")}
    assert {(language, outcome) for name, language, outcome in told if name == "in-quotes"} == {
        ("ar", "satisfied"),
        ("de", "satisfied"),
        ("en", "satisfied"),
    }
    made = [v for v in read_verdicts(tmp_path / "verdicts.jsonl") if v.relation == "frame-question" and v.followups]
    german_frames = [v.followups[0].input["message"] for v in made if v.language == "de"]
    assert german_frames
    assert all("rage" in text or "gern" in text or "Bitte" in text for text in german_frames)
