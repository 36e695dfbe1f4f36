"""Which relations of chat find most per question: chosen on one half of the planted faults, reported on the other.

    python studies/gallery/choosing.py halves
    python studies/gallery/choosing.py ask --out FOLDER [--only shop,inn,...]
    python studies/gallery/choosing.py choose --out FOLDER [--questions 480]

`ask` tests every chatbot with planted faults with all relations that may enter the default of `chat`, and writes what
each found and asked beside it; a system whose file is there is not asked again. `choose` asks nothing. The rule was
written down before the first run: which half a fault is in follows from its name alone (`half`), and relations are
taken one after the other, the one with the most per question first (`chosen`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from studies.repertoire.truth import BOTS, at_work, load

import mutatis
from mutatis.assembly.relations import Chooser, default_sets
from mutatis.config import Config
from mutatis.core.cases import Case, Turn
from mutatis.core.languages import EVERY
from mutatis.core.relation import RELATIONS
from mutatis.core.system import Conversation
from mutatis.core.verdict import Verdict
from mutatis.relations.soundness import ENOUGH, PROBE, PURPOSES, RISKY, default_languages, readings_of
from mutatis.testing import gallery, perfect, world
from mutatis.testing.gallery import INN_FAULTS, SHOP_FAULTS, inn_cases, inn_system, shop_cases, shop_system
from mutatis.testing.gallery.systems import GallerySystem

MESSAGES = 20
LEAST = 0.95
Turns = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A system with faults that are known.

    Attributes:
        name: of the chatbot.
        faults: names of those that are switched on.
        cases: what its users say.
        answer: the system.
        shows: which faults show on what a user said.
        right: the same system without a fault.
    """

    name: str
    faults: tuple[str, ...]
    cases: tuple[Case, ...]
    answer: Any
    shows: Callable[[Turns], set[str]]
    right: Any


def half(fault: str) -> str:
    """Return the half that a fault is in: "choosing" or "reporting", by the first byte of its name's hash.

    >>> half("inn/inn-always-friday"), half("inn/inn-always-two")
    ('choosing', 'choosing')
    """
    return ("choosing", "reporting")[hashlib.blake2b(fault.encode(), digest_size=1).digest()[0] % 2]


def shop() -> Iterator[Planted]:
    for fault in SHOP_FAULTS:
        system, name = shop_system(fault.name), f"shop/{fault.name}"
        yield Planted(
            name="gallery-shop",
            faults=(name,),
            cases=shop_cases(),
            answer=system,
            shows=lambda turns, system=system, name=name: {name} if system.errs(turns[-1]) else set(),
            right=shop_system(),
        )


def inn() -> Iterator[Planted]:
    right = inn_system()
    for fault in INN_FAULTS:
        system, name = inn_system(fault.name), f"inn/{fault.name}"
        yield Planted(
            name="gallery-inn",
            faults=(name,),
            cases=inn_cases(),
            answer=system,
            shows=lambda turns, system=system, name=name: (
                {name} if system.meaning(turns) != right.meaning(turns) else set()
            ),
            right=right,
        )


def bank() -> Iterator[Planted]:
    """Yield the gallery's bank with the faults that are planted where its messages are classified."""
    for fault in gallery():
        if fault.task != "classification":
            continue
        system, name = GallerySystem(task="chat", fault=replace(fault, task="chat")), f"bank-world/{fault.name}"

        def shows(turns: Turns, system: GallerySystem = system, name: str = name) -> set[str]:
            asked = Conversation(messages=(), fields={"message": turns[-1]})
            return {name} if system.erred(asked) else set()

        yield Planted(
            name="gallery-bank", faults=(name,), cases=world("chat"), answer=system, shows=shows, right=perfect("chat")
        )


def bot(name: str) -> Iterator[Planted]:
    """Yield a bot of `studies/repertoire`, every fault switched on: `at_work` tells them apart."""
    talker = load(name)
    faults = tuple(talker.FAULTS)
    spread = talker.MESSAGES[:: max(1, len(talker.MESSAGES) // MESSAGES)][:MESSAGES]
    dialogues = list(getattr(talker, "DIALOGUES", ()))[:4]
    said = [*((message,) for message in spread), *dialogues]
    cases = tuple(
        Case(id=f"{name}/{n}", task="chat", turns=tuple(Turn(fields={"message": text}) for text in texts))
        for n, texts in enumerate(said)
    )

    def system(label: str, faults: Sequence[str]) -> Any:
        def answer(text: str, history: Sequence[tuple[Mapping[str, str], Any]] = ()) -> str:
            return talker.reply((*(fields["message"] for fields, _ in history), text), faults=faults).text

        return mutatis.system("function", target=answer, label=label, revision=label)

    yield Planted(
        name=name,
        faults=tuple(f"{name}/{fault}" for fault in faults),
        cases=cases,
        answer=system("planted", faults),
        right=system("right", ()),
        shows=lambda turns: {f"{name}/{fault}" for fault in at_work(talker, turns, turns, faults)},
    )


SYSTEMS: Mapping[str, Callable[[], Iterator[Planted]]] = {
    **{"shop": shop, "inn": inn, "bank-world": bank},
    **{f"bot-{name}": (lambda name=name: bot(name)) for name in BOTS},
}


def candidates() -> list[str]:
    """Return the relations that may be in the default: those in a default set, and those read 60 times by two."""
    names = []
    for name in RELATIONS:
        relation = RELATIONS[name]
        if "chat" not in relation.tasks or relation.needs_helper or relation.tags & {PROBE, RISKY}:
            continue
        rows = [row for row in readings_of(name) if row.task == "chat"]
        in_set = bool(relation.tags & {*PURPOSES}) and bool(rows) and default_languages(name, "chat") == EVERY
        twice = sum(row.both for row in rows) >= ENOUGH and all(row.share >= LEAST for row in rows)
        # A bot that keeps no dialogue, as it need not, cannot know what a correction in a later turn is about.
        if (in_set or twice) and name != "correct-later":
            names.append(name)
    return names


def default() -> list[str]:
    """Return the relations that a run of chat takes where nobody names any."""
    chooser = Chooser(config=Config(), has_helper=False, notes=[])
    return [relation.name for relation in chooser.choose(default_sets(), ["chat"])["chat"]]


Violation = tuple[str, Turns, Turns]
"""A relation, and what was said in source and follow-up."""


class Counted:
    """What the verdicts of a run found and asked, taken down as they come."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.violations: list[Violation] = []

    def __call__(self, event: Any) -> None:
        """Count a verdict; other events are passed over."""
        if not isinstance(event, Verdict) or event.group is None:
            return
        known, name = said(event.source), event.relation.name
        for member in event.group.members:
            made = said(member.case)[: member.turn + 1]
            self.asked[name] += sum(made[: end + 1] != known[: end + 1] for end in range(len(made)))
            if event.outcome.value == "violated":
                self.violations.append((name, known[: event.turn + 1], made))


def said(case: Case) -> Turns:
    return tuple(turn.question for turn in case.turns)


def counted(system: Any, cases: Sequence[Case], relations: Sequence[str]) -> Counted:
    """Test a system and return what was found and asked."""
    counts = Counted()
    settings = {"noise_floor": 0, "confirm": 0, "shrink": 0}
    with tempfile.TemporaryDirectory() as place:
        kept: dict[str, Any] = {"store": Path(place) / "s.db", "out": Path(place)}
        mutatis.run(system, cases, list(relations), settings=settings, on_event=counts, task="chat", **kept)
    return counts


def record(planted: Planted, relations: Sequence[str], accused: Collection[Violation]) -> dict[str, Any]:
    """Test a system and return which relation found which fault, and asked how much for 20 cases, as JSON data.

    A finding counts for a fault that shows in it, and only where the system without a fault is not accused there.
    """
    counts, beside = counted(planted.answer, planted.cases, relations), 0
    seen_by: defaultdict[str, set[str]] = defaultdict(set)
    for violation in counts.violations:
        shown = set().union(*map(planted.shows, violation[1:])) if violation not in accused else set()
        beside += not shown
        for fault in shown:
            seen_by[fault].add(violation[0])
    share = MESSAGES / len(planted.cases)
    return {
        "system": planted.name,
        "faults": planted.faults,
        "asked": {name: round(number * share, 3) for name, number in sorted(counts.asked.items())},
        "found": {fault: sorted(names) for fault, names in sorted(seen_by.items())},
        "violations": len(counts.violations),
        "beside": beside,
    }


def ask(folder: Path, only: Sequence[str], also: Sequence[str]) -> None:
    """Test every system whose file is not there yet."""
    names = list(dict.fromkeys([*candidates(), *also]))
    for system in only or SYSTEMS:
        accused: set[Violation] | None = None
        for planted in SYSTEMS[system]():
            file = folder / f"{'+'.join(planted.faults).replace('/', '.')}.json"
            if file.exists():
                continue
            if accused is None:
                accused = set(counted(planted.right, planted.cases, names).violations)
                print(f"{system} without a fault: {len(accused)} violations", flush=True)
            result = record(planted, names, accused)
            file.write_text(json.dumps(result, indent=1), encoding="utf-8")
            print(f"{file.stem[:60]:60} found {len(result['found'])} of {len(planted.faults)}", flush=True)


def measured(folder: Path) -> tuple[dict[str, float], dict[str, set[str]], set[str]]:
    """Return the questions of each relation (the mean of all chatbots), the faults that it finds, and all faults."""
    asked: dict[str, dict[str, float]] = {}
    finds: dict[str, set[str]] = {name: set() for name in candidates()}
    every: set[str] = set()
    for file in sorted(folder.glob("*.json")):
        record = json.loads(file.read_text(encoding="utf-8"))
        asked[record["system"]] = record["asked"]  # a fault hardly moves it: the last of a system stands for all
        every |= set(record["faults"])
        for fault, names in record["found"].items():
            for name in finds.keys() & set(names):
                finds[name].add(fault)
    questions = {name: sum(counts.get(name, 0.0) for counts in asked.values()) / len(asked) for name in finds}
    return questions, finds, every


def chosen(finds: Mapping[str, set[str]], asked: Mapping[str, float], most: float) -> list[str]:
    """Return relations, the one with most per question first, until the questions are spent.

    A fault counts for less with each relation that is taken and finds it (1, 1/2, 1/3 ...): that one relation finds it
    here does not mean that it finds the like elsewhere. Half a fault and a question are added to what every relation
    finds and asks, so that one that asks next to nothing is not left out because no fault of one half is its own.
    """
    names: list[str] = []
    times: Counter[str] = Counter()
    left = most - MESSAGES  # the sources are asked, too

    def power(name: str) -> float:
        return (0.5 + sum(1 / (1 + times[fault]) for fault in finds[name])) / (1 + asked[name])

    rest = {name for name in finds if asked[name] > 0}
    while fitting := [name for name in sorted(rest) if asked[name] <= left]:
        best = max(fitting, key=power)
        names.append(best)
        rest.remove(best)
        times.update(finds[best])
        left -= asked[best]
    return names


def report(folder: Path, most: float) -> None:
    """Print what is chosen on each half, and what it finds on the other."""
    asked, finds, every = measured(folder)
    halves = {name: {fault for fault in every if half(fault) == name} for name in ("choosing", "reporting")}
    print(f"{len(every)} faults: {len(halves['choosing'])} to choose by, {len(halves['reporting'])} to report on")
    today = default()
    print(f"\nthe default as it is: {len(today)} relations, {MESSAGES + sum(asked[n] for n in today):.0f} questions")
    for part, faults in halves.items():
        print(
            f"  found {len(set().union(*(finds[name] for name in today)) & faults)} of {len(faults)} of the half {part}"
        )
    for here, there in (("choosing", "reporting"), ("reporting", "choosing")):
        names = chosen({name: faults & halves[here] for name, faults in finds.items()}, asked, most)
        print(f"\nchosen on {here}: {len(names)} relations, {MESSAGES + sum(asked[n] for n in names):.0f} questions")
        for name in names:
            print(
                f"  {name:24} {asked[name]:6.1f}  {len(finds[name] & halves[here])} {len(finds[name] & halves[there])}"
            )
        print(f"  left out: {', '.join(sorted(set(finds) - set(names)))}")
        for part in (here, there):
            caught = set().union(*(finds[name] for name in names)) & halves[part]
            print(f"  found {len(caught)} of {len(halves[part])} of the half {part}")
    never = sorted(every - set().union(*finds.values()))
    print(f"\nfound by no relation: {', '.join(never)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["halves", "ask", "choose"])
    parser.add_argument("--out", type=Path, help="folder of what was measured")
    parser.add_argument("--only", default="", help=f"systems, separated by commas: {', '.join(SYSTEMS)}")
    parser.add_argument("--also", default="", help="relations to be measured that may not be chosen yet")
    parser.add_argument("--questions", type=float, default=480)
    args = parser.parse_args()
    if args.what == "halves":
        faults = sorted(fault for system in SYSTEMS.values() for planted in system() for fault in planted.faults)
        for part in ("choosing", "reporting"):
            print(f"{part}: {', '.join(fault for fault in faults if half(fault) == part)}")
    elif args.what == "ask":
        args.out.mkdir(parents=True, exist_ok=True)
        ask(args.out, [name for name in args.only.split(",") if name], [name for name in args.also.split(",") if name])
    else:
        report(args.out, args.questions)


if __name__ == "__main__":
    main()
