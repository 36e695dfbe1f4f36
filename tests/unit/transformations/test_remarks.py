"""Remarks around questions and messages, limits, lists and orders in five languages, and what they find."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random

import pytest

import mutatis
from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Exchange
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.languages import Language
from mutatis.text.by_folder import knows_not_in, polarity_in
from mutatis.transformations.exchange import larger_numbers
from mutatis.transformations.known import telling_sentences
from mutatis.transformations.passages import between_passages
from mutatis.transformations.remarks import claim_answer, not_about
from mutatis.transformations.sentences import as_list, question_first
from mutatis.transformations.settled import (
    ask_in_another_form,
    ask_whether_limited,
    limit_in_other_words,
    reordered_items,
    turned_limits,
)

CODES = ("en", "de", "es", "fr", "zh")

LIMITS = {
    "en": ("A group has at most 15 people.", "A group has at least 15 people.", ("no more than", "a maximum of")),
    "de": ("Die Gruppe hat höchstens 15 Personen.", "Die Gruppe hat mindestens 15 Personen.", ("maximal",)),
    "es": ("El grupo tiene como máximo 15 personas.", "El grupo tiene como mínimo 15 personas.", ("como mucho",)),
    "fr": ("Le groupe a au plus 15 personnes.", "Le groupe a au moins 15 personnes.", ("au maximum",)),
    "zh": ("一个团最多15个人。", "一个团至少15个人。", ("至多",)),
}


@pytest.mark.parametrize("code", CODES)
def test_a_limit_is_turned_round_or_said_in_other_words(code: str) -> None:
    text, turned, others = LIMITS[code]
    assert turned_limits(text, code) == [turned]
    new = limit_in_other_words(text, Random(1), code)
    assert new != text
    assert any(other in new for other in others)


def test_words_of_a_limit_that_stand_before_no_value_stay() -> None:
    for text, code in (("At most he sings.", "en"), ("Die Brücke führt über 2 Inseln.", "de"), ("他不到家。", "zh")):
        assert turned_limits(text, code) == []
        assert limit_in_other_words(text, Random(1), code) == text


LISTS = {
    "en": ("It links Ostby, Marum and Tolle.", ["It links Marum, Tolle and Ostby."]),
    "de": ("Sie verbindet Ostby, Marum und Tolle.", ["Sie verbindet Marum, Tolle und Ostby."]),
    "es": ("Esta línea une Ostby, Marum y Tolle.", ["Esta línea une Marum, Tolle y Ostby."]),
    "fr": ("Cette ligne relie Ostby, Marum et Tolle.", ["Cette ligne relie Marum, Tolle et Ostby."]),
    "zh": ("经过奥斯比、马鲁姆、托勒和哈斯林。", ["经过奥斯比、托勒、马鲁姆和哈斯林。"]),
}


@pytest.mark.parametrize("code", CODES)
def test_the_names_of_a_list_change_places(code: str) -> None:
    text, made = LISTS[code]
    assert reordered_items(text, Random(1), code) == made


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("It links Ostby, Marum and Tolle, respectively.", "en"),
        ("They first saw Ostby, Marum and Tolle.", "en"),
        ("In France, Italy and Spain it rains.", "en"),  # nothing tells "In" from a name
        ("Sie sang in Ostby, Marum und danach in Tolle.", "de"),
        ("La línea une Ostby, Marum e Irún.", "es"),  # "y" before Ostby, "e" before Irún
    ],
)
def test_a_list_whose_order_may_matter_stays(text: str, code: str) -> None:
    assert reordered_items(text, Random(1), code) == []


def test_sentences_become_a_list_and_the_question_comes_first() -> None:
    text = "Meine Karte ist weg. Wie bekomme ich eine neue Karte?"
    listed = "- Meine Karte ist weg.\n- Mein Ausweis ist weg.\n- Wie bekomme ich eine neue Karte?"
    assert as_list(text.replace("weg. ", "weg. Mein Ausweis ist weg. "), Random(1)) == listed
    assert question_first(text, "de") == "Wie bekomme ich eine neue Karte? Meine Karte ist weg."
    for pointing, code in (("Da steht mein Koffer. Kann ich ihn holen?", "de"), ("I lost a bag. Where is it?", "en")):
        with pytest.raises(UnusableFollowUp, match="refer to each other"):
            question_first(pointing, code)
    for short in (text, ""):
        with pytest.raises(UnusableFollowUp):
            as_list(short, Random(1))


@pytest.mark.parametrize("code", CODES)
def test_a_text_stands_between_two_others(code: str) -> None:
    before, text, behind = between_passages("The text.", Random(1), code).split("\n\n")
    assert text == "The text."
    assert before != behind


def test_numbers_of_a_message_become_larger_and_times_and_ranges_stay() -> None:
    assert larger_numbers("A table for 4 on 6 May at 8 pm.", Random(1)) == "A table for 6 on 6 May at 8 pm."
    assert larger_numbers("Ein Zimmer vom 3. bis 6. Mai für 4 Gäste.", Random(1), "de").endswith("6. Mai für 6 Gäste.")
    assert larger_numbers("Rooms for 3 to 6 people", Random(1)) == "Rooms for 3 to 8 people"


def test_a_message_is_not_said_to_be_about_something_else_that_it_mentions() -> None:
    for seed in range(8):
        assert "Lieferung" not in not_about("Wo bleibt mein Paket?", Random(seed), "de")
    with pytest.raises(UnusableFollowUp, match="mentions every topic"):
        not_about("Termin, Konto, Geld und Lieferung", Random(1), "de")


def test_another_answer_is_claimed_only_if_the_text_does_not_hold_it() -> None:
    turn = Turn(fields={"context": "Ann left in 1920 and came back in 1937.", "question": "When did Ann leave?"})
    with pytest.raises(UnusableFollowUp, match="the text already contains the false value"):
        claim_answer(turn, Random(1), claim="1937")


def test_values_in_other_forms_and_units() -> None:
    turn = Turn(fields={"context": "Eine Fahrt mit der Bahn dauert 90 Minuten.", "question": "Wie lange?"})
    made = ask_in_another_form(turn, Random(1), "de", kind="unit")
    assert made.fields["question"] == 'Stimmt das laut Text? "Eine Fahrt mit der Bahn dauert 1,5 Stunden."'
    assert made.annotations["expects"] == ["ja", "yes"]
    with pytest.raises(UnusableFollowUp, match="no sentence that could be used in the question"):
        ask_whether_limited(turn, Random(1), "de")


# What they find

TEXTS = {
    "en": "The path has at least 200 steps. It leads past Ostby, Marum and Tolle. The walk takes about 90 minutes.",
    "de": "Der Weg hat mindestens 200 Stufen. Er führt nach Ostby, Marum und Tolle. Der Weg dauert etwa 90 Minuten.",
    "es": "El camino tiene al menos 200 escalones. Pasa por Ostby, Marum y Tolle. El camino dura unos 90 minutos.",
    "fr": "Le chemin a au moins 200 marches. Il passe par Ostby, Marum et Tolle. Ce chemin dure environ 90 minutes.",
    "zh": "去塔的路上至少有很多级台阶，至少200级。沿途有奥斯比、马鲁姆、托勒和哈斯林四个村子。走完这条路一共要90分钟。",
}
ASKED = {
    "en": ("How long does the path take?", "90 minutes"),
    "de": ("Wie lange dauert der Weg?", "90 Minuten"),
    "es": ("¿Cuánto dura el camino?", "90 minutos"),
    "fr": ("Combien de temps dure le chemin ?", "90 minutes"),
    "zh": ("走完这条路要多长时间？", "90分钟"),
}
OF_TEXTS = (
    *("ask-whether-wrong", "ask-whether-limited", "ask-in-another-order", "ask-in-another-unit", "claim-untold"),
    *("claim-answer", "in-a-hurry", "after-thanks", "between-passages", "limit-in-other-words"),
)


def reader(code: str, fault: str = "") -> Callable[[Mapping[str, str]], str]:
    """Return a system that answers the question and judges sentences of the text, with a fault."""
    folder, answer = Language(code), ASKED[code][1]
    yes, no = folder.ways("yes")[0], folder.ways("no")[0]
    wrong = folder.ways("is_wrong")[0].partition("{")[0]
    untold, hurry = (
        [way.replace("{question}", "").replace("{}", "").strip() for way in folder.ways(name)]
        for name in ("untold", "in_a_hurry")
    )
    said = telling_sentences(TEXTS[code], code)
    turned = [new for sentence in said for new in turned_limits(sentence, code)]

    def reply(fields: Mapping[str, str]) -> str:
        asked, text = fields["question"], fields["context"]
        if asked.startswith(wrong):
            return yes if fault == "negation" else no
        if asked.endswith('"'):
            return no if fault != "limit" and any(new in asked for new in turned) else yes
        if fault == "gives in" and any(part in asked for part in untold):
            return "unknown"
        if fault == "hurry" and any(part in asked for part in hurry):
            return "unknown"
        if fault == "first text" and not text.startswith(TEXTS[code][:10]):
            return "unknown"
        return answer

    return reply


def judged(code: str, fault: str) -> Counter[tuple[str, str]]:
    cases = mutatis.cases(
        [{"context": TEXTS[code], "question": ASKED[code][0]}], task="question-answering", language=code
    )
    system = mutatis.system("function", target=reader(code, fault), input="fields")
    run = mutatis.run(system, cases, list(OF_TEXTS), task="question-answering")
    return Counter(
        {(row.relation, kind): getattr(row, kind) for row in run.summary for kind in ("satisfied", "violated")}
    )


FAULTS = {
    "": set(),
    "negation": {"ask-whether-wrong"},
    "limit": {"ask-whether-limited"},
    "gives in": {"claim-untold"},
    "hurry": {"in-a-hurry"},
    "first text": {"between-passages"},
}


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_right_reader_has_no_finding_and_a_fault_has(code: str, fault: str) -> None:
    counts = judged(code, fault)
    assert {name for (name, kind), number in counts.items() if kind == "violated" and number} == FAULTS[fault]
    silent = {name for name in OF_TEXTS if not counts[name, "satisfied"] + counts[name, "violated"]}
    assert silent == set()


MESSAGES = {
    "en": ("My parcel weighs at least 20 kg. When do you deliver?", "I lost my code. Who sends a new code?", "parcel"),
    "de": ("Mein Paket wiegt mindestens 20 kg. Wann liefern Sie?", "Der Code fehlt. Wer schickt den Code?", "paket"),
    "es": ("Mi paquete pesa al menos 20 kg. ¿Cuándo llega el envío?", "Falta el código. ¿Quién lo envía?", "paquete"),
    "fr": ("Mon colis pèse au moins 20 kg. Quand livrez-vous ?", "Le code manque. Qui envoie le code ?", "colis"),
    "zh": ("我的包裹至少20公斤。什么时候送货？", "我没有收到验证码。谁来处理登录问题？", "包裹"),
}
OF_MESSAGES = (
    *("not-about", "two-of-a-class", "larger-numbers", "limit-in-other-words", "question-first", "in-a-hurry"),
    *("after-thanks", "as-list"),
)
LABEL_FAULTS: dict[str, tuple[Callable[[str], bool], set[str]]] = {
    "": (lambda text: False, set()),
    "larger numbers": (lambda text: "20" not in text and any(map(str.isdigit, text)), {"larger-numbers"}),
    "lines": (lambda text: "\n" in text, {"as-list"}),
    "the beginning": (lambda text: text[0] in "NW什N不Q¿谁", {"question-first", "not-about"}),
}


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("fault", LABEL_FAULTS)
def test_a_right_classifier_has_no_finding_and_a_fault_has(code: str, fault: str) -> None:
    first, second, word = MESSAGES[code]
    wrong, findings = LABEL_FAULTS[fault]
    code_word = {"en": "code", "de": "code", "es": "código", "fr": "code", "zh": "验证码"}[code]
    asked = re.split(r"(?<=[.\u3002])\s*", first)[-1]
    texts = [first, second, f"{first} {second}", asked]
    texts += [f"{asked.rstrip('?？ ')} {word} {number}?" for number in (24, 7)]

    def label(text: str) -> str:
        return "other" if wrong(text) and text not in texts else label_of(text)

    def label_of(text: str) -> str:
        return "account" if code_word in text.lower() else "delivery"

    cases = mutatis.cases([{"text": text} for text in texts], task="classification", language=code)
    settings = {"data": {"labels": ["delivery", "account", "other"]}}
    run = mutatis.run(label, cases, list(OF_MESSAGES), task="classification", settings=settings)
    assert {row.relation for row in run.summary if row.violated} & findings == findings
    assert fault or not any(row.violated for row in run.summary)
    assert {row.relation for row in run.summary if row.satisfied + row.violated} == set(OF_MESSAGES)


def test_only_questions_on_the_same_matter_are_joined() -> None:
    offer, price = "Is the offer for 9 euros valid?", "Does it cost 5 euros?"
    asked = ("Where is my parcel?", "How heavy may a parcel be?", offer, price)
    known = Dictionary(exchanges=tuple(Exchange(question=each, reply="other") for each in asked))
    look_up = TRANSFORMATIONS["two-of-a-class"].looks_up
    assert look_up is not None
    assert [choice["other"] for choice in look_up(asked[0], "other", known)] == [asked[1]]
    with pytest.raises(UnusableFollowUp, match="on the same matter"):
        look_up(offer, "other", known)


def test_a_label_with_a_number_may_depend_on_the_numbers() -> None:
    cases = mutatis.cases(["A table for 4 people, please."], task="classification", language="en")
    settings = {"data": {"labels": ["up to 6", "more"]}}
    run = mutatis.run(lambda text: "up to 6", cases, ["larger-numbers"], task="classification", settings=settings)
    assert [(row.satisfied, row.invalid) for row in run.summary] == [(0, 1)]


@pytest.mark.parametrize("code", CODES[1:])
def test_a_wrong_yes_and_an_answer_that_is_not_known_are_read(code: str) -> None:
    folder = Language(code)
    for word, side in (("Yes", True), ("no.", False), (folder.ways("no")[0], False), (folder.ways("yes")[0], True)):
        assert polarity_in(word, code) is side
    assert knows_not_in("unknown", code)
