"""Run Mutatis on a bot whose right answers are known, and count how often its verdicts are right.

python -m studies.repertoire.campaign library --out /tmp/library
"""

import argparse
import hashlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import mutatis

from .truth import BOTS, UNTUNED, Chatbot, at_work, load, truth

# An answer that has no strength can only stay the same: of text, "equal or stronger" asks what "equal" asks.
STAYS_THE_SAME = ("equal", "equal-or-stronger")
OPEN = "the judge cannot tell"
BOT_FILES = Path(__file__).parent / "bots"
LATER = (
    *("correct-value", "long-preamble", "paste-order", "not-the-other", "give-name", "ask-under-another-name"),
    *("and-for-another", "meant-another", "ask-after-another", "ask-after-three", "ask-after-ten"),
)
"""Relations whose edits came after the bots, which were not written to follow them.

Readers accept 477 of 479 of their follow-ups (`relations/soundness.toml`), so what a bot without planted faults answers
otherwise there is as real a finding as any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A judged pair, and what is true of it.

    Attributes:
        relation: its relation.
        source, follow_up: the user's turns.
        texts: both replies.
        meanings: what both replies mean.
        truth: whether they mean the same.
        sound: whether they would, if the bot had no fault: an edit that changes what is asked is none. So is every edit
            of a relation that came after the bots.
        faults: planted bugs that changed one of the replies.
        verdict: "same", "different" or "open", as Mutatis judged.
        score: of the verdict.
        reason: of the verdict.
    """

    relation: str
    source: tuple[str, ...]
    follow_up: tuple[str, ...]
    texts: tuple[str, str]
    meanings: tuple[Any, Any]
    truth: str
    sound: bool
    faults: tuple[str, ...]
    verdict: str
    score: float | None
    reason: str


class Conversations:
    """The user's turns of every case of a run, and what each relation expects: told by the run, kept in a file."""

    def __init__(self) -> None:
        self.turns: dict[str, tuple[str, ...]] = {}
        self.expects: dict[str, str] = {}

    def __call__(self, event: Any) -> None:
        """Take down what a verdict was about; other events are passed over."""
        if type(event).__name__ != "Verdict":
            return
        if event.relation.measure is None:  # another one asks something else, as whether the bot refuses
            self.expects[event.relation.name] = event.relation.output_relation.name
        members = event.group.members if event.group else ()
        for case in (event.source, *(member.case for member in members)):
            self.turns[case.id] = tuple(str(turn.fields["message"]) for turn in case.turns)

    def save(self, path: Path) -> None:
        """Write it down as JSON."""
        path.write_text(json.dumps({"expects": self.expects, "turns": self.turns}, indent=0), encoding="utf-8")


def answering(bot: Chatbot, faults: Sequence[str], *, sampling: bool) -> Callable[..., str]:
    """A bot as a function from a message and its history to an answer; sampling, it varies its words each time."""
    asked: Counter[tuple[str, ...]] = Counter()
    lock = threading.Lock()

    def answer(text: str, history: Sequence[tuple[Mapping[str, str], Any]] = ()) -> str:
        messages = (*(fields["message"] for fields, _ in history), text)
        with lock:
            draw = asked[messages] if sampling else 0
            asked[messages] += 1
        return bot.reply(messages, draw=draw, faults=faults).text

    return answer


def run(bot_name: str, options: argparse.Namespace) -> Path:
    """Run Mutatis on a bot; the folder that it writes to."""
    bot = load(bot_name)
    faults = chosen(bot, options.faults)
    messages: list[Any] = [*bot.MESSAGES[: options.messages], *getattr(bot, "DIALOGUES", ())]
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    code = b"".join(path.read_bytes() for path in files_of(bot_name))
    revision = hashlib.sha256(code + repr((faults, options.sampling)).encode()).hexdigest()[:12]
    answer = answering(bot, faults, sampling=options.sampling)
    conversations = Conversations()
    mutatis.run(
        mutatis.system("function", target=answer, label=bot_name, revision=revision),
        [list(message) if isinstance(message, tuple) else message for message in messages],
        options.relations.split(",") if options.relations else None,
        task="chat",
        judge=options.judge,
        store=out / "store.db",
        out=out,
        seed=options.seed,
        settings={"noise_floor": options.noise_floor, "confirm": options.confirm},
        on_event=conversations,
    )
    conversations.save(out / "conversations.json")
    (out / "setting.json").write_text(
        json.dumps({"bot": bot_name, "faults": faults, "judge": options.judge}), encoding="utf-8"
    )
    return out


def files_of(bot_name: str) -> list[Path]:
    """The files that a bot's replies follow from: the engine's and its world's, so that other worlds may change."""
    if bot_name in UNTUNED:
        folder = BOT_FILES.parents[1] / "reach" / "bots" / bot_name.removeprefix("reach.")
        return sorted(path for path in folder.iterdir() if path.is_file())
    return sorted([*BOT_FILES.glob("*.*"), *(BOT_FILES / "worlds").glob(f"{bot_name}[._]*")])


def chosen(bot: Chatbot, names: str) -> tuple[str, ...]:
    return {"all": tuple(bot.FAULTS), "none": ()}.get(names, tuple(names.split(",")))


def pairs(out: Path) -> list[Pair]:
    """The judged pairs of a finished run, each with its truth."""
    return [pair for pair, _ in pairs_by_question(out)]


def pairs_by_question(out: Path) -> list[tuple[Pair, tuple[str, int]]]:
    """The judged pairs of a finished run, each with the id and the turn of its source."""
    setting = json.loads((out / "setting.json").read_text(encoding="utf-8"))
    known = json.loads((out / "conversations.json").read_text(encoding="utf-8"))
    bot, faults = load(setting["bot"]), setting["faults"]
    placed = []
    with (out / "verdicts.jsonl").open(encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            verdict = judged(line)
            if verdict is None or known["expects"].get(line["relation"]) not in STAYS_THE_SAME:
                continue
            other = line["followups"][0]
            source = tuple(known["turns"][line["source"]][: line["turn"] + 1])
            follow_up = tuple(known["turns"][other["case"]][: other["turn"] + 1])
            if (source[-1], follow_up[-1]) != (line["source_input"]["message"], other["input"]["message"]):
                raise ValueError(f"{line['source']}, {line['relation']}: the conversation is not the recorded one")
            pair = Pair(
                relation=line["relation"],
                source=source,
                follow_up=follow_up,
                texts=(line["source_output"]["text"], other["output"]["text"]),
                meanings=tuple(bot.reply(turns, faults=faults).meaning for turns in (source, follow_up)),
                truth=truth(bot, source, follow_up, faults=faults),
                sound=line["relation"] in LATER or truth(bot, source, follow_up) == "same",
                faults=tuple(at_work(bot, source, follow_up, faults)),
                verdict=verdict,
                score=line["score"],
                reason=line["reason"],
            )
            placed.append((pair, (line["source"], line["turn"])))
    return placed


def judged(line: Mapping[str, Any]) -> str | None:
    """What a verdict says of its pair; None where the pair was not judged."""
    if line["outcome"] == "invalid" and str(line["reason"]).startswith(OPEN):
        return "open"
    return {"satisfied": "same", "violated": "different"}.get(line["outcome"]) if line["followups"] else None


def counts(judged_pairs: Iterable[Pair]) -> dict[str, Any]:
    """How many verdicts there are of each kind, and how many of them are right."""
    table = Counter((pair.verdict, pair.truth) for pair in judged_pairs)
    total = table.total()
    different = sum(table[verdict, "different"] for verdict in ("same", "different", "open"))
    said = {verdict: table[verdict, "same"] + table[verdict, "different"] for verdict in ("same", "different", "open")}
    return {
        "pairs": total,
        "truly different": different,
        "open": said["open"],
        "said different": said["different"],
        "said different, rightly": table["different", "different"],
        "said same": said["same"],
        "said same, rightly": table["same", "same"],
        "open share": share(said["open"], total),
        "precision": share(table["different", "different"], said["different"]),
        "recall": share(table["different", "different"], different),
        "same that is right": share(table["same", "same"], said["same"]),
    }


def share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def summary(out: Path, judged_pairs: Sequence[Pair]) -> dict[str, Any]:
    """All counts of a run: in all, by soundness of the edit, by fault, by relation; and what was asked."""
    sound = [pair for pair in judged_pairs if pair.sound]
    names = sorted({name for pair in sound for name in pair.faults})
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    return {
        **json.loads((out / "setting.json").read_text(encoding="utf-8")),
        "questions": report["run"]["queries"]["logical"],
        "all pairs": counts(judged_pairs),
        "sound edits": counts(sound),
        "sound edits, other words": counts(pair for pair in sound if pair.texts[0] != pair.texts[1]),
        "unsound edits": counts(pair for pair in judged_pairs if not pair.sound),
        "by fault": {
            name: counts(pair for pair in sound if (name in pair.faults if name != "none" else not pair.faults))
            for name in [*names, "none"]
        },
        "by relation": {
            name: counts(pair for pair in sound if pair.relation == name)
            for name in sorted({pair.relation for pair in sound})
        },
    }


def show(result: Mapping[str, Any]) -> str:
    """The counts as a table for the terminal."""
    columns = ("pairs", "truly different", "open share", "precision", "recall", "same that is right")
    rows = [(name, result[name]) for name in ("all pairs", "sound edits", "sound edits, other words", "unsound edits")]
    rows += [(f"fault {name}", row) for name, row in result["by fault"].items()] + list(result["by relation"].items())
    lines = [f"{result['bot']}, judge {result['judge'] or 'default'}: {result['questions']} questions asked"]
    lines.append(" " * 26 + "".join(f"{column:>20}" for column in columns))
    for name, row in rows:
        lines.append(f"{name:26}" + "".join(f"{'-' if row[column] is None else row[column]:>20}" for column in columns))
    return "\n".join(lines)


def parser() -> argparse.ArgumentParser:
    parsed = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parsed.add_argument("bot", choices=(*BOTS, *UNTUNED))
    parsed.add_argument("--faults", default="all", help="all, none, or names, comma-separated")
    parsed.add_argument("--judge", help="a measure's name; default: Mutatis' own")
    parsed.add_argument(
        "--messages", type=int, help="how many of the bot's messages; its dialogues are always all asked"
    )
    parsed.add_argument("--relations", help="comma-separated; default: the default sets of task chat")
    parsed.add_argument(
        "--sampling", action="store_true", help="an input that is asked again is answered in other words"
    )
    parsed.add_argument("--seed", type=int, default=0)
    parsed.add_argument("--noise-floor", type=int, default=100, help="messages that are asked again unchanged")
    parsed.add_argument("--confirm", type=int, default=0, help="findings per relation that are confirmed and shrunk")
    parsed.add_argument("--count-only", action="store_true", help="run nothing, count the run that lies in --out")
    parsed.add_argument("--out", required=True, help="folder of report, store, pairs.jsonl and result.json")
    return parsed


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser().parse_args(arguments)
    out = Path(options.out) if options.count_only else run(options.bot, options)
    made = pairs(out)
    with (out / "pairs.jsonl").open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(asdict(pair), default=sorted) + "\n" for pair in made)
    result = summary(out, made)
    (out / "result.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(show(result))


if __name__ == "__main__":
    main()
