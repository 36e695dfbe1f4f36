"""How often a text is taken for another language: `python studies/languages/recognition.py [--examples]`.

On the public data that `MUTATIS_SHARED` (or the folder `shared` beside the repository) holds: everything English as
lines of English data, and the questions of XQuAD in German, Spanish and Chinese, alone and as lines of English data.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import mutatis.rltest4chatbot  # noqa: F401 - registers formats of dialogues
from mutatis import read_cases
from mutatis.text.languages import is_plainly_english, language

SHARED = Path(os.environ.get("MUTATIS_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "data"
ENGLISH = {
    "banking77": ("banking77", "banking77/train.csv.xz", {}),
    "clinc150": ("clinc150", "clinc150/data_small.json.xz", {"split": "train+test+oos_test"}),
    "ATIS": ("intents", "intents/atis/train", {}),
    "SNIPS": ("intents", "intents/snips/train", {}),
    "SQuAD 2.0 questions": ("squad2", "squad2/dev-v2.0-rebuilt.json.xz", {}),
    "SST-2": ("sst2", "sst2/dev.tsv.xz", {}),
    "SNLI": ("snli", "snli/validation.tsv.xz", {}),
    "CoQA questions": ("coqa", "coqa/coqa-dev-rebuilt.json.xz", {}),
    "CANARD questions": ("canard", "canard/dev.json.xz", {}),
    "MultiWOZ 2.1 user turns": ("multiwoz21", "multiwoz21/test.json.xz", {}),
}


def english(name: str) -> Iterator[str]:
    """Yield the texts of a data set: each field of each turn, but not what it is about."""
    data_format, path, options = ENGLISH[name]
    for case in read_cases(data_format, SHARED / path, **options):
        for turn in case.turns:
            yield from (text for field, text in turn.fields.items() if field != "context" and text.strip())


def questions(code: str) -> list[str]:
    """Return the questions of XQuAD in a language."""
    with lzma.open(SHARED / "xquad" / f"xquad.{code}.first24.json.xz", "rt", encoding="utf-8") as file:
        articles = json.load(file)["data"]
    return [qa["question"] for article in articles for p in article["paragraphs"] for qa in p["qas"]]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", action="store_true", help="print the English texts that are taken for others")
    shown = parser.parse_args().examples
    print("| data | texts | plainly English by words | English | too little to tell | another | milliseconds a text |")
    print("|---|---|---|---|---|---|---|")
    for name in ENGLISH:
        texts = list(english(name))
        begun = time.process_time()
        codes = [language(text, usual="en") for text in texts]
        spent = 1000 * (time.process_time() - begun) / len(texts)
        counts = Counter(codes)
        plain = sum(map(is_plainly_english, texts)) / len(texts)
        others = len(texts) - counts["en"] - counts[""]
        share, unclear = (f"{counts[code] / len(texts):.1%}" for code in ("en", ""))
        print(f"| {name} | {len(texts):,} | {plain:.1%} | {share} | {unclear} | {others} | {spent:.3f} |")
        for text, code in zip(texts, codes, strict=True) if shown else ():
            if code not in ("en", ""):
                print(f"    {code}: {text[:100]}")
    names = ("XQuAD questions", "texts", "recognised alone", "as another", "beside English: own", "unknown", "English")
    print(f"\n| {' | '.join(names)} |")
    print("|---|---|---|---|---|---|---|")
    for code in ("en", "de", "es", "zh"):
        texts = questions(code)
        alone, among = Counter(map(language, texts)), Counter(language(text, usual="en") for text in texts)
        wrong = len(texts) - alone[code] - alone[""]
        row = [f"{alone[code]}", f"{wrong}", f"{among[code]}", f"{among['und']}", f"{among['en'] + among['']}"]
        print(f"| {code} | {len(texts)} | {' | '.join(row)} |")


if __name__ == "__main__":
    main()
