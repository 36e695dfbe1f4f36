"""Months, days, number words and units stand in one place: the folder of their language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import mutatis
from mutatis.text.values import vocabulary

SOURCE = Path(mutatis.__file__).parent
KNOWN = vocabulary()
NEAR = 160
"""Characters within which the words of a table stand."""

TABLES = {
    "months": (5, KNOWN.month_numbers),
    "weekdays": (5, [day.lower() for day in KNOWN.weekdays]),
    "number words": (6, KNOWN.ones),
}
"""How many of the words make a table."""

UNITS = frozenset(
    name
    for unit in KNOWN.units.values()
    if unit.symbols and not unit.money and unit.measure not in ("time", "months")
    for name in (*unit.names, *unit.plurals.values())
)
OTHER_PURPOSES = {
    "measures/lexicons/classes.txt": "words of which one excludes the other",
    "measures/rules.py": "stems of words that say nothing beside a number",
    "testing/gallery/shop.py": "what a planted system says",
    "testing/gallery/shop_faults.txt": "what the faults of a planted system are",
    "rltest4chatbot/trackers/patterns.toml": "templates of sentences, with a few numbers",
    "transformations/problems.py": "units of a word problem that are made metric",
}
"""Files that name several units or numbers, but neither read nor write quantities by them."""


def texts(path: Path) -> Iterator[str]:
    """Yield the strings of a module that are no docstrings; of data, the whole file."""
    if path.suffix != ".py":
        yield path.read_text("utf-8")
        return
    tree = ast.parse(path.read_text("utf-8"))
    prose = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str) and n not in prose)
    yield "\n".join(node.value for node in strings)


def files() -> list[Path]:
    paths = (path for suffix in ("py", "toml", "txt") for path in SOURCE.rglob(f"*.{suffix}"))
    return [path for path in paths if "languages" not in path.parts]


def most_together(text: str, words: Iterable[str]) -> int:
    """Return how many different words of a table stand together at most."""
    pattern = re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, words))})(?![a-z])")
    matches = [(match.start(), match.group()) for match in pattern.finditer(text.lower())]
    return max(
        (len({w for at, w in matches[i:] if at - start <= NEAR}) for i, (start, _) in enumerate(matches)), default=0
    )


@pytest.mark.parametrize("table", TABLES)
def test_no_other_file_holds_the_table(table: str) -> None:
    least, words = TABLES[table]
    others = {
        str(path.relative_to(SOURCE)): count
        for path in files()
        for text in texts(path)
        if (count := most_together(text, words)) >= least
    }
    assert others.keys() <= OTHER_PURPOSES.keys()


def test_units_are_listed_elsewhere_for_another_purpose_alone() -> None:
    others = {
        str(path.relative_to(SOURCE)) for path in files() for text in texts(path) if most_together(text, UNITS) >= 4
    }
    assert others <= set(OTHER_PURPOSES)
