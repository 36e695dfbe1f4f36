"""Tables of how many follow-ups of each relation were read and judged sound."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from mutatis.analysis.intervals import wilson
from mutatis.core.languages import language_name
from mutatis.relations.soundness import PURPOSES, RISKY, SoundnessRow, readings, readings_of


def markdown(sets: Mapping[str, Collection[str]], short: Mapping[str, str]) -> str:
    """Return a Markdown table of how many English follow-ups were read and judged sound.

    It has a row per relation and a column per task.

    Args:
        sets: the tags of each relation, by its name.
        short: the short name of each task for its column heading, in column order.
    """
    lines = [f"| relation | default set | {' | '.join(short.values())} |", "|---" * (len(short) + 2) + "|"]
    order = {purpose: number for number, purpose in enumerate([*PURPOSES, "none", f"none: {RISKY}"])}
    rows = []
    for relation in dict.fromkeys(row.relation for row in readings() if row.language == "en"):
        tags = sets.get(relation, ())
        risky = f"none: {RISKY}" if RISKY in tags else "none"
        where = next((purpose for purpose in PURPOSES if purpose in tags), risky)
        cells = [_cell([row for row in readings_of(relation) if row.task == task]) for task in short]
        rows.append((order[where], f"| `{relation}` | {where} | {' | '.join(cells)} |"))
    return "\n".join([*lines, *(line for _, line in sorted(rows))])


def markdown_by_language(languages: Sequence[str]) -> str:
    """Return a Markdown table of how many follow-ups in these languages were read and judged sound.

    It has a row per relation and task, and a column per language.
    """
    lines = [f"| relation | task | {' | '.join(map(language_name, languages))} |", "|---" * (len(languages) + 2) + "|"]
    rows = [row for row in readings() if row.language in languages]
    for relation, task in sorted({(row.relation, row.task) for row in rows}):
        of = [row for row in rows if (row.relation, row.task) == (relation, task)]
        cells = [_cell([row for row in of if row.language == code]) for code in languages]
        lines.append(f"| `{relation}` | {task} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(rows: Sequence[SoundnessRow]) -> str:
    if not rows:
        return ""
    read, sound = sum(row.read for row in rows), sum(row.sound for row in rows)
    low, high = wilson(sound, read)
    return f"{sound}/{read} ({low:.0%} to {high:.0%})"
