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
    shutil.copy(ROOT / "ARCHITECTURE.md", folder / "architecture.md")
    for page in folder.glob("*.md"):
        page.write_text(inside(page.read_text(encoding="utf-8")), encoding="utf-8")
    for name, text in {**pages(), "examples.md": examples()}.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")


def inside(text: str) -> str:
    """Return a page whose links into `examples/` lead to the page of the examples.

    >>> inside("[one](../examples/ci/) [two](data.md)")
    '[one](examples.md) [two](data.md)'
    """
    return re.sub(r"\]\(\.\./examples/[^)]*\)", "](examples.md)", text)


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
