"""Real short answers with one word replaced by another of its class: what the judge must not take for the same answer.

The answers and their questions are SQuAD 2.0's and CoQA's (read from the shared folder, never copied). Classes: the
package's own list, numbers, names by type, and, where WordNet is installed (MUTATIS_WORDNET or its usual places),
co-hyponyms and antonyms. `same` pairs, the control, replace a word by its WordNet synonym. Each class belongs to one of
FOLDS parts, so that a judge can be trained on some classes and tested on others.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from pairs import Pair, shared

from mutatis.core.measure import Comparison
from mutatis.measures.contrast import classes
from mutatis.measures.words import FUNCTION_WORDS
from mutatis.text.segments import stem
from mutatis.transformations import lexicon, wordnet

FOLDS = 5
LONGEST = 6  # words of an answer
MOST = 60  # pairs of a class
_WORD = re.compile(r"[A-Za-z]+|\d[\d,.]*\d|\d")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_CARDINALS = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "twenty",
)
_NOT_WORDS = frozenset({"yes", "no", "unknown", "true", "false"})


_best = cache(wordnet._best)


@dataclass(frozen=True, slots=True, kw_only=True)
class Substitution:
    """A pair with the class of the replaced word.

    Attributes:
        pair: reference, answer with the replaced word, question, verdict.
        kind: the class; "synonym" for the control.
        words: the word and what replaced it.
    """

    pair: Pair
    kind: str
    words: tuple[str, str]

    @property
    def fold(self) -> int:
        """The part of the classes to which it belongs."""
        return part_of(self.kind)


def part_of(kind: str) -> int:
    """Return the part of the classes to which a class belongs."""
    return _hash(f"class {kind}") % FOLDS


def _hash(text: str) -> int:
    return int(hashlib.sha256(text.encode("utf-8")).hexdigest()[:12], 16)


@cache
def short_answers() -> tuple[tuple[str, str], ...]:
    """Return (question, answer) of all short answers of SQuAD 2.0 (its first annotator) and CoQA."""
    data = shared() / "data"
    with lzma.open(data / "squad2" / "dev-v2.0-rebuilt.json.xz", "rt", encoding="utf-8") as file:
        squad = [
            (asked["question"], asked["answers"][0]["text"])
            for article in json.load(file)["data"]
            for paragraph in article["paragraphs"]
            for asked in paragraph["qas"]
            if asked["answers"]
        ]
    with lzma.open(data / "coqa" / "coqa-dev-rebuilt.json.xz", "rt", encoding="utf-8") as file:
        coqa = [
            (asked["input_text"], answered["input_text"])
            for story in json.load(file)["data"]
            for asked, answered in zip(story["questions"], story["answers"], strict=True)
        ]
    return tuple((q, a) for q, a in dict.fromkeys([*squad, *coqa]) if 0 < len(a.split()) <= LONGEST)


@cache
def _own() -> dict[str, tuple[str, ...]]:
    """Return the members of each class of the package's list; the first form of each member."""
    members: dict[str, dict[int, str]] = defaultdict(dict)
    for word, places in classes().items():
        for name, number in places:
            if name.startswith("alike"):
                continue
            members[name].setdefault(number, word)
    return {name: tuple(words.values()) for name, words in members.items()}


@cache
def _names() -> dict[str, tuple[str, ...]]:
    """Return the capitalised words of the answers by type: persons and places as WordNet says, else names."""
    by_kind: dict[str, set[str]] = defaultdict(set)
    for _, answer in short_answers():
        for word in re.findall(r"(?<=\s)[A-Z][a-z]{2,}", answer):
            by_kind[_name_type(word)].add(word.lower())
    return {kind: tuple(sorted(words)) for kind, words in by_kind.items() if kind}


@cache
def _name_type(word: str) -> str:
    lowered = word.lower()
    if lowered in FUNCTION_WORDS or lowered in classes():
        return ""
    if not wordnet.wordnet_is_installed():
        return "name"
    senses = wordnet._reader().synsets(lowered, "n")
    kinds = {sense.lexname() for sense in senses if sense.instance_hypernyms()}
    if "noun.location" in kinds:
        return "name-place"
    if "noun.person" in kinds:
        return "name-person"
    return "" if wordnet._reader().synsets(lowered) else "name"


def _opposites(base: str, senses: Sequence[Any]) -> list[str]:
    """Return the antonyms of the first sense that has any."""
    lemmas = (lemma for sense in senses for lemma in sense.lemmas() if lemma.name().lower() == base)
    return next((names for lemma in lemmas if (names := [other.name() for other in lemma.antonyms()])), [])


def _wordnet(word: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield co-hyponyms (sisters under one parent, not synonyms) and antonyms of a word's first sense."""
    if not wordnet.wordnet_is_installed() or word in FUNCTION_WORDS or len(word) < 3:
        return
    base, pos, senses = _best(word)
    if not senses or (pos not in {"n", "v", "a"} and senses[0].pos() not in {"a", "s"}):
        return
    synonyms_of = {name for sense in senses for name in sense.lemma_names()}
    opposite = tuple(o for o in _opposites(base, senses) if o.isalpha() and o.islower() and o not in synonyms_of)
    if opposite:
        yield f"antonym-{senses[0].pos()}", opposite
    if pos != "n":
        return
    sisters = {
        lemma.name()
        for parent in senses[0].hypernyms()
        for sister in parent.hyponyms()
        if sister != senses[0]
        for lemma in sister.lemmas()
        if lemma.count() > 0
    }
    related = {
        name for sense in senses for other in (*sense.hypernyms(), *sense.hyponyms()) for name in other.lemma_names()
    }
    known = tuple(sorted(n for n in sisters - synonyms_of - related if n.isalpha() and n.islower() and len(n) > 2))
    if known:
        yield senses[0].lexname(), known


def _options(word: str, token: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the classes of a word with what may replace it."""
    for name, number in classes().get(word, ()):
        if name.startswith("alike"):
            continue
        members = {other for other, places in classes().items() if dict(places).get(name) == number}
        yield name, tuple(other for other in _own()[name] if other not in members)
    for name, listed in (("number-word", _CARDINALS), ("ordinal", _ORDINALS)):
        if word in listed:
            yield name, tuple(other for other in listed if other != word)
    if token[0].isdigit():
        plain = token.replace(",", "")
        if plain.isdigit() and len(plain) < 9:
            yield "digits", (str(int(plain) + 1 + _hash(token) % 9), str(max(int(plain) * 3 // 2, 2)))
    if token[0].isupper() and _name_type(token):
        kind = _name_type(token)
        yield kind, tuple(other for other in _names().get(kind, ()) if other != word)
    if not token[0].isupper():
        for name, others in _wordnet(word):
            yield name, tuple(form for other in others if (form := _formed(word, other)))


def _formed(word: str, other: str) -> str | None:
    """Put a replacement into the plural where the word is one."""
    base, pos, _ = _best(word)
    return wordnet._same_form(word, base, other, pos) if base != word else other


def _written(token: str, other: str) -> str:
    return other.capitalize() if token[0].isupper() else other


def _made(question: str, answer: str, kind: str, match: re.Match[str], other: str, same: bool) -> Substitution:
    text = answer[: match.start()] + _written(match.group(), other) + answer[match.end() :]
    comparison = Comparison(reference=(answer,), answer=text, question=question)
    pair = Pair(comparison=comparison, same=same, group=f"substitution {question} {answer}")
    return Substitution(pair=pair, kind=kind, words=(match.group().lower(), other))


def _asked(question: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(question))


@cache
def substitutions() -> tuple[Substitution, ...]:
    """Return the pairs that differ, at most MOST of a class and one of a class for each answer; deterministic."""
    by_kind: dict[str, list[Substitution]] = defaultdict(list)
    for question, answer in sorted(short_answers(), key=lambda pair: _hash("\n".join(pair))):
        asked, rng = _asked(question), Random(_hash(f"{question}\n{answer}"))
        used: set[str] = set()
        present = {word.lower() for word in _WORD.findall(answer)}
        if len(present) < 2 and rng.random() < 0.7:
            continue  # an answer of one word is the easy case
        for match in _WORD.finditer(answer):
            token, word = match.group(), match.group().lower()
            if word in _NOT_WORDS or stem(word) in asked or (len(word) == 1 and not word.isdigit()):
                continue
            for kind, others in _options(word, token):
                fit = [other for other in others if stem(other) not in asked and other not in present]
                if kind in used or not fit or len(by_kind[kind]) >= MOST:
                    continue
                used.add(kind)
                by_kind[kind].append(_made(question, answer, kind, match, rng.choice(fit), False))
    return tuple(substitution for kind in sorted(by_kind) for substitution in by_kind[kind])


@cache
def synonyms() -> tuple[Substitution, ...]:
    """Return the control: a word replaced by a synonym of the only sense that WordNet gives it; [] without WordNet."""
    if not wordnet.wordnet_is_installed():
        return ()
    made: list[Substitution] = []
    for question, answer in sorted(short_answers(), key=lambda pair: _hash("\n".join(pair))):
        asked = _asked(question)
        for match in _WORD.finditer(answer):
            word = match.group()
            if word.lower() in FUNCTION_WORDS or stem(word) in asked or not word.islower() or len(word) < 3:
                continue
            base, _, senses = _best(word)
            if not senses or len(senses) > 2:
                continue
            others = [
                form
                for lemma in senses[0].lemmas()
                if lemma.name().isalpha() and lemma.name().islower() and lemma.name() != base and lemma.count() > 0
                if (form := _formed(word, lemma.name()))
            ]
            if others:
                made.append(_made(question, answer, "synonym", match, others[0], True))
                break
    return tuple(made)


def own_synonyms() -> tuple[Substitution, ...]:
    """Return the second control: a word replaced by one that the package's list of synonyms gives."""
    table = lexicon.synonyms()
    made: list[Substitution] = []
    for question, answer in sorted(short_answers(), key=lambda pair: _hash("\n".join(pair))):
        asked = _asked(question)
        for match in _WORD.finditer(answer):
            word = match.group()
            if word in table and word not in FUNCTION_WORDS and stem(word) not in asked:
                made.append(_made(question, answer, "synonym-own", match, table[word][0], True))
                break
    return tuple(made)
