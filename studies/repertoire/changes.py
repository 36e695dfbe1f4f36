"""What another judge changes on real answers: sheets for readers who see no verdict, and the count of what they said.

python -m studies.repertoire.changes evouna --limit 640 --out /tmp/changes      # data: MUTATIS_SHARED, or ../shared
python -m studies.repertoire.changes squad --limit 150 --out /tmp/changes
python -m studies.repertoire.changes coqa --limit 60 --out /tmp/changes
python -m studies.repertoire.changes sheet evouna --out /tmp/changes            # 50 of each kind, shuffled
python -m studies.repertoire.changes count evouna --readers FIRST SECOND --out /tmp/changes

A reader answers with lines `NUMBER same`, `NUMBER different` or `NUMBER cannot`, one per pair of the sheet. Old is the
judge of the task without `repertoire` (`answer-equivalence`), new is `repertoire`.
"""

import argparse
import json
import lzma
import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sklearn.metrics import cohen_kappa_score

from mutatis.api import run_config
from mutatis.campaign.repertoires import SOURCES
from mutatis.config import check
from mutatis.core.measure import Comparison, QuestionReplies, Repertoire, ReplyBlock, Similarity, WordedReply
from mutatis.measures import MEASURES

from .campaign import judged

OLD, NEW = "answer-equivalence", "repertoire"
OUTPUTS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
KINDS = (
    "same -> different",
    "different -> same",
    "open -> same",
    "open -> different",
    "same -> open",
    "different -> open",
)
SAID = ("same", "different", "cannot")
Row = dict[str, Any]


def shared() -> Path:
    """The folder of the public data."""
    return Path(os.environ.get("MUTATIS_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "data"


def evouna(limit: int) -> Iterator[Row]:
    """Every pair of the outputs of two real systems to one question, judged by both judges.

    The outputs of the five systems stand for the wordings of one: the first is the source's answer, the others are its
    siblings. `truth` is what people said of both outputs: two right ones are the same, a right and a wrong one are not.
    """
    with lzma.open(shared() / "evouna" / "TQ.json.xz", "rt", encoding="utf-8") as file:
        records = [record for record in json.load(file) if not record["improper"]][:limit]
    old, new = (MEASURES[name].make() for name in (OLD, NEW))
    for start in range(0, len(records), SOURCES):
        part = records[start : start + SOURCES]
        texts = [[str(record[f"answer_{name}"]).strip() for name in OUTPUTS] for record in part]
        replies = [
            [WordedReply(message=record["question"], text=text) for text in row]
            for record, row in zip(part, texts, strict=True)
        ]
        block = ReplyBlock(questions=tuple(QuestionReplies(source=row[0], siblings=tuple(row[1:])) for row in replies))
        comparisons, rows = [], []
        for place, (record, row) in enumerate(zip(part, texts, strict=True)):
            rights = [bool(record[f"judge_{name}"]) for name in OUTPUTS]
            for other in range(1, len(OUTPUTS)):
                truth = "different" if rights[0] != rights[other] else "same" if rights[0] else ""
                rows.append({"question": [record["question"]], "answers": [row[0], row[other]], "truth": truth})
                repertoire = Repertoire(block=block, place=place)
                comparisons.append(
                    Comparison(
                        reference=(row[0],), answer=row[other], question=record["question"], repertoire=repertoire
                    )
                )
        for row_of, before, after in zip(rows, old.compare(comparisons), new.compare(comparisons), strict=True):
            yield {**row_of, "expects": "same", "old": said(before), "new": said(after), "reason": after.reason}


def said(similarity: Similarity) -> str:
    """What a similarity says of its pair."""
    return "open" if similarity.open else "same" if similarity.score >= 0.5 else "different"


def campaign(what: str, out: Path, limit: int) -> Iterator[Row]:
    """Every pair that a campaign judges under both judges; the answers are asked for once."""
    runs = []
    for measure in (OLD, NEW):
        folder = out / f"{what}-{measure}"
        run_config(
            check({**settings(what, limit), "judge": {"measure": measure}}), store=out / f"{what}.db", out=folder
        )
        runs.append(dict(verdicts(folder)))
    before, after = runs
    for name, row in before.items():
        if name in after:
            yield {**row, "old": row["says"], "new": after[name]["says"], "reason": after[name]["reason"]}


def settings(what: str, limit: int) -> dict[str, Any]:
    """The configuration of a campaign: the reader and the data that the other studies use."""
    system = {"type": "builtin", "name": "reader"}
    quiet = {"noise_floor": 0, "confirm": 0, "shrink": 0, "systems": [system]}
    if what == "squad":
        data = {"format": "squad2", "path": str(shared() / "squad2" / "dev-v2.0-rebuilt.json.xz"), "limit": limit}
        return {**quiet, "data": data}
    data = {"format": "coqa", "path": str(shared() / "coqa" / "coqa-dev-rebuilt.json.xz"), "limit": limit}
    return {**quiet, "recipe": "mortar", "data": data}


def verdicts(folder: Path) -> Iterator[tuple[tuple[Any, ...], Row]]:
    """The judged pairs of a run: their identity, texts, and what the judge says of them.

    Where the relation judges by an annotated answer, that is the first of the two texts.
    """
    questions: dict[tuple[str, int], str] = {}
    lines = [json.loads(line) for line in (folder / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()]
    for line in lines:
        questions[line["source"], line["turn"]] = question_of(line["source_input"])
    for line in lines:
        says = judged(line)
        if says is None or len(line["followups"]) != 1 or line["source_output"] is None:
            continue
        if line["expects"] == "different" and says != "open":
            says = {"same": "different", "different": "same"}[says]
        other = line["followups"][0]
        asked = [
            questions[line["source"], turn] for turn in range(line["turn"] + 1) if (line["source"], turn) in questions
        ]
        row = {
            "question": asked,
            "follow_up": question_of(other["input"]),
            "answers": [" / ".join(line["reference"]) or line["source_output"]["text"], other["output"]["text"]],
            "expects": line["expects"],
            "says": says,
            "reason": line["reason"],
            "relation": line["relation"],
            "truth": "",
        }
        yield (line["relation"], line["source"], line["turn"], other["case"], other["turn"], line["draw"]), row


def question_of(fields: Mapping[str, str]) -> str:
    """The question of a turn's fields."""
    return fields.get("question", "")


def drawn(rows: Sequence[Row], number: int) -> list[Row]:
    """Up to so many changed verdicts of each kind, no two with the same texts, shuffled."""
    chosen = []
    rng = random.Random(20)
    for kind in KINDS:
        unlike = {(*row["question"][-1:], *row["answers"]): row for row in rows if kind_of(row) == kind}
        changed = [unlike[name] for name in sorted(unlike)]
        chosen += rng.sample(changed, min(number, len(changed)))
    rng.shuffle(chosen)
    return chosen


def kind_of(row: Row) -> str:
    return f"{row['old']} -> {row['new']}"


def sheet(rows: Sequence[Row]) -> str:
    """The sheet: question, two answers and what the relation wants, and no verdict."""
    parts = []
    for number, row in enumerate(rows, start=1):
        *earlier, last = row["question"]
        lines = [f"## {number}", *([f"Asked before: {' / '.join(earlier)}"] if earlier else []), f"Question: {last}"]
        if row.get("follow_up", last) != last:
            lines.append(f"Asked the second time as: {row['follow_up']}")
        lines += [f"First answer: {row['answers'][0]}", f"Second answer: {row['answers'][1]}"]
        parts.append("\n".join([*lines, f"The relation wants: {row['expects']}"]))
    return "\n\n".join(parts) + "\n"


def filled(path: Path, number: int) -> list[str]:
    """What a reader said of each pair."""
    told = dict(line.split()[:2] for line in path.read_text(encoding="utf-8").splitlines() if line[:1].isdigit())
    missing = [place for place in range(1, number + 1) if told.get(str(place)) not in SAID]
    if missing:
        raise SystemExit(f"{path.name} says nothing of {missing[:10]}; expected lines NUMBER same|different|cannot")
    return [told[str(place)] for place in range(1, number + 1)]


def count(rows: Sequence[Row], readers: Sequence[Sequence[str]]) -> str:
    """How often each judge was right, per kind, where both readers say the same; and how far the readers agree."""
    first, second = readers
    kappa = cohen_kappa_score(first, second)
    table: dict[str, Counter[str]] = {}
    for row, label, other in zip(rows, first, second, strict=True):
        part = table.setdefault(kind_of(row), Counter())
        part["read"] += 1
        if label != other or label == "cannot":
            part["not agreed or cannot tell"] += 1
            continue
        part["agreed"] += 1
        part["old right"] += row["old"] == label
        part["new right"] += row["new"] == label
    lines = ["| | read | not agreed or cannot tell | old right | new right |", "|---|---|---|---|---|"]
    for kind in (kind for kind in KINDS if kind in table):
        part = table[kind]
        shares = [f"{part[name]} of {part['agreed']}" for name in ("old right", "new right")]
        lines.append(f"| {kind} | {part['read']} | {part['not agreed or cannot tell']} | " + " | ".join(shares) + " |")
    agree = sum(label == other for label, other in zip(first, second, strict=True))
    return "\n".join([*lines, f"The readers agree on {agree} of {len(rows)}, kappa {kappa:.2f}."])


def totals(rows: Sequence[Row]) -> str:
    """How many verdicts of each kind there are, and how often each judge is right where the data hold the truth."""
    lines = [f"{len(rows)} pairs"]
    for kind, number in sorted(Counter(map(kind_of, rows)).items()):
        lines.append(f"{kind}: {number}")
    known = [row for row in rows if row["truth"]]
    for judge in ("old", "new") if known else ():
        table = Counter((row[judge], row["truth"]) for row in known)
        decided = sum(number for (says, _), number in table.items() if says != "open")
        called = table["different", "different"] + table["different", "same"]
        same = table["same", "same"] + table["same", "different"]
        different = sum(row["truth"] == "different" for row in known)
        rightly = table["different", "different"]
        lines.append(
            f"{judge}: decides {decided / len(known):.3f}; different: precision {rightly / max(1, called):.3f}, "
            f"recall {rightly / max(1, different):.3f}; same: precision {table['same', 'same'] / max(1, same):.3f}"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["evouna", "squad", "coqa", "sheet", "count"])
    parser.add_argument("what", nargs="?", choices=["evouna", "squad", "coqa"], help="for sheet and count")
    parser.add_argument("--limit", type=int, default=60, help="questions or dialogues")
    parser.add_argument("--number", type=int, default=50, help="of each kind on a sheet")
    parser.add_argument("--readers", nargs=2, type=Path, help="two filled sheets")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    what = options.what or options.do
    path = options.out / f"{what}-pairs.jsonl"
    if options.do == what:
        rows = list(evouna(options.limit) if what == "evouna" else campaign(what, options.out, options.limit))
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        print(totals(rows))
        return
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    chosen = drawn(rows, options.number)
    if options.do == "sheet":
        (options.out / f"{what}-sheet.md").write_text(sheet(chosen), encoding="utf-8")
        print(f"{len(chosen)} pairs in {options.out / f'{what}-sheet.md'}")
        return
    print(count(chosen, [filled(reader, len(chosen)) for reader in options.readers]))


if __name__ == "__main__":
    main()
