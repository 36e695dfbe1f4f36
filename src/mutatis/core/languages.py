"""Codes and names of languages, and declarations of the languages that a component supports.

Every component that depends on language (a transformation, a precondition, an output relation, a measure) lists the
languages it supports. An entry may be a code ("de"), a script ("Latin", for every language written in it), a kind of
script ("cased") or "every". A text has a single code, or "und" if its language is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from mutatis.core.errors import UsageError, unknown_name

Languages: TypeAlias = tuple[str, ...]
"""Supported languages, given as codes, scripts, kinds of scripts, or `EVERY`."""

EVERY: Languages = ("every",)
ENGLISH: Languages = ("en",)
LATIN: Languages = ("Latin",)

ALPHABETS: Languages = ("alphabetic",)
"""Scripts whose letters have no meaning of their own, so that a word stays readable with one letter missing."""

CASED: Languages = ("cased",)
"""Scripts with upper and lower case."""

SPACED: Languages = ("spaced",)
"""Scripts that separate words with spaces."""


class LanguagesWith(tuple[str, ...]):
    """A tuple of the languages whose data folders contain the word lists named in `needs`."""

    needs: tuple[str, ...] = ()


UNKNOWN, SEVERAL = "und", "mul"
"""Codes (ISO 639-2) for a text whose language is unknown and for a text in several languages."""

_BY_SCRIPT = {
    "Latin": "af Afrikaans, az Azerbaijani, bs Bosnian, ca Catalan, cs Czech, cy Welsh, da Danish, de German, "
    "en English, es Spanish, et Estonian, eu Basque, fi Finnish, fr French, ga Irish, gl Galician, hr Croatian, "
    "hu Hungarian, id Indonesian, is Icelandic, it Italian, lt Lithuanian, lv Latvian, ms Malay, nl Dutch, "
    "no Norwegian, pl Polish, pt Portuguese, ro Romanian, sk Slovak, sl Slovenian, sq Albanian, sv Swedish, "
    "sw Swahili, tl Tagalog, tr Turkish, uz Uzbek, vi Vietnamese",
    "Cyrillic": "be Belarusian, bg Bulgarian, kk Kazakh, mk Macedonian, mn Mongolian, ru Russian, sr Serbian, "
    "uk Ukrainian",
    "Greek": "el Greek",
    "Armenian": "hy Armenian",
    "Georgian": "ka Georgian",
    "Hebrew": "he Hebrew",
    "Arabic": "ar Arabic, fa Persian, ur Urdu",
    "Ethiopic": "am Amharic",
    "Devanagari": "hi Hindi, mr Marathi, ne Nepali",
    "Bengali": "bn Bengali",
    "Gurmukhi": "pa Punjabi",
    "Gujarati": "gu Gujarati",
    "Tamil": "ta Tamil",
    "Telugu": "te Telugu",
    "Kannada": "kn Kannada",
    "Malayalam": "ml Malayalam",
    "Sinhala": "si Sinhala",
    "Hangul": "ko Korean",
    "Thai": "th Thai",
    "Lao": "lo Lao",
    "Khmer": "km Khmer",
    "Myanmar": "my Burmese",
    "Chinese": "zh Chinese",
    "Japanese": "ja Japanese",
}
_UNSPACED = ("Thai", "Lao", "Khmer", "Myanmar", "Chinese", "Japanese")
_SCRIPTS = {
    "alphabetic": ("Latin", "Cyrillic", "Greek"),
    "cased": ("Latin", "Cyrillic", "Greek", "Armenian"),
    "spaced": tuple(script for script in _BY_SCRIPT if script not in _UNSPACED),
    **{script: (script,) for script in _BY_SCRIPT},
}
_KINDS = {"alphabetic": "an alphabet", "cased": "capitals", "spaced": "blanks between words"}

NAMES: Mapping[str, str] = MappingProxyType(
    dict(entry.split() for listed in _BY_SCRIPT.values() for entry in listed.split(", "))
)
"""Names of languages by code (ISO 639-1)."""

_OWN_NAMES = {"deutsch": "de", "espa\u00f1ol": "es", "fran\u00e7ais": "fr", "\u4e2d\u6587": "zh", "italiano": "it"}
"""Names of languages in the languages themselves.

They are listed because spelling alone misleads: the English name closest to "deutsch" is "Dutch".
"""

_WRITTEN = {
    name: frozenset(entry.split()[0] for script in scripts for entry in _BY_SCRIPT[script].split(", "))
    for name, scripts in _SCRIPTS.items()
}
"""For each script and each group of scripts, the codes of the languages written in it."""

_ALL_OF = {
    code: frozenset([code, *EVERY, *(name for name, codes in _WRITTEN.items() if code in codes)]) for code in NAMES
}
"""For each language code, all the names that include the language: its code, its scripts and "every"."""
_EVERY = frozenset(EVERY)


def knows(languages: Languages, code: str) -> bool:
    """Return True if `languages` includes the language of a text. A text without a code ("") is always included.

    >>> knows(ENGLISH, "de"), knows(ALPHABETS, "de"), knows(EVERY, "und"), knows(ENGLISH, "")
    (False, True, True, True)
    """
    return not code or not _ALL_OF.get(code, _EVERY).isdisjoint(languages)


def known_by_all(parts: Iterable[Languages]) -> Languages:
    """Return the languages that all of the given declarations include.

    >>> [known_by_all(parts) for parts in ([EVERY, ENGLISH], [ALPHABETS, CASED], [EVERY], [("de", "fr"), ("fr",)])]
    [('en',), ('alphabetic',), ('every',), ('fr',)]
    """
    limited = [part for part in parts if part != EVERY]
    if not limited:
        return EVERY
    named = {language for part in limited for language in part if language in _WRITTEN}
    left = {code for code in NAMES if all(knows(part, code) for part in limited)}
    whole = []
    for name in sorted(named, key=lambda name: (-len(_WRITTEN[name]), name)):
        if _WRITTEN[name] <= left:
            whole.append(name)
            left -= _WRITTEN[name]
    return (*whole, *(code for code in NAMES if code in left))


def check_languages(owner: str, languages: Iterable[str]) -> Languages:
    """Return the languages that `owner` lists, with names of languages replaced by codes.

    Raises:
        UsageError: an entry is not a language, a script, a kind of script or "every", or the list is empty.
    """
    if isinstance(languages, str):
        raise UsageError(f'{owner}: languages is {languages!r}; expected a list such as ["en", "de"] or ["every"]')
    codes = tuple(
        language if language in _WRITTEN or language in EVERY else language_code(language, owner)
        for language in languages
    )
    if not codes:
        raise UsageError(f'{owner} lists no languages; expected a list such as ["en", "de"] or ["every"]')
    return EVERY if EVERY[0] in codes else codes


def language_code(written: str, where: str = "") -> str:
    """Return the code of a language given by code or name, in upper or lower case, with or without a region.

    Raises:
        UsageError: the language is unknown. The message begins with `where` and suggests the closest name.

    >>> [language_code(written) for written in ("de", "German", "Deutsch", "pt-BR", "zh_Hans")]
    ['de', 'de', 'de', 'pt', 'zh']
    >>> language_code("Deutsh")
    Traceback (most recent call last):
    mutatis.core.errors.UsageError: unknown language 'Deutsh'; did you mean 'Deutsch' or 'Dutch'?
    """
    bare = written.strip().lower()
    if bare in (UNKNOWN, SEVERAL):
        return bare
    short = bare.replace("_", "-").partition("-")[0]
    if short in NAMES:
        return short
    by_name = {name.lower(): code for code, name in NAMES.items()} | _OWN_NAMES
    if bare in by_name:
        return by_name[bare]
    names = NAMES if len(bare) <= 2 else [*NAMES.values(), *map(str.title, _OWN_NAMES)]
    error = unknown_name("language", written, names)
    raise UsageError(f"{where}: {error}" if where else str(error))


def language_name(code: str) -> str:
    """Return the English name of a language.

    >>> language_name("de"), language_name("und"), language_name("mul")
    ('German', 'an unknown language', 'several languages')
    """
    return {UNKNOWN: "an unknown language", SEVERAL: "several languages"}.get(code, NAMES.get(code, code))


def languages_text(languages: Languages) -> str:
    """Describe the supported languages in words.

    >>> languages_text(EVERY), languages_text(("en", "de")), languages_text(ALPHABETS), languages_text((*LATIN, "zh"))
    ('every language', 'English, German', 'languages with an alphabet', 'Chinese, languages in Latin script')
    """
    if languages == EVERY:
        return "every language"
    words = [language_name(language) for language in languages if language not in _WRITTEN]
    words += [f"languages with {_KINDS[language]}" for language in languages if language in _KINDS]
    words += [f"languages in {language} script" for language in languages if language in _BY_SCRIPT]
    return ", ".join(words)


def is_english(code: str) -> bool:
    """Return True if the code means English or is "" (no language stated). The built-in word lists are English.

    >>> is_english("en"), is_english(""), is_english("de"), is_english("und")
    (True, True, False, False)
    """
    return code in ("", "en")
