"""Computes features of a turn: the share of a question's needs met so far, and how its context has changed.

The caller provides the probabilities of the need words, and records each verdict with `Progress.commit`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from mutatis.context.cues import cues
from mutatis.context.knowledge import Dialogue
from mutatis.context.offline.candidates import Features, NeedFeatures, cue_features
from mutatis.context.words import content, names, plain_words, similar

MOST_NEEDS = 40
"""Maximum number of need words considered per turn."""

LEAST = 0.02
"""Minimum probability of a need word. Words below it are ignored."""

_PROBABLY = 0.25
"""Minimum probability for a missing need word to be reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedWord:
    """A stem that a question probably needs. `others` lists stems that can replace it if it is missing."""

    word: str
    probability: float
    name: bool
    others: tuple[str, ...]


class SourceDialogue:
    """The facts about one seed dialogue that the turn model needs, computed once for all its follow-ups."""

    def __init__(
        self, dialogue: Dialogue, features: NeedFeatures, probabilities: Sequence[NDArray[np.float64]]
    ) -> None:
        self.dialogue = dialogue
        self.cues = features.cues
        self.start = content(dialogue.title) | content(dialogue.section)
        self.said = [content(question) for question in dialogue.questions]
        self.answered = [content(answer) for answer in dialogue.answers]
        self.same = [features.same_pronoun(turn) for turn in range(len(dialogue))]
        self.free = [features.latest_free(turn) for turn in range(len(dialogue))]
        self._variants = _variants(self.start.union(*self.said, *self.answered))
        self.needs = [self._needs(features, turn, values) for turn, values in enumerate(probabilities)]
        self.question_features = [self._question_features(turn) for turn in range(len(dialogue))]

    def _needs(self, features: NeedFeatures, turn: int, values: NDArray[np.float64]) -> list[NeedWord]:
        """Return the most probable need words of a turn. `values` holds the probability of each candidate."""
        needs = []
        for place in np.argsort(-values, kind="stable")[:MOST_NEEDS]:
            if values[place] < LEAST:
                break
            word = features.words[turn][place]
            heads = features.index.heads.get(word, set())
            others = {word, *heads, *self._variants.get(word, ())}
            needs.append(
                NeedWord(
                    word=word,
                    probability=float(values[place]),
                    name=any(mention.capital for mention in features.index.mentions[word]),
                    others=tuple(sorted(others)),
                )
            )
        return needs

    def _question_features(self, turn: int) -> Features:
        """Return the features of a turn that depend only on the seed.

        They include the needs that the title and the section leave open.
        """
        cue = self.cues[turn]
        pronouns = [earlier.pronoun for earlier in self.cues[: turn + 1] if earlier.pronoun]
        before = self.cues[turn - 1] if turn else cues("")
        said, answer = (self.said[turn - 1], self.answered[turn - 1]) if turn else (frozenset(), frozenset())
        answer_text = self.dialogue.answers[turn - 1] if turn else ""
        earlier_words = self.start.union(*self.said[:turn], *self.answered[:turn])
        in_question = self.said[turn]
        size = max(1, len(in_question))
        return {
            **cue_features(cue),
            "very short": cue.very_short,
            "has title": bool(self.start),
            "has answers": any(self.dialogue.answers),
            "turn in seed": turn,
            "turns of seed": len(self.dialogue),
            "share of own pronoun": pronouns.count(cue.pronoun) / len(pronouns) if cue.pronoun else 0.0,
            "pronoun classes": len(set(pronouns)),
            "pronoun as before": bool(cue.pronoun) and before.pronoun == cue.pronoun,
            "main pronoun is own": bool(pronouns) and max(sorted(set(pronouns)), key=pronouns.count) == cue.pronoun,
            "before depends": turn > 0 and before.dependent,
            "before is other": before.other,
            "before has name": before.name,
            "answer before words": len(plain_words(answer_text)),
            "answer before contents": len(answer),
            "answer before names": sum(len(run) > 1 for run in names(answer_text)),
            "answer before empty": not answer,
            "shared with question before": len(in_question & said) / size,
            "shared with answer before": len(in_question & answer) / size,
            "shared with start": len(in_question & self.start) / size,
            "shared with earlier": len(in_question & earlier_words) / size,
            **self._open_needs(turn, said | answer),
        }

    def _open_needs(self, turn: int, near: frozenset[str]) -> Features:
        """Return features of the needs of a question that the title and the section do not meet.

        `near` holds the words of the exchange before it.
        """
        needs = self._unmet(turn)
        same = self.same[turn]
        return {
            "open need sum": _total(needs),
            "open need largest": max((need.probability for need in needs), default=0.0),
            "open need noisy-or": _any_of(need.probability for need in needs),
            "open need over quarter": sum(need.probability > 0.25 for need in needs),
            "open need names": _total([need for need in needs if need.name]),
            "open need from before": _total([need for need in needs if need.word in near]),
            "open need at same pronoun": _total(self._unmet(same)) if same is not None else -1.0,
            "open need at turn before": _total(self._unmet(turn - 1)) if turn else -1.0,
        }

    def _unmet(self, turn: int) -> list[NeedWord]:
        return [need for need in self.needs[turn] if self.start.isdisjoint(need.others)]


def _total(needs: Sequence[NeedWord]) -> float:
    return sum(need.probability for need in needs)


def _any_of(probabilities: Iterable[float]) -> float:
    """Return the probability that any of several independent events happens (noisy or)."""
    return 1 - math.prod(1 - probability for probability in probabilities)


def _variants(vocabulary: Iterable[str]) -> dict[str, list[str]]:
    """Return, for each stem, the other stems in the dialogue that are variants of the same word."""
    by_letter: dict[str, list[str]] = defaultdict(list)
    for word in vocabulary:
        if len(word) >= 5:
            by_letter[word[0]].append(word)
    result: dict[str, list[str]] = {}
    for words in by_letter.values():
        for word in words:
            near = [other for other in words if other != word and similar(word, other)]
            if near:
                result[word] = near
    return result


class Progress:
    """The state of one follow-up: the words available so far, and the turns that were understood."""

    def __init__(self, seed: SourceDialogue) -> None:
        self.seed = seed
        self.order: list[int] = []
        self.passed: dict[int, float] = {}  # per turn asked, the largest probability that it was understood
        self._lack: dict[str, float] = dict.fromkeys(seed.start, 0.0)

    def predecessors_passed(self, turn: int) -> bool:
        """Return True if every turn before `turn` in the seed has been asked and was certainly understood."""
        return all(self.passed.get(k, 0.0) >= 1.0 for k in range(turn))

    def lack(self, need: NeedWord) -> float:
        """Return the probability that a need word is missing from the context."""
        return min(self._lack.get(word, 1.0) for word in need.others)

    def commit(self, turn: int, probability: float) -> None:
        """Record the probability that `turn`, now asked, is equivalent, and add its words to the context."""
        for word in self.seed.said[turn]:
            self._lack[word] = 0.0
        gain = max(0.0, probability - self.passed.get(turn, 0.0))
        if gain:
            for word in self.seed.answered[turn]:
                self._lack[word] = self._lack.get(word, 1.0) * (1 - gain)
            for need in self.seed.needs[turn]:
                self._lack[need.word] = self._lack.get(need.word, 1.0) * (1 - gain * need.probability)
        self.order.append(turn)
        self.passed[turn] = max(probability, self.passed.get(turn, 0.0))

    def missing(self, turn: int) -> tuple[str, ...]:
        """Return the words that a turn needs and that are probably missing, most probable first."""
        rated = [(need.probability * self.lack(need), need.word) for need in self.seed.needs[turn]]
        return tuple(word for value, word in sorted(rated, key=lambda pair: -pair[0]) if value >= _PROBABLY)

    def features(self, turn: int) -> Features:
        """Return the features that `turn` would have if it were asked next."""
        return {
            **self.seed.question_features[turn],
            "turn in follow-up": len(self.order),
            **self._missing_needs(turn),
            **self._history(turn),
            **self._sources(turn),
        }

    def _missing_needs(self, turn: int) -> Features:
        """Return features of the words that a turn needs and that may be missing from the context."""
        needs = self.seed.needs[turn]
        rated = [(need, need.probability * self.lack(need)) for need in needs]
        missing = [value for _, value in rated]
        of_names = [value for need, value in rated if need.name]
        of_words = [value for need, value in rated if not need.name]
        total, total_words = _total(needs), _total([need for need in needs if not need.name])
        features = {
            "largest missing": max(missing, default=0.0),
            "largest missing name": max(of_names, default=0.0),
            "largest missing word": max(of_words, default=0.0),
            "missing sum": sum(missing),
            "missing share": sum(missing) / total if total else 0.0,
            "missing noisy-or": _any_of(missing),
            "missing word share": sum(of_words) / total_words if total_words else 0.0,
            "largest need": needs[0].probability if needs else 0.0,
            "largest need name": max((need.probability for need in needs if need.name), default=0.0),
            "need sum": total,
            "needs over half": sum(need.probability > 0.5 for need in needs),
            "missing over half": sum(value > 0.5 for value in missing),
            "missing over quarter": sum(value > 0.25 for value in missing),
            # Squared, so that a name that is almost certainly missing counts more.
            "name lack weighted": max((value * self.lack(need) for need, value in rated if need.name), default=0.0),
            "kept noisy-or": _any_of(of_names),  # the probability that a name is missing; the fitted models name it so
        }
        for ordinal, need in zip_longest(("first", "second", "third"), needs[:3]):
            features[f"{ordinal} need"] = need.probability if need else 0.0
            features[f"{ordinal} lack"] = self.lack(need) if need else 0.0
        return features

    def _history(self, turn: int) -> Features:
        """Return features of the turns asked so far: which are present, and how certainly each was understood.

        "before was said since" counts the turns asked after the seed's previous turn, or is -1 if it was not asked.
        """
        passed = self.passed
        pronoun = self.seed.cues[turn].pronoun
        alike = [value for k, value in passed.items() if pronoun and self.seed.cues[k].pronoun == pronoun]
        since_before = next((since for since, k in enumerate(reversed(self.order)) if k == turn - 1), -1)

        def present(name: str, k: int | None) -> Features:
            if k is None or k < 0:
                return {f"{name} present": -1.0, f"{name} passed": -1.0}
            return {f"{name} present": k in passed, f"{name} passed": passed.get(k, 0.0)}

        return {
            "predecessors present": sum(k in passed for k in range(turn)) / turn if turn else 1.0,
            "predecessors passed": sum(passed.get(k, 0.0) for k in range(turn)) / turn if turn else 1.0,
            "predecessors least": min((passed.get(k, 0.0) for k in range(turn)), default=1.0),
            **present("before", turn - 1),
            "before is next to": turn == 0 or self.order[-1:] == [turn - 1],
            "before was said since": since_before,
            **present("second before", turn - 2),
            **present("opening", 0),
            **present("same pronoun", self.seed.same[turn]),
            "any same pronoun passed": max(alike, default=-1.0),
            **present("free", self.seed.free[turn]),
            "asked before": turn in passed,
            "asked before passed": passed.get(turn, -1.0),
            "dependent predecessors absent": sum(k not in passed and self.seed.cues[k].dependent for k in range(turn)),
            "earlier passed mean": sum(passed.values()) / len(passed) if passed else -1.0,
        }

    def _sources(self, turn: int) -> Features:
        """Return features that measure how far the needs depend on the previous exchange, opening and material."""
        exchanges = [said | answered for said, answered in zip(self.seed.said, self.seed.answered, strict=True)]
        # The opening question depends on nothing.
        previous, opening, start = (
            (exchanges[turn - 1], exchanges[0], self.seed.start) if turn else [frozenset[str]()] * 3
        )

        def largest(words: frozenset[str], *, missing: bool = False) -> float:
            return max(
                (
                    need.probability * (self.lack(need) if missing else 1.0)
                    for need in self.seed.needs[turn]
                    if need.word in words
                ),
                default=0.0,
            )

        return {
            "needed from previous": largest(previous),
            "needed from opening": largest(opening),
            "needed from start": largest(start),
            "previous answer lack": largest(previous, missing=True),
            "opening lack": largest(opening, missing=True),
        }
