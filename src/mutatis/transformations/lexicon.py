"""Inflects the words in the package's own lists, and reads keyboard layouts.

Layouts are available for several languages, inflection only for English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from mutatis.core.removed import names_removed
from mutatis.languages import listed
from mutatis.transformations.pieces import neighbours

__getattr__ = names_removed(__name__)

_DOUBLES = re.compile(r"[^aeiou]*[aeiou][bdgklmnprt]\Z")
"""A verb with a single vowel and one consonant after it: "stop"."""

UNUSED = "-"
"""Placeholder in a lexicon for a form that is never replaced or written."""

Table = Mapping[str, tuple[str, ...]]
"""Lower-case words, each with its possible replacements."""


@cache
def keyboard(language: str = "en") -> Mapping[str, str]:
    """Return the neighbours of each key, including capitals, on the keyboard used for a language.

    >>> keyboard()["w"], keyboard("de")["t"]
    ('qeas', 'rzfg')
    """
    rows = [line.split() for line in listed("keyboard", language)]
    return neighbours(*((keys, float(shift)) for shift, keys in rows))


@cache
def misspellings(language: str = "en") -> Table:
    """Return commonly misspelled words, each with its misspellings.

    >>> misspellings()["believe"], misspellings("de")["standard"]
    (('beleive',), ('standart',))
    """
    table = {}
    for line in listed("misspellings", language):
        word, _, wrong = line.partition(":")
        table[word] = tuple(wrong.split())
    return table


def plural(noun: str) -> str:
    """Return the regular plural of a noun.

    >>> plural("city"), plural("boy"), plural("box"), plural("film")
    ('cities', 'boys', 'boxes', 'films')
    """
    if re.search(r"[^aeiou]y\Z", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if re.search(r"(?:s|x|z|ch|sh)\Z", noun) else "s")


def verb_forms(base: str, past: str = "", participle: str = "", ing: str = "") -> dict[str, str]:
    """Return the forms of a verb, keyed by name. Irregular forms are passed as arguments, and all others follow rules.

    >>> verb_forms("stop", "stopped", "stopped")["ing"], verb_forms("deny")["past"], verb_forms("leave", "left")["ing"]
    ('stopping', 'denied', 'leaving')
    """
    doubles = past == f"{base}{base[-1]}ed" or _doubles_last_letter(base, irregular=bool(past))
    stem = base + base[-1] if doubles else base
    past = past or _regular_past(base, stem)
    third = base + "es" if base.endswith("o") else plural(base)
    return {
        "base": base,
        "third": third,
        "past": past,
        "participle": participle or past,
        "ing": ing or _regular_ing(base, stem),
    }


def _doubles_last_letter(base: str, *, irregular: bool) -> bool:
    """Return True if a verb doubles its last letter before an ending, as in "stopping"."""
    short = irregular or (len(base) <= 4 and base not in {"gain", "join", "need", "help"})
    return short and _DOUBLES.fullmatch(base) is not None


def _regular_past(base: str, stem: str) -> str:
    if base.endswith("e"):
        return f"{base}d"
    return f"{base[:-1]}ied" if re.search(r"[^aeiou]y\Z", base) else f"{stem}ed"


def _regular_ing(base: str, stem: str) -> str:
    if base.endswith("ie"):
        return f"{base[:-2]}ying"
    drops_e = stem.endswith("e") and not stem.endswith(("ee", "oe"))
    return f"{stem[:-1] if drops_e else stem}ing"


def _forms(kind: str, word: str) -> dict[str, str]:
    """Return the forms of a listed word, keyed by name: of a noun ("n"), a verb ("v" or "w") or any other word.

    Irregular forms stand behind the word, separated by "|". A verb of kind "w" has forms that may also be nouns.
    """
    parts = word.split("|")
    if kind == "n":
        return {"singular": parts[0], "plural": parts[1] if len(parts) > 1 else plural(parts[0])}
    if kind in "vw":
        return verb_forms(*parts)
    return {"plain": parts[0]}


def _add_pair(table: dict[str, dict[str, set[str]]], kind: str, word: str, other: str) -> None:
    """Add the replacements for each form of `word`, except for ambiguous forms and forms that are also nouns."""
    forms, other_forms = _forms(kind, word), _forms(kind, other)
    replacements: dict[str, set[str]] = {}
    for name, form in forms.items():
        if UNUSED not in {form, other_forms[name]}:
            replacements.setdefault(form, set()).add(other_forms[name])
    for form, others in replacements.items():
        if kind == "w" and form in {forms["base"], forms["third"]}:
            table.setdefault(form, {})["w"] = set()  # it may be a noun, so that no replacement fits every word class
        elif len(others) == 1 and others != {form}:
            word_class = "v" if kind == "w" else kind
            table.setdefault(form, {}).setdefault(word_class, set()).update(others)


def _fitting_every_class(classes_of: dict[str, dict[str, set[str]]]) -> Table:
    """Return the replacements that fit every word class that a form may belong to."""
    fitting = {form: set.intersection(*replacements.values()) for form, replacements in classes_of.items()}
    return {form: tuple(sorted(others)) for form, others in fitting.items() if others}


def _pairs(group: str) -> Iterator[tuple[str, str]]:
    """Yield pairs of a word and a replacement: from left to right if the group has a ">", else in all combinations."""
    left, arrow, right = group.partition(" > ")
    sources = left.split()
    for word in sources:
        yield from ((word, other) for other in (right.split() if arrow else sources) if other != word)


@cache
def synonyms() -> Table:
    """Return a table of words and their synonyms. Inflected words have synonyms in the same form.

    >>> synonyms()["bought"], synonyms()["errors"], "purchases" in synonyms()
    (('purchased',), ('mistakes',), True)
    """
    return _inflected("synonyms", _pairs)


def _inflected(name: str, pairs: Callable[[str], Iterable[tuple[str, str]]]) -> Table:
    """Return the replacements in a word list, for all forms of its words. `pairs` reads a line without its kind."""
    table: dict[str, dict[str, set[str]]] = {}
    for line in listed(name):
        kind, _, group = line.partition(": ")
        for word, other in pairs(group):
            _add_pair(table, kind, word, other)
    return _fitting_every_class(table)


@cache
def uninflected_synonyms(language: str) -> Table:
    """Return words with their synonyms, in exactly the listed forms, for a language without inflection rules.

    >>> uninflected_synonyms("de")["Rabatt"], uninflected_synonyms("de")["oft"]
    (('Nachlass',), ('häufig',))
    """
    table: dict[str, set[str]] = {}
    for line in listed("synonyms", language):
        for word, other in _pairs(line.partition(": ")[2]):
            table.setdefault(word, set()).add(other)
    return {word: tuple(sorted(others)) for word, others in table.items()}


@cache
def antonyms() -> Table:
    """Return a table of words and their antonyms. Inflected words have antonyms in the same form.

    >>> antonyms()["good"], antonyms()["lost"]
    (('bad',), ('won',))
    """
    return _inflected("antonyms", _opposites)


def _opposites(group: str) -> Iterable[tuple[str, str]]:
    """Return pairs of a word and its opposite: from left to right if the group has a ">".

    Otherwise, the first word of the group and each of the others are opposites of one another.
    """
    if " > " in group:
        return _pairs(group)
    first, *others = group.split()
    return [pair for other in others for pair in ((first, other), (other, first))]
