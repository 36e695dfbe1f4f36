"""Counts the relations that apply to question answering and classification in a language, and draws a sheet of them.

    PYTHONPATH=. python studies/languages/tasks.py de question-answering --out FOLDER [--each 20] [--seed 1]

Fifty questions of XQuAD with their contexts, and some of ours (`passages.de.txt`; XQuAD lacks French), are put to a
system that knows their answers and says yes to sentences of a text, messages to a service (`texts.de.txt`) to one that
knows their labels. Tried are the relations of the default sets, and those that are in them on other tasks and wait for
readings on this one, or those that are named. FOLDER holds a sheet in the form of `sheet.py`.
"""

from __future__ import annotations

import argparse
import lzma
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from studies.languages.sheet import HERE, SHARED, brought_in, stems, write

import mutatis
from mutatis.core.languages import knows
from mutatis.core.parsing import json_of
from mutatis.core.relation import RELATIONS
from mutatis.languages import Language
from mutatis.records import VerdictRecord, read_verdicts
from mutatis.relations.soundness import PURPOSES, default_languages, should_hold

QA, CLASSIFICATION = "question-answering", "classification"
UNREAD = ("write-letters",)
"""Relations without English readings, since English has nothing for them."""

READERS = """# For readers

Each line of the sheet is a test of a system that answers questions about a text, or sorts messages by what they are
about. You see what it was given and its answer (*before*), and then what it is given instead (*after*); where it is
given several things, they are numbered. `must hold` says what the test expects of the answers to *after*. You do not
see these answers, and need not. Texts that are the same as before are left out.

Fill two columns, each with y or n:

- `sound`: would a system that reads well, and makes no mistake, always keep what must hold? Say n if a right answer
  could break it: because the question or the message has become another one, because the text now says something else
  about it, or because what must hold is wrong for these words. How an answer is worded does not count.
- `natural`: might somebody write, or find, what stands in *after*? Slips, haste and clumsy language are natural, text
  about something else beside the matter is, too; what nobody would write is not.

Read each line by itself. Look nothing up, and do not guess what the test is called. If you hesitate, choose n. Return a
file with the columns `line`, `sound`, `natural`, and a few words in `why` for each n.
"""


def questions(code: str, number: int) -> list[dict[str, str]]:
    """Return questions with their contexts and answers: some of XQuAD, spread over all articles, and those of ours."""
    ours = _of_our_own(code)
    file = SHARED / "xquad" / f"xquad.{code}.first24.json.xz"
    if not file.is_file():
        return ours
    with lzma.open(file, "rt", encoding="utf-8") as opened:
        articles = json_of(opened.read())["data"]
    asked = [
        {"question": qa["question"].strip(), "context": part["context"], "answer": qa["answers"][0]["text"]}
        for article in articles
        for part in article["paragraphs"]
        for qa in part["qas"]
    ]
    return [*asked[:: len(asked) // number][:number], *ours]


def _of_our_own(code: str) -> list[dict[str, str]]:
    """Return the questions of `passages.<code>.txt`."""
    made, context = [], ""
    for line in (HERE / f"passages.{code}.txt").read_text(encoding="utf-8").splitlines():
        if " | " in line and not line.startswith("#"):
            question, answer = line.split(" | ")
            made.append({"question": question, "context": context, "answer": answer})
        elif line and not line.startswith("#"):
            context = line
    return made


def texts(code: str) -> list[dict[str, str]]:
    """Return messages to a service with their labels."""
    lines = (HERE / f"texts.{code}.txt").read_text(encoding="utf-8").splitlines()
    told = [line.split(" | ", 1) for line in lines if " | " in line and not line.startswith("#")]
    return [{"text": text, "answer": label} for label, text in told]


def by_words(records: Sequence[Mapping[str, str]], field: str, code: str) -> Callable[[Mapping[str, str]], str]:
    """Return a system that answers with the answer of the known text that shares most words with what it is given.

    Asked about a quoted sentence, it says yes.
    """
    known = [(stems(record[field], code), record["answer"]) for record in records]
    [yes, *_] = Language(code).ways("yes")

    def answer(fields: Mapping[str, str]) -> str:
        if fields[field].endswith('"'):
            return yes
        said = stems(fields[field], code)
        return max(known, key=lambda pair: len(pair[0] & said) / max(1, len(pair[0])))[1]

    return answer


def tried(code: str, task: str) -> list[str]:
    """Return the relations of the default sets in a language, and those that wait for readings on the task."""
    return [
        name
        for name in RELATIONS
        if (relation := RELATIONS[name]).is_for(code)
        and task in relation.tasks
        and (name in UNREAD or {*PURPOSES} & relation.tags)
        and not relation.needs_helper
        and "parallel" not in relation.tags
    ]


def shown(verdict: VerdictRecord) -> dict[str, str]:
    """Return a line of the sheet."""
    before = verdict.source_input
    after = ["\n".join(_field(name, text, before) for name, text in made.input.items()) for made in verdict.followups]
    marks = [f"({number}) " if len(after) > 1 else "" for number in range(1, len(after) + 1)]
    reply = verdict.source_output.text if verdict.source_output else ""
    edited = {name for made in verdict.followups for name, text in made.input.items() if text != before.get(name)}
    shown_before = [f"{name}: {text}" for name, text in before.items() if name in edited or name != "context"]
    return {
        "before": "\n".join([*shown_before, f"answer: {reply}"]),
        "after": "\n".join(mark + text for mark, text in zip(marks, after, strict=True)),
        "must hold": should_hold(RELATIONS[verdict.relation].output_relation.name, verdict),
    }


def _field(name: str, text: str, before: Mapping[str, str]) -> str:
    return f"({name} as before)" if text == before.get(name) else f"{name}: {text}"


def main() -> None:
    """Write the sheet, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("code")
    parser.add_argument("task", choices=(QA, CLASSIFICATION))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--relations", default="", help="try and draw these alone")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    records = questions(args.code, 50) if args.task == QA else texts(args.code)
    answers = by_words(records, "question" if args.task == QA else "text", args.code)
    system = mutatis.system("function", target=answers, input="fields")
    inputs = [{name: text for name, text in record.items() if name != "answer"} for record in records]
    cases = mutatis.cases(inputs, task=args.task, language=args.code)
    drawn = args.relations.split(",") if args.relations else []
    relations = drawn or tried(args.code, args.task)
    labels = sorted({record["answer"] for record in records}) if args.task == CLASSIFICATION else []
    mutatis.run(
        system, cases, relations, task=args.task, seed=args.seed, out=args.out / "run", fresh=True,
        settings={"data": {"labels": labels}} if labels else None,
    )  # fmt: skip
    made = list(read_verdicts(args.out / "run" / "verdicts.jsonl"))
    pools: dict[str, list[VerdictRecord]] = defaultdict(list)
    for verdict in made:
        if verdict.outcome in ("satisfied", "violated") and verdict.relation in relations:
            pools[verdict.relation].append(verdict)
    inside = [name for name in pools if knows(default_languages(name, args.task), args.code)]
    kinds = Counter(RELATIONS[name].change or "other" for name in inside)
    print(f"{args.code}, {args.task}: {len(records)} inputs; judged: {len(inside)} of the default sets", end="")
    words = brought_in([each for each in made if "noise" not in RELATIONS[each.relation].tags], args.code)
    print(f", {len(pools)} with those that wait; English words: {sorted(words) or 'none'}")
    print("  kinds:", ", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items())))
    for name in relations:
        waits = "" if name in inside or name not in pools else " (waits)"
        print(f"  {name} {len(pools.get(name, ()))}{waits}")
    write(
        {name: pools[name] for name in drawn or pools if name in pools}, args.out, args.each, args.seed, shown, READERS
    )


if __name__ == "__main__":
    main()
