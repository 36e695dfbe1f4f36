"""Recognising the language of a text: sure, or silent."""

from __future__ import annotations

import csv
import json
import lzma
from pathlib import Path

import pytest

from mutatis.text import languages
from mutatis.text.languages import commonest, is_plainly_english, language
from mutatis.text.memory import remembering
from support.languages import ENGLISH, NO_LANGUAGE, OTHERS


@pytest.mark.parametrize("code", OTHERS)
def test_messages_are_never_taken_for_another_language_than_their_own(code: str) -> None:
    """A message of three words may say too little: among many of its kind it is recognised all the same."""
    languages = [language(text) for text in OTHERS[code]]
    assert set(languages) <= {code, ""}
    assert languages.count(code) >= len(languages) / 2
    assert not any(map(is_plainly_english, OTHERS[code]))
    assert commonest(OTHERS[code]) == (code, 1.0)


@pytest.mark.parametrize("text", ENGLISH)
def test_english_is_english_or_too_short_to_tell(text: str) -> None:
    assert language(text) in ("en", "")
    assert language(text, usual="en") in ("en", "")


@pytest.mark.parametrize("text", NO_LANGUAGE)
def test_code_addresses_and_names_have_no_language(text: str) -> None:
    assert language(text) in ("", "en")
    assert language(text, usual="en") in ("", "en")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("La entrada es a partir de las 15 horas y la salida hasta las 11.", "es"),
        ("Vous pouvez payer par carte ou en espèces dans notre magasin.", "fr"),
        ("チェックインは午後3時からです。", "ja"),
        ("这个可以用PayPal付款吗？", "zh"),
        ("WO IST MEINE BESTELLUNG GEBLIEBEN?", "de"),
        ("Siehe https://example.com/where-is-the-card-that-you-sent, was bedeutet diese Seite?", "de"),
        ("The German word for it is Schadenfreude.", "en"),
        ("", ""),
        (" \n", ""),
        ("OK", ""),
        ("half a letter \ud800 is still a text", "en"),
    ],
)
def test_a_language_is_told_where_it_is_plain(text: str, expected: str) -> None:
    assert language(text) == expected


def test_what_is_plainly_not_the_language_of_the_rest_is_unknown() -> None:
    assert language("Quiero cancelar mi pedido.") == ""
    assert language("Quiero cancelar mi pedido.", usual="en") == "und"
    assert language("Да, спасибо.", usual="en") == "und"
    assert language("reset pin", usual="en") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kan ik ruilen of niet, want het is te klein?", "nl"),
        ("Want ik was te laat of te vroeg", "nl"),
        ("Waar is my pakkie?", "af"),
        ("Ich brauche help mit my account", ""),
        ("Find ich gut", ""),
        ("Mi piace il The Voice of Italy", ""),
    ],
)
def test_words_that_english_shares_or_lends_make_no_text_english(text: str, expected: str) -> None:
    assert language(text) in (expected, "")


@pytest.mark.parametrize("text", ["Wo bin ich?", "Waar is het?", "Non mi va", "Qu'est-ce que c'est ?", "Hvor er det?"])
def test_a_short_text_of_words_of_another_language_is_not_taken_for_english(text: str) -> None:
    assert language(text) in ("", "fr")
    assert language(text, usual="en") in ("und", "fr")


@pytest.mark.parametrize(
    "text",
    [
        *("what is near the Millingen aan de Rijn?", "La La Land", "play el classico", "pho near me", "en suite"),
        *("when did Eva Perón die", "size L or XL", "pain au chocolat", "per se", "e y o", "y/n", "no", "2 + 2"),
    ],
)
def test_foreign_words_in_english_messages_change_nothing(text: str) -> None:
    assert language(text, usual="en") in ("", "en")


def test_the_commonest_language() -> None:
    assert commonest([]) == ("", 0.0)
    assert commonest(["PayPal", "42", ""]) == ("", 0.0)
    mixed = [*["Wo ist meine Karte geblieben?"] * 3, "Where is my card?", "PayPal"]
    assert commonest(mixed) == ("de", 0.75)
    # None says enough alone, all of them together do.
    assert commonest(["Ja, gern.", "Nein danke.", "Wo denn?", "Bis wann?", "Und dann?"]) == ("de", 1.0)
    assert commonest(["Hello", "Hi there"]) == ("en", 1.0)
    assert commonest(NO_LANGUAGE[-12:]) == ("", 0.0)


def _xquad(data: Path, code: str) -> list[str]:
    with lzma.open(data / "xquad" / f"xquad.{code}.first24.json.xz", "rt", encoding="utf-8") as file:
        articles = json.load(file)["data"]
    paragraphs = [paragraph for article in articles for paragraph in article["paragraphs"]]
    return [text for p in paragraphs for text in (p["context"], *(asked["question"] for asked in p["qas"]))]


@pytest.mark.parametrize(("code", "least"), [("en", 0.98), ("de", 0.95), ("es", 0.95), ("zh", 1.0)])
def test_real_questions_have_their_language_or_none(shared_data: Path, code: str, least: float) -> None:
    languages = [language(text) for text in _xquad(shared_data, code)]
    assert set(languages) <= {code, ""}
    assert languages.count(code) >= least * len(languages)


def test_real_messages_to_a_bank_are_english(shared_data: Path) -> None:
    with lzma.open(shared_data / "banking77" / "test.csv.xz", "rt", encoding="utf-8", newline="") as file:
        messages = [row["text"] for row in csv.DictReader(file)]
    assert {language(message, usual="en") for message in messages} == {"en", ""}


class Kept(dict[bytes, float]):
    """A memory that is a dictionary."""

    def recall(self, keys):
        return {key: self[key] for key in keys if key in self}

    def keep(self, numbers):
        self.update(numbers)


def test_what_the_model_said_once_is_told_again_without_it(monkeypatch):
    texts = ["Sie zahlen mit Karte und nicht in bar.", "Когда придёт мой заказ?", "Quiero cancelar mi pedido."]

    def told() -> list[str]:
        return [languages.language(text, usual) for text in texts for usual in ("", "en", "de")]

    memory = Kept()
    with remembering(memory):
        first = told()
    alone = told()
    languages._said.cache_clear()
    monkeypatch.setattr(languages, "_identifier", lambda: pytest.fail("the model was loaded"))
    with remembering(memory):
        assert told() == first == alone


def test_the_model_is_held_without_what_nobody_asks_for_and_says_the_same():
    """Languages that are not chosen among are dropped, and the table of moves lies in a file: 50 MB less of a run."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    usual = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    usual.set_languages([*languages.NAMES, languages.NO_LANGUAGE])
    ours = languages._identifier()
    texts = [*ENGLISH, *NO_LANGUAGE, *(text for texts in OTHERS.values() for text in texts)]
    assert [ours.rank(text) for text in texts] == [usual.rank(text) for text in texts]
    ours.set_languages()
    assert set(ours.labels) == {*languages.NAMES, languages.NO_LANGUAGE}
    assert isinstance(ours.tk_nextmove, memoryview)
