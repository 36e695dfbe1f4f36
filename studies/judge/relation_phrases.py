"""Prints how the judge takes phrases that name a relation: `python studies/judge/relation_phrases.py [--list]`.

`relation_phrases.json`: for each of Re-DocRED's 96 relation names four other phrases in the same direction and two in
the other one, written by somebody who had not seen the package's list. Each is judged against the name: another phrase
should be the same, the inverse and a phrase of another relation different. `--list` takes the package's own list
instead, which is then the measure of itself.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from random import Random

from mutatis.core.measure import Comparison
from mutatis.measures import judge
from mutatis.measures.rules import all_phrases, relations
from mutatis.text import embedder

PHRASES = Path(__file__).with_name("relation_phrases.json")
Named = list[tuple[str, str]]


def groups(rows: list[dict[str, list[str]]]) -> dict[str, Named]:
    """Return (name, phrase) pairs: of one relation, of its inverse, of another relation drawn at random."""
    names = [str(row["relation"]) for row in rows]
    draw = Random(0)
    return {
        "the same relation": [
            (name, phrase) for name, row in zip(names, rows, strict=True) for phrase in row["phrases"]
        ],
        "its inverse": [(name, phrase) for name, row in zip(names, rows, strict=True) for phrase in row["inverse"]],
        "another relation": [
            (draw.choice([other for other in names if other != name]), phrase)
            for name, row in zip(names, rows, strict=True)
            for phrase in row["phrases"]
        ],
    }


def own_list(names: list[str]) -> dict[str, Named]:
    """Return the phrases of the package's list beside the names that they have there."""
    known = [
        (name, phrase) for phrase, relations in all_phrases().items() for name in sorted(relations) if name in names
    ]
    return {"the package's list": [pair for pair in known if sum(len(part.split()) for part in pair) > 2]}


def main() -> None:
    """Print the shares that are judged the same."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="the package's own list instead")
    chosen = parser.parse_args()
    rows = json.loads(PHRASES.read_text("utf-8"))
    phrases = own_list([str(row["relation"]) for row in rows]) if chosen.list else groups(rows)
    for name in ("answer-equivalence-lexical", *(["answer-equivalence"] if embedder.embedder_is_installed() else [])):
        judging = judge(name)
        for title, pairs in phrases.items():
            for listed in (True, False):
                here = [pair for pair in pairs if bool(relations(pair[1])) is listed]
                compared = [Comparison(reference=(relation,), answer=phrase) for relation, phrase in here]
                same = sum(similarity.score >= judging.equal for similarity in judging.measure.compare(compared))  # type: ignore[union-attr]
                print(f"{name:27} {title:18} {'on the list' if listed else 'not on it':12} same {same} of {len(here)}")


if __name__ == "__main__":
    main()
