"""The site's tables of the follow-ups that were read."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import mutatis.relations  # noqa: F401 - fills the registry
from mutatis.core.relation import RELATIONS
from mutatis.relations.soundness import readings

SOUND = importlib.util.spec_from_file_location("sound", Path(__file__).parents[2] / "docs" / "_site" / "sound.py")
assert SOUND is not None
assert SOUND.loader is not None
sound = importlib.util.module_from_spec(SOUND)
SOUND.loader.exec_module(sound)


def test_the_table_of_all_readings():
    tags = {row.relation: RELATIONS[row.relation].tags for row in readings()}
    lines = sound.markdown(tags, {"sentiment": "SA", "chat": "CH"}).splitlines()
    assert lines[:2] == ["| relation | default set | SA | CH |", "|---|---|---|---|"]
    assert len(lines) == 2 + len({row.relation for row in readings() if row.language == "en"})
    assert "| `soften-rules` | wording | 56/57 (91% to 100%) |  |" in lines  # Wilson: 56/57 by hand
    risky = [line for line in lines if "| none: risky |" in line]
    assert lines[-len(risky) :] == risky
    assert "| `refused-in-a-story` | none: risky |  | 17/20 (64% to 95%) |" in risky


def test_the_table_of_other_languages_by_hand():
    """Counted by hand from the sheets."""
    line = "| `ask-after-another` | chat | 14/15 (70% to 99%) | 13/15 (62% to 96%) |"
    assert line in sound.markdown_by_language(("de", "fr"))
