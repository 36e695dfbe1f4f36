"""Measures what the defaults find in four bots that were written without sight of Mutatis (`bots/BRIEF.md`).

    python studies/reach/measure.py --out FOLDER [--bots vet,parcel,theatre,driving] [--faults none,NAME,...]
        [--max-queries N] [--seeds 0,1,2] [--relations NAME,...]

Each bot is run as it is, and with each of its ten faults alone, with nothing named and every setting as it comes. With
`--relations` it is run with these alone, and a second table has a line for each of them. The truth is exact: a bot
returns with each reply what the reply tells (`meaning`). A finding is real if the fault changes what a reply of the
finding tells, and the bot without it has no finding there; of the bot without a fault it is real if the relation wants
the same answer and the replies tell different things, or if it asks for two things at once and the reply does not tell
all that the replies to each alone tell, or if the reply at a limit, or beside it, tells other things than that on the
side to which its words count it. "Same" is right if two replies that are judged the same tell the same.
FOLDER/BOT/FAULT.json holds the findings with both truths, the pairs that are judged the same and are not, and open
pairs; the table sums them up.
"""

from __future__ import annotations

import argparse
import importlib
import json
import multiprocessing
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import mutatis
from mutatis.core.constraint import is_open
from mutatis.core.decision import Outcome
from mutatis.core.verdict import Verdict
from mutatis.records.report import FindingRecord
from mutatis.transformations.edges import AT_EDGE, EDGE, FAR, INSIDE, OUTSIDE, WITHIN
from mutatis.transformations.together import ASKED_WITH, SEVERAL

ROOT = Path(__file__).parents[2]
BOTS = ("vet", "parcel", "theatre", "driving")
NONE = "none"
SAME_ANSWER = ("equal", "equal-or-stronger", "answers-the-one")
"""Output relations that want the same answer: of text, an answer can only stay the same."""

FORKED = multiprocessing.get_context("fork")
"""Every bot and fault is tested in a process of its own, which has the package and its models loaded."""


def bot_of(name: str) -> Any:
    """Return a bot of this study, or of another study with its name before: "languages.pool.de"."""
    sys.path.insert(0, str(ROOT))
    if name.startswith("languages."):
        return importlib.import_module(f"studies.languages.bots.{name.removeprefix('languages.')}.bot")
    if name.startswith("repertoire."):
        return importlib.import_module("studies.repertoire.truth").load(name.removeprefix("repertoire."))
    return importlib.import_module(f"studies.reach.bots.{name}.bot")


def system(bot: Any, name: str, fault: str) -> Any:
    """Return a bot as a system, with one fault or none."""
    faults = () if fault == NONE else (fault,)

    def answer(text: str, history: Sequence[tuple[Mapping[str, str], Any]] = ()) -> str:
        said = [fields["message"] for fields, _ in history]
        return str(bot.reply([*said, text], faults=faults).text)

    return mutatis.system("function", target=answer, label=name, revision=fault)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two dialogues whose last replies should be the same, and whether they were judged the same or left open."""

    relation: str
    source: tuple[str, ...]
    follow_up: tuple[str, ...]
    left_open: bool


class Pairs(list[Pair]):
    """The pairs of a run that were judged the same or left open, as its events bring them."""

    def __call__(self, event: object) -> None:
        """Add the pair of a verdict; other events, and verdicts that want another answer, are passed over."""
        if not isinstance(event, Verdict) or event.group is None or len(event.group.members) != 1:
            return
        if event.relation.measure is not None or event.relation.output_relation.name not in SAME_ANSWER:
            return
        left_open, [member] = is_open(event.decided.precondition or ""), event.group.members
        if left_open or event.decided.outcome is Outcome.SATISFIED:
            sides = (event.source.turns[: event.turn + 1], member.case.turns[: member.turn + 1])
            source, follow_up = (tuple(turn.fields["message"] for turn in side) for side in sides)
            self.append(Pair(relation=event.relation.name, source=source, follow_up=follow_up, left_open=left_open))

    def truth(self, bot: Any, fault: str) -> dict[str, Any]:
        """Return how many are judged the same and how many of them tell the same, and the others and open ones."""
        faults: Collection[str] = () if fault == NONE else (fault,)

        def told(said: Sequence[str]) -> Any:
            return bot.reply(list(said), faults=faults)

        same = [pair for pair in self if not pair.left_open]
        alike = {pair: told(pair.source).meaning == told(pair.follow_up).meaning for pair in self}
        shown = [
            {
                **asdict(pair),
                "same_meaning": alike[pair],
                "replies": [told(pair.source).text, told(pair.follow_up).text],
            }
            for pair in self
            if pair.left_open or not alike[pair]
        ]
        return {"same": len(same), "same_right": sum(alike[pair] for pair in same), "doubtful": shown}


def loses_part(bot: Any, faults: Collection[str], finding: FindingRecord) -> bool:
    """Return True if a reply to several questions at once does not tell all that each of them is told alone."""
    side = finding.followups[0]
    noted = side.case.turns[side.turn].annotations
    others = [noted[name][key] for name, key in ((ASKED_WITH, "question"), (SEVERAL, "second")) if name in noted]
    asked = [turn.fields["message"] for turn in side.case.turns[: side.turn + 1]]
    told = bot.reply(asked, faults=faults).meaning
    if len(others) != 1 or not isinstance(told, frozenset):
        return False
    parts = (finding.source.case.turns[finding.source.turn].fields["message"], others[0])
    return any(not bot.reply([part], faults=faults).meaning <= told for part in parts)


def on_wrong_side(bot: Any, faults: Collection[str], finding: FindingRecord) -> bool:
    """Return True if a reply at a limit, or beside it, tells other things than that of the side where it belongs.

    So does a reply within a range that tells other things than those at its ends.
    """
    told, belongs = dict[str, Any](), ""
    for side in finding.followups:
        if noted := side.case.turns[side.turn].annotations.get(EDGE):
            asked = [turn.fields["message"] for turn in side.case.turns[: side.turn + 1]]
            told[noted["side"]] = bot.reply(asked, faults=faults).meaning
            belongs = noted["rule"].partition(": ")[0]
    if told.keys() >= {WITHIN, FAR}:
        return told[AT_EDGE] == told[FAR] != told[WITHIN]
    return told.keys() >= {INSIDE, AT_EDGE, OUTSIDE} and told[AT_EDGE] != told[belongs]


def evidence(bot: Any, fault: str, finding: FindingRecord) -> dict[str, Any]:
    """Return what is read of a finding: both dialogues, and what their last replies tell with and without the fault."""
    faults: Collection[str] = () if fault == NONE else (fault,)
    sides = {}
    meanings = []
    wrong = False
    for name, side in (("source", finding.source), ("follow_up", finding.followups[0])):
        asked = [turn.fields["message"] for turn in side.case.turns[: side.turn + 1]]
        told, right = bot.reply(asked, faults=faults), bot.reply(asked)
        meanings.append(told.meaning)
        wrong |= told.meaning != right.meaning
        reply = side.response.text if side.response else ""
        sides[name] = {"asked": asked, "reply": reply, "right": right.text}
    return {
        "id": finding.id,
        "relation": finding.relation,
        "reason": finding.reason,
        "confirmed": finding.confirmed,
        "wrong": wrong,
        "same_meaning": meanings[0] == meanings[1],
        "loses_part": loses_part(bot, faults, finding),
        "on_wrong_side": on_wrong_side(bot, faults, finding),
        **sides,
    }


def ask(
    name: str, fault: str, out: Path, max_queries: int | None, seed: int, relations: Sequence[str] | None = None
) -> None:
    """Test a bot, with the default sets or with some relations, and write its findings with their truth."""
    bot = bot_of(name)
    pairs = Pairs()
    run = mutatis.run(
        system(bot, name, fault),
        list(bot.MESSAGES),
        relations,
        task="chat",
        seed=seed,
        max_queries=max_queries,
        out=out / "run",
        fresh=True,
        on_event=pairs,
    )
    kept = [finding for finding in run.report.all_findings if finding.confirmed is not False]
    queries = run.report.run.queries
    record = {
        "bot": name,
        "fault": fault,
        "paid": queries.paid,
        "judged": sum(row.judged for row in run.summary),
        "open": sum(row.open for row in run.summary),
        "asked": {row.relation: row.judged + row.open for row in run.summary},
        **pairs.truth(bot, fault),
        "findings": [evidence(bot, fault, finding) for finding in kept],
        "reach": [record.to_json() for record in getattr(run.report, "reach", [])],
    }
    (out / f"{fault}.json").write_text(json.dumps(record, indent=1, ensure_ascii=False), encoding="utf-8")


def question_of(finding: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what makes a finding the same with and without a fault: its relation and its follow-up."""
    return finding["relation"], *finding["follow_up"]["asked"]


def is_real(finding: Mapping[str, Any], expected: Mapping[str, str]) -> bool:
    """Return True if a finding in the bot without a fault is one, by what the replies tell."""
    changes = expected.get(finding["relation"]) in SAME_ANSWER and not finding["same_meaning"]
    return changes or finding["loses_part"] or finding["on_wrong_side"]


def added(record: Mapping[str, Any], before: Collection[tuple[str, ...]]) -> list[Mapping[str, Any]]:
    """Return the findings that rest on a reply that the fault changed, but for those of `before`, without the fault."""
    return [each for each in record["findings"] if each["wrong"] and question_of(each) not in before]


def row(record: Mapping[str, Any], expected: Mapping[str, str], before: Collection[tuple[str, ...]] = ()) -> str:
    """Return the line of the table for one run; findings of `before`, without the fault, find no fault."""
    findings = record["findings"]
    seen = (
        f"{record['open']} open of {record['judged']:,} | "
        f"same right {record['same_right'] / max(1, record['same']):.3f} of {record['same']}"
    )
    if record["fault"] == NONE:
        false = [each for each in findings if not is_real(each, expected)]
        return (
            f"| {record['bot']} | as it is | {len(findings)} | {len(findings) - len(false)} real | "
            f"{len(false)} false | {record['paid']:,} | {seen} |"
        )
    real = added(record, before)
    by = sorted({each["relation"] for each in real})
    return (
        f"| {record['bot']} | `{record['fault']}` | {'found' if real else 'missed'} | {len(real)} of {len(findings)} | "
        f"{', '.join(by[:6])} | {record['paid']:,} | {seen} |"
    )


def by_relation(records: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """Yield a line for each relation: follow-ups asked, findings that a fault adds, and the faults that they show.

    `records` are those of each bot's runs, the run without a fault first.
    """
    asked, shown = Counter[str](), defaultdict[str, list[str]](list)
    for name, (as_it_is, *faulty) in records.items():
        before = {question_of(each) for each in as_it_is["findings"]}
        for record in (as_it_is, *faulty):
            asked.update(record["asked"])
        for record in faulty:
            for each in added(record, before):
                shown[each["relation"]].append(f"{name} {record['fault']}")
    for relation, count in sorted(asked.items()):
        faults = ", ".join(f"`{fault}`" for fault in sorted(set(shown[relation])))
        yield f"| {relation} | {count:,} | {len(shown[relation])} | {faults} |"


def main() -> None:
    """Run every bot and fault in a process of its own, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--bots", default=",".join(BOTS))
    parser.add_argument("--faults", default="")
    parser.add_argument("--max-queries", type=int, default=None)
    parser.add_argument("--seeds", default="0")
    parser.add_argument("--relations", default="")
    args = parser.parse_args()
    relations = importlib.import_module("mutatis.core.relation").RELATIONS
    importlib.import_module("mutatis.relations")
    expected = {name: relations[name].output_relation.name for name in relations}
    with tempfile.TemporaryDirectory() as warm:
        ask("vet", NONE, Path(warm), 100, 0)  # loads what every run needs
    relations_named = args.relations.split(",") if args.relations else None
    records: dict[str, list[Mapping[str, Any]]] = {}
    for name in args.bots.split(","):
        faults = args.faults.split(",") if args.faults else [NONE, *bot_of(name).FAULTS]
        for seed in args.seeds.split(","):
            folder = args.out / name / f"seed-{seed}"
            folder.mkdir(parents=True, exist_ok=True)
            before: set[tuple[str, ...]] = set()
            for fault in faults:
                file = folder / f"{fault}.json"
                if not file.exists():
                    limits = (args.max_queries, int(seed), relations_named)
                    child = FORKED.Process(target=ask, args=(name, fault, folder, *limits))
                    child.start()
                    child.join()
                record = json.loads(file.read_text(encoding="utf-8"))
                print(row(record, expected, before), flush=True)
                before = {question_of(each) for each in record["findings"]} if fault == NONE else before
                records.setdefault(f"{name} {seed}", []).append(record)
    for line in by_relation(records) if relations_named else ():
        print(line)


if __name__ == "__main__":
    main()
