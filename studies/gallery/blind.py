"""What the defaults find in a bot that somebody wrote without sight of Mutatis: each planted fault alone, and none.

    python studies/gallery/blind.py BOT --out FOLDER --faults NAME,NAME,...

BOT is a folder with `bot.py` (`reply(messages)`, a list of {"role", "content"}, gives a text; the environment variable
BOT_FAULTS names the faults that are on, separated by commas) and `questions.jsonl` (a message or the turns of a
dialogue a line). `--faults` names the faults. Every run is one with
nothing named and every setting as it comes, in a process of its own. FOLDER/NAME.jsonl has the findings of a fault to
be read: what was said, what the bot replied, and what it replies without the fault. The table counts a fault as found
where it shows in a finding that the bot without a fault does not have too: where that bot replies otherwise there.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import mutatis
from mutatis.records.report import FindingRecord

FAULTS = "BOT_FAULTS"
NONE = "none"
Message = dict[str, str]
Reply = Callable[[list[Message]], str]


def bot_of(folder: Path) -> Any:
    """Return the module of a bot; what it reads beside it is found."""
    sys.path.insert(0, str(folder))
    spec = importlib.util.spec_from_file_location("bot", folder / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def system(folder: Path, fault: str) -> Any:
    """Return a bot as a system; its answers are stored under the fault's name."""
    reply: Reply = bot_of(folder).reply

    def answer(text: str, history: Sequence[tuple[Mapping[str, str], Any]] = ()) -> str:
        rounds: list[Message] = []
        for fields, replied in history:
            rounds += [
                {"role": "user", "content": fields["message"]},
                {"role": "assistant", "content": str(replied)},
            ]
        return reply([*rounds, {"role": "user", "content": text}])

    return mutatis.system("function", target=answer, label=folder.name, revision=fault)


def told(finding: FindingRecord) -> dict[str, Any]:
    """Return what is read of a finding: the dialogues as far as the judged turn with the replies to them."""
    sides = {}
    follow_up = finding.followups[0]
    for name, side in (("source", finding.source), ("follow_up", follow_up)):
        asked = [turn.fields["message"] for turn in side.case.turns[: side.turn + 1]]
        reply = side.response.text if side.response else ""
        sides[name] = {"asked": asked, "replies": [*side.history, reply]}
    return {"relation": finding.relation, "confirmed": finding.confirmed, "reason": finding.reason, **sides}


def ask(folder: Path, fault: str, out: Path) -> None:
    """Test a bot and write what was found, and what it took."""
    run = mutatis.run(
        system(folder, fault),
        mutatis.read_cases("jsonl", folder / "questions.jsonl", task="chat"),
        task="chat",
        store=out / f"{fault}.db",
        out=out / fault,
    )
    findings = [told(finding) for finding in run.report.all_findings if finding.confirmed is not False]
    queries = run.report.run.queries
    record = {"fault": fault, "asked": queries.paid, "verdicts": sum(row.judged for row in run.summary)}
    (out / f"{fault}.json").write_text(json.dumps({**record, "findings": findings}, indent=1), encoding="utf-8")


def replies_to(reply: Reply, asked: Sequence[str]) -> list[str]:
    """Return what a bot replies to the messages of a dialogue, one after the other."""
    rounds: list[Message] = []
    for text in asked:
        rounds.append({"role": "user", "content": text})
        rounds.append({"role": "assistant", "content": reply(list(rounds))})
    return [message["content"] for message in rounds[1::2]]


def which(finding: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    return finding["relation"], tuple(finding["follow_up"]["asked"])


def shown(reply: Reply, findings: Sequence[dict[str, Any]], before: Collection[Any]) -> int:
    """Return in how many findings but those `before` the right bot replies otherwise, and note what it replies."""
    number = 0
    for finding in findings:
        sides = finding["source"], finding["follow_up"]
        for side in sides:
            side["right"] = replies_to(reply, side["asked"])
        number += which(finding) not in before and any(side["right"] != side["replies"] for side in sides)
    return number


def main() -> None:
    """Test the bot without a fault and with each alone, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bot", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--faults", required=True, help="names, separated by commas")
    parser.add_argument("--child", default="", help=argparse.SUPPRESS)
    args = parser.parse_args()
    folder, out = args.bot.resolve(), args.out.resolve()
    if args.child:
        ask(folder, args.child, out)
        return
    out.mkdir(parents=True, exist_ok=True)
    os.environ[FAULTS] = ""
    right = bot_of(folder)
    before: set[Any] = set()
    for fault in (NONE, *args.faults.split(",")):
        file = out / f"{fault}.json"
        if not file.exists():
            named = "" if fault == NONE else fault
            command = [sys.executable, str(Path(__file__).resolve()), str(folder), "--out", str(out)]
            command += ["--faults", fault, "--child", fault]
            subprocess.run(command, env={**os.environ, FAULTS: named}, check=True, stdout=subprocess.DEVNULL)
        record = json.loads(file.read_text(encoding="utf-8"))
        number = shown(right.reply, record["findings"], before)
        before = before or {which(finding) for finding in record["findings"]}
        lines = "".join(json.dumps(finding, ensure_ascii=False) + "\n" for finding in record["findings"])
        (out / f"{fault}.jsonl").write_text(lines, encoding="utf-8")
        sides = [finding for finding in record["findings"] if fault == NONE or which(finding) not in before]
        by = sorted({finding["relation"] for finding in sides})
        print(
            f"| `{fault}` | {'found' if number else 'not found'} | {len(record['findings'])} | {number} | "
            f"{record['asked']} | {', '.join(by)} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
