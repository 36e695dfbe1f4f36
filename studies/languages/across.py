"""Asks the same questions in several languages, and counts what is found with and without a fault.

    python studies/languages/across.py --out FOLDER [--show 50]
    python studies/languages/across.py --out FOLDER --sheet 15

A public pool's bot (`bots/swimming_pool`) answers in the language of the message, and a reader of XQuAD knows every
answer. German is given a fault: another number in each answer, none of its numbers, or an answer in English. Printed
are the verdicts of pairs with German and of the others; `--show` prints as many of each outcome for reading.
`--sheet` draws as many follow-ups of each relation for blind readers instead, of the pool's bot and of XQuAD.
"""

from __future__ import annotations

import argparse
import os
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

from studies.languages.bots.swimming_pool.de import bot as german
from studies.languages.bots.swimming_pool.en import bot as english
from studies.languages.bots.swimming_pool.es import bot as spanish
from studies.languages.bots.swimming_pool.fr import bot as french
from studies.languages.bots.swimming_pool.zh import bot as chinese
from studies.languages.sheet import write

import mutatis
from mutatis.core.cases import Case
from mutatis.records import VerdictRecord, read_verdicts

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("MUTATIS_SHARED", HERE.parents[2] / "shared")) / "data"
POOL: Mapping[str, ModuleType] = {"en": english, "de": german, "es": spanish, "fr": french, "zh": chinese}
XQUAD = ("en", "de", "es", "zh")
RELATIONS = ["in-another-language", "answer-in-its-language"]
Answers = Mapping[str, tuple[str, str, str]]
"""Of each question its language, its right answer, and the answer in English."""

_NUMBER = re.compile(r"\d+")


def pool() -> tuple[list[Case], Answers]:
    """Return the pool's messages, each in all languages, and the answers."""
    records, answers = [], {}
    for number, messages in enumerate(zip(*(bot.MESSAGES for bot in POOL.values()), strict=True)):
        in_english = english.reply([messages[0]])
        for (code, bot), message in zip(POOL.items(), messages, strict=True):
            if bot.reply([message]).meaning != in_english.meaning:
                continue  # it asks something else
            records.append({"message": message, "language": code, "matter": f"matter-{number}"})
            answers[message] = code, bot.reply([message]).text, in_english.text
    fields = {"message": "message", "language": "language", "parallel": "matter"}
    return mutatis.cases(records, task="chat", fields=fields, name="pool"), answers


def xquad() -> tuple[list[Case], Answers]:
    """Return XQuAD's questions in all languages, and the first of their answers."""
    cases = [
        case
        for code in XQUAD
        for case in mutatis.read_cases(
            "squad2", SHARED / "xquad" / f"xquad.{code}.first24.json.xz", name=code, language=code, parallel="xquad"
        )
    ]
    in_english = {case.parallel: case.turns[0].expected[0] for case in cases if case.language == "en"}
    answers = {
        case.turns[0].question: (case.language, case.turns[0].expected[0], in_english[case.parallel]) for case in cases
    }
    return cases, answers


def _other_number(reply: str) -> str:
    return _NUMBER.sub(lambda match: str(int(match.group()) + 1), reply, count=1)


def _no_numbers(reply: str) -> str:
    return re.sub(r"\s*\d[\d.,:/]*\s*(?:€|Euro\b|Uhr\b|%)?", " ", reply).strip() or "viele"


FAULTS: Mapping[str, Callable[[str, str], str]] = {
    "none": lambda reply, in_english: reply,
    "other number": lambda reply, in_english: _other_number(reply),
    "no numbers": lambda reply, in_english: _no_numbers(reply),
    "in English": lambda reply, in_english: in_english,
    "not understood": lambda reply, in_english: "Das habe ich leider nicht verstanden.",
}


def run(name: str, cases: list[Case], answers: Answers, fault: str, out: Path) -> list[VerdictRecord]:
    """Run the relations on a system with a fault in German, and return the verdicts on follow-ups."""

    def reply(fields: Mapping[str, str]) -> str:
        code, right, in_english = answers[fields.get("message") or fields["question"]]
        return FAULTS[fault](right, in_english) if code == "de" else right

    system = mutatis.system("function", target=reply, input="fields")
    quiet = {"noise_floor": 0, "confirm": 0}
    folder = out / name / fault.replace(" ", "-")
    mutatis.run(system, cases, RELATIONS, settings=quiet, out=folder, fresh=True)
    return [verdict for verdict in read_verdicts(folder) if verdict.followups]


def _texts(verdict: VerdictRecord) -> list[str]:
    """Return question and answer in the one language, and in the other."""
    sides = [(verdict.source_input, verdict.source_output)]
    sides += [(member.input, member.output) for member in verdict.followups]
    return [f"{asked.get('message') or asked['question']} -> {said.text if said else ''}" for asked, said in sides]


READ = ("in-another-language", "value-in-another-language", "greet-in-another-language", "answer-in-its-language")


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", text.lower())) | set(re.findall(r"[\u4e00-\u9fff]", text))


def draw(out: Path, each: int) -> None:
    """Write a sheet with follow-ups of each relation: of the pool's bot, and of the relations on XQuAD alone."""
    cases, answers = pool()
    known = {question: _words(question) for question in answers}

    def speaking_all(message: str) -> str:
        """Answer in the language of the known message with the most words in common."""
        said = _words(message)
        nearest = max(known, key=lambda question: len(known[question] & said) / len(known[question] | said))
        return str(POOL[answers[nearest][0]].reply([message]).text)

    quiet = {"noise_floor": 0, "confirm": 0}
    mutatis.run(speaking_all, cases, list(READ), settings=quiet, out=out / "pool", fresh=True)
    made = [*read_verdicts(out / "pool"), *run("xquad", *xquad(), "none", out)]
    judged = [verdict for verdict in made if verdict.followups and verdict.outcome in ("satisfied", "violated")]
    write({name: [verdict for verdict in judged if verdict.relation == name] for name in READ}, out, each, seed=1)
    print(Counter((verdict.relation, verdict.outcome) for verdict in judged))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--sheet", type=int, default=0)
    args = parser.parse_args()
    if args.sheet:
        draw(args.out, args.sheet)
        return
    for name, (cases, answers) in (("pool", pool()), ("xquad", xquad())):
        for fault in FAULTS:
            counts: Counter[tuple[str, str, str]] = Counter()
            made = run(name, cases, answers, fault, args.out)
            for verdict in made:
                asked = [text.partition(" -> ")[0] for text in _texts(verdict)]
                spoken = {answers[question][0] for question in asked}
                counts[verdict.relation, "German" if "de" in spoken else "others", verdict.outcome] += 1
            print(f"{name}, {fault}:")
            for what, number in sorted(counts.items()):
                print(f"  {', '.join(what)}: {number}")
            for outcome in ("violated", "satisfied", "invalid"):
                some = [verdict for verdict in made if verdict.outcome == outcome]
                for verdict in random.Random(1).sample(some, min(args.show, len(some))):
                    print(f"  {outcome}: {verdict.reason}", *_texts(verdict), sep="\n    ")


if __name__ == "__main__":
    main()
