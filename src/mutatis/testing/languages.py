"""Checks a language's folder for missing word lists, naming the relations affected, and for faulty entries.

On the command line: `python -m mutatis.testing de`, or with a text to try: `python -m mutatis.testing de "Bis 14
Uhr?"`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from string import Formatter
from typing import Annotated

import pydantic

from mutatis.core.dictionary import Side
from mutatis.core.errors import UsageError
from mutatis.core.languages import language_code, language_name
from mutatis.core.parsing import NotReadable
from mutatis.core.relation import RELATIONS
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.dictionary.learning import LEARNT_BY
from mutatis.languages import Language, language_tables, listed, word_list
from mutatis.text.by_folder import READS, polarity_in
from mutatis.text.normalisation import fold
from mutatis.text.values import Value, values, vocabulary
from mutatis.transformations.asking import ways_to_ask

JUDGES, LEARNING = "(reading replies)", "(learning from replies)"
"""Uses of word lists apart from relations: reading replies, and learning from them."""

OPTIONAL = frozenset({"speech.letters", "keyboard"})
"""Lists that a language may leave empty."""

_BRACES: Mapping[str, tuple[str, ...]] = {
    **{"also": ("", ""), "of_two": ("", ""), "and_for": ("",), "i_meant": ("",), "insists": ("",)},
    **{
        "not_that": ("other", "wanted?", "question"),
        "ruled_out": ("wanted", "other"),
        "by_name": ("name", "question"),
        "by_next_name": ("name", "question"),
    },
    **{"corrections": ("new", "old"), "corrections_behind": ("old", "new"), "leads": ("",)},
    **{"leads.formal": ("",), "leads.familiar": ("",)},
    **{"is_right": ("",), "is_wrong": ("",), "in_a_hurry": ("",), "after_thanks": ("",), "not_about": ("",)},
    **{"untold": ("question",), "claimed_answer": ("claim", "question")},
}
"""The placeholders that each template sentence of a language must contain; it may lack those with a "?"."""

_GROUPS: Mapping[str, tuple[str, ...]] = {
    **{"before_value": ("p", "a"), "per": ("period", "adverb"), "names_thing": ("thing",), "listed": ("list",)},
}
"""The named groups that each pattern of a language must contain."""


def language_gaps(code: str) -> dict[str, tuple[str, ...]]:
    """Return the lists missing from a language's folder, each with the relations that cannot be used without it.

    >>> language_gaps("de"), "synonyms-lexicon" in language_gaps("it")["synonyms"]
    ({}, True)
    """
    folder, costs = Language(language_code(code)), defaultdict[str, set[str]](set)
    for name in RELATIONS:
        relation = RELATIONS[name]
        if relation.is_for(folder.code):
            continue
        for step in relation.transformations:
            for need in TRANSFORMATIONS[step.transformation].needs:
                if need not in OPTIONAL and not folder.has(need):
                    costs[need].add(name)
    for use, needs in ((JUDGES, READS), (LEARNING, LEARNT_BY)):
        for need in needs:
            if folder.code != "en" and not folder.has(need):
                costs[need].add(use)
    return {need: tuple(sorted(names)) for need, names in sorted(costs.items())}


def language_faults(code: str) -> list[str]:
    """Return messages about entries in a language's folder that are unreadable or lack a placeholder or regex group.

    >>> language_faults("de"), language_faults("en")
    ([], [])
    """
    return [*_faults(Language(language_code(code)))]


def _faults(folder: Language) -> Iterator[str]:
    """Yield messages about faults in the lists, limits, values, ways to ask, and patterns and sentences of `speech`."""
    yield from _faulty_lists(folder)
    yield from _faulty_limits(folder)
    for file, read in (("values", vocabulary), ("questions", ways_to_ask)):
        try:
            if folder.has(file):
                read(folder.code)
        except (KeyError, ValueError, re.error) as error:
            yield f"{file}.toml: {type(error).__name__}: {error}"
    if not folder.has("speech"):
        return
    try:
        patterns = language_tables("speech", folder.code).get("patterns", {})
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
    for name in _BRACES:
        if folder.has(f"speech.{name}") and _is_list(folder, name):
            yield from _faulty_sentences(folder, name)


def _faulty_sentences(folder: Language, name: str) -> Iterator[str]:
    """Yield messages about sentences of `speech.toml` that lack a placeholder, repeat one or have one too many."""
    required = [brace for brace in _BRACES[name] if not brace.endswith("?")]
    with_optional = [brace.rstrip("?") for brace in _BRACES[name]]  # "?" marks a placeholder that may be left out
    for sentence in folder.ways(name):
        placeholders = sorted(place for _, place, _, _ in Formatter().parse(sentence) if place is not None)
        if placeholders not in (sorted(with_optional), sorted(required)):
            yield f"speech.toml: {name}: {sentence!r} needs {', '.join(f'{{{brace}}}' for brace in required)}"


def _faulty_lists(folder: Language) -> Iterator[str]:
    """Yield messages about faulty word lists, such as a misspelling that is identical to its word.

    It also reports synonyms and names that cannot replace each other.
    """
    for line in listed("misspellings", folder.code) if folder.has("misspellings") else ():
        word, _, misspellings = line.partition(":")
        if not misspellings.split() or word.strip() in misspellings.split():
            yield f"misspellings.txt: {line!r} needs a word, a colon and other spellings of it"
    for line in listed("homophones", folder.code) if folder.has("homophones") else ():
        if len(line.split()) != 2:
            yield f"homophones.txt: {line!r} needs two words that sound alike"
    if not (folder.has("speech.apart.before_apostrophe") and folder.has("function_words")):
        return  # the language does not elide words before a vowel, as French does in "l'eau"
    for line in listed("synonyms", folder.code) if folder.has("synonyms") else ():
        synonyms = line.partition(":")[2].replace(">", " ").split()  # "a: huge > enormous immense"
        if len({_begins_with_vowel(word) for word in synonyms}) > 1:
            yield f"synonyms.txt: {line!r}: a word before them may be elided before one and not before the other"
    for name in ("places", "given_names"):
        for word in word_list(name, folder.code) if folder.has(name) else ():
            if _begins_with_vowel(word):
                yield f"{name}.txt: {word}: a word before it would be elided, so it cannot replace another"


Text = Annotated[str, pydantic.Field(min_length=1)]
Texts = Annotated[list[Text], pydantic.Field(min_length=1)]


class _Table(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", strict=True)


class _Open(_Table):
    cues: Texts


class _Row(_Open):
    side: Side
    inclusive: bool
    kinds: Texts = []
    unclear: Texts = []


class _Named(_Row):
    joints: Texts
    undirected: Texts = []


class _Range(_Table):
    before: Texts
    between: Texts


class _Limits(_Table):
    """The tables that `limits.toml` may contain."""

    before: list[_Row] = []
    behind: list[_Row] = []
    named: list[_Named] = []
    open: list[_Open] = []
    joint: Texts = []
    loose: Texts = []
    range: list[_Range] = []
    alike: list[Texts] = []
    turned: dict[Text, Text] = {}


def _faulty_limits(folder: Language) -> Iterator[str]:
    """Yield messages about entries of `limits.toml` that have the wrong format."""
    if not folder.has("limits"):
        return
    try:
        _Limits.model_validate(language_tables("limits", folder.code))
    except NotReadable as error:
        yield f"limits.toml: {error}"
    except pydantic.ValidationError as error:
        for fault in error.errors():
            place = ".".join(map(str, fault["loc"]))
            yield f"limits.toml: {place}: {fault['msg']}, found {fault['input']!r:.60}"


def _begins_with_vowel(word: str) -> bool:
    return fold(word)[:1] in "aeiou"


def _is_list(folder: Language, name: str) -> bool:
    entry = language_tables("speech", folder.code)
    for key in name.split("."):
        entry = entry[key]
    return not isinstance(entry, Mapping)


def check_language(code: str) -> None:
    """Check that the folder of a language is complete and readable.

    Raises:
        AssertionError: entries are faulty, or lists are missing; the message names the relations that need them.
        UsageError: the language does not exist.
    """
    said = language_faults(code)
    said += [f"no {need}: costs {', '.join(names)}" for need, names in language_gaps(code).items()]
    name = language_name(language_code(code))
    assert not said, f"{name} (languages/{language_code(code)}):\n" + "\n".join(said)


_TRIED = tuple(
    "indirect-question short-question question-in-other-words correct-value synonyms-lexicon misspell "
    "homophones".split()
)
"""Edits that are tried on a text given on the command line."""


def reading_of(text: str, code: str) -> list[str]:
    """Return lines that show how a text is read in a language: values, matching patterns, yes or no, edited versions.

    Anything that the language's folder does not support has no line, and neither has an edit that changes nothing.

    >>> reading_of("Bis 14 Uhr kostet es 5 Euro.", "de")[0]
    'values: 14 Uhr (time of day: 14:00 Uhr, 14:00), 5 Euro (euro: 5 EUR, EUR 5)'
    """
    folder = Language(language_code(code))
    lines = []
    if folder.has("values") and folder.has("limits"):
        lines.append(f"values: {', '.join(map(_shown, values(text, folder.code))) or 'none'}")
    if folder.has("speech.patterns"):
        patterns = language_tables("speech", folder.code)["patterns"]
        matching = [name for name in patterns if folder.pattern(name).search(text)]
        lines.append(f"patterns: {', '.join(matching) or 'none'}")
    says_yes = polarity_in(text, folder.code)
    if says_yes is not None:
        lines.append(f"as a reply: {'yes' if says_yes else 'no'}")
    for name in _TRIED:
        edit = TRANSFORMATIONS[name]
        if folder.code in edit.languages:
            context = {"rng": Random(1), "written_in": folder.code}
            edited = edit.apply(text, **{key: context[key] for key in context if key in edit.wants})
            if edited != text:
                lines.append(f"{name}: {edited}")
    return lines


def _shown(value: Value) -> str:
    forms = ", ".join(form.text for form in value.forms()[:_FORMS])
    return f"{value.text} ({value.measure}{f': {forms}' if forms else ''})"


_FORMS = 2


def print_gaps(codes: Sequence[str]) -> None:
    """Print what is missing from the folders of some languages.

    Any argument that is not a language code is taken as a text. If there are texts, print how each language reads them
    instead.

    Raises:
        UsageError: no language was given, or one is unknown.
    """
    texts = [code for code in codes if not re.fullmatch(r"[A-Za-z_-]+", code)]
    codes = [language_code(code) for code in codes if code not in texts]
    if not codes:
        raise UsageError("no language was given; expected codes such as de: python -m mutatis.testing de fr")
    for code in codes:
        faults = language_faults(code)
        print(*faults, sep="\n", end="\n" if faults else "")
        if not texts:
            _print_lists(code)
        for text in texts if not faults else ():  # faulty entries would end in an error of the program
            print(*reading_of(text, code), sep="\n")


def _print_lists(code: str) -> None:
    for need, names in language_gaps(code).items():
        print(f"{need}: {', '.join(names)}")
    known = [name for name in RELATIONS if "chat" in RELATIONS[name].tasks and RELATIONS[name].is_for(code)]
    print(f"{language_name(code)}: {len(known)} relations on chat")
