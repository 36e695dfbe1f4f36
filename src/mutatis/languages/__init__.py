"""Words, sentences and formats of natural languages.

Each language has a folder of data, which is read only through this package.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mutatis.core.errors import UsageError
from mutatis.core.languages import Languages, LanguagesWith, language_name
from mutatis.core.parsing import toml_of

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Language:
    """The folder with the data of one language."""

    code: str

    @property
    def spaces(self) -> bool:
        """True if the language puts spaces between words.

        >>> Language("de").spaces, Language("zh").spaces
        (True, False)
        """
        return _has_spaces(self.code)

    @property
    def gap(self) -> str:
        """The separator between two sentences: a space, or "" in a language without spaces."""
        return " " if self.spaces else ""

    def has(self, name: str) -> bool:
        """Return True if the folder contains a list ("synonyms") or a table with an entry ("speech.thanks").

        >>> [Language("en").has(name) for name in ("synonyms", "values", "speech.thanks", "speech.curses")]
        [True, True, True, False]
        """
        file, *keys = name.split(".")
        if not keys:
            return any((_FOLDER / self.code / f"{file}.{kind}").is_file() for kind in ("txt", "toml"))
        return self.has(file) and _entry(language_tables(file, self.code), keys) is not None

    def ways(self, name: str) -> tuple[str, ...]:
        """Return the sentences or phrases stored under a name in `speech.toml`.

        >>> Language("de").ways("thanks")[0]
        ' Danke!'

        Raises:
            UsageError: the folder does not contain them.
        """
        entry = _entry(language_tables("speech", self.code), name.split("."))
        if entry is None:
            raise _lacking(f"speech.{name}", self.code)
        return (entry,) if isinstance(entry, str) else tuple(entry)

    def word_pattern(self, *, hyphens: bool = False) -> re.Pattern[str]:
        """Return the regular expression for a word, including apostrophes inside it, and optionally hyphens.

        The table `apart` of `speech.toml` lists words that an apostrophe or hyphen does not join to the next word.

        >>> [Language(code).word_pattern().findall("l'entrée d'aujourd'hui") for code in ("de", "fr")]
        [["l'entrée", "d'aujourd'hui"], ['l', 'entrée', 'd', "aujourd'hui"]]
        >>> Language("fr").word_pattern(hyphens=True).findall("le petit-déjeuner est-il")
        ['le', 'petit-déjeuner', 'est', 'il']
        """
        return _word_pattern(self.code, hyphens)

    def pattern(self, name: str) -> re.Pattern[str]:
        """Return the case-insensitive regular expression stored under a name in the table `patterns` of `speech.toml`.

        >>> bool(Language("de").pattern("points_back").search("Und dort?"))
        True
        """
        return _pattern(self.code, name)

    def as_clause(self, question: str) -> str:
        """Return a question in a form that fits into a sentence, applying the replacements in `speech.clause` in order.

        >>> Language("fr").as_clause("si est-ce que vous livrez")
        'si vous livrez'
        """
        for pattern, new in language_tables("speech", self.code).get("clause", ()):
            question = re.sub(pattern, new, question, flags=re.IGNORECASE | re.VERBOSE)
        return question


@cache
def _word_pattern(code: str, hyphens: bool) -> re.Pattern[str]:
    apart = language_tables("speech", code).get("apart", {}) if Language(code).has("speech") else {}
    before = "".join(rf"(?<!\b{re.escape(word)})" for word in apart.get("before_apostrophe", "").split())
    behind = "|".join(map(re.escape, apart.get("behind_hyphen", "").split()))
    joined = [rf"{before}['\u2019]", *([rf"-(?!(?:{behind})\b)" if behind else "-"] if hyphens else [])]
    return re.compile(rf"[^\W\d_]+(?:(?:{'|'.join(joined)})[^\W\d_]+)*", re.IGNORECASE)


@cache
def _has_spaces(code: str) -> bool:
    folder = Language(code)
    return not folder.has("values.writing") or bool(language_tables("values", code)["writing"]["spaces"])


@cache
def _pattern(code: str, name: str) -> re.Pattern[str]:
    [written] = Language(code).ways(f"patterns.{name}")
    return re.compile(written, re.IGNORECASE | re.VERBOSE)


def _entry(tables: Mapping[str, Any], keys: list[str]) -> Any:
    entry: Any = tables
    for key in keys:
        if not isinstance(entry, Mapping) or key not in entry:
            return None
        entry = entry[key]
    return entry


def _lacking(name: str, code: str) -> UsageError:
    return UsageError(
        f"{language_name(code)} has no {name!r} in its folder, languages/{code}; "
        f"mutatis.testing.check_language({code!r}) lists what is missing (docs/languages.md)"
    )


def languages_with(*names: str) -> Languages:
    """Return the languages whose folders contain all these lists.

    >>> "de" in languages_with("keyboard"), languages_with("synonyms", "antonyms")
    (True, ('en',))
    """
    return tuple(code for code in _codes() if all(Language(code).has(name) for name in names))


@cache
def _codes() -> tuple[str, ...]:
    return tuple(sorted(path.name for path in _FOLDER.iterdir() if path.is_dir() and not path.name.startswith("_")))


def needing(*names: str, also: Languages = ()) -> LanguagesWith:
    """Return the languages in `also`, then other languages with all these lists.

    The names of the lists are kept as `needs`.

    >>> needing("particles"), needing("particles", also=("en",)), needing("homophones").needs
    (('de',), ('en', 'de'), ('homophones',))
    """
    listed_for = (code for code in languages_with(*names) if code not in also)
    known = LanguagesWith((*also, *listed_for))
    known.needs = names
    return known


@cache
def listed(name: str, language: str = "en") -> tuple[str, ...]:
    """Return the lines of a list, without blank lines and comments.

    >>> listed("sentences")[0]
    'The kettle on the stove is made of copper.'

    Raises:
        UsageError: the language's folder does not contain the list.
    """
    text = _read(name, "txt", language)
    return tuple(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))


@cache
def given_names(language: str = "en") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return common given names of men and of women.

    >>> [names[0] for names in given_names()]
    ['John', 'Mary']
    """
    men, _, women = " ".join(listed("given_names", language)).partition(" ----- ")
    return tuple(men.split()), tuple(women.split())


@cache
def word_list(name: str, language: str = "en") -> tuple[str, ...]:
    """Return the words in a list, in their order in the file.

    >>> word_list("neutral")[:2]
    ('anchor', 'apron')
    """
    return tuple(word for line in listed(name, language) for word in line.split())


@cache
def word_set(name: str, language: str = "en") -> frozenset[str]:
    """Return the words in a list as a set.

    >>> "the" in word_set("function_words")
    True
    """
    return frozenset(word_list(name, language))


@cache
def word_pairs(name: str, language: str = "en") -> Mapping[str, str]:
    """Return each word in a list of pairs with the other word of its pair.

    >>> word_pairs("spellings")["gray"], word_pairs("spellings")["grey"]
    ('grey', 'gray')
    """
    pairs = [line.split() for line in listed(name, language)]
    return {word: other for pair in pairs for word, other in (pair, pair[::-1])}


@cache
def language_tables(name: str, language: str = "en") -> Mapping[str, Any]:
    """Return the tables in a TOML file of a language.

    >>> sorted(language_tables("tools"))[:2]
    ['common', 'tools']
    """
    return toml_of(_read(name, "toml", language))


def _read(name: str, kind: str, language: str) -> str:
    try:
        return (_FOLDER / language / f"{name}.{kind}").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise _lacking(name, language) from None
    except UnicodeDecodeError as error:
        raise UsageError(f"languages/{language}/{name}.{kind}: byte {error.start} is not UTF-8") from None
