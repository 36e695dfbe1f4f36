"""The page docs/reproductions.md: every published table and figure, what it gives here, and why that differs.

    python studies/reproductions/page.py            writes the page
    python studies/reproductions/page.py --check    says whether the committed page is what this gives

Publications are files in `publications/`, in the order of their names. Their published numbers are those of the
studies' `published.py` where a study has one: `{mortar.PPD[0]:.1%}` stands for such a number.
"""

from __future__ import annotations

import argparse
import importlib.util
import string
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "reproductions.md"
STUDIES = ("mortar", "rltest4chatbot", "content_quality")
"""The studies that hold published numbers."""

REASONS = {
    "model": "the published systems cannot be had here (model hubs, paid endpoints): ours are other, weaker ones",
    "data": "the published data cannot be had whole: a rebuilt file, another split, or a derivative",
    "people": "people have to judge; the command makes the sheet and counts what they fill in",
    "helper": "a language model has to make or extract something; the command runs with `--helper`",
    "judge": "our judge decides; the published one is a setting",
    "open": "not run yet",
}
"""Why a number is another one, by the word that stands in the last column."""

INTRODUCTION = """# Reproductions

Every table and figure of the five publications whose methods are recipes here (MORTAR has two; METAL, the fifth method,
is their baseline). This page is generated (`python studies/reproductions/page.py`) from
`studies/reproductions/publications`; a test compares the two.

`make reproductions` runs the commands marked *hour* and says of each whether it ran, what it took, and how many rows of
tables came out other than the repository holds them. The whole list ran once from end to end, on 23 November 2026: exit
code 0, 28 minutes of two cores that ten other programs used, 274 seconds of a processor. `llmorph` then took a third of
its inputs, `metal` half, and `mortar-all` was not in it; they ran since, each by itself. Since
26 November follow-ups are drawn by the question's text: `llmorph`, `squad` and `metal` ran with these draws, and the
figures of `mortar`, `mortar-all`, `families` and the searches are of earlier ones. Seconds below are of a processor.
`DATA` is a folder of public data (`MUTATIS_SHARED`/data), `OUT` where results go. Figures under "here" come from these
commands; of `families` from the same program on whole texts, for which the hour has no room. Where a table
was once counted otherwise, old and new stand side by side, with the claims that changed:
[searches](../studies/rltest4chatbot/README.md#the-thesis-agent),
[unique bugs](../studies/mortar/README.md#campaigns) (of bugs, not of questions), [a story as the papers read
it](../studies/mortar/README.md#turns-on-stories-read), [METAL's synonyms](mortar.md#metals-strengths). Why they differ:

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
    return INTRODUCTION + reasons + "".join("\n" + section(publication, numbers) for publication in publications())


def section(publication: Mapping[str, Any], numbers: Mapping[str, ModuleType]) -> str:
    """Return one publication: its commands, and a row per table or figure.

    Raises:
        ValueError: a row names a command or a reason that there is not.
    """
    commands = publication["commands"]
    lines = [f"## {publication['title']}\n", publication["about"].strip() + "\n", "```text"]
    for name, command in commands.items():
        mark = f"   # hour: {command['seconds']} s of a processor" if command.get("hour") else ""
        lines.append(f"{name}: {shown(command['line'])}{mark}")
    lines += ["```\n", "| table or figure | command | here | published | differs |", "|---|---|---|---|---|"]
    for row in publication["rows"]:
        unknown = [name for name in row.get("commands", ()) if name not in commands]
        unknown += [name for name in row.get("differs", ()) if name not in REASONS]
        if unknown:
            raise ValueError(f"{publication['title']}, {row['what']}: there is no {unknown[0]!r}")
        told = string.Formatter().vformat(row["published"], (), dict(numbers))
        cells = (row["what"], ", ".join(row.get("commands", ())), row["here"], told, ", ".join(row.get("differs", ())))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


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
    args = parser.parse_args(arguments)
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
