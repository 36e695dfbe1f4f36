"""Prints how many relations of the default sets make each kind of change, by task and language, as a Markdown table.

PYTHONPATH=. python studies/languages/kinds.py
"""

from __future__ import annotations

from collections import Counter

import mutatis.relations  # noqa: F401 - registers the relations
from mutatis.core.languages import knows
from mutatis.core.relation import CHANGES, RELATIONS
from mutatis.relations.soundness import PURPOSES, default_languages

CODES = ("en", "de", "es", "fr", "zh")
TASKS = ("question-answering", "classification")


def kinds(task: str, code: str) -> Counter[str]:
    """Return the number of relations of each kind in the default sets of a task for texts in a language."""
    return Counter(
        relation.change or "other"
        for relation in (RELATIONS[name] for name in RELATIONS)
        if task in relation.tasks
        and {*PURPOSES} & relation.tags
        and not relation.needs_helper
        and relation.is_for(code)
        and knows(default_languages(relation.name, task), code)
    )


def main() -> None:
    """Print a line for each kind."""
    columns = [(task, code) for task in TASKS for code in CODES]
    counts = [kinds(task, code) for task, code in columns]
    print("| kind |", " | ".join(f"{'QA' if task == TASKS[0] else 'class.'} {code}" for task, code in columns), "|")
    print("|---" * (len(columns) + 1) + "|")
    for kind in (*CHANGES, "other"):
        print(f"| {kind} |", " | ".join(str(each[kind]) for each in counts), "|")
    print("| all |", " | ".join(str(each.total()) for each in counts), "|")


if __name__ == "__main__":
    main()
