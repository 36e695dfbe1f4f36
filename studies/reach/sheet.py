"""Draws follow-ups of the relations of reach for blind reading: what was asked, what must hold, columns to fill.

    python studies/reach/sheet.py --out FOLDER [--bots vet,theatre,driving] [--relations NAME,...]
        [--each 20] [--seed 1] [--messages refused.txt]

Each bot is run without a fault, with its own messages and those of `--messages`. Per relation `--each` follow-ups are
drawn, evenly over the bots. FOLDER holds the sheet in parts of at most a hundred lines, the key (which line is of which
relation), and a page for readers.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from studies.reach.measure import NONE, bot_of, system

import mutatis
from mutatis.core.relation import RELATIONS
from mutatis.records import VerdictRecord, read_verdicts
from mutatis.records.report import MemberRecord, RoundRecord
from mutatis.relations.soundness import should_hold

READ = (
    *("write-otherwise", "two-forms", "another-value", "invented-name"),
    *("at-limit", "at-edge", "turn-condition", "give-name", "latest-name"),
    *("ask-with-another", "ask-behind-another", "ask-of-two", "ask-after-another"),
    *("ask-after-three", "ask-after-ten", "and-for-another", "meant-another", "it-for-name"),
    *("it-for-later-name", "ask-under-another-name", "claim-role", "insist-twice", "list-three"),
    *("claim-beside", "claim-allowed", "report-another"),
    *("mistype-weekday", "rule-out", "more-than-limit"),
    *("and-for-another-later", "one-after-several", "leading-question", "demand-discount", "two-items"),
)
AS_A_WHOLE = ("ask-of-two", "list-three", "turn-condition")
"""Relations whose follow-ups to one question are all judged together."""

PART = 100
READERS = """# For readers

Each line of the sheet is a test of a chatbot of a company. You see a conversation with its last reply (*before*), and
then what is asked instead (*after*); where several conversations are asked instead, they are numbered. `must hold` says
what the test expects of the replies to *after*. You do not see these replies, and need not.

Fill two columns, each with y or n:

- `sound`: would a chatbot that knows its matter, and makes no mistake, always keep what must hold? Say n if a right
  reply could break it: because the question has become another one, because the reply before need not be right for
  it, or because what must hold is wrong for these words. How a reply is worded does not count.
- `natural`: might a customer write *after*, turn by turn, in a chat? Slips, haste and clumsy English are natural; what
  nobody would write is not.

Read each line by itself. Look nothing up, and do not guess what the test is called. If you hesitate, choose n. Return a
file with the columns `line`, `sound`, `natural`, and a few words in `why` for each n.
"""


def said(earlier: Sequence[RoundRecord | None], source: Sequence[str], now: Mapping[str, str]) -> list[str]:
    """Return what the user says in a conversation, turn by turn; a round that is None is the source's own."""
    rounds = [source[number] if each is None else "\n".join(each.input.values()) for number, each in enumerate(earlier)]
    return [*rounds, "\n".join(now.values())]


def of_one_choice(verdict: VerdictRecord) -> list[MemberRecord]:
    """Return the follow-ups of a verdict that belong together: of a value in two forms, of one limit; else one form."""
    if verdict.relation in AS_A_WHOLE:
        return verdict.followups

    def choice(made: MemberRecord) -> str:
        notes = (made.annotations.get(name) for name in ("two ways", "edge", "added"))
        noted = next(filter(None, notes), made.input)
        return str({k: v for k, v in noted.items() if k not in ("side", "way")} if isinstance(noted, dict) else noted)

    chosen = choice(random.Random(verdict.source).choice(verdict.followups))
    return [made for made in verdict.followups if choice(made) == chosen]


def shown(verdict: VerdictRecord) -> dict[str, str]:
    """Return a line of the sheet."""
    before = said(verdict.source_earlier, [], verdict.source_input)
    reply = verdict.source_output.text if verdict.source_output else ""
    after = []
    members = of_one_choice(verdict)
    for number, made in enumerate(members, 1):
        turns = said(made.earlier, before, made.input)
        mark = f"({number}) " if len(members) > 1 else ""
        after.append(mark + "\n".join(f"user: {text}" for text in turns))
    return {
        "before": "\n".join([*(f"user: {text}" for text in before), f"bot: {reply}"]),
        "after": "\n".join(after),
        "must hold": " ".join(
            [should_hold(RELATIONS[verdict.relation].output_relation.name, verdict), *noted(verdict)]
        ),
    }


def noted(verdict: VerdictRecord) -> list[str]:
    """Return what a reader must know beside the rule: the limit, the other reply, the name."""
    notes: dict[str, Any] = {}
    for made in of_one_choice(verdict):
        notes |= made.annotations
    told = []
    if limit := notes.get("at-limit"):
        side = "the same side" if limit["side"] == "same" else "the other side"
        told.append(f"Limit: {limit['limit']!r}. {limit['new']!r} is on {side} of it as {limit['old']!r}.")
    if edge := notes.get("edge"):
        side, _, words = edge["rule"].partition(": ")
        inside, at, outside = edge["values"].split(" | ")
        told.append(
            f"Limit: {words!r}. Inside: {inside}; at the limit: {at}, which counts as {side}; outside: {outside}."
        )
    if other := notes.get("asked with"):
        told.append(f"Asked alone, {other['question']!r} was answered: {other['reply']!r}")
    if claimed := notes.get("claimed"):
        told.append(f"The value stated before: {claimed[1]!r}; the value that the user claims: {claimed[2]!r}.")
    if invented := notes.get("invented"):
        what = "A place or thing called alike" if invented.get("form") == "another" else "The name that was made up"
        told.append(f"{what}: {invented['name']!r}.")
    if "apart" in notes:
        told.append(f"To be left out: {notes['apart']!r}.")
    return told


def meant_for(bot: str, more: Sequence[str]) -> list[str]:
    """Return those of more messages that are for a bot: without a name before them, or with this bot's own."""
    split = [line.rpartition(" | ") for line in more]
    return [message for name, _, message in split if name in ("", bot)]


def drawn(
    out: Path, bots: Sequence[str], relations: Sequence[str], each: int, seed: int, more: Sequence[str] = ()
) -> list[tuple[str, dict[str, str]]]:
    """Run the bots with their own messages and `more`, and return the lines that were drawn, each with its relation."""
    pools: dict[str, dict[str, list[VerdictRecord]]] = defaultdict(lambda: defaultdict(list))
    for name in bots:
        bot, folder = bot_of(name), out / "runs" / name
        messages = [list(said) if isinstance(said, tuple) else said for said in (*bot.MESSAGES, *meant_for(name, more))]
        mutatis.run(system(bot, name, NONE), messages, list(relations), task="chat", seed=seed, out=folder, fresh=True)
        for verdict in read_verdicts(folder / "verdicts.jsonl"):
            if verdict.followups and verdict.outcome in ("satisfied", "violated", "invalid"):
                pools[verdict.relation][name].append(verdict)
    lines = []
    for relation in relations:
        rng = random.Random(f"{seed} {relation}")
        piles = [rng.sample(pool, len(pool)) for _, pool in sorted(pools[relation].items())]
        piles = [sorted(pile, key=lambda verdict: verdict.outcome == "invalid") for pile in piles]
        taken: list[VerdictRecord] = []
        while len(taken) < each and any(piles):
            taken += [pile.pop(0) for pile in piles if pile]
        lines += [(relation, shown(verdict)) for verdict in taken[:each]]
    random.Random(seed).shuffle(lines)
    return lines


def main() -> None:
    """Write the sheet, its key and the page for readers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--bots", default="vet,theatre,driving")
    parser.add_argument("--relations", default=",".join(READ))
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--messages", type=Path, help='a file of more messages, a line each; for one bot: "hotel | ..."'
    )
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    more = args.messages.read_text(encoding="utf-8").splitlines() if args.messages else []
    lines = drawn(args.out, args.bots.split(","), args.relations.split(","), args.each, args.seed, more)
    key = {number: relation for number, (relation, _) in enumerate(lines, 1)}
    (args.out / "key.json").write_text(json.dumps(key, indent=0), encoding="utf-8")
    (args.out / "READERS.md").write_text(READERS, encoding="utf-8")
    fields = ["line", "before", "after", "must hold", "sound", "natural", "why"]
    for start in range(0, len(lines), PART):
        with (args.out / f"sheet-{start // PART + 1}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, fields)
            writer.writeheader()
            writer.writerows(
                {"line": number, **line, "sound": "", "natural": "", "why": ""}
                for number, (_, line) in enumerate(lines[start : start + PART], start + 1)
            )
    counts = defaultdict(int)
    for relation in key.values():
        counts[relation] += 1
    print("\n".join(f"{relation}: {counts[relation]}" for relation in args.relations.split(",")))


if __name__ == "__main__":
    main()
