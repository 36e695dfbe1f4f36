"""Counts the code lines of a source tree: without docstrings, comments and blank lines.

    python benchmarks/size.py [FOLDER] [--rooms]

A line counts if it holds a token other than a comment or a docstring. Data files are counted apart.
"""

from __future__ import annotations

import argparse
import ast
import io
import tokenize
from collections import Counter
from pathlib import Path

SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
DATA = {".toml", ".txt", ".json", ".jsonl", ".csv", ".html", ".css", ".js", ".jinja"}


def docstring_lines(tree: ast.Module) -> set[int]:
    """Return the lines of docstrings, and of strings that stand alone as a statement."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def code_lines(source: str) -> int:
    """Return the number of code lines of a module.

    >>> code_lines('"A module."' + chr(10) + "x = 1  # one" + chr(10) * 3 + "# y")
    1
    """
    lines = {
        line
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in SILENT
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(lines - docstring_lines(ast.parse(source)))


def main() -> None:
    """Print the size of a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("src"))
    parser.add_argument("--rooms", action="store_true", help="a line for each folder")
    args = parser.parse_args()
    rooms: Counter[str] = Counter()
    files = sorted(args.folder.rglob("*.py"))
    for file in files:
        rooms[str(file.parent.relative_to(args.folder))] += code_lines(file.read_text(encoding="utf-8"))
    if args.rooms:
        for room, number in sorted(rooms.items()):
            print(f"{number:7,} {room}")
    data = [file for file in args.folder.rglob("*") if file.suffix in DATA]
    size = sum(file.stat().st_size for file in data)
    print(f"{rooms.total():7,} code lines in {len(files)} files; {len(data)} data files, {size:,} bytes")


if __name__ == "__main__":
    main()
