"""Draws what two readers compare: texts of two commits, mixed and without labels, and code that they explain.

    python studies/plain_words/draw.py --before COMMIT [--after COMMIT] --out FOLDER

From each commit it draws 40 docstrings, 20 messages of errors and 10 paragraphs of the documentation, and apart from
them ten functions of more than 20 lines and five modules. The seed was fixed on 2026-11-26, before anything was
rewritten, with commit b7d50608 as the one before. `sheet.jsonl` is what a reader gets; `key.jsonl` says which commit
each text is from; `code.jsonl` names the functions and modules.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

SEED = 20261126
NUMBERS = {"docstring": 40, "message": 20, "paragraph": 10}
LONG = 20
"""A function of more lines than this is one to be explained."""

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def file_names(commit: str, folder: str, ending: str) -> list[str]:
    """Return the files below a folder of a commit, sorted."""
    listed = subprocess.run(["git", "ls-tree", "-r", "--name-only", commit, folder], capture_output=True, text=True)
    return sorted(name for name in listed.stdout.splitlines() if name.endswith(ending))


def text_of(commit: str, name: str) -> str:
    """Return the text of a file of a commit."""
    return subprocess.run(["git", "show", f"{commit}:{name}"], capture_output=True, text=True, check=True).stdout


def docstrings(tree: ast.Module) -> Iterator[str]:
    """Yield the docstrings of a module, of its classes and functions."""
    for node in ast.walk(tree):
        if isinstance(node, Documented) and (text := ast.get_docstring(node)):
            yield text.split("\n>>>")[0].strip()


def messages(tree: ast.Module) -> Iterator[str]:
    """Yield the texts that a module raises, with the expressions in them as `{...}`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            text = ast.unparse(node.exc.args[0])
            if isinstance(node.exc.args[0], ast.Constant | ast.JoinedStr) and len(text.split()) > 5:
                yield re.sub(r"\{[^{}]*\}", "{...}", text.lstrip("f").strip("'\""))


def paragraphs(page: str) -> Iterator[str]:
    """Yield the paragraphs of a page that are sentences: no code, table, list or title."""
    prose = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    for block in re.split(r"\n\s*\n", prose):
        if len(block.split()) > 15 and not re.match(r"\s*[#|\-*>\d<!]", block):
            yield " ".join(block.split())


def texts(commit: str) -> dict[str, list[str]]:
    """Return all texts of a commit by kind, each once."""
    trees = [ast.parse(text_of(commit, name)) for name in file_names(commit, "src", ".py")]
    pages = [text_of(commit, name) for name in file_names(commit, "docs", ".md")]
    every = {
        "docstring": (text for tree in trees for text in docstrings(tree)),
        "message": (text for tree in trees for text in messages(tree)),
        "paragraph": (text for page in pages for text in paragraphs(page)),
    }
    return {kind: sorted(set(each)) for kind, each in every.items()}


def code(commit: str) -> dict[str, list[str]]:
    """Return the functions of more than 20 lines, by file and name, and the modules of a commit."""
    names = [name for name in file_names(commit, "src", ".py") if not name.endswith("__init__.py")]
    functions = [
        f"{name}:{node.name}"
        for name in names
        for node in ast.walk(ast.parse(text_of(commit, name)))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.end_lineno or 0) - node.lineno > LONG
    ]
    return {"function": sorted(functions), "module": names}


def draw(commits: Sequence[str], out: Path) -> None:
    """Write sheet, key and code of some commits into a folder."""
    rows = []
    explained = []
    for commit in commits:
        rng = Random(SEED)
        for kind, every in texts(commit).items():
            rows += [{"kind": kind, "text": text, "commit": commit} for text in rng.sample(every, NUMBERS[kind])]
        for kind, every in code(commit).items():
            number = 10 if kind == "function" else 5
            explained += [{"kind": kind, "name": name, "commit": commit} for name in rng.sample(every, number)]
    Random(SEED).shuffle(rows)
    out.mkdir(parents=True, exist_ok=True)
    files = {
        "sheet": [{"number": number, "kind": row["kind"], "text": row["text"]} for number, row in enumerate(rows, 1)],
        "key": [{"number": number, "commit": row["commit"]} for number, row in enumerate(rows, 1)],
        "code": explained,
    }
    for name, lines in files.items():
        written = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (out / f"{name}.jsonl").write_text(written, encoding="utf-8")


def main() -> None:
    """Draw from one commit or two."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default="b7d50608")
    parser.add_argument("--after")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    draw([args.before, *([args.after] if args.after else [])], args.out)


if __name__ == "__main__":
    main()
