"""Draws follow-ups in a language for reading, and counts what is judged there.

    PYTHONPATH=. python studies/languages/sheet.py de --out FOLDER [--each 15] [--seed 1] [--xquad 200]
        [--relations NAME,...]

Fifty questions that customers ask (`questions.de.txt`, written for this) are put to clean bots that answer by their
words, ten to a bot of each of five trades, and questions of XQuAD, if it has the language, to one that knows their
answers, with the default relations of `chat`. FOLDER holds a sheet in the form of `studies/reach/sheet.py`; printed are
the relations judged and words of English that follow-ups bring in.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import os
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from studies.reach.sheet import PART, READERS, shown

import mutatis
from mutatis import languages
from mutatis.languages import Language
from mutatis.records import VerdictRecord, read_verdicts

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("MUTATIS_SHARED", HERE.parents[2] / "shared")) / "data"
SORRY = {
    "de": "Das habe ich leider nicht verstanden.",
    "es": "No he entendido su pregunta.",
    "fr": "Je n'ai pas compris votre question.",
    "zh": "抱歉，我没有听懂您的问题。",
}
_KNOWN = 0.55
"""Least share of a known question's words in a message that is taken for it."""


def customers(code: str) -> dict[str, dict[str, str]]:
    """Return the questions to each service with their answers, by the name of the service."""
    services: dict[str, dict[str, str]] = {}
    for line in (HERE / f"questions.{code}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            asked = services[line.removeprefix("== ")] = {}
        elif line and not line.startswith("#"):
            question, answer = line.split(" | ", 1)
            asked[question] = answer
    return services


def of_xquad(code: str, number: int) -> dict[str, str]:
    """Return questions of XQuAD with their first answers, spread over all articles; none in a language it lacks."""
    if not (SHARED / "xquad" / f"xquad.{code}.first24.json.xz").is_file():
        return {}
    with lzma.open(SHARED / "xquad" / f"xquad.{code}.first24.json.xz", "rt", encoding="utf-8") as file:
        articles = json.load(file)["data"]
    asked = [qa for article in articles for part in article["paragraphs"] for qa in part["qas"]]
    return {qa["question"].strip(): qa["answers"][0]["text"] for qa in asked[:: len(asked) // number][:number]}


def stems(text: str, code: str) -> set[str]:
    """Return the beginnings of the longer words of a text, or its pairs of characters without blanks between words."""
    if not Language(code).spaces:
        runs = re.findall(r"[^\W\d_]+", text)
        return {run[at : at + 2] for run in runs for at in range(len(run) - 1)}
    bare = text.lower().replace("ß", "ss")
    return {word[:5] for word in re.findall(r"\w+", bare) if len(word) > 3}


def bot(answers: dict[str, str], code: str) -> Callable[[str], str]:
    """Return a bot that answers each question of a message by the words that it shares with a known one."""
    known = {question: stems(question, code) for question in answers}

    def reply(message: str) -> str:
        told = []
        for part in re.split(r"(?<=\?)\s|(?<=？)", message):
            said = stems(part, code)
            best = max(known, key=lambda question: len(known[question] & said) / max(1, len(known[question])))
            if len(known[best] & said) >= _KNOWN * len(known[best]):
                told.append(answers[best])
        return Language(code).gap.join(dict.fromkeys(told)) or SORRY[code]

    return reply


def verdicts(name: str, code: str, answers: dict[str, str], out: Path, seed: int) -> list[VerdictRecord]:
    """Run the default relations on questions, and return the verdicts."""
    cases = mutatis.cases(list(answers), language=code)
    mutatis.run(bot(answers, code), cases, task="chat", seed=seed, out=out / "runs" / name, fresh=True)
    return list(read_verdicts(out / "runs" / name / "verdicts.jsonl"))


def brought_in(made: Sequence[VerdictRecord], code: str) -> set[str]:
    """Return the words of English lists that follow-ups have and their sources, and the language's lists, lack."""
    folder = Path(languages.__file__).parent
    lists = {
        name: _words(" ".join(path.read_text("utf-8") for kind in ("txt", "toml") for path in place.glob(f"*.{kind}")))
        for name, place in (("en", folder / "en"), (code, folder / code))
    }
    everything = _words(" ".join(text for verdict in made for text in verdict.source_input.values()))
    new = {
        word
        for verdict in made
        for member in verdict.followups
        if verdict.relation not in ("keyboard-typos", "upper-case")
        for text in member.input.values()
        for word in _words(text) - _words(" ".join(verdict.source_input.values()))
    }
    return (new & lists["en"]) - lists[code] - everything


def _words(text: str) -> set[str]:
    """Return the words of a text, without those of its links."""
    return set(re.findall(r"[a-z]{4,}", re.sub(r"\S*(?:://|www\.)\S*", " ", text.lower())))


def write(
    pools: Mapping[str, Sequence[VerdictRecord]],
    out: Path,
    each: int,
    seed: int,
    line_of: Callable[[VerdictRecord], Mapping[str, str]] = shown,
    readers: str = READERS,
) -> None:
    """Write a sheet with `each` follow-ups of each relation, its key, and the page for readers."""
    lines = []
    for relation, pool in sorted(pools.items()):
        rng = random.Random(f"{seed} {relation}")
        lines += [(relation, line_of(verdict)) for verdict in rng.sample(pool, min(each, len(pool)))]
    random.Random(seed).shuffle(lines)
    (out / "key.json").write_text(json.dumps({n: r for n, (r, _) in enumerate(lines, 1)}, indent=0), "utf-8")
    (out / "READERS.md").write_text(readers, encoding="utf-8")
    fields = ["line", "before", "after", "must hold", "sound", "natural", "why"]
    for start in range(0, len(lines), PART):
        with (out / f"sheet-{start // PART + 1}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, fields)
            writer.writeheader()
            for number, (_, line) in enumerate(lines[start : start + PART], start + 1):
                writer.writerow({"line": number, **line, "sound": "", "natural": "", "why": ""})


def main() -> None:
    """Write the sheet, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("code")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--xquad", type=int, default=200)
    parser.add_argument("--relations", help="names of the relations on the sheet, joined by commas; else all")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    pools: dict[str, list[VerdictRecord]] = defaultdict(list)
    data = {"customers": customers(args.code), "xquad": {"xquad": of_xquad(args.code, args.xquad)}}
    for name, services in data.items():
        made = [
            verdict
            for service, answers in services.items()
            if answers
            for verdict in verdicts(service, args.code, answers, args.out, args.seed)
        ]
        if not made:
            continue
        told = Counter(verdict.relation for verdict in made if verdict.outcome in ("satisfied", "violated"))
        print(
            f"{name}: {sum(map(len, services.values()))} questions, {told.total()} judged, {len(told)} relations, ",
            end="",
        )
        print(f"English words: {sorted(brought_in(made, args.code)) or 'none'}")
        for relation, number in sorted(told.items()):
            pools[relation] += [v for v in made if v.relation == relation and v.outcome in ("satisfied", "violated")]
            print(f"  {relation} {number}")
    wanted = args.relations.split(",") if args.relations else pools
    write({name: pools[name] for name in wanted}, args.out, args.each, args.seed)


if __name__ == "__main__":
    main()
