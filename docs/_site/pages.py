"""Writes the pages of the site into a folder: docs/ as it is, the reference, the examples.

    python docs/_site/pages.py site-pages

Any generator that reads Markdown can build them; `make docs` takes MkDocs. Nothing is fetched.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from reference import pages

ROOT = Path(__file__).parents[2]
LANGUAGES = {".py": "python", ".toml": "toml", ".sh": "bash", ".yml": "yaml", ".jsonl": "json", ".json": "json"}


def write(folder: Path) -> None:
    """Write all pages into `folder`; what was there is gone."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("_site"))
    for name in ("ARCHITECTURE", "SECURITY"):
        shutil.copy(ROOT / f"{name}.md", folder / f"{name.lower()}.md")
    shutil.copy(Path(__file__).parent / "iframe-worker.js", folder)
    for page in folder.glob("*.md"):
        page.write_text(inside(page.read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "studies").mkdir()
    for name, path in studies().items():
        (folder / "studies" / f"{name}.md").write_text(measured(path.read_text(encoding="utf-8")), encoding="utf-8")
    for name, text in {**pages(), "examples.md": examples()}.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")


def inside(text: str) -> str:
    """Return a page whose links into `examples/`, `studies/` and `benchmarks/` lead to pages of the site.

    What a study has beside its page is named.

    >>> inside("[one](../examples/ci/) [two](data.md) [three](../studies/judge/README.md#refusals)")
    '[one](examples.md) [two](data.md) [three](studies/judge.md#refusals)'
    >>> inside("[results.md](../studies/mortar/results.md)")
    'results.md (`studies/mortar/results.md`)'
    """
    text = re.sub(r"\]\(\.\./examples/[^)]*\)", "](examples.md)", text)
    text = re.sub(r"\]\(\.\./(?:studies/(\w+)|(benchmarks))/README\.md", r"](studies/\1\2.md", text)
    return re.sub(r"\[([^\]\n]+)\]\(\.\./((?:studies|benchmarks)/[^)\n]+)\)", r"\1 (`\2`)", text)


def studies() -> dict[str, Path]:
    """Return the pages that say what was measured, by their names in the site."""
    pages = {path.parent.name: path for path in sorted((ROOT / "studies").glob("*/README.md"))}
    return {**pages, "benchmarks": ROOT / "benchmarks" / "README.md"}


def measured(text: str) -> str:
    """Return the page of a study with links that hold in the site; what it links beside itself is named.

    >>> measured("[judge](../../docs/judge.md) [search](../search/README.md#x) [table](results/a.md) [all](b.md)")
    '[judge](../judge.md) [search](search.md#x) table (`results/a.md`) all (`b.md`)'
    """
    text = re.sub(r"\]\((?:\.\./)+docs/", "](../", text)
    text = re.sub(r"\[([^\]\n]+)\]\((?!\.\./|#|https?:)([^)\n]+)\)", r"\1 (`\2`)", text)
    return re.sub(r"\]\(\.\./(\w+)/README\.md", r"](\1.md", text)


def examples() -> str:
    """Return the page of the examples: what the folder's own page says, and every file of text."""
    parts = [(ROOT / "examples" / "README.md").read_text(encoding="utf-8").strip()]
    for path in sorted((ROOT / "examples").rglob("*")):
        if path.suffix in LANGUAGES and path.name != "baseline.json":
            text = path.read_text(encoding="utf-8").strip()
            name = path.relative_to(ROOT / "examples").as_posix()
            parts.append(f"## {name}\n\n~~~~{LANGUAGES[path.suffix]}\n{text}\n~~~~")
    return "\n\n".join(parts)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
