"""Links the cases of a run to their translations: cases in other languages to which the data give the same name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from mutatis.assembly.spool import CaseGroup, shapes
from mutatis.core.cases import Case
from mutatis.core.errors import UsageError
from mutatis.core.languages import NAMES, is_english, language_name

_InLanguages: TypeAlias = Mapping[tuple[str, str], Mapping[str, Case]]
"""The cases with one name: by task and name, then by language."""


def are_tied(cases: Sequence[Case]) -> bool:
    """Return True if the data link any of the cases to translations."""
    return any(case.parallel for case, _ in shapes(cases).values())


def with_translations(groups: Sequence[CaseGroup], notes: list[str]) -> list[CaseGroup]:
    """Return the groups of a run, with each case's translations where the data provide them.

    Each pair of languages is compared once: a case gets translations into the languages after its own, in an order
    where English comes first and the others follow by code. Linked cases are kept in memory. `notes` receives a note if
    no name occurs in two languages.

    Raises:
        UsageError: one name stands for two questions in the same language.
    """
    tied = [are_tied(group.cases) for group in groups]
    if not any(tied):
        return list(groups)
    held = [list(group.cases) if there else group.cases for group, there in zip(groups, tied, strict=True)]
    known = _by_name(case for cases, there in zip(held, tied, strict=True) if there for case in cases)
    if not any(len(there) > 1 for there in known.values()):
        notes.append("parallel: no name stands in two languages, so no question has a translation to be compared with")
    return [
        replace(group, cases=[_translated(case, known) for case in cases]) if there else group
        for group, cases, there in zip(groups, held, tied, strict=True)
    ]


def _by_name(cases: Iterable[Case]) -> _InLanguages:
    known: dict[tuple[str, str], dict[str, Case]] = defaultdict(dict)
    for case in cases:
        if not case.parallel or case.language not in NAMES:
            continue
        other = known[case.task, case.parallel].setdefault(case.language, case)
        if other.asked_hash() != case.asked_hash():
            raise UsageError(
                f"{case.parallel!r} names two questions in {language_name(case.language)}, {other.id!r} and "
                f"{case.id!r}; expected one in each language: give each question its own name"
            )
    return known


def _translated(case: Case, known: _InLanguages) -> Case:
    there = known.get((case.task, case.parallel), {})
    later = sorted((code for code in there if _order(code) > _order(case.language)), key=_order)
    return replace(case, translations=tuple(there[code] for code in later)) if later else case


def _order(code: str) -> tuple[bool, str]:
    return not is_english(code), code
