"""What a file that cannot be imported is to `make test`: an error, unless an optional library is not installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WITHOUT_TORCH = "import sys\nsys.modules['torch'] = None\n"
DOCTEST = '"""Adds.\n\n>>> 1 + 1\n2\n"""\n'


def collected(folder: Path, files: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run pytest as the repository does, where torch is not installed, on these files alone."""
    for name in ("pyproject.toml", "conftest.py"):
        shutil.copy(ROOT / name, folder / name)
    for name, text in {"without_torch.py": WITHOUT_TORCH, **files}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-rsfE", "-p", "without_torch", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT / "src")])}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_wrong_import_is_an_error_in_tests_and_in_the_source(tmp_path: Path) -> None:
    done = collected(
        tmp_path,
        {
            "tests/test_mistyped.py": "import torhc\n",
            "tests/test_gone.py": "from mutatis.core.cases import NoSuchCase\n",
            "src/mistyped.py": DOCTEST + "import mutatis.no_such_module\n",
            "src/gone.py": DOCTEST + "from json import no_such_name\n",
        },
    )
    assert done.returncode == 2, done.stdout + done.stderr
    for name in ("tests/test_mistyped.py", "tests/test_gone.py", "src/mistyped.py", "src/gone.py"):
        assert f"ERROR {name}" in done.stdout
    assert "skipped" not in done.stdout


def test_what_needs_an_optional_library_is_skipped_with_the_reason(tmp_path: Path) -> None:
    called = """
from mutatis.core.errors import MissingExtra

def test_imports_it():
    from torch import nn

def test_needs_the_extra():
    raise MissingExtra("a tracker", "transformers")

def test_needs_what_is_there():
    raise MissingExtra("words", "nlp")

def test_imports_what_nobody_declared():
    import torhc
"""
    files = {
        "tests/test_tensors.py": "from torch import nn\n\ndef test_nothing():\n    pass\n",
        "tests/test_called.py": called,
        "src/tensors.py": DOCTEST + "import torch\n",
        "src/plain.py": DOCTEST,
    }
    done = collected(tmp_path, files)
    lines = done.stdout.splitlines()
    assert lines[-1].strip("= ").startswith("2 failed, 1 passed, "), done.stdout + done.stderr
    skipped = [line for line in lines if line.startswith("SKIPPED")]
    assert sum(int(line.split("[")[1].split("]")[0]) for line in skipped) == 5, (
        skipped
    )  # two files, one of them for its tests and its doctests, and two tests
    assert all(line.endswith(": torch is not installed") for line in skipped)
    failed = [line.split(" - ")[0] for line in lines if line.startswith("FAILED")]
    names = ("test_needs_what_is_there", "test_imports_what_nobody_declared")
    assert failed == [f"FAILED tests/test_called.py::{name}" for name in names]
