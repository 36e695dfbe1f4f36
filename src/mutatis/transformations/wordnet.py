"""Synonyms from WordNet, read with nltk if WordNet's files are installed.

They never silently replace the package's own lexicon, or vice versa: a transformation's name shows which one it uses.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

from mutatis.core.errors import MissingExtra, UsageError
from mutatis.languages import word_set
from mutatis.transformations import lexicon
from mutatis.transformations.words import replace_from

VARIABLE = "MUTATIS_WORDNET"
_FILES = ("data.noun", "index.noun", "data.verb", "data.adj", "data.adv", "noun.exc")
_LEXNAMES = (
    "adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition "
    "noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person "
    "noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape noun.state "
    "noun.substance noun.time verb.body verb.change verb.cognition verb.communication verb.competition "
    "verb.consumption verb.contact verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social "
    "verb.stative verb.weather adj.ppl"
)
_CLASSES = {"adj": "3", "adv": "4", "noun": "1", "verb": "2"}


def wordnet_folder() -> Path | None:
    """Return the folder with WordNet's files: the one that MUTATIS_WORDNET names, or else nltk's or the system's."""
    return _folder(os.environ.get(VARIABLE, ""), os.environ.get("NLTK_DATA", ""))


@lru_cache(16)
def _folder(named: str, nltk_data: str) -> Path | None:
    nltk_roots = [Path(p) for p in nltk_data.split(os.pathsep) if p]
    nltk_roots += [Path.home() / "nltk_data", Path("/usr/share/nltk_data"), Path("/usr/local/share/nltk_data")]
    folders = [Path(named)] if named else []
    folders += [root / "corpora" / name for root in nltk_roots for name in ("wordnet", "wordnet31")]
    folders += [Path("/usr/share/wordnet"), Path("/usr/local/share/wordnet"), Path("/usr/local/WordNet-3.0/dict")]
    return next((folder for folder in folders if all((folder / file).is_file() for file in _FILES)), None)


def wordnet_is_installed() -> bool:
    """Return True if both nltk and WordNet's files are installed."""
    return wordnet_folder() is not None and find_spec("nltk") is not None


@cache
def _reader() -> Any:
    """Open WordNet.

    Raises:
        MissingExtra: nltk is not installed.
        UsageError: WordNet's files are not installed.
    """
    try:
        import nltk.data
        from nltk.corpus.reader.wordnet import WordNetCorpusReader
    except ImportError:
        raise MissingExtra("WordNet", "nlp") from None
    folder = wordnet_folder()
    if folder is None:
        raise UsageError(
            f"WordNet's files are not installed; install them (Debian: wordnet-base; nltk: wordnet) or set {VARIABLE} "
            "to their folder, or use the variant whose name ends in -lexicon"
        )
    # nltk reads only below the folders that it knows.
    if str(folder) not in nltk.data.path:
        nltk.data.path.append(str(folder))
    # The class to derive from is known only here, because nltk is optional.
    reader = type("Reader", (WordNetCorpusReader,), _own_methods(WordNetCorpusReader, folder))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nltk warns that WordNets of other languages are missing
        return reader(str(folder), None)


def _own_methods(nltk_reader: Any, folder: Path) -> dict[str, Callable[..., Any]]:
    """Return the methods of our reader that differ from nltk's, by name."""

    def open_file(self: Any, file: str) -> Any:
        """Open a file of WordNet. Some distributions omit the file of section names, which never change."""
        if file == "lexnames" and not (folder / file).is_file():
            rows = (f"{i:02}\t{name}\t{_CLASSES[name[: name.index('.')]]}" for i, name in enumerate(_LEXNAMES.split()))
            return StringIO("\n".join(rows) + "\n")
        return nltk_reader.open(self, file)

    @cache
    def counts() -> dict[str, int]:
        with (folder / "cntlist.rev").open(encoding="utf-8") as file:
            return {key: int(number) for key, _, number in map(str.split, file)}

    def lemma_count(_: Any, lemma: Any) -> int:
        """Return how often a sense occurs in the texts annotated for WordNet. nltk's method is 20 times slower."""
        return counts().get(lemma._key, 0)

    def map_wn(*_: Any, **__: Any) -> None:
        """Do nothing. nltk would map senses to other versions of WordNet, and would need their files."""

    return {"open": open_file, "lemma_count": lemma_count, "map_wn": map_wn}


@cache
def _irregular(pos: str) -> frozenset[str]:
    """Return the words of a word class that have an irregular form."""
    return frozenset(base for bases in _reader()._exception_map[pos].values() for base in bases)


def _best(word: str) -> tuple[str, str, list[Any]]:
    """Return the base form, word class and senses of a word, for its most frequent word class."""
    reader = _reader()
    bases = [(base, pos) for pos in "nvar" if (base := reader.morphy(word, pos))]
    known = [(base, pos, senses) for base, pos in bases if (senses := reader.synsets(base, pos))]

    def uses(base: str, _: str, senses: list[Any]) -> int:
        return sum(lemma.count() for lemma in senses[0].lemmas() if lemma.name().lower() == base)

    return max(known, key=lambda entry: uses(*entry), default=("", "", []))


def _same_form(word: str, base: str, other: str, pos: str) -> str | None:
    """Return `other` inflected in the same way as `word`, whose base form is `base`, or None if no rule applies."""
    if word == base:
        return other
    if pos not in {"n", "v"} or other in _irregular(pos):
        return None
    if pos == "n":
        return lexicon.plural(other)
    other_forms = lexicon.verb_forms(other)
    return next((other_forms[name] for name, form in lexicon.verb_forms(base).items() if form == word), None)


def _in_first_sense(word: str) -> tuple[str, ...]:
    """Return the synonyms for the most frequent sense of a word, inflected in the same way as the word."""
    if word in word_set("function_words") or not word.isalpha() or len(word) < 3:
        return ()
    base, pos, senses = _best(word)
    lemmas = [lemma.name() for lemma in senses[0].lemmas()] if senses else []
    names = [name for name in lemmas if name.isalpha() and name.islower() and name != base]
    return tuple(dict.fromkeys(form for name in names if (form := _same_form(word, base, name, pos)) is not None))


class _Synonyms(dict[str, tuple[str, ...]]):
    """A table that looks up each word in WordNet only once."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        self[word] = _in_first_sense(word)
        return self[word]

    def __contains__(self, word: object) -> bool:
        return bool(self[str(word)])


_SYNONYMS = _Synonyms()


def synonyms_of(word: str) -> tuple[str, ...]:
    """Return synonyms of a word's most frequent sense in WordNet, in the same form; empty for an unknown word.

    Raises:
        MissingExtra: nltk is not installed.
        UsageError: WordNet's files are not installed.

    >>> synonyms_of("cars")[:1] if wordnet_is_installed() else ("autos",)
    ('autos',)
    """
    return _SYNONYMS[word]


def with_synonyms(text: str, rng: Random, *, share: float) -> str:
    """Replace a share of the words with synonyms of their most frequent sense in WordNet, in the same form.

    >>> with_synonyms("We saw a car.", Random(1), share=1.0) if wordnet_is_installed() else "We saw a motorcar."
    'We saw a motorcar.'
    """
    _reader()
    return replace_from(_SYNONYMS, text, rng, share)
