"""The page docs/reproductions.md: every published table and figure, what it gives here, and why that differs.

    python studies/reproductions/page.py            writes the page
    python studies/reproductions/page.py --check    says whether the committed page is what this gives
    python studies/reproductions/page.py --draw 35  prints twenty published cells, drawn by a seed, for people to check

Publications are files in `publications/`, in the order of their names. Their published numbers are those of the
studies' `published.py` where a study has one: `{mortar.PPD[0]:.1%}` stands for such a number.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import string
import sys
import tomllib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "reproductions.md"
STUDIES = ("mortar", "rltest4chatbot", "content_quality")
"""The studies that hold published numbers."""

REASONS = {
    "model": "ours are other, weaker systems",
    "data": "a rebuilt file, another split, or a derivative",
    "people": "people have to judge: the command makes the sheet",
    "helper": "a language model has to make or extract something: `--helper`",
    "judge": "our judge decides; the published one is a setting",
    "fitted": "a strength was chosen so that the published number comes out: no evidence",
}
"""Why a number is another one, by the word that stands in the last column."""

INTRODUCTION = """# Reproductions

Every table and figure of the five publications whose methods are recipes here (MORTAR has two), generated
by `python studies/reproductions/page.py`.

`make reproductions` runs the commands marked *hour* (with processor seconds), and names the data that rows lack. `DATA`
is a folder of public data, `OUT` a folder for results. Figures are of 26 November 2026, when follow-ups began to depend
on the question's text; *before* marks earlier draws. A published figure is from the table named in its row unless
brackets name another source. Forty random cells were [checked against the papers](../studies/reproductions/checked.md).
Differences of over a tenth without a note are untraced, since that would take the published systems. Why figures
differ:

"""


def published_numbers() -> dict[str, ModuleType]:
    """Return the modules of published numbers, by the name of their study."""
    modules = {}
    for study in STUDIES:
        path = HERE.parent / study / "published.py"
        spec = importlib.util.spec_from_file_location(f"published_in_{study}", path)
        assert spec is not None
        assert spec.loader is not None
        module = modules[study] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return modules


def publications() -> list[dict[str, Any]]:
    """Return the publications as they are written down."""
    return [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted((HERE / "publications").glob("*.toml"))]


def page() -> str:
    """Return the whole page."""
    numbers = published_numbers()
    reasons = "".join(f"- *{name}*: {text}\n" for name, text in REASONS.items())
    text, listed = INTRODUCTION + reasons, set[str]()
    for publication in publications():
        text += "\n" + section(publication, numbers, listed)
        listed |= {command["line"] for command in publication["commands"].values()}
    return text


def section(
    publication: Mapping[str, Any], numbers: Mapping[str, ModuleType], listed: Collection[str] = frozenset()
) -> str:
    """Return one publication: its commands, and a row per table or figure.

    Raises:
        ValueError: a row names a command or a reason that there is not.
    """
    commands = publication["commands"]
    lines = [f"## {publication['title']}\n", publication["about"].strip() + "\n", "```text"]
    for name, command in commands.items():
        mark = f"   # hour: {command['seconds']} s" if command.get("hour") else ""
        if command["line"] not in listed:
            lines.append(f"{name}: {shown(command['line'])}{mark}")
    columns = ["table or figure", "command", *publication.get("columns", ["here"]), "published", "differs"]
    lines += ["```\n", f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
    for row in publication["rows"]:
        unknown = [name for name in row.get("commands", ()) if name not in commands]
        unknown += [name for name in row.get("differs", ()) if name not in REASONS]
        if unknown:
            raise ValueError(f"{publication['title']}, {row['what']}: there is no {unknown[0]!r}")
        here = [row["as_published"], row["here"]] if "columns" in publication else [row["here"]]
        named = [", ".join(row.get(key, ())) for key in ("commands", "differs")]
        cells = [row["what"], named[0], *here, told_in(row, numbers), named[1]]
        lines.append("| " + " | ".join(cells) + " |")
    if notes := publication.get("notes", "").strip():
        lines += ["", notes]
    return "\n".join(lines) + "\n"


NO_FIGURE = "no figure"
"""The published cell of a row that the paper has nothing for: there is nothing to check."""


def drawn(seed: int, number: int = 20) -> list[tuple[str, str, str]]:
    """Return title, row and published cell of rows of the page that are drawn by a seed, in the order of the page."""
    numbers = published_numbers()
    cells = [
        (publication["title"], row["what"], told_in(row, numbers))
        for publication in publications()
        for row in publication["rows"]
        if row["published"] != NO_FIGURE
    ]
    return [cells[place] for place in sorted(random.Random(seed).sample(range(len(cells)), number))]


def told_in(row: Mapping[str, Any], numbers: Mapping[str, ModuleType]) -> str:
    """Return the published cell of a row, with its place in the paper where the row's name does not have it."""
    told = string.Formatter().vformat(row["published"], (), dict(numbers))
    return told + (f" ({row['where']})" if "where" in row else "")


def shown(line: str) -> str:
    """Return a command as the page shows it.

    >>> shown("python studies/a.py {data}/coqa/dev.json.xz --out {out}/a")
    'python studies/a.py DATA/coqa/dev.json.xz --out OUT/a'
    """
    return line.format(data="DATA", out="OUT", python="python")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or check it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("--draw", type=int, metavar="SEED", help="print twenty published cells and write nothing")
    args = parser.parse_args(arguments)
    if args.draw is not None:
        print("\n".join(" | ".join(cell) for cell in drawn(args.draw)))
        return 0
    text = page()
    if not args.check:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.name} is another page; write it: python studies/reproductions/page.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
