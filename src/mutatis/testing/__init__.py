"""Helpers for testing extensions, such as scripted systems and checks of each extension's requirements.

A check raises AssertionError with a description of the fault. Ordinary runs do not use this package.
"""

import mutatis.relations  # noqa: F401
import mutatis.tasks  # noqa: F401 - both fill the registries
from mutatis.doubles import ScriptedBot, ScriptedHelper, ScriptedSystem
from mutatis.loops import to_the_end as sync
from mutatis.plugins import load_plugins
from mutatis.testing.follow_ups import check_relation, check_transformation
from mutatis.testing.gallery import gallery, perfect, planted, world
from mutatis.testing.languages import check_language, language_faults, language_gaps
from mutatis.testing.parts import check_dataset, check_system, check_task
from mutatis.testing.searches import check_search

load_plugins(installed=False)

__all__ = [
    "ScriptedBot",
    "ScriptedHelper",
    "ScriptedSystem",
    "check_dataset",
    "check_language",
    "check_relation",
    "check_search",
    "check_system",
    "check_task",
    "check_transformation",
    "gallery",
    "language_faults",
    "language_gaps",
    "perfect",
    "planted",
    "sync",
    "world",
]
