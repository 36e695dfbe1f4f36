"""The positions of each content stem of a dialogue: the index for the need-word features.

Independent of models, labels and the order of a follow-up. Only text before a question may be looked up for it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field

from mutatis.context.dialogue import Dialogue
from mutatis.context.words import AUXILIARIES, INTERROGATIVES, is_content, plain_words
from mutatis.text.normalisation import listed_words
from mutatis.text.stems import stem

_ARTICLES = listed_words("a an the his her its their this that these those my our")
_PREPOSITIONS = listed_words("of in on at to for from with by about into over under after before during between")


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """One mention of a stem.

    Attributes:
        utterance: 0 title, 1 section, 2 + 2k question k, 3 + 2k answer k.
        place, size: position among the utterance's words, and their number.
        capital: capitalised, not at the start of the utterance (the title's first word counts).
        run: number of words in its run of capitalised words, 0 if none; `last` if it ends the run.
        before: 0 nothing or content, 1 an article or possessive, 2 a preposition, 3 an auxiliary, 4 a question word.
        after: the same for the next word.
    """

    utterance: int
    place: int
    size: int
    capital: bool
    run: int
    last: bool
    before: int
    after: int
    plural: bool
    verbal: bool


def _kind(word: str) -> int:
    word = word.lower()
    if word in _ARTICLES:
        return 1
    if word in _PREPOSITIONS:
        return 2
    if word in AUXILIARIES:
        return 3
    return 4 if word in INTERROGATIVES else 0


def _runs(words: list[str]) -> list[tuple[int, bool]]:
    """Return, per word, the length of its run of capitalised content words and whether it is the run's last."""
    result = [(0, False)] * len(words)
    start = None
    for place in range(len(words) + 1):
        inside = place < len(words) and words[place][0].isupper() and is_content(words[place])
        if inside and start is None:
            start = place
        elif not inside and start is not None:
            for spot in range(start, place):
                result[spot] = (place - start, spot == place - 1)
            start = None
    return result


@dataclass(slots=True)
class Index:
    """All mentions of a dialogue's content stems, in the order of the dialogue."""

    mentions: dict[str, list[Occurrence]] = field(default_factory=lambda: defaultdict(list))
    places: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    stems: list[list[str]] = field(default_factory=list)
    heads: dict[str, frozenset[str]] = field(default_factory=dict)
    """Stems that replace a stem inside a name: the name's last word, or both words of a name of two."""

    def before(self, word: str, utterance: int) -> int:
        """Return how many mentions of `word` stand before `utterance`."""
        return bisect_left(self.places[word], utterance)


def index(dialogue: Dialogue) -> Index:
    """Read every utterance of a dialogue once."""
    result = Index()
    heads: dict[str, set[str]] = defaultdict(set)
    texts = [dialogue.title, dialogue.section]
    for question, answer in zip(dialogue.questions, dialogue.answers, strict=True):
        texts += [question, answer]
    for number, text in enumerate(texts):
        words = plain_words(text)
        runs = _runs(words)
        here: list[str] = []
        for place, word in enumerate(words):
            if not is_content(word):
                continue
            word_stem = stem(word)
            lower = word.lower()
            here.append(word_stem)
            result.places[word_stem].append(number)
            result.mentions[word_stem].append(
                Occurrence(
                    utterance=number,
                    place=place,
                    size=len(words),
                    capital=word[0].isupper() and (place > 0 or number < 2),
                    run=runs[place][0],
                    last=runs[place][1],
                    before=_kind(words[place - 1]) if place else 0,
                    after=_kind(words[place + 1]) if place + 1 < len(words) else 0,
                    plural=lower.endswith("s") and not lower.endswith("ss"),
                    verbal=lower.endswith(("ed", "ing")),
                )
            )
            if runs[place][0] > 1:
                end = place
                while not runs[end][1]:
                    end += 1
                heads[word_stem].add(stem(words[end]))
                if runs[place][0] == 2:
                    heads[word_stem].add(stem(words[end - 1]))
        result.stems.append(here)
    result.heads = {word: frozenset(sentences_of) for word, sentences_of in heads.items()}
    return result
