"""Data in other languages than English: what knows them is tested, the rest says so before anything is asked."""

from __future__ import annotations

import asyncio
import json
import lzma
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis import languages
from mutatis.api import run_config
from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign.plan import estimate
from mutatis.campaign.session import Campaign, conduct
from mutatis.config import Config, check
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UnusableFollowUp, UsageError
from mutatis.core.languages import EVERY
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.search import Source
from mutatis.core.transformation import TRANSFORMATIONS, derive, transformation
from mutatis.query import Store
from mutatis.relations import relation, soundness
from mutatis.relations.soundness import PURPOSES, default_languages
from mutatis.search import derivations
from mutatis.testing import ScriptedHelper
from support.languages import ENGLISH, OTHERS

FOREIGN = ("de", "es", "zh")
PLAIN = {"noise_floor": 0, "confirm": 0}
QUIET: dict[str, Any] = {"settings": PLAIN}


class Bot:
    """Always the same answer, whatever is asked: it violates nothing; counts how often it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, message: str) -> str:
        self.asked.append(message)
        return "42"


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "verdicts.jsonl").read_text("utf-8").splitlines()]


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", text.lower()))


def english_words(but: str = "") -> set[str]:
    """Every longer word of the package's own English lists that is in no list of another language's folder."""
    english, other = (listed_words(Path(languages.__file__).parent / code) for code in ("en", but or "none"))
    return english - other


def listed_words(folder: Path) -> set[str]:
    return {
        word
        for kind in ("txt", "toml")
        for path in folder.rglob(f"*.{kind}")
        for word in words(path.read_text("utf-8").replace(".example", ""))  # a domain for examples, no word
    }


def brought_in(source: Mapping[str, str], made: Mapping[str, str]) -> set[str]:
    return {word for name in made for word in words(made[name]) - words(" ".join(source.values()))}


@pytest.mark.parametrize("code", FOREIGN)
def test_no_follow_up_of_another_language_holds_english_words(tmp_path: Path, code: str) -> None:
    run = mutatis.run(Bot(), OTHERS[code], out=tmp_path, **QUIET)
    judged = [line for line in lines(tmp_path) if line["outcome"] != "invalid"]
    made = [brought_in(line["source_input"], line["followups"][0]["input"]) for line in judged]
    assert not {word for new in made for word in new} & english_words(code)
    assert {line["outcome"] for line in judged} == {"satisfied"}
    assert len({line["relation"] for line in judged}) >= 5
    assert run.findings == []


def test_english_data_is_tested_with_english_words(tmp_path: Path) -> None:
    """The test above can fail: the same relations bring in English words where the data is English."""
    mutatis.run(Bot(), ENGLISH[:12], out=tmp_path, **QUIET)
    made = [
        brought_in(line["source_input"], line["followups"][0]["input"])
        for line in lines(tmp_path)
        if line["outcome"] != "invalid"
    ]
    assert {word for new in made for word in new} & english_words()


def test_what_does_not_know_the_language_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    bot = Bot()
    run = mutatis.run(bot, OTHERS["it"][:3], ["polite-words", "lower-case"], out=tmp_path, **QUIET)
    refused = [line for line in lines(tmp_path) if line["relation"] == "polite-words"]
    assert [(line["outcome"], line["reason"], line["precondition"], line["language"]) for line in refused] == [
        ("invalid", "not for Italian", "source input: language", "it")
    ] * 3
    assert len(bot.asked) == 6  # three sources, and each in lower case
    assert [row.relation for row in run.summary] == ["lower-case"]
    assert not {example.relation for example in run.report.examples} & {"polite-words"}


def test_one_line_says_what_was_left_out(tmp_path: Path) -> None:
    run = mutatis.run(Bot(), OTHERS["it"][:4], **QUIET)
    [said] = [check for check in run.report.health if check.name == "language"]
    assert said.subject == "Italian"
    names = [name for name in RELATIONS if {"chat"} & set(RELATIONS[name].tasks)]
    assert re.fullmatch(
        r"relations that do not know the language of a text were left out for it: .* and \d+ more \(\d+ follow-ups\)",
        said.message,
    )
    assert said.message.split(" for it: ")[1].split(",")[0] in names
    unmatched = [check.subject for check in run.report.health if check.name == "never-matched"]
    assert [subject.split(" on ")[0] for subject in unmatched] == ["answer-in-its-language"]  # "42" is in none
    quiet = mutatis.run(Bot(), OTHERS["it"][:4], **QUIET, relations=["lower-case"])
    assert not [check for check in quiet.report.health if check.name == "language"]


def test_several_languages_are_told_in_one_line() -> None:
    italian = [f"Perché mi è stato addebitato due volte {word}?" for word in ("il letto", "il bus", "il tè")]
    texts = [*italian, *OTHERS["zh"][:3], *ENGLISH[:2]]
    run = mutatis.run(Bot(), texts, ["polite-words", "lower-case"], **QUIET)
    [said] = [check for check in run.report.health if check.name == "language"]
    assert said.subject.split(", ") == ["Italian", "Chinese"]
    assert said.message == (
        "relations that do not know the language of a text were left out for it: polite-words, lower-case "
        "(6 follow-ups)"
    )
    assert said.reason == "not for Italian or Chinese"


def test_a_limit_of_the_gate_on_what_does_not_know_the_language_says_so() -> None:
    settings = {**PLAIN, "gate": {"relations": {"polite-words": 0}}}
    run = mutatis.run(
        lambda message: message.casefold(), OTHERS["it"][:3], ["polite-words", "lower-case"], settings=settings
    )
    with pytest.raises(mutatis.GateFailed, match=r"limits polite-words, .* it is not for Italian, or"):
        run.check()


def test_nothing_is_paid_where_no_relation_knows_the_language() -> None:
    bot = Bot()
    run = mutatis.run(bot, OTHERS["it"][:3], ["polite-words"], settings={"noise_floor": 20})
    assert bot.asked == []
    assert planned(OTHERS["it"][:3], ["polite-words"]).of("source questions") == (0, 0)
    with pytest.raises(mutatis.GateFailed, match=r"polite-words: not for Italian"):
        run.check()


def test_no_figure_of_english_readings_stands_beside_another_language() -> None:
    english = mutatis.run(Bot(), ENGLISH[:4], ["lower-case"], **QUIET)
    italian = mutatis.run(Bot(), OTHERS["it"][:4], ["lower-case"], **QUIET)
    assert english.summary[0].soundness is not None
    assert italian.summary[0].soundness is None
    assert italian.summary[0].judge_precision is None


def test_the_figure_of_the_runs_language_is_shown_or_that_there_is_none(tmp_path: Path) -> None:
    """German follow-ups in small letters were read, 15 of 15 sound; nobody read Italian ones."""
    shown = {}
    for code in ("de", "it"):
        run = mutatis.run(Bot(), OTHERS[code][:4], ["lower-case"], out=tmp_path / code, **QUIET)
        page = (tmp_path / code / "report.html").read_text(encoding="utf-8")
        shown[code] = run.summary[0].language, run.table(), page
    language, table, page = shown["de"]
    assert (language, "100 % of 15" in table, "100 % of 15" in page) == ("de", True, True)
    language, table, page = shown["it"]
    assert (language, "not read in Italian" in table, ">not read in Italian<" in page) == ("it", True, True)


def test_one_question_of_many_in_another_language_leaves_the_figure_of_the_others() -> None:
    english = [f"Where is my {item}, please?" for item in ("card", "bag", "phone", "coat", "key", "book", "shoe")]
    asked = [*ENGLISH, *english, "Wo ist denn jetzt meine neue Karte, bitte?"]
    row = mutatis.run(Bot(), asked, ["lower-case"], **QUIET).summary[0]
    assert (row.language, row.soundness is None) == ("en", False)


def test_no_one_figure_stands_beside_several_languages() -> None:
    run = mutatis.run(Bot(), [*ENGLISH[:6], "Wo ist denn jetzt meine neue Karte, bitte?"], ["lower-case"], **QUIET)
    assert (run.summary[0].language, run.summary[0].soundness) == ("mul", None)
    assert "no one figure for several languages" in run.table()


def test_a_default_set_has_what_was_read_in_the_language_of_the_data_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    row = soundness.SoundnessRow(relation="homophones", task="classification", read=20, sound=20, language="de")
    every = (*soundness.readings(), row)
    monkeypatch.setattr(soundness, "readings", lambda: every)
    said = {}
    for name, texts in (("de", OTHERS["de"][:3]), ("en", ENGLISH[:3]), ("both", [*ENGLISH[:3], *OTHERS["de"][:3]])):
        cases = mutatis.cases([{"text": text} for text in texts], task="classification")
        run = mutatis.run(lambda text: "a", cases, ["tag:robustness"], settings=PLAIN)
        said[name] = {row.relation: row for row in run.summary}.get("homophones")
    assert said["de"] is not None
    assert said["en"] is None
    assert said["both"] is not None
    assert said["both"].language == "de"


def test_each_case_is_tested_in_its_own_language(tmp_path: Path) -> None:
    italian = "Dove si trova adesso la mia nuova carta?"
    run = mutatis.run(Bot(), [*ENGLISH[:8], italian], ["polite-words", "lower-case"], out=tmp_path, **QUIET)
    counts = Counter((line["relation"], line.get("language", "en"), line["outcome"]) for line in lines(tmp_path))
    assert counts == {
        ("polite-words", "en", "satisfied"): 8,
        ("polite-words", "it", "invalid"): 1,
        ("lower-case", "en", "satisfied"): 8,
        ("lower-case", "it", "satisfied"): 1,
    }
    polite = next(row for row in run.summary if row.relation == "polite-words")
    assert (polite.satisfied, polite.invalid) == (8, 1)
    assert polite.soundness is not None  # all that was judged is English


def test_blocks_have_their_own_languages(tmp_path: Path) -> None:
    for code, texts in (("en", ENGLISH[:4]), ("de", OTHERS["de"][:4]), ("short", ["Danke", "PayPal"])):
        (tmp_path / f"{code}.txt").write_text("\n".join(texts), encoding="utf-8")
    (tmp_path / "bot.py").write_text("def answer(message):\n    return '42'\n")
    blocks = [{"format": "lines", "path": f"{name}.txt"} for name in ("en", "de")]
    blocks.append({"format": "lines", "path": "short.txt", "language": "German"})
    written = config_run(tmp_path, blocks)
    assert {(line["source"].split("/")[0], line.get("language", "en")) for line in written} == {
        *(("en", "en"), ("de", "de"), ("short", "de"))
    }


def config_run(folder: Path, blocks: list[dict[str, Any]], **more: Any) -> list[dict[str, Any]]:
    system = {"type": "function", "target": "bot.py:answer"}
    tables = {"system": system, "data": blocks, "relations": ["polite-words", "lower-case"], **PLAIN, **more}
    run_config(check(tables, folder), out=folder / "out")
    return lines(folder / "out")


def test_where_the_language_is_unknown_only_what_knows_every_language_runs(tmp_path: Path) -> None:
    texts = ["Max Mustermann", "Juan Carlos Rodriguez", "Angela Merkel", "Johann Sebastian Bach", "Volkswagen Golf GTI"]
    run = mutatis.run(Bot(), texts, ["lower-case", "repeat-text", "add-link"], out=tmp_path, **QUIET)
    assert {row.relation for row in run.summary} == {"repeat-text", "add-link"}
    [said] = [check for check in run.report.health if check.name == "language"]
    assert said.subject == "An unknown language"
    assert '[data] language = "' in said.remedy
    named = mutatis.run(Bot(), mutatis.cases(texts, language="German"), ["lower-case", "repeat-text"], **QUIET)
    assert {row.relation for row in named.summary} == {"lower-case", "repeat-text"}


def test_a_system_of_which_nothing_could_be_tested_does_not_vanish() -> None:
    bot = Bot()
    run = mutatis.run(bot, OTHERS["it"][:3], ["polite-words"], **QUIET)
    assert bot.asked == []
    assert [(row.relation, row.invalid, row.judged) for row in run.summary] == [("polite-words", 3, 0)]
    with pytest.raises(mutatis.GateFailed, match="no relation applies to the inputs of chat"):
        run.check()


def test_a_plan_counts_what_is_asked() -> None:
    bot = Bot()
    relations = ["polite-words", "lower-case", "say-age"]
    plan = planned(OTHERS["it"][:5], relations)
    mutatis.run(bot, OTHERS["it"][:5], relations, **QUIET)
    assert plan.of("source questions")[0] + plan.of("follow-up questions")[0] == len(bot.asked) == 10


def planned(texts: list[str], relations: list[str]) -> Any:
    return asyncio.run(estimate(assembled(texts, relations), Store(None)))


def assembled(texts: list[str], relations: list[str] | None = None) -> Campaign:
    objects = HandedOver(systems=[Bot()], cases=mutatis.cases(texts), relations=relations or [])
    return assemble(Config(), Store(None), objects)


def test_under_a_budget_what_is_refused_takes_no_place(tmp_path: Path) -> None:
    """Six of nine relations do not know Italian: a visit of a source is as full as it were without them."""
    silent = ["polite-words", "say-age", "false-start", "homophones", "misspell", "filled-pauses"]
    spoken = ["lower-case", "upper-case", "repeat-text"]
    bots = Bot(), Bot()
    judged = []
    for bot, chosen in zip(bots, (spoken, [*silent, *spoken]), strict=True):
        out = tmp_path / str(len(chosen))
        mutatis.run(bot, OTHERS["it"], chosen, max_queries=40, out=out)
        judged.append(Counter(line["outcome"] for line in lines(out))["satisfied"])
    assert judged[0] == judged[1] >= 18  # each of the questions is asked before any relation comes twice
    assert len(bots[0].asked) == len(bots[1].asked)


@pytest.mark.parametrize("search", ["bandit", "evolutionary", "random"])
def test_a_search_goes_where_something_can_be_said(tmp_path: Path, search: str) -> None:
    options: dict[str, Any] = {"type": search, **({"space": "relations"} if search == "evolutionary" else {})}
    chosen = ["polite-words", "say-age", "lower-case", "upper-case"]
    run = mutatis.run(Bot(), OTHERS["it"][:6], chosen, search=options, max_queries=40, out=tmp_path)
    assert {line["relation"] for line in lines(tmp_path)} == {"lower-case", "upper-case"}
    [said] = [check for check in run.report.health if check.name in ("language", "never-proposed")]
    assert said.message == (
        "relations that do not know the language of a text were left out for it: polite-words, say-age"
    )


def test_a_relation_of_the_users_own_is_for_every_language() -> None:
    @transformation("shout")
    def shout(text: str) -> str:
        """Shout."""
        return text.rstrip(".?!？。") + "!"

    relation("shouting", transformations=["shout"], tasks=["chat"])
    for texts in (OTHERS["it"][:3], OTHERS["zh"][:3], ENGLISH[:3]):
        [row] = mutatis.run(Bot(), texts, ["shouting"], **QUIET).summary
        assert (row.satisfied, row.invalid) == (3, 0)


def test_a_relation_may_be_for_one_language(tmp_path: Path) -> None:
    @transformation("duzen", languages=["de"])
    def duzen(text: str) -> str:
        """Say du."""
        return f"Du, {text}"

    relation("du", transformations=["duzen"], tasks=["chat"])
    mutatis.run(Bot(), [*OTHERS["de"][:8], *ENGLISH[:2]], ["du"], out=tmp_path, **QUIET)
    counts = Counter((line["outcome"], line["reason"]) for line in lines(tmp_path) if line["outcome"] == "invalid")
    assert counts == {("invalid", "not for English"): 2}


def test_a_language_that_does_not_exist_is_told() -> None:
    with pytest.raises(UsageError, match="transformation 'x': unknown language 'Germn'"):
        transformation("x", languages=["Germn"])
    with pytest.raises(UsageError, match="relation 'x': unknown language 'Germn'"):
        relation("x", transformations=["lower-case"], tasks=["chat"], languages=["Germn"])


def test_a_transformation_is_told_the_language() -> None:
    heard: list[str] = []

    @transformation("listen")
    def listen(text: str, written_in: str) -> str:
        """Listen."""
        heard.append(written_in)
        return f"{text} "

    relation("listening", transformations=["listen"], tasks=["chat"])
    for texts in (OTHERS["zh"][:1], ENGLISH[:1]):
        mutatis.run(Bot(), texts, ["listening"], **QUIET)
    assert heard == ["zh", "en"]


def test_dialogues_are_not_checked_for_their_context_in_another_language(tmp_path: Path) -> None:
    """The context check reads English: which turn needs which it cannot tell."""
    turns = (
        "Dove si trova adesso il mio ordine?",
        "E quando arriva a casa mia?",
        "Posso ancora cambiarlo?",
    )
    case = Case(id="d/1", task="dialogue", turns=tuple(Turn(fields={"question": text}) for text in turns))
    asked: list[str] = []

    def system(messages: list[dict[str, str]]) -> str:
        asked.append(messages[-1]["content"])
        return "42"

    run = mutatis.run(system, [case], ["context-preserving", "ask-again", "lower-case"], out=tmp_path, **QUIET)
    refused = [line for line in lines(tmp_path) if line["outcome"] == "invalid"]
    assert {(line["relation"], line["reason"]) for line in refused} == {
        ("context-preserving", "not for Italian"),
        ("ask-again", "not for Italian"),
    }
    assert [row.relation for row in run.summary] == ["lower-case"]


def test_relations_that_judge_all_versions_of_a_question_are_left_out_by_name() -> None:
    """Such a relation has no verdict for a follow-up that it refuses: MORTAR's MR3 and MR4 would vanish."""
    turns = ("¿Dónde está mi pedido ahora?", "¿Y cuándo me llega a casa?", "¿Todavía puedo cambiarlo?")
    case = Case(id="d/1", task="dialogue", turns=tuple(Turn(fields={"question": text}) for text in turns))
    run = mutatis.run(lambda messages: "42", [case], recipe="mortar", settings={"noise_floor": 0})
    [said] = [check for check in run.report.health if check.name == "language"]
    assert said.message.startswith("relations that do not know the language of a text were left out for it: ")


def test_states_of_dialogues_are_protected_in_every_language(tmp_path: Path) -> None:
    turn = Turn(
        fields={"utterance": "Cerco una camera economica a Siviglia per tre notti."},
        annotations={"protected": {"values": ["Siviglia"]}},
    )
    case = Case(id="d/1", task="dialogue-state", turns=(turn,))
    answer = '{"hotel-area": "Siviglia"}'
    run = mutatis.run(lambda utterance: answer, [case], ["states-lower-case", "states-misspell"], **QUIET)
    assert [(row.relation, row.satisfied) for row in run.summary] == [("states-lower-case", 1)]


@pytest.mark.parametrize("code", FOREIGN)
def test_a_search_of_small_edits_leaves_out_the_families_of_words(code: str, tmp_path: Path) -> None:
    cases = mutatis.cases(OTHERS[code][:3], task="sentiment")
    mutatis.run(lambda text: "0.5", cases, search={"type": "random-edits"}, out=tmp_path, max_queries=60, **QUIET)
    written = lines(tmp_path)
    asked = {name for line in written if line["outcome"] == "satisfied" for name in line["steps"]}
    assert not {name for name in asked if name.startswith("word-")}
    if code == "zh":  # letters are those of the Latin script, so nothing is left
        assert {line["outcome"] for line in written} == {"invalid"}
    else:
        assert {"char-insert", "char-drop", "char-replace"} <= asked


def test_the_same_follow_ups_whoever_said_what_language_it_is(tmp_path: Path) -> None:
    """Recognised or said, the language is no part of derivations: ids of follow-ups and findings stay."""
    outs = []
    for number, cases in enumerate((ENGLISH[:6], mutatis.cases(ENGLISH[:6], language="en"))):
        mutatis.run(Bot(), cases, out=tmp_path / str(number), seed=3, **QUIET)
        outs.append((tmp_path / str(number) / "verdicts.jsonl").read_bytes())
    assert outs[0] == outs[1]
    assert b'"language"' not in outs[0]


def _wordy(message: str) -> str:
    """Say the same in other words to a message in small letters, and another number to one in capitals."""
    if message.isupper():
        return "El envío tarda 5 días."
    return "En 3 días está en casa." if message.islower() else "El envío tarda 3 días."


def test_a_judge_that_does_not_know_the_language_says_what_holds_in_every_one(tmp_path: Path) -> None:
    texts = OTHERS["it"][:4]
    run = mutatis.run(_wordy, texts, ["upper-case", "lower-case"], out=tmp_path, **QUIET)
    decided = {(line["relation"], line["outcome"], line["reason"]) for line in lines(tmp_path)}
    assert decided == {
        ("upper-case", "violated", "answers should be the same, but differ: numbers differ: 3 / 5"),
        ("lower-case", "invalid", "the judge cannot tell: repertoire does not support Italian"),
    }
    assert {row.relation: (row.violated, row.judge_precision) for row in run.summary} == {
        "upper-case": (4, None),
        "lower-case": (0, None),
    }


def test_what_the_judge_leaves_open_is_asked_of_a_helper(tmp_path: Path) -> None:
    helper = ScriptedHelper('{"same": true, "reason": "en el fondo igual"}')
    tables = {"judge": {"ask": [0.3, 0.7]}, "relations": ["lower-case"], **PLAIN}
    objects = HandedOver(systems=[_wordy], cases=mutatis.cases(OTHERS["it"][:2]), helper=helper)
    campaign = assemble(check(tables, objects=("systems", "data")), Store(None), objects)
    asyncio.run(conduct(campaign, folder=tmp_path))
    assert {(line["outcome"], line["measure"]) for line in lines(tmp_path)} == {("satisfied", "repertoire+helper")}


def test_that_the_judge_does_not_know_the_language_is_told_beforehand() -> None:
    notes = assembled(OTHERS["it"][:4]).notes
    assert [note for note in notes if note.startswith("judge: repertoire does not support Italian: ")]
    assert not [note for note in assembled(ENGLISH[:4]).notes if "does not know" in note]


def test_languages_that_the_judge_does_not_know_are_listed() -> None:
    asked = [replace(mutatis.cases([OTHERS["it"][0]])[0], id=code, language=code) for code in ("it", "nl", "fi")]
    objects = HandedOver(systems=[Bot()], cases=asked)
    notes = assemble(Config(), Store(None), objects).notes
    assert [note for note in notes if note.startswith("judge: repertoire does not support Dutch, Finnish or Italian: ")]


RANDOM_LETTERS = {"homoglyphs", "invisible-characters", "mutatis.transformations.characters"}
"""Transformations, and modules of them, that change letters: they bring in no words, though one may arise by chance."""


def _xquad(data: Path, code: str) -> list[tuple[str, str]]:
    """Return sixty pairs of context and question, spread over all articles."""
    with lzma.open(data / "xquad" / f"xquad.{code}.first24.json.xz", "rt", encoding="utf-8") as file:
        articles = json.load(file)["data"]
    pairs = [(p["context"], asked["question"]) for a in articles for p in a["paragraphs"] for asked in p["qas"]]
    return pairs[:: len(pairs) // 60][:60]


def _real_cases(data: Path, code: str) -> dict[str, list[Case]]:
    """Return cases of every task out of sixty real questions."""
    pairs = _xquad(data, code)
    fields = {
        "question-answering": [{"context": context, "question": question} for context, question in pairs],
        "retrieval-qa": [{"passages": f"{c}\n\n{c[::-1]}", "question": question} for c, question in pairs[:20]],
        "inference": [{"premise": context, "hypothesis": question} for context, question in pairs[:20]],
        "sentiment": [{"text": context} for context, _ in pairs[:20]],
        "classification": [{"text": question} for _, question in pairs],
        "chat": [{"message": question} for _, question in pairs],
    }
    made = {
        task: [
            Case(id=f"{task}/{n}", task=task, turns=(Turn(fields=row),), language=code) for n, row in enumerate(rows)
        ]
        for task, rows in fields.items()
    }
    turns = [tuple(Turn(fields={"question": question}) for _, question in pairs[n : n + 4]) for n in range(0, 60, 4)]
    made["dialogue"] = [Case(id=f"d/{n}", task="dialogue", turns=all_, language=code) for n, all_ in enumerate(turns)]
    return made


def _of_default_sets(task: str) -> tuple[MetamorphicRelation, ...]:
    chosen = [RELATIONS[name] for name in RELATIONS if RELATIONS[name].tags & set(PURPOSES)]
    free = (each for each in chosen if task in each.tasks and not each.needs_helper)
    return tuple(each for each in free if default_languages(each.name, task) == EVERY)


async def _words_brought_in(case: Case, relations: tuple[MetamorphicRelation, ...]) -> dict[str, set[str]]:
    """Return the words that each transformation which is for the language of a case brings into it."""
    source, brought = Source(case=case, relations=relations), dict[str, set[str]]()
    for wanted in derivations(source):
        step = TRANSFORMATIONS[wanted.steps[0].transformation]
        if source.judges(wanted.steps):
            new = brought.setdefault(step.name, set())
            if not RANDOM_LETTERS & {step.name, step.apply.__module__}:
                try:
                    made = await derive(case, wanted)
                except UnusableFollowUp:
                    continue
                asked = {str(place): " ".join(turn.fields.values()) for place, turn in enumerate(case.turns)}
                for after in made.turns:  # a dialogue may ask one of its questions again
                    new |= brought_in(asked, after.fields)
    return brought


@pytest.mark.parametrize("code", FOREIGN)
async def test_no_relation_of_a_default_set_brings_english_words_into_real_questions(
    shared_data: Path, code: str
) -> None:
    english, judged = english_words(code), Counter[str]()
    for task, cases in _real_cases(shared_data, code).items():
        relations = _of_default_sets(task)
        assert relations
        for case in cases:
            brought = await _words_brought_in(case, relations)
            judged.update(brought.keys())
            assert not {name: new & english for name, new in brought.items() if new & english}
    assert len(judged) >= 25
    assert judged.total() > 500
