"""Checks of a language's folder: the lists that are missing and the relations that they cost, and faulty entries.

On the command line: `python -m mutatis.testing de`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from string import Formatter

from mutatis.core.errors import UsageError
from mutatis.core.languages import language_code, language_name
from mutatis.core.parsing import NotReadable
from mutatis.core.relation import RELATIONS
from mutatis.core.transformation import TRANSFORMATIONS, Transformation
from mutatis.dictionary.learning import LEARNT_BY
from mutatis.languages import Language
from mutatis.text.by_folder import READS
from mutatis.text.values import vocabulary

JUDGES, LEARNING = "(reading replies)", "(learning from replies)"
"""Entries beside the relations: lists without which no reply in a language is read, and nothing is learnt from it."""

OPTIONAL = frozenset({"speech.letters"})
"""Lists that a language may have nothing for."""

_BRACES: Mapping[str, tuple[str, ...]] = {
    **{"also": ("", ""), "of_two": ("", ""), "and_for": ("",), "i_meant": ("",)},
    **{"not_that": ("other", "question"), "by_name": ("name", "question"), "by_next_name": ("name", "question")},
    **{"corrections": ("new", "old"), "corrections_behind": ("old", "new"), "leads": ("",)},
    **{"leads.formal": ("",), "leads.familiar": ("",)},
}
"""The braces of sentences with a place for something."""

_GROUPS: Mapping[str, tuple[str, ...]] = {
    **{"before_value": ("p", "a"), "per": ("period", "adverb"), "names_thing": ("thing",)},
}
"""The named groups of patterns."""


def language_gaps(code: str) -> dict[str, tuple[str, ...]]:
    """Return the lists that the folder of a language lacks, each with the relations that it costs.

    >>> language_gaps("de"), "synonyms-lexicon" in language_gaps("fr")["synonyms"]
    ({}, True)
    """
    folder, costs = Language(language_code(code)), defaultdict[str, set[str]](set)
    for name in RELATIONS:
        relation = RELATIONS[name]
        if relation.is_for(folder.code):
            continue
        for step in relation.transformations:
            for need in _needs(TRANSFORMATIONS[step.transformation]):
                if need not in OPTIONAL and not folder.has(need):
                    costs[need].add(name)
    for use, needs in ((JUDGES, READS), (LEARNING, LEARNT_BY)):
        for need in needs:
            if folder.code != "en" and not folder.has(need):
                costs[need].add(use)
    return {need: tuple(sorted(names)) for need, names in sorted(costs.items())}


def _needs(edit: Transformation) -> tuple[str, ...]:
    return edit.needs if edit.elsewhere is None else (*edit.needs, *edit.elsewhere.needs)


def language_faults(code: str) -> list[str]:
    """Return the faulty entries of a language's folder: what cannot be read, or lacks a place or a group.

    >>> language_faults("de"), language_faults("en")
    ([], [])
    """
    return [*_faults(Language(language_code(code)))]


def _faults(folder: Language) -> Iterator[str]:
    if folder.has("values"):
        try:
            vocabulary(folder.code)
        except (KeyError, ValueError, re.error) as error:
            yield f"values.toml: {type(error).__name__}: {error}"
    if not folder.has("speech"):
        return
    try:
        patterns = folder.tables("speech").get("patterns", {})
    except NotReadable as error:
        yield f"speech.toml: {error}"
        return
    for name in patterns:
        try:
            groups = folder.pattern(name).groupindex
        except re.error as error:
            yield f"speech.toml: patterns.{name}: {error}"
        else:
            lacking = [group for group in _GROUPS.get(name, ()) if group not in groups]
            yield from (f"speech.toml: patterns.{name} has no group (?P<{group}>...)" for group in lacking)
    for name, braces in _BRACES.items():
        for said in folder.ways(name) if folder.has(f"speech.{name}") and _is_list(folder, name) else ():
            places = [place for _, place, _, _ in Formatter().parse(said) if place is not None]
            if sorted(places) != sorted(braces):
                yield f"speech.toml: {name}: {said!r} needs {', '.join(f'{{{brace}}}' for brace in braces)}"


def _is_list(folder: Language, name: str) -> bool:
    entry = folder.tables("speech")
    for key in name.split("."):
        entry = entry[key]
    return not isinstance(entry, Mapping)


def check_language(code: str) -> None:
    """Check that the folder of a language is complete and readable.

    Raises:
        AssertionError: lists are missing, with the relations that this costs, or entries are faulty.
        UsageError: the language does not exist.
    """
    said = language_faults(code)
    said += [f"no {need}: costs {', '.join(names)}" for need, names in language_gaps(code).items()]
    name = language_name(language_code(code))
    assert not said, f"{name} (languages/{language_code(code)}):\n" + "\n".join(said)


def print_gaps(codes: Sequence[str]) -> None:
    """Print what the folders of languages lack.

    Raises:
        UsageError: no language was given, or one is unknown.
    """
    if not codes:
        raise UsageError("no language was given; expected codes such as de: python -m mutatis.testing de fr")
    for code in codes:
        for fault in language_faults(code):
            print(fault)
        for need, names in language_gaps(code).items():
            print(f"{need}: {', '.join(names)}")
        known = [name for name in RELATIONS if "chat" in RELATIONS[name].tasks and RELATIONS[name].is_for(code)]
        print(f"{language_name(language_code(code))}: {len(known)} relations on chat")
