"""Codes and names of languages, and which languages something supports.

Everything that depends on language (a transformation, a precondition, an output relation, a measure) lists its
languages: codes ("de"), scripts ("Latin": every language written in it), kinds of scripts ("cased"), or "every". A text
has a single code: its language, or a code for an unknown one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from mutatis.core.errors import UsageError, unknown_name

Languages: TypeAlias = tuple[str, ...]
"""Supported languages: codes, scripts, kinds of scripts, or `EVERY`."""

EVERY: Languages = ("every",)
ENGLISH: Languages = ("en",)
LATIN: Languages = ("Latin",)

ALPHABETS: Languages = ("alphabetic",)
"""Scripts whose letters carry no meaning of their own: a word stays readable with one letter missing."""

CASED: Languages = ("cased",)
"""Scripts with upper and lower case."""

SPACED: Languages = ("spaced",)
"""Scripts that separate words with spaces."""


class LanguagesWith(tuple[str, ...]):
    """The languages whose folders contain certain lists, named in `needs`."""

    needs: tuple[str, ...] = ()


UNKNOWN, SEVERAL = "und", "mul"
"""Codes (ISO 639-2) for a text in an unrecognised language and for a text in several languages."""

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
"""Names of languages in themselves; the English name that is spelt most like "deutsch" is "Dutch"."""

_WRITTEN = {
    name: frozenset(entry.split()[0] for script in scripts for entry in _BY_SCRIPT[script].split(", "))
    for name, scripts in _SCRIPTS.items()
}
"""The languages of each script and of each group of scripts."""

_ALL_OF = {
    code: frozenset([code, *EVERY, *(name for name, codes in _WRITTEN.items() if code in codes)]) for code in NAMES
}
"""The names that include a language, by its code."""
_EVERY = frozenset(EVERY)


def knows(languages: Languages, code: str) -> bool:
    """Return True if `languages` include the language of a text. A text without a code ("") is always included.

    >>> knows(ENGLISH, "de"), knows(ALPHABETS, "de"), knows(EVERY, "und"), knows(ENGLISH, "")
    (False, True, True, True)
    """
    return not code or not _ALL_OF.get(code, _EVERY).isdisjoint(languages)


def known_by_all(parts: Iterable[Languages]) -> Languages:
    """Return the languages that all parts support.

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
    """Return the languages that `owner` lists, with names replaced by codes.

    Raises:
        UsageError: neither a language, nor a script or a kind of scripts, nor "every".
    """
    if isinstance(languages, str):
        raise UsageError(f'{owner}: languages is {languages!r}; expected a list such as ["en", "de"] or ["every"]')
    codes = tuple(
        language if language in _WRITTEN or language in EVERY else language_code(language, owner)
        for language in languages
    )
    if not codes:
        raise UsageError(f'{owner} lists no language; expected a list such as ["en", "de"] or ["every"]')
    return EVERY if EVERY[0] in codes else codes


def language_code(written: str, where: str = "") -> str:
    """Return the code of a language given as a code or a name, in any case, with or without a region.

    Raises:
        UsageError: there is no such language; the message begins with `where` and suggests the nearest.

    >>> [language_code(written) for written in ("de", "German", "Deutsch", "pt-BR", "zh_Hans")]
    ['de', 'de', 'de', 'pt', 'zh']
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
    error = unknown_name("language", written, NAMES if len(bare) <= 2 else NAMES.values())
    raise UsageError(f"{where}: {error}" if where else str(error))


def language_name(code: str) -> str:
    """Return the name of a language.

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
    """Return True if a text is English or has no language. Word lists and measurements are English.

    >>> is_english("en"), is_english(""), is_english("de"), is_english("und")
    (True, True, False, False)
    """
    return code in ("", "en")
