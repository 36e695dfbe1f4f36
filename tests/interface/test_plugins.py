"""Packages that are installed beside ours add parts by an entry point; a broken one is a line, and never the end."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PARTS = '''
from mutatis.extending import SYSTEMS, Options, Response

class Echo:
    label = "shopbot"
    identity = {"type": "shopbot"}

    async def ask(self, conversation):
        return Response(text="You asked: " + conversation.messages[-1].content.lower())

@SYSTEMS.register("shopbot")
class ShopOptions(Options):
    """A shop's bot."""

    name: str = "any"

    def build(self):
        return Echo()
'''

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def mutatis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command in a process of its own, which sees an installed package with two entry points, one broken."""
    site = tmp_path / "site"
    information = site / "shop_tests-0.3.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: shop-tests\nVersion: 0.3\n")
    (information / "entry_points.txt").write_text("[mutatis]\nshop = shop_parts\nattic = shop_attic\n")
    (site / "shop_parts.py").write_text(PARTS)
    (site / "shop_attic.py").write_text("import nothing_of_this_name\n")
    monkeypatch.setenv("PYTHONPATH", str(site))
    (tmp_path / "q.txt").write_text("Do you have a lamp?\nWhen do you open?\n")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "mutatis", *words]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)

    return run


def test_what_a_package_adds_is_listed_with_the_package_and_a_broken_one_with_its_error(mutatis: Run) -> None:
    rows = {row["name"]: row for row in json.loads(mutatis("list", "plugins", "--json").stdout)}
    assert rows["shop"]["package"] == "shop-tests 0.3"
    assert rows["shop"]["adds"] == ["systems: shopbot"]
    assert "nothing_of_this_name" in rows["attic"]["error"]
    assert rows["rltest4chatbot"]["package"] == "mutatis"  # ours is a plugin like any other, and never left out
    assert "recipes: rltest4chatbot" in rows["rltest4chatbot"]["adds"]
    assert "dialtest" in mutatis("list", "searches", "--no-plugins").stdout
    assert "shopbot" in mutatis("list", "systems").stdout
    assert "shopbot" not in mutatis("list", "systems", "--no-plugins").stdout


def test_it_is_named_like_what_is_ours_and_a_broken_one_is_a_note(mutatis: Run) -> None:
    asked = ("run", "--system", "shopbot", "--task", "chat", "--data", "q.txt", "--relations", "upper-case")
    done = mutatis(*asked, "--out", "o")
    assert done.returncode == 0, done.stderr
    assert "plugin 'attic' of shop-tests 0.3 is left out: ModuleNotFoundError" in " ".join(done.stderr.split())
    refused = mutatis(*asked, "--no-plugins")
    assert refused.returncode == 2
    assert "shopbot" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_a_configuration_and_python_know_it_too(mutatis: Run, tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(
        'relations = ["upper-case"]\n[system]\ntype = "shopbot"\n'
        '[data]\ntask = "chat"\nformat = "lines"\npath = "q.txt"\n'
    )
    assert mutatis("run", "c.toml").returncode == 0
    assert mutatis("run", "c.toml", "--set", "plugins=false").returncode == 2
    code = "import mutatis; print(mutatis.system('shopbot').label)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "shopbot\n"
