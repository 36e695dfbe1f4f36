"""Questions with a text and classified texts in other languages: what the folders' words and the edits make of them."""

from random import Random

import pytest

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp, UsageError
from mutatis.languages import Language, listed
from mutatis.transformations.exchange import (
    change_names,
    change_numbers,
    change_places,
    exchangeable_numbers,
)
from mutatis.transformations.known import telling_sentences
from mutatis.transformations.opinions import say_anything, say_who, tells_of_speaker
from mutatis.transformations.passages import add_passages, repeat_sentence, stock
from mutatis.transformations.sentences import random_sentence, shuffle_sentences
from mutatis.transformations.settled import ask_also, ask_whether_changed, ask_whether_told, fill_gap, hearsay_question
from mutatis.transformations.typed import switch_into
from mutatis.transformations.variants import frame_question

CODES = ("de", "es", "fr", "zh")
TOWER = {
    "de": ("Der Turm am Fluss hat 24 Stufen.", "Wie viele Stufen hat der Turm?"),
    "es": ("La torre del río tiene 24 escalones.", "¿Cuántos escalones tiene la torre?"),
    "fr": ("La tour du fleuve a 24 marches.", "Combien de marches la tour a-t-elle ?"),
    "zh": ("河边的那座塔一共有24级台阶。", "河边的塔有多少级台阶？"),
}


def tower(code: str) -> Turn:
    context, question = TOWER[code]
    return Turn(fields={"context": context, "question": question})


@pytest.mark.parametrize("code", CODES)
def test_numbers_of_text_and_question_are_made_larger_alike(code: str) -> None:
    made = change_numbers(tower(code), Random(1), ("context", "question"), code)
    assert made.fields["context"] == TOWER[code][0].replace("24", "26")  # by two at least
    assert made.fields["question"] == TOWER[code][1]


def test_numbers_that_are_part_of_something_longer_stay() -> None:
    german = "Am 5. März 1973 um 9:30 Uhr, im 19. Jahrhundert, kamen 24 von 1.200 Gästen mit 3,5 kg; Haus-7."
    assert [m.group() for m in exchangeable_numbers(german, "de")] == ["24"]
    chinese = "19世纪的3月5日，9:30来了24个人，占3.5%，编号A7。"
    assert [m.group() for m in exchangeable_numbers(chinese, "zh")] == ["24"]


@pytest.mark.parametrize("code", CODES)
def test_the_text_is_asked_whether_it_says_a_sentence(code: str) -> None:
    folder = Language(code)
    said = ask_whether_told(tower(code), Random(1), code)
    assert TOWER[code][0] in said.fields["question"]
    assert said.annotations["expects"] == list(folder.ways("yes"))
    changed = ask_whether_changed(tower(code), Random(1), code)
    assert "24" not in changed.fields["question"]
    assert changed.annotations["expects"] == list(folder.ways("no"))
    gap = fill_gap(tower(code), Random(1), code)
    assert "____" in gap.fields["question"]
    assert gap.annotations["expects"] == ["24"]


@pytest.mark.parametrize("code", CODES)
def test_what_is_put_around_a_question_is_of_its_language(code: str) -> None:
    folder, (context, question) = Language(code), TOWER[code]
    assert frame_question(question, Random(1), code).removesuffix(question) in folder.ways("frames")
    assert frame_question(context, Random(1), code) == context
    heard = hearsay_question(tower(code), Random(1), code).fields["question"]
    assert heard.endswith(question)
    assert context in heard
    both = ask_also(tower(code), Random(1), code)
    assert both.fields["question"].startswith(question)
    assert any(both.fields["question"].endswith(passage.question) for passage in stock(code))
    assert any(both.fields["context"].endswith(passage.text) for passage in stock(code))


def test_a_sentence_that_answers_the_question_is_not_told_before_it() -> None:
    told = "Der Turm wurde 1920 von Anna Berg gebaut. Im Sommer kommen viele Gäste in den Ort."
    for seed in range(5):
        turn = Turn(fields={"context": told, "question": "Wann wurde der Turm gebaut?"})
        assert "Gäste" in hearsay_question(turn, Random(seed), "de").fields["question"]


def test_nothing_is_told_before_a_question_that_could_point_at_it() -> None:
    turn = Turn(fields={"context": TOWER["de"][0], "question": "Wer gab diese Erklärung ab?"})
    with pytest.raises(UnusableFollowUp, match="refer to the added sentence"):
        hearsay_question(turn, Random(1), "de")


@pytest.mark.parametrize("code", CODES)
def test_a_speaker_is_known_by_the_sentence_in_every_language(code: str) -> None:
    folder, question = Language(code), TOWER[code][1]
    for trait in ("gender", "age", "origin", "faith", "health", "job", "customer"):
        made = say_who(question, Random(1), code, trait=trait)
        assert made.removesuffix(question).removesuffix(folder.gap) in folder.ways(f"traits.{trait}")
        assert tells_of_speaker(made) is True
    assert tells_of_speaker(say_anything(question, Random(1), code)) is False
    assert tells_of_speaker(question) is None


@pytest.mark.parametrize("code", CODES)
def test_passages_and_sentences_of_our_own_are_added(code: str) -> None:
    folder, (context, _) = Language(code), TOWER[code]
    first = random_sentence(context, Random(1), code)
    assert first.removeprefix(context).removeprefix(folder.gap) in listed("sentences", code)
    assert {context, *(passage.text for passage in stock(code))} > set(
        add_passages(context, Random(1), code).split("\n\n")
    )
    assert repeat_sentence(context, Random(1), code) == context + folder.gap + context


@pytest.mark.parametrize("code", CODES)
def test_every_passage_answers_its_question_by_its_name(code: str) -> None:
    assert len(stock(code)) >= 6
    for passage in stock(code):
        assert passage.entity in passage.text
        assert passage.question[0].isupper() or passage.question[0] == "¿" or code == "zh"
        assert len(telling_sentences(passage.text, code)) >= 2


def test_chinese_sentences_change_places_without_blanks() -> None:
    text = "塔建于一九二〇年。它在河边。没有人知道是谁建的。"
    made = shuffle_sentences(text, Random(1))
    assert made != text
    assert sorted(made) == sorted(text)
    assert " " not in made


def test_names_are_exchanged_alike_in_all_fields() -> None:
    german = Turn(fields={"context": "Petra traf Lukas in Petras Garten.", "question": "Wen traf Petra?"})
    made = change_names(german, Random(1), ("context", "question"), "de")
    other = made.fields["question"].removeprefix("Wen traf ").removesuffix("?")
    assert other != "Petra"
    assert made.fields["context"].startswith(f"{other} traf ")
    king = Turn(fields={"context": "Luis XIV habló con Pedro. Luis no escuchaba."})
    made = change_names(king, Random(1), ("context",), "es")
    assert made.fields["context"].startswith("Luis XIV habló con ")
    assert made.fields["context"].endswith(". Luis no escuchaba.")
    assert "Pedro" not in made.fields["context"]
    chinese = Turn(fields={"context": "王芳在桥上遇见了李伟。", "question": "王芳遇见了谁？"})
    made = change_names(chinese, Random(1), ("context", "question"), "zh")
    other = made.fields["question"].removesuffix("遇见了谁？")
    assert made.fields["context"].startswith(f"{other}在桥上遇见了")
    assert "李伟" not in made.fields["context"]


@pytest.mark.parametrize(
    ("code", "text", "kind"),
    [
        ("de", "Die Berliner zogen nach Berlin.", "cities"),  # a word made from the name would stay
        ("fr", "Les tours de Tours sont hautes.", "cities"),  # the name is a word, too
        ("es", "Santiago Ramos vive lejos.", "cities"),  # a person's
        ("de", "In Frankreich tagte die französische Regierung.", "countries"),
        ("de", "Er wohnt in Toulouse, Frankreich.", "countries"),  # a town of that country
        ("zh", "日本海的鱼很多。", "countries"),
        ("zh", "她从罗马尼亚来。", "cities"),
    ],
)
def test_places_that_cannot_be_exchanged_stay(code: str, text: str, kind: str) -> None:
    turn = Turn(fields={"context": text})
    assert change_places(turn, Random(1), ("context",), code, kind=kind) == turn


def test_places_are_exchanged_in_text_and_question() -> None:
    turn = Turn(fields={"context": "Sie fuhr von Rom nach Wien.", "question": "Wohin fuhr sie von Rom?"})
    made = change_places(turn, Random(3), ("context", "question"), "de")
    start = made.fields["question"].removeprefix("Wohin fuhr sie von ").removesuffix("?")
    assert start != "Rom"
    assert made.fields["context"].startswith(f"Sie fuhr von {start} nach ")
    asked = Turn(fields={"context": "Sie fuhr weg.", "question": "Kam sie aus Rom?"})
    assert change_places(asked, Random(3), ("context", "question"), "de") == asked


@pytest.mark.parametrize(
    ("code", "into", "text", "expected"),
    [
        ("de", "en", "Morgen zahle ich mit Karte.", "Morgen zahle ich mit card."),  # the list has "morgen"
        ("en", "de", "Can I pay with my card tomorrow?", "Can I pay with my Karte morgen?"),
        ("es", "fr", "¿Dónde está la estación?", "¿Dónde está la gare?"),
        ("fr", "zh", "Où est la gare ?", "Où est la 车站 ?"),
        ("zh", "es", "我明天可以刷卡吗？", "我mañana可以刷卡吗？"),
        ("de", "en", "Bis wann kann ich heute Abend kommen?", "Bis wann kann ich heute Abend kommen?"),
    ],
)
def test_words_of_another_language_stand_in_a_text(code: str, into: str, text: str, expected: str) -> None:
    assert switch_into(text, Random(1), code, into=into, share=1.0) == expected


def test_a_language_without_such_words_is_named() -> None:
    listed = "expected a language with a list of words to switch to: de, en, es, fr, zh"
    with pytest.raises(UsageError, match=f"into = 'it'; {listed}"):
        switch_into("Can I pay tomorrow?", Random(1), into="it")


def test_a_text_without_a_whole_sentence_gives_nothing_to_ask() -> None:
    short = Turn(fields={"context": "Ja. Nein!", "question": "Warum?"})
    with pytest.raises(UnusableFollowUp, match="no whole sentence"):
        ask_whether_told(short, Random(1), "de")
