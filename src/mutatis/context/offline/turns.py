"""Computes features of a turn: the share of a question's needs met so far, and how its context has changed.

The caller provides the probabilities of the need words, and records each verdict with `Progress.commit`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mutatis.context.dialogue import Dialogue
from mutatis.context.offline.candidates import CUE_NAMES, NeedFeatures, cue_vector
from mutatis.context.words import content, names, plain_words, similar

LEAST = 0.02
"""Minimum probability of a need word. Words below it are ignored."""

_PROBABLY = 0.25
"""Minimum probability for a missing need word to be reported."""

QUESTION_NAMES = (
    "share of own pronoun", "pronoun classes", "pronoun as before", "main pronoun is own", "before depends",
    "before is other", "before has name", "answer before words", "answer before contents", "answer before names",
    "answer before empty", "shared with question before", "shared with answer before", "shared with start",
    "shared with earlier", "open need sum", "open need largest", "open need noisy-or", "open need over quarter",
    "open need names", "open need from before", "open need at same pronoun", "open need at turn before",
)  # fmt: skip

TURN_NAMES = (
    *CUE_NAMES,
    "very short", "has title", "has answers", "turn in seed", "turns of seed", "turn in follow-up",
    "largest missing", "largest missing name", "largest missing word", "missing sum", "missing share",
    "missing noisy-or", "missing word share", "largest need", "largest need name", "need sum", "needs over half",
    "missing over half", "missing over quarter", "first need", "first lack", "second need", "second lack",
    "third need", "third lack", "name lack weighted", "kept noisy-or", "predecessors present",
    "predecessors passed", "predecessors least", "before present", "before passed", "before is next to",
    "before was said since", "second before present", "second before passed", "opening present", "opening passed",
    "same pronoun present", "same pronoun passed", "any same pronoun passed", "free present", "free passed",
    "asked before", "asked before passed", "dependent predecessors absent", "earlier passed mean",
    "needed from previous", "needed from opening", "needed from start", "previous answer lack", "opening lack",
    *QUESTION_NAMES,
)  # fmt: skip


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
        self.cue_rows = [
            [*cue_vector(cue), cue.very_short, bool(self.start), any(dialogue.answers), turn, len(dialogue)]
            for turn, cue in enumerate(features.cues)
        ]
        self.same = [features.same_pronoun(turn) for turn in range(len(dialogue))]
        self.free = [
            next((k for k in range(turn - 1, -1, -1) if not features.cues[k].dependent), None)
            for turn in range(len(dialogue))
        ]
        self._variants = _variants(self.start.union(*self.said, *self.answered))
        self.needs = [self._needs(features, turn, values) for turn, values in enumerate(probabilities)]
        self.open_mass: list[float] = []
        self.question_rows = [self._question_row(turn) for turn in range(len(dialogue))]

    def _needs(self, features: NeedFeatures, turn: int, values: NDArray[np.float64]) -> list[NeedWord]:
        needs = []
        for place in np.argsort(-values, kind="stable")[:40]:
            if values[place] < LEAST:
                break
            word = features.words[turn][place]
            heads = features.index.heads.get(word, frozenset())
            mentions = features.index.mentions[word]
            others = {word, *heads, *self._variants.get(word, ())}
            needs.append(
                NeedWord(
                    word=word,
                    probability=float(values[place]),
                    name=any(mention.capital for mention in mentions),
                    others=tuple(sorted(others)),
                )
            )
        return needs

    def _question_row(self, turn: int) -> list[float]:
        """Return the features of a question that depend only on the seed, in the order of QUESTION_NAMES."""
        seen = [cue.pronoun for cue in self.cues[: turn + 1] if cue.pronoun]
        cue = self.cues[turn]
        before = self.cues[turn - 1] if turn else None
        said, answer = (self.said[turn - 1], self.answered[turn - 1]) if turn else (frozenset(), frozenset())
        text = self.dialogue.answers[turn - 1] if turn else ""
        earlier = self.start.union(*self.said[:turn], *self.answered[:turn])
        inside = self.said[turn]
        size = max(1, len(inside))
        return [
            seen.count(cue.pronoun) / len(seen) if cue.pronoun else 0.0,
            len(set(seen)),
            bool(before and cue.pronoun and before.pronoun == cue.pronoun),
            bool(seen) and max(sorted(set(seen)), key=seen.count) == cue.pronoun,
            bool(before and before.dependent),
            bool(before and before.other),
            bool(before and before.name),
            len(plain_words(text)),
            len(answer),
            sum(len(run) > 1 for run in names(text)),
            not answer,
            len(inside & said) / size,
            len(inside & answer) / size,
            len(inside & self.start) / size,
            len(inside & earlier) / size,
            *self._open(turn, said | answer),
        ]

    def _open(self, turn: int, near: frozenset[str]) -> list[float]:
        """Return features that measure how many of a question's needs are not met by the title and the section."""
        rows = [need for need in self.needs[turn] if not self.start.intersection(need.others)]
        total, kept = sum(need.probability for need in rows), 1.0
        for need in rows:
            kept *= 1 - need.probability
        self.open_mass.append(total)
        same = self.same[turn]
        return [
            total,
            max((need.probability for need in rows), default=0.0),
            1 - kept,
            sum(need.probability > 0.25 for need in rows),
            sum(need.probability for need in rows if need.name),
            sum(need.probability for need in rows if need.word in near),
            self.open_mass[same] if same is not None else -1.0,
            self.open_mass[turn - 1] if turn else -1.0,
        ]


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
        self.passed: dict[int, float] = {}
        self._lack: dict[str, float] = dict.fromkeys(seed.start, 0.0)

    def predecessors_passed(self, turn: int) -> bool:
        """Return True if every turn before `turn` in the seed has been asked and was certainly understood."""
        return all(self.passed.get(k, 0.0) >= 1.0 for k in range(turn))

    def follows(self, turn: int) -> bool:
        """Return True if `turn` is the seed's first turn, or follows the same turn as in the seed."""
        return turn == 0 or (bool(self.order) and self.order[-1] == turn - 1)

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

    def features(self, turn: int) -> list[float]:
        """Return the features that `turn` would have if it were asked next, in the order of TURN_NAMES."""
        return [
            *self.seed.cue_rows[turn],
            len(self.order),
            *self._mass(turn),
            *self._history(turn),
            *self._sources(turn),
            *self.seed.question_rows[turn],
        ]

    def _mass(self, turn: int) -> list[float]:
        needs = self.seed.needs[turn]
        pairs = [(need.probability, self.lack(need), need.name) for need in needs]
        missing = [p * lack for p, lack, _ in pairs]
        names = [p * lack for p, lack, name in pairs if name]
        plain = [p * lack for p, lack, name in pairs if not name]
        total = sum(p for p, _, _ in pairs)
        total_plain = sum(p for p, _, name in pairs if not name)
        top = [value for p, lack, _ in pairs[:3] for value in (p, lack)]
        top += [0.0] * (6 - len(top))
        kept, kept_names, weighted = 1.0, 1.0, 0.0
        for p, lack, name in pairs:
            kept *= 1 - p * lack
            if name:
                kept_names *= 1 - p * lack
                weighted = max(weighted, p * lack * lack)
        return [
            max(missing, default=0.0),
            max(names, default=0.0),
            max(plain, default=0.0),
            sum(missing),
            sum(missing) / total if total else 0.0,
            1 - kept,
            sum(plain) / total_plain if total_plain else 0.0,
            pairs[0][0] if pairs else 0.0,
            max((p for p, _, name in pairs if name), default=0.0),
            total,
            sum(p > 0.5 for p, _, _ in pairs),
            sum(value > 0.5 for value in missing),
            sum(value > 0.25 for value in missing),
            *top,
            weighted,
            1 - kept_names,
        ]

    def _history(self, turn: int) -> list[float]:
        passed = self.passed
        before = [passed.get(k, -1.0) for k in range(turn)]
        present = [value >= 0 for value in before]
        size = max(1, turn)
        same, free = self.seed.same[turn], self.seed.free[turn]
        pronoun = self.seed.cues[turn].pronoun
        alike = [value for k, value in passed.items() if pronoun and self.seed.cues[k].pronoun == pronoun]
        absent = sum(not here and self.seed.cues[k].dependent for k, here in enumerate(present))
        since = next((at for at, k in enumerate(reversed(self.order)) if k == turn - 1), -1)

        def both(k: int | None) -> list[float]:
            if k is None or k < 0:
                return [-1.0, -1.0]
            return [float(k in passed), passed.get(k, 0.0)]

        return [
            sum(present) / size if turn else 1.0,
            sum(max(0.0, value) for value in before) / size if turn else 1.0,
            min((max(0.0, value) for value in before), default=1.0),
            *both(turn - 1),
            self.follows(turn),
            since,
            *both(turn - 2),
            *both(0),
            *both(same),
            max(alike, default=-1.0),
            *both(free),
            turn in passed,
            passed.get(turn, -1.0),
            absent,
            sum(passed.values()) / len(passed) if passed else -1.0,
        ]

    def _sources(self, turn: int) -> list[float]:
        """Return features that measure how far the needs depend on the previous exchange, opening and material."""
        if not turn:
            return [0.0] * 5
        near = self.seed.said[turn - 1] | self.seed.answered[turn - 1]
        opening = self.seed.said[0] | self.seed.answered[0]
        rows = [(need.word, need.probability, self.lack(need)) for need in self.seed.needs[turn]]
        return [
            max((p for word, p, _ in rows if word in near), default=0.0),
            max((p for word, p, _ in rows if word in opening), default=0.0),
            max((p for word, p, _ in rows if word in self.seed.start), default=0.0),
            max((p * lack for word, p, lack in rows if word in near), default=0.0),
            max((p * lack for word, p, lack in rows if word in opening), default=0.0),
        ]
