"""Follow-ups per CPU second of every function-made transformation, on SST-2 sentences and SQuAD contexts.

    PYTHONPATH=src python benchmarks/transformations.py [--seconds 0.5] [--only add-spaces,leet] [--nlpaug PYTHON]

Reads the data from the folder named by MUTATIS_SHARED, else from ../shared beside the repository; where it is absent,
the text that the transformations' own sentences make stands in for it. Every text has a generator of its own, made as
a run makes it, so its cost is in the figures. `plain` is the yardstick: a comprehension that draws for each letter.

With `--nlpaug` (the Python of an environment with `pip install nlpaug nltk`) every transformation that nlpaug has an
augmenter for is measured beside it, right after one another on the same texts, with about as many edits.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import string
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import mutatis.transformations  # noqa: F401
from mutatis.core.transformation import TRANSFORMATIONS, generator
from mutatis.languages import listed
from mutatis.transformations.wordnet import wordnet_is_installed

SHARED = Path(os.environ.get("MUTATIS_SHARED", Path(__file__).resolve().parents[2] / "shared")) / "data"


def sentences() -> list[str]:
    """Return the SST-2 sentences, or stand-ins."""
    path = SHARED / "sst2" / "dev.tsv.xz"
    if not path.exists():
        return list(listed("sentences"))
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t")[1] for line in lines][1:]


def contexts() -> list[str]:
    """Return the distinct SQuAD 2.0 contexts, or stand-ins."""
    path = SHARED / "squad2" / "dev-v2.0-rebuilt.json.xz"
    if not path.exists():
        stock = listed("sentences")
        return [" ".join(stock[i : i + 15]) for i in range(0, len(stock) - 15, 5)]
    with lzma.open(path, "rt", encoding="utf-8") as file:
        articles = json.load(file)["data"]
    return [paragraph["context"] for article in articles for paragraph in article["paragraphs"]]


NLPAUG = {
    "replace-characters": "RandomCharAug substitute",
    "add-characters": "RandomCharAug insert",
    "delete-characters": "RandomCharAug delete",
    "swap-characters": "RandomCharAug swap",
    "keyboard-typos": "KeyboardAug",
    "ocr-noise": "OcrAug",
    "misspell": "SpellingAug",
    "add-spaces": "SplitAug",
    "remove-keywords-rules": "RandomWordAug delete",
    "synonyms-lexicon": "SynonymAug wordnet",
    "antonyms-lexicon": "AntonymAug",
}
"""The augmenter of nlpaug that does the same, or the nearest to it."""


def theirs(python: str, name: str, texts: Sequence[Sequence[str]], seconds: float) -> list[float] | str:
    """Return follow-ups per CPU second of an augmenter of nlpaug, or why it cannot be measured."""
    request = json.dumps({"name": name, "texts": texts, "seconds": seconds})
    worker = str(Path(__file__).with_name("nlpaug_worker.py"))
    done = subprocess.run([python, worker], input=request, capture_output=True, text=True, check=False)
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["no reason given"])[-1]
    rates: list[float] | str = json.loads(done.stdout.splitlines()[-1])
    return rates


def plain(text: str, rng: Random) -> str:
    """Replace letters with a probability of a tenth: what anybody would write first."""
    return "".join(rng.choice(string.ascii_lowercase) if c.isalpha() and rng.random() < 0.1 else c for c in text)


def function_made(name: str) -> Callable[[str, Random], str]:
    """Return a transformation with its default parameters."""
    chosen = TRANSFORMATIONS[name]
    arguments = chosen.complete({})
    arguments.pop("protect", None)

    def make(text: str, rng: Random) -> str:
        complete = {**arguments, "rng": rng} if "rng" in chosen.wants else arguments
        made: str = chosen.apply(text, **complete)
        return made

    return make


def is_measured(name: str) -> bool:
    """Whether a transformation makes texts by a function; METAL's ask an embedder for each, which would be measured."""
    chosen = TRANSFORMATIONS[name]
    there = wordnet_is_installed() or not name.endswith("-wordnet")
    return chosen.made_by == "function" and chosen.level == "text" and there and not name.startswith("metal-")


def rate(make: Callable[[str, Random], str], texts: Sequence[str], seconds: float) -> float:
    """Return follow-ups per CPU second."""
    for text in texts[:10]:
        make(text, Random(0))
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for text in texts[done % len(texts) :][:10]:
            make(text, generator(7, done, "benchmark"))
            done += 1
    return done / spent


def main() -> None:
    """Print one line per transformation."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--seconds", type=float, default=0.5, help="CPU seconds per figure")
    arguments.add_argument("--only", default="", help="names, separated by commas")
    arguments.add_argument("--nlpaug", default="", help="the Python of an environment that has nlpaug and nltk")
    options = arguments.parse_args()
    short, long = sentences(), contexts()
    mean = [sum(map(len, texts)) / len(texts) for texts in (short, long)]
    print(f"{len(short)} sentences of {mean[0]:.0f} characters, {len(long)} contexts of {mean[1]:.0f}; per CPU second:")
    names = options.only.split(",") if options.only else list(TRANSFORMATIONS)
    makers = {"plain (yardstick)": plain, **{name: function_made(name) for name in names if is_measured(name)}}
    for name, make in makers.items():
        figures = [rate(make, texts, options.seconds) for texts in (short, long)]
        line = f"{name:28}{figures[0]:>12,.0f}{figures[1]:>10,.0f}"
        if options.nlpaug and name in NLPAUG:
            line += beside(figures, NLPAUG[name], theirs(options.nlpaug, NLPAUG[name], (short, long), options.seconds))
        print(line, flush=True)


def beside(ours: Sequence[float], name: str, theirs: list[float] | str) -> str:
    """Return what stands beside our figures: nlpaug's, and how many times faster ours are."""
    if isinstance(theirs, str):
        return f"   {name}: not measured ({theirs})"
    times = [our / other for our, other in zip(ours, theirs, strict=True)]
    return f"   {name:26}{theirs[0]:>9,.0f}{theirs[1]:>8,.0f}   {times[0]:.1f} and {times[1]:.1f} times"


if __name__ == "__main__":
    main()
