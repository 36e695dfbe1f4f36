"""The dataset check: decides whether a question's missing reference can be resolved from the story alone.

It examines one question and the story. The rule `papers` only requires that the story uses the same referring words,
which nearly every story does. The rule `salient` requires a single plausible antecedent.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

from mutatis.context.cues import LEAST_WORDS, Cues, cues, referring
from mutatis.context.words import PRONOUNS, content, is_content, plain_words
from mutatis.text.normalisation import listed_words
from mutatis.text.segments import stem

DOMINANCE = 3.0
"""A name is taken as the antecedent if the story mentions it this many times more often than its nearest rival."""
LEAST_MENTIONS = 3
"""Minimum number of times that the story mentions the antecedent."""
_SENTENCE = re.compile(r"(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bMrs\.)(?<=[.!?])[\"'”’)]*\s+|\n+")
_STAND_INS = frozenset({"one", "ones", "same", "former", "latter", "so", "both", "either", "neither"})
_DEMONSTRATIVES = frozenset({"this", "that", "these", "those"})
_OPENS_CLAUSE = listed_words("i you we he she it they the a an one his her my your our their its")
_PLACES = frozenset({"there", "here"})
_BE = frozenset({"is", "are", "was", "were", "wasn't", "weren't", "isn't", "aren't"})
_TITLES = {**dict.fromkeys(("mr", "sir", "king"), "he"), **dict.fromkeys(("mrs", "ms", "miss", "lady", "queen"), "she")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """The facts about a story that the dataset check uses.

    Attributes:
        names: number of mentions of each name, keyed by the stem of its last word.
        leaning: for each name, how often a title or a pronoun suggests "he", "she" or "they". A pronoun is only counted
            in a sentence without other names.
        stems: how often each content stem occurs in the story.
        numbered: stems that follow a word like "two", "some" or "other", so that "the ..." could mean several things.
        pointing: kinds of referring words in the story itself, as returned by the function `pointing`.
        text: the story.
    """

    names: Counter[str]
    leaning: dict[str, Counter[str]]
    stems: Counter[str]
    numbered: frozenset[str]
    pointing: frozenset[str]
    text: str

    def resolves(self, question: str, reading: str) -> bool:
        """Return True if the story alone resolves a question's reference.

        `reading` is the rule: "papers" or "salient".
        """
        return self._used(question) if reading == "papers" else self._salient(cues(question), question)

    def _used(self, question: str) -> bool:
        """Apply the papers' rule: a pronoun is resolvable "as long as it is used in the story" (v1, 3.4).

        The same applies to "that" and "there" used on their own. Questions of fewer than three words are never
        resolvable. If coreferee is installed, the pronoun must also have an antecedent in the story.
        """
        if cues(question).words < LEAST_WORDS or not self.stems:
            return False
        used = self.pointing
        resolved = referring(self.text)
        if resolved is not None:
            used = (used - frozenset(PRONOUNS.values())) | resolved[0]
        return pointing(plain_words(question)) <= used

    def _salient(self, seen: Cues, question: str) -> bool:
        """Apply our own rule: no ellipsis, no words like "then", one clearly salient antecedent per reference."""
        if seen.words < LEAST_WORDS or not seen.contents or seen.other or seen.sequence or seen.about:
            return False
        # "On what date?", "Did he care?": what happened is left out, whoever it happened to.
        leaves_out_event = (not seen.auxiliary and seen.contents < 2) or (seen.pronoun and seen.words < 4)
        has_stand_in = not _STAND_INS.isdisjoint(word.lower() for word in plain_words(question))
        # What "it" or "this" means changes from sentence to sentence; no story fixes it.
        is_fleeting = seen.demonstrative or seen.pointed or seen.pronoun == "it"
        if leaves_out_event or has_stand_in or is_fleeting:
            return False
        if seen.pronoun and self.antecedent(seen.pronoun) is None:
            return False
        return all(self.stems[head] > 0 and head not in self.numbered for head in seen.definite)

    def antecedent(self, pronoun: str) -> str | None:
        """Return the only name that "he" or "she" can refer to in this story, or None."""
        if pronoun not in {"he", "she"}:
            return None
        other = "she" if pronoun == "he" else "he"
        fitting = [
            (count, name)
            for name, count in self.names.items()
            if self.leaning[name][pronoun] > 0 and self.leaning[name][pronoun] >= self.leaning[name][other]
        ]
        (mentions, name), (rival_mentions, _) = sorted([*fitting, (0, ""), (0, "")], reverse=True)[:2]
        return name if mentions >= max(LEAST_MENTIONS, DOMINANCE * rival_mentions) else None


def pointing(words: list[str]) -> frozenset[str]:
    """Return the kinds of referring words in a sentence: words that point to something without naming it.

    These are third-person pronouns, "that" or "this" on its own, and "there" or "here" except in "there is".

    >>> sorted(pointing("Did they do that there".split())), sorted(pointing("Is there that old tower".split()))
    (['that', 'there', 'they'], [])
    """
    lower = ["", *(word.lower() for word in words), ""]
    pointers = set()
    for place, word in enumerate(lower[1:-1], start=1):
        before, after = lower[place - 1], lower[place + 1]
        if word in PRONOUNS:
            pointers.add(PRONOUNS[word])
        elif word in _DEMONSTRATIVES:
            is_followed = after != "" and (is_content(after) or after in _OPENS_CLAUSE)  # "that tower", "that she left"
            is_relative = word == "that" and "" not in (before, after) and is_content(before)  # "boats that were lost"
            if not is_followed and not is_relative:
                pointers.add("that")
        elif word in _PLACES and not _BE.intersection((before, after)):
            pointers.add("there")
    return frozenset(pointers)


def _sentence_names(words: list[str], lower: Counter[str]) -> list[tuple[str, str]]:
    """Return the names in a sentence: for each, the stem of its last word and the pronoun its title implies, or ""."""
    result = []
    for in_name, group in groupby(
        words, lambda word: word[0].isupper() and is_content(word) and not lower[word.lower()]
    ):
        first, *others = group
        pronoun = _TITLES.get(first.lower(), "")
        if in_name and (others or not pronoun):  # a title alone is no name
            result.append((stem(others[-1] if others else first), pronoun))
    return result


_SEVERAL = listed_words("two three four five many several some another other each")


@lru_cache(maxsize=64)
def read_story(text: str) -> Story:
    """Parse a story. The results for the most recent stories are cached."""
    sentences = [plain_words(part) for part in _SENTENCE.split(text)]
    # A word that also stands in lower case is no name, however often it opens a sentence.
    lower = Counter(word for words in sentences for word in words if word.islower())
    names, leaning = _read_names(sentences, lower)
    stems = Counter(stem(word) for words in sentences for word in words if is_content(word))
    numbered = [
        content(following) for words in sentences for word, following in pairwise(words) if word.lower() in _SEVERAL
    ]
    return Story(
        names=names,
        leaning=leaning,
        stems=stems,
        numbered=frozenset().union(*numbered),
        pointing=frozenset().union(*map(pointing, sentences)),
        text=text,
    )


def _read_names(sentences: Iterable[list[str]], lower: Counter[str]) -> tuple[Counter[str], dict[str, Counter[str]]]:
    """Return how often each name is mentioned, and how often titles and pronouns suggest each pronoun for it."""
    names: Counter[str] = Counter()
    leaning: dict[str, Counter[str]] = {}
    subject: str | None = None
    for words in sentences:
        in_sentence = _sentence_names(words, lower)
        for name, by_title in in_sentence:
            names[name] += 1
            leaning.setdefault(name, Counter())[by_title or "none"] += 1
        # A sentence without names is about the same name as the one before it. With several, it is unclear which.
        if in_sentence:
            distinct = {name for name, _ in in_sentence}
            subject = distinct.pop() if len(distinct) == 1 else None
        if subject is not None:
            leaning[subject].update(PRONOUNS[word] for word in map(str.lower, words) if word in PRONOUNS)
    return names, leaning
