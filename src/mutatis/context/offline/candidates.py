"""Computes features that indicate whether a question needs a word that was mentioned earlier.

There is one row of features per content stem. The rows are computed once per seed dialogue.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mutatis.context.cues import Cues, cues
from mutatis.context.dialogue import Dialogue
from mutatis.context.words import AUXILIARIES, INTERROGATIVES, contains, content, is_content, plain_words
from mutatis.text.normalisation import listed_words
from mutatis.text.stems import stem

CANDIDATE_LIMIT = 100
"""Number of recent stems considered per question. The title's stems are considered in addition."""

CUE_NAMES = (
    "words", "contents", "he", "she", "it", "they", "pronouns", "demonstrative", "pointed", "definite", "other",
    "sequence", "about", "auxiliary", "name inside", "under 3 words", "under 5 words", "dependent", "asks who",
    "asks what", "asks why or how", "asks when or where", "pronouns outside", "fragment",
)  # fmt: skip

TURN_NAMES = (
    "turn", "turns so far share", "has title", "has answers", "share of he", "share of she", "share of it",
    "share of they", "pronoun share", "candidates", "previous turn has same pronoun", "turns since same pronoun",
    "opening is dependent", "previous answer words",
)  # fmt: skip

WORD_NAMES = (
    "in title", "in section", "turns since last", "turns since first", "count in questions", "count in answers",
    "in previous question", "in previous answer", "in second previous question", "in second previous answer",
    "in opening question", "in opening answer", "in latest free question", "capital share", "ever capital",
    "run length", "ends run", "in a run with title", "utterances", "utterance share", "place from start",
    "place from end", "words of last utterance", "letters", "digit", "before kind", "after kind", "plural",
    "verbal", "with pointed word", "with definite head", "overlap with question", "last in answer",
    "in question of same pronoun", "first in answer", "questions since first with it", "rank by recency",
    "in title run of opening",
)  # fmt: skip

CHAIN_NAMES = (
    "base",
    "base rank",
    "base share",
    "base at same pronoun",
    "base at previous turn",
    "base largest earlier",
)


def cue_vector(cues: Cues) -> list[float]:
    """Return the cues of one question as numbers, in the order of CUE_NAMES."""
    return [
        cues.words,
        cues.contents,
        cues.pronoun == "he",
        cues.pronoun == "she",
        cues.pronoun == "it",
        cues.pronoun == "they",
        cues.pronouns,
        cues.demonstrative,
        bool(cues.pointed),
        len(cues.definite),
        cues.other,
        cues.sequence,
        cues.about,
        cues.auxiliary,
        cues.name,
        cues.words < 3,
        cues.words < 5,
        cues.dependent,
        cues.question_word in {"who", "whom", "whose"},
        cues.question_word in {"what", "which"},
        cues.question_word in {"why", "how"},
        cues.question_word in {"when", "where"},
        cues.outside,
        cues.fragment,
    ]


class NeedFeatures:
    """Features of one dialogue. For question i, `words[i]` lists the candidate stems and `rows[i]` their features."""

    def __init__(self, dialogue: Dialogue) -> None:
        self.dialogue = dialogue
        self.cues = [cues(question) for question in dialogue.questions]
        self.index: Index = index(dialogue)
        self.words: list[list[str]] = []
        self.rows: list[NDArray[np.float32]] = []
        self._opening = set(content(dialogue.questions[0])) if dialogue.questions else set()
        self._title = set(content(dialogue.title))
        for turn in range(len(dialogue)):
            chosen = self._candidates(turn)
            shared = cue_vector(self.cues[turn]) + self._turn_vector(turn, len(chosen))
            recent = self._recent(turn)
            rows = [shared + self._word_vector(turn, word, rank, recent) for rank, word in enumerate(chosen)]
            width = len(CUE_NAMES) + len(TURN_NAMES) + len(WORD_NAMES)
            self.words.append(chosen)
            self.rows.append(np.array(rows, dtype=np.float32).reshape(len(rows), width))

    def same_pronoun(self, turn: int) -> int | None:
        """Return the latest earlier turn whose question has the same class of pronoun, or None."""
        wanted = self.cues[turn].pronoun
        if not wanted:
            return None
        return next((k for k in range(turn - 1, -1, -1) if self.cues[k].pronoun == wanted), None)

    def _candidates(self, turn: int) -> list[str]:
        """Return the stems that occur before a question but not in it, most recent first and the title's last."""
        have = content(self.dialogue.questions[turn])
        chosen: dict[str, None] = {}
        utterances = self.index.stems[: 2 + 2 * turn]
        for here in [*utterances[2:][::-1], *utterances[:2]]:
            for word in reversed(here):
                if word not in chosen and not contains(have, word):
                    chosen[word] = None
            if len(chosen) > CANDIDATE_LIMIT:
                break
        result = list(chosen)[:CANDIDATE_LIMIT]
        known = set(result)
        return result + [word for word in sorted(self._title) if word not in known and not contains(have, word)]

    def _recent(self, turn: int) -> list[set[str]]:
        """Return eight sets of stems from earlier utterances or exchanges. Sets that do not apply are empty.

        They come from the previous two exchanges, the first exchange, the latest question that needs no context, and
        the latest exchange with the same pronoun.
        """
        stems = self.index.stems

        def said(utterance: int) -> set[str]:
            return set(stems[utterance]) if 2 <= utterance < 2 + 2 * turn else set()

        here = 2 + 2 * turn
        free = next((k for k in range(turn - 1, -1, -1) if not self.cues[k].dependent), None)
        same = self.same_pronoun(turn)
        return [
            said(here - 2),
            said(here - 1),
            said(here - 4),
            said(here - 3),
            said(2),
            said(3),
            set() if free is None else said(2 + 2 * free),
            set() if same is None else said(2 + 2 * same) | said(3 + 2 * same),
        ]

    def _turn_vector(self, turn: int, candidates: int) -> list[float]:
        seen = [cue.pronoun for cue in self.cues[: turn + 1]]
        size = len(seen)
        wanted = self.cues[turn].pronoun
        same = self.same_pronoun(turn)
        return [
            turn,
            1 / (1 + turn),
            bool(self.dialogue.title),
            any(self.dialogue.answers[:turn]),
            seen.count("he") / size,
            seen.count("she") / size,
            seen.count("it") / size,
            seen.count("they") / size,
            seen.count(wanted) / size if wanted else 0.0,
            candidates,
            turn > 0 and bool(wanted) and self.cues[turn - 1].pronoun == wanted,
            turn - same if same is not None else -1,
            self.cues[0].dependent,
            len(self.index.stems[1 + 2 * turn]) if turn else -1,
        ]

    def _word_vector(self, turn: int, word: str, rank: int, recent: Sequence[set[str]]) -> list[float]:
        here = 2 + 2 * turn
        mentions = self.index.mentions[word][: self.index.before(word, here)]
        first, last = mentions[0], mentions[-1]
        spoken = [mention for mention in mentions if mention.utterance >= 2]
        where = {mention.utterance for mention in mentions}
        stems = set(self.index.stems[last.utterance])
        cue = self.cues[turn]
        inside = content(self.dialogue.questions[turn])
        run = max(mention.run for mention in mentions)
        heads = self.index.heads.get(word, frozenset())
        capitals = sum(mention.capital for mention in mentions)
        return [
            first.utterance == 0,
            any(mention.utterance == 1 for mention in mentions[:4]),
            turn - (last.utterance - 2) // 2 if last.utterance >= 2 else 99,
            turn - (first.utterance - 2) // 2 if first.utterance >= 2 else 99,
            sum(mention.utterance % 2 == 0 for mention in spoken),
            sum(mention.utterance % 2 == 1 for mention in spoken),
            word in recent[0],
            word in recent[1],
            word in recent[2],
            word in recent[3],
            word in recent[4],
            word in recent[5],
            word in recent[6],
            capitals / len(mentions),
            capitals > 0,
            run,
            any(mention.last for mention in mentions),
            bool(self._title & heads),
            len(where),
            len(where) / here,
            last.place,
            last.size - 1 - last.place,
            last.size,
            len(word),
            word[0].isdigit(),
            last.before,
            last.after,
            last.plural,
            last.verbal,
            _together(stems, cue.pointed),
            any(_together(stems, head) for head in cue.definite),
            len(stems & inside),
            last.utterance % 2 == 1 and last.utterance > 1,
            word in recent[7],
            first.utterance % 2 == 1 and first.utterance > 1,
            _turns_between(first, spoken),
            rank,
            bool(self._opening & heads),
        ]

    def chain(self, probabilities: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float32]]:
        """Return the feature rows with additional columns: the first pass's probabilities for the same stem.

        These are the probabilities at this turn and at earlier turns.
        """
        result = []
        largest: dict[str, float] = {}
        tables = [
            dict(zip(words, values, strict=True)) for words, values in zip(self.words, probabilities, strict=True)
        ]
        for turn, (words, values) in enumerate(zip(self.words, probabilities, strict=True)):
            same = self.same_pronoun(turn)
            order = np.argsort(np.argsort(-values, kind="stable"), kind="stable")
            total = float(values.sum()) or 1.0
            extra = [
                [
                    values[place],
                    order[place],
                    values[place] / total,
                    tables[same].get(word, 0.0) if same is not None else -1.0,
                    tables[turn - 1].get(word, 0.0) if turn else -1.0,
                    largest.get(word, 0.0),
                ]
                for place, word in enumerate(words)
            ]
            block = np.array(extra, dtype=np.float32).reshape(len(words), len(CHAIN_NAMES))
            result.append(np.hstack([self.rows[turn], block]))
            for word, value in tables[turn].items():
                largest[word] = max(largest.get(word, 0.0), float(value))
        return result


def _together(stems: set[str], word: str) -> bool:
    return bool(word) and word in stems


def _turns_between(first: Occurrence, spoken: Sequence[Occurrence]) -> int:
    """Return the number of questions that contain the stem, after its first mention."""
    return sum(mention.utterance % 2 == 0 and mention.utterance > first.utterance for mention in spoken)


# An index of where each content stem of a dialogue stands, that the need-word features are read from.
#
# Must not know models, labels or the order of a follow-up. Only what was said before a question may be asked for it.

_ARTICLES = listed_words("a an the his her its their this that these those my our")
_PREPOSITIONS = listed_words("of in on at to for from with by about into over under after before during between")


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """One mention of a stem.

    Attributes:
        utterance: 0 for the title, 1 for the section, 2 + 2k for question k, 3 + 2k for answer k.
        place, size: position among the utterance's words, and the number of these words.
        capital: whether it is capitalised, except at the start of an utterance (the title's first word counts).
        run: number of words in the run of capitalised words around it, or 0. `last` is True at the end of the run.
        before: kind of the preceding word: 0 a content word or nothing, 1 an article or possessive, 2 a preposition, 3
            an auxiliary, 4 a question word.
        after: kind of the next word, with the same codes.
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
    """Return, for each word, the length of its run of capitalised content words, and whether it ends the run."""
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
    """All mentions of the content stems in a dialogue, in dialogue order."""

    mentions: dict[str, list[Occurrence]] = field(default_factory=lambda: defaultdict(list))
    stems: list[list[str]] = field(default_factory=list)
    heads: dict[str, frozenset[str]] = field(default_factory=dict)
    """Stems that can stand in for a stem inside a name: the name's last word, or both words of a two-word name."""

    def before(self, word: str, utterance: int) -> int:
        """Return the number of mentions of `word` before `utterance`."""
        return bisect_left(self.mentions[word], utterance, key=lambda mention: mention.utterance)


def index(dialogue: Dialogue) -> Index:
    """Return an index of all mentions in a dialogue, reading each utterance once."""
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
