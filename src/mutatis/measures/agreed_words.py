"""Finds words that a reply omits, replaces or negates, using the words that the other replies agree on.

Even a system that rewords its replies repeats some words each time, such as the items of a list, or "yes" and "no".
Only words are compared here; `agreement.py` handles amounts, days and names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from mutatis.core.languages import is_english
from mutatis.languages import Language
from mutatis.measures.agreement import AgreedFacts
from mutatis.measures.answer import read
from mutatis.measures.block_reading import BlockReading, Numbers, ReplyReading
from mutatis.measures.by_folder import content_words
from mutatis.measures.polar import denies, english_side, is_yes_no_question
from mutatis.measures.words import COURTESY, FUNCTION_WORDS, NOTATION
from mutatis.text.by_folder import polarity_in, side_in, side_on
from mutatis.text.memory import kept_within
from mutatis.text.normalisation import listed_words
from mutatis.text.segments import segmented_words

ENOUGH = 5
"""Minimum number of other replies to a question for its words to count as agreed."""

AGREED, STRAY = 0.85, 0.1
"""Thresholds for the share of the other replies that contain a word.

From the first on, the replies agree on the word. Below the second, the word is a stray.
"""

CUT = 2
"""Minimum number of missing words in a reply that is considered truncated. One missing word may be mere wording."""

ONE_SIDE = 0.8
"""Minimum share of replies on one side of a yes-no question for a reply on the other side to be different."""

ANSWERED = 4
"""A question asks for yes or no if more than one in this many of its replies begins with yes or no."""

_IN_BRACKETS = re.compile(r"(?<=\S)\s*\([^()]{1,80}\)")
_PRONOUNS = listed_words("it they he she that those")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextWords:
    """The words of one text: its stems in order, and a mapping from each content word's stem to the word as written."""

    stems: tuple[str, ...]
    content: Mapping[str, str]


class AgreedWords:
    """The words that nearly all replies to a question have in common, for each question of a block."""

    def __init__(self, reading: BlockReading, agreement: AgreedFacts) -> None:
        self._reading, self._agreement = reading, agreement

    def is_elliptical(self, reply: ReplyReading, question: int) -> bool:
        """Return True if a reply repeats no word of its question, or begins with a pronoun.

        Such a reply may still be a complete answer, for example "Paris." or "It costs 210 euros."
        """
        first, language = reply.core.partition(" ")[0].lower(), self._reading.language
        pronoun = first in _PRONOUNS if is_english(language) else _points_back(first, language)
        return pronoun or self._read(reply.core).content.keys().isdisjoint(self._asked[question])

    def side(self, reply: ReplyReading, question: int) -> bool | None:
        """Return True if a reply to a yes-no question means yes, False if it means no, and None if neither is clear.

        "It is open Monday to Friday" means no to a question about Saturday.
        """
        reading, asked = self._reading, self._reading.questions[question].message
        if not self.asks_yes_or_no[question]:
            return None
        asked_days, days = reading.asked[question] & self._agreement.weekdays, self._agreement.span_of_days(reply)
        if asked_days.any() and days.any() and not (asked_days & days).any():
            return False
        if is_english(reading.language):
            return english_side(reply.core, asked)
        return side_on(asked, reply.core, reading.language)

    @cached_property
    def asks_yes_or_no(self) -> list[bool]:
        """Whether each question asks for yes or no. Outside English, some of its replies then begin with yes or no."""
        questions, texts, language = self._reading.questions, self._reading.texts, self._reading.language
        if is_english(language):
            return [is_yes_no_question(read(question.message)) for question in questions]
        begun = [[polarity_in(texts[number], language) for number in question.members] for question in questions]
        return [ANSWERED * sum(said is not None for said in replies) > len(replies) for replies in begun]

    def contradiction(self, reply: ReplyReading, question: int, siblings: Numbers, side: bool | None) -> str | None:
        """Return a description of how a reply contradicts the other replies to its question, or None.

        It may omit words ("Bring a ticket." for "Bring a ticket and your passport."), replace one ("fill in the blue
        form" for "fill in the red form") or take the other side ("It is not open."). In a study of twelve bots, this
        check moves 201 of 22,652 pairs: 191 are right with it and 5 without it (`studies/repertoire`).

        `side` is True if the reply means yes, False if it means no, and else None, as the method `side` returns it.
        """
        if len(siblings) < ENOUGH:
            return None
        words = self._read(reply.core)
        shares = self._shares(siblings)
        missing = {word for word, share in shares.items() if share >= AGREED} - words.content.keys()
        if missing:
            stray = {word for word in words.content if word in self._agreed and shares.get(word, 0.0) < STRAY}
            stray = {word for word in stray if not _ends_compound(words.content[word], reply.core)}
            replaced = self._exchanged(words, missing, stray - self._asked[question], siblings)
            if replaced is not None:
                return replaced
            if self._is_cut(reply.core, words, missing - self._asked[question], siblings):
                return f"no mention of {self._quoted(missing, siblings)}, which nearly all others contain"
        return self._other_side(reply, question, siblings, side)

    def _read(self, text: str) -> TextWords:
        return words_of(text, self._reading.language)

    def _shares(self, replies: Numbers) -> dict[str, float]:
        """Return, for each word, the share of these replies that contain it."""
        counts = Counter(word for number in replies.tolist() for word in self._words_outside_brackets[number])
        return {word: count / len(replies) for word, count in counts.items()}

    def _exchanged(self, words: TextWords, missing: Set[str], stray: Set[str], siblings: Numbers) -> str | None:
        """Describe a stray word that the reply has in place of a missing word, or return None.

        Both words come directly before the same word: "blue form", "red form".
        """
        missing_before = {
            following: word
            for number in siblings.tolist()
            for word, following in pairwise(self._words[number].stems)
            if word in missing and following in self._words[number].content
        }
        for word, following in pairwise(words.stems):
            if word in stray and following in missing_before:
                return f"{words.content[word]!r} in place of {self._quoted({missing_before[following]}, siblings)}"
        return None

    def _is_cut(self, core: str, words: TextWords, lost: Set[str], siblings: Numbers) -> bool:
        """Return True if a reply equals another one except that the lost words are missing, which are `CUT` or more.

        It must be shorter by as many words: "together 9 euros" is not cut from "in total it costs 9 euros".
        """
        if len(lost) < CUT:
            return False
        lengths = [
            self._length(self._reading.texts[number])
            for number in siblings.tolist()
            if (words.content.keys() | lost) <= self._words[number].content.keys()
        ]
        return bool(lengths) and self._length(core) + len(lost) <= min(lengths)

    def _length(self, text: str) -> int:
        """Return the number of words in a text."""
        return len(segmented_words(text, self._reading.language))

    def _other_side(self, reply: ReplyReading, question: int, siblings: Numbers, side: bool | None) -> str | None:
        """Describe a reply that means yes but nearly all others mean no, or vice versa. Otherwise, return None.

        An English reply that states the agreed values, but neither yes nor no, says the same as "No, we are open from 9
        to 1 on Saturdays."
        """
        asked, language = self._reading.questions[question].message, self._reading.language
        texts = [self._reading.texts[number] for number in siblings.tolist()]
        if not is_english(language):
            side, others = side_in(reply.core, language, asked), [side_in(text, language, asked) for text in texts]
        elif self.asks_yes_or_no[question]:
            side = False if denies(reply.core, asked) else side or None
            others = [not denies(text, asked) for text in texts]
        else:
            return None
        if side is None or others.count(not side) / len(others) < ONE_SIDE:
            return None
        only_values = side and is_english(language) and read(reply.core).polarity is None
        if only_values and self._agreement.states_agreed(reply, question, siblings, only_values=True):
            return None
        return "it affirms what the others deny" if side else "it denies what the others affirm"

    def _quoted(self, missing: Set[str], siblings: Numbers) -> str:
        """Return the missing words in quotes, as written in the reply that contains the most."""
        contents = [self._words[number].content for number in siblings.tolist()]
        fullest = max(contents, key=lambda content: len(missing & content.keys()))
        return repr(" ".join(word for stem, word in fullest.items() if stem in missing))

    @cached_property
    def _words(self) -> list[TextWords]:
        return [self._read(text) for text in self._reading.texts]

    @cached_property
    def _words_outside_brackets(self) -> list[Set[str]]:
        """The words of each text, except those in brackets, which other replies may omit."""
        return [self._read(_IN_BRACKETS.sub(" ", text)).content.keys() for text in self._reading.texts]

    @cached_property
    def _asked(self) -> list[Set[str]]:
        """The words of each question."""
        return [self._read(question.message).content.keys() for question in self._reading.questions]

    @cached_property
    def _agreed(self) -> frozenset[str]:
        """All words that nearly all replies to at least one question contain."""
        return frozenset(
            word
            for question in self._reading.questions
            if len(question.members) >= ENOUGH
            for word, share in self._shares(question.members).items()
            if share >= AGREED
        )


def _ends_compound(word: str, text: str) -> bool:
    """Return True if a word ends a compound in a text, like "free" in "meat-free", and so has a sense of its own."""
    return re.search(rf"\w-{re.escape(word)}\b", text, re.IGNORECASE) is not None


def _points_back(word: str, language: str) -> bool:
    return Language(language).pattern("points_back").fullmatch(word) is not None


@kept_within(8_000_000, per_character=20)
def words_of(text: str, language: str = "en") -> TextWords:
    """Return the words of a text, ignoring numbers, days, currencies and courtesies.

    >>> sorted(words_of("Please bring your passport and 20 euros.").content)
    ['bring', 'passport']
    """
    if not is_english(language):
        content = content_words(text, language)
        return TextWords(stems=tuple(content), content=content)
    answer = read(text)
    ignored = NOTATION | COURTESY
    kept = [
        (stem, word)
        for word, stem in zip(answer.words, answer.stems, strict=True)
        if word not in ignored and stem not in ignored and not any(map(str.isdigit, word))
    ]
    first_written: dict[str, str] = {}
    for stem, word in kept:
        if stem not in FUNCTION_WORDS:
            first_written.setdefault(stem, word)
    return TextWords(stems=tuple(stem for stem, _ in kept), content=first_written)
