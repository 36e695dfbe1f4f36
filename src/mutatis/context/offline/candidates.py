"""Computes features that indicate whether a question needs a word that was mentioned earlier.

There is one row of features per content stem. The rows are computed once per seed dialogue.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, groupby
from typing import NamedTuple, TypeAlias

from mutatis.context.cues import Cues, cues
from mutatis.context.knowledge import Dialogue
from mutatis.context.words import AUXILIARIES, INTERROGATIVES, contains, content, is_content, plain_words
from mutatis.text.normalisation import listed_words
from mutatis.text.segments import stem

CANDIDATE_LIMIT = 100
"""Number of recent stems considered per question. The title's stems are considered in addition."""

Features: TypeAlias = dict[str, float]
"""Features by name."""

NEVER_SPOKEN = 99
"""Stands for the number of turns since a word was said, if it only occurs in the title or the section."""


def cue_features(cues: Cues) -> Features:
    """Return the cues of one question as numbers, by name."""
    return {
        "words": cues.words,
        "contents": cues.contents,
        "he": cues.pronoun == "he",
        "she": cues.pronoun == "she",
        "it": cues.pronoun == "it",
        "they": cues.pronoun == "they",
        "pronouns": cues.pronouns,
        "demonstrative": cues.demonstrative,
        "pointed": bool(cues.pointed),
        "definite": len(cues.definite),
        "other": cues.other,
        "sequence": cues.sequence,
        "about": cues.about,
        "auxiliary": cues.auxiliary,
        "name inside": cues.name,
        "under 3 words": cues.words < 3,
        "under 5 words": cues.words < 5,
        "dependent": cues.dependent,
        "asks who": cues.question_word in {"who", "whom", "whose"},
        "asks what": cues.question_word in {"what", "which"},
        "asks why or how": cues.question_word in {"why", "how"},
        "asks when or where": cues.question_word in {"when", "where"},
        "pronouns outside": cues.outside,
        "fragment": cues.fragment,
    }


class NeedFeatures:
    """Features of one dialogue. For question i, `words[i]` lists the candidate stems and `rows[i]` their features.

    The fitted model picks its features by name, so their order has no meaning.
    """

    def __init__(self, dialogue: Dialogue) -> None:
        self.dialogue = dialogue
        self.cues = [cues(question) for question in dialogue.questions]
        self.index = Index(dialogue)
        self.words: list[list[str]] = []
        self.rows: list[list[Features]] = []
        self._opening = set(content(dialogue.questions[0])) if dialogue.questions else set()
        self._title = set(content(dialogue.title))
        for turn in range(len(dialogue)):
            chosen = self._candidates(turn)
            of_turn = cue_features(self.cues[turn]) | self._turn_features(turn, len(chosen))
            recent = self._recent(turn)
            self.words.append(chosen)
            self.rows.append(
                [of_turn | self._word_features(turn, word, rank, recent) for rank, word in enumerate(chosen)]
            )

    def same_pronoun(self, turn: int) -> int | None:
        """Return the latest earlier turn whose question has the same class of pronoun, or None."""
        wanted = self.cues[turn].pronoun
        if not wanted:
            return None
        return next((k for k in range(turn - 1, -1, -1) if self.cues[k].pronoun == wanted), None)

    def latest_free(self, turn: int) -> int | None:
        """Return the latest earlier turn whose question does not depend on its context, or None."""
        return next((k for k in range(turn - 1, -1, -1) if not self.cues[k].dependent), None)

    def _candidates(self, turn: int) -> list[str]:
        """Return the stems that occur before a question but not in it, most recent first and the title's last.

        All stems of an utterance are examined before the limit is applied. The title and the section count as the
        oldest utterances.
        """
        in_question = content(self.dialogue.questions[turn])
        chosen: dict[str, None] = {}
        title_and_section, spoken = self.index.stems[:2], self.index.stems[2 : _question(turn)]
        for utterance in [*reversed(spoken), *title_and_section]:
            for word in reversed(utterance):
                if word not in chosen and not contains(in_question, word):
                    chosen[word] = None
            if len(chosen) > CANDIDATE_LIMIT:
                break
        recent = list(chosen)[:CANDIDATE_LIMIT]
        return recent + [word for word in sorted(self._title.difference(recent)) if not contains(in_question, word)]

    def _recent(self, turn: int) -> dict[str, set[str]]:
        """Return the stems of some earlier utterances, by the feature that marks the words in them.

        A set is empty if the dialogue has no such utterance.
        """
        stems = self.index.stems

        def said(utterance: int) -> set[str]:
            return set(stems[utterance]) if _question(0) <= utterance < _question(turn) else set()

        free = self.latest_free(turn)
        same = self.same_pronoun(turn)
        return {
            "in previous question": said(_question(turn - 1)),
            "in previous answer": said(_answer(turn - 1)),
            "in second previous question": said(_question(turn - 2)),
            "in second previous answer": said(_answer(turn - 2)),
            "in opening question": said(_question(0)),
            "in opening answer": said(_answer(0)),
            "in latest free question": set() if free is None else said(_question(free)),
            "in question of same pronoun": set() if same is None else said(_question(same)) | said(_answer(same)),
        }

    def _turn_features(self, turn: int, candidates: int) -> Features:
        """Return the features that all candidates of a question share."""
        pronouns = [cue.pronoun for cue in self.cues[: turn + 1]]
        pronoun = self.cues[turn].pronoun
        same = self.same_pronoun(turn)
        return {
            "turn": turn,
            "turns so far share": 1 / (1 + turn),
            "has title": bool(self.dialogue.title),
            "has answers": any(self.dialogue.answers[:turn]),
            **{f"share of {each}": pronouns.count(each) / len(pronouns) for each in ("he", "she", "it", "they")},
            "pronoun share": pronouns.count(pronoun) / len(pronouns) if pronoun else 0.0,
            "candidates": candidates,
            "previous turn has same pronoun": turn > 0 and bool(pronoun) and self.cues[turn - 1].pronoun == pronoun,
            "turns since same pronoun": turn - same if same is not None else -1,
            "opening is dependent": self.cues[0].dependent,
            "previous answer words": len(self.index.stems[_answer(turn - 1)]) if turn else -1,
        }

    def _word_features(self, turn: int, word: str, rank: int, recent: Mapping[str, set[str]]) -> Features:
        """Return the features of one candidate, which are computed from its mentions before the turn.

        A pointed word follows "this" or "that" in the question ("that album"), a definite head follows "the".
        """
        here = _question(turn)
        mentions = self.index.mentions[word][: self.index.before(word, here)]
        first, last = mentions[0], mentions[-1]
        in_questions = [mention for mention in mentions if mention.spoken and not mention.in_answer]
        in_answers = [mention for mention in mentions if mention.in_answer]
        utterances = {mention.utterance for mention in mentions}
        neighbours = set(self.index.stems[last.utterance])
        heads = self.index.heads.get(word, set())
        capitals = sum(mention.capital for mention in mentions)
        return {
            **{name: word in stems for name, stems in recent.items()},
            "in title": first.utterance == 0,
            "in section": any(mention.utterance == 1 for mention in mentions),
            "turns since last": turn - last.turn if last.spoken else NEVER_SPOKEN,
            "turns since first": turn - first.turn if first.spoken else NEVER_SPOKEN,
            "count in questions": len(in_questions),
            "count in answers": len(in_answers),
            "capital share": capitals / len(mentions),
            "ever capital": capitals > 0,
            "run length": max(mention.run for mention in mentions),
            "ends run": any(mention.last for mention in mentions),
            "in a run with title": bool(self._title & heads),
            "utterances": len(utterances),
            "utterance share": len(utterances) / here,
            "place from start": last.place,
            "place from end": last.size - 1 - last.place,
            "words of last utterance": last.size,
            "letters": len(word),
            "digit": word[0].isdigit(),
            "before kind": last.before,
            "after kind": last.after,
            "plural": last.plural,
            "verbal": last.verbal,
            "with pointed word": self.cues[turn].pointed in neighbours,
            "with definite head": not neighbours.isdisjoint(self.cues[turn].definite),
            "overlap with question": len(neighbours & content(self.dialogue.questions[turn])),
            "last in answer": last.in_answer,
            "first in answer": first.in_answer,
            "questions since first with it": sum(mention.utterance > first.utterance for mention in in_questions),
            "rank by recency": rank,
            "in title run of opening": bool(self._opening & heads),
        }


# An index of the mentions of each content stem in a dialogue, from which the features are computed. For a question,
# only the mentions before it may be used.

_ARTICLES = listed_words("a an the his her its their this that these those my our")
_PREPOSITIONS = listed_words("of in on at to for from with by about into over under after before during between")


class Occurrence:
    """One mention of a stem.

    Attributes:
        utterance: 0 for the title, 1 for the section, 2 + 2k for question k, 3 + 2k for answer k; k counts from 0.
        place, size: position among the utterance's words, and the number of these words.
        capital: whether it is capitalised, except at the start of an utterance (the title's first word counts).
        run: number of words in the run of capitalised words around it, or 0. `last` is True at the end of the run.
        before: kind of the preceding word: 0 a content word or nothing, 1 an article or possessive, 2 a preposition, 3
            an auxiliary, 4 a question word.
        after: kind of the next word, with the same codes.
    """

    def __init__(self, utterance: int, words: Sequence[str], place: int, run: _Run) -> None:
        word = words[place]
        self.utterance, self.place, self.size = utterance, place, len(words)
        in_heading = utterance < _question(0)  # the title or the section
        self.capital = word[0].isupper() and (place > 0 or in_heading)
        self.run, self.last = len(run.words), run.last
        self.before = _kind(words[place - 1]) if place else 0
        self.after = _kind(words[place + 1]) if place + 1 < len(words) else 0
        self.plural = word.lower().endswith("s") and not word.lower().endswith("ss")
        self.verbal = word.lower().endswith(("ed", "ing"))

    @property
    def spoken(self) -> bool:
        """True if it is in a question or an answer, rather than in the title or the section."""
        return self.utterance >= _question(0)

    @property
    def in_answer(self) -> bool:
        """True if it is in an answer."""
        return self.spoken and self.utterance % 2 == 1

    @property
    def turn(self) -> int:
        """The turn of the question or answer that it is in."""
        return (self.utterance - _question(0)) // 2


def _question(turn: int) -> int:
    return 2 + 2 * turn


def _answer(turn: int) -> int:
    return 3 + 2 * turn


def _kind(word: str) -> int:
    """Return the code for the kind of a word next to an occurrence."""
    word = word.lower()
    if word in _ARTICLES:
        return 1
    if word in _PREPOSITIONS:
        return 2
    if word in AUXILIARIES:
        return 3
    return 4 if word in INTERROGATIVES else 0


class _Run(NamedTuple):
    """The run of capitalised content words around a word: its words, and whether the word is the last one."""

    words: tuple[str, ...] = ()
    last: bool = False


def _runs(words: list[str]) -> list[_Run]:
    """Return the run of each word."""
    runs: list[_Run] = []
    for in_run, group in groupby(words, lambda word: word[0].isupper() and is_content(word)):
        members = tuple(group)
        runs += [
            _Run(members if in_run else (), in_run and place == len(members)) for place in range(1, len(members) + 1)
        ]
    return runs


class Index:
    """All mentions of the content stems in a dialogue, in dialogue order.

    Attributes:
        mentions: the mentions of each stem.
        stems: the content stems of each utterance.
        heads: stems that can stand in for a stem inside a name: the name's last word, or both words of a two-word name.
    """

    def __init__(self, dialogue: Dialogue) -> None:
        self.mentions: dict[str, list[Occurrence]] = defaultdict(list)
        self.stems: list[list[str]] = []
        self.heads: dict[str, set[str]] = defaultdict(set)
        exchanges = zip(dialogue.questions, dialogue.answers, strict=True)
        for utterance, text in enumerate([dialogue.title, dialogue.section, *chain.from_iterable(exchanges)]):
            words = plain_words(text)
            self.stems.append([stem(word) for word in words if is_content(word)])
            for place, (word, run) in enumerate(zip(words, _runs(words), strict=True)):
                if not is_content(word):
                    continue
                self.mentions[stem(word)].append(Occurrence(utterance, words, place, run))
                if len(run.words) > 1:  # either word may stand for "Ada Lovelace", the last for "Royal Albert Hall"
                    self.heads[stem(word)].update(map(stem, run.words if len(run.words) == 2 else run.words[-1:]))

    def before(self, word: str, utterance: int) -> int:
        """Return the number of mentions of `word` before `utterance`."""
        return bisect_left(self.mentions[word], utterance, key=lambda mention: mention.utterance)
