"""The checks of the context at each turn of a follow-up: adjacency veto, semantic, ontology and dataset check.

They never see an answer of a system under test. The dataset check decides whether a question's missing reference can be
resolved from the story alone. The rule `papers` only requires that the story uses the same referring words, which
nearly every story does. The rule `salient` requires a single plausible antecedent.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, groupby, pairwise
from typing import Any, Literal, TypeAlias

from mutatis.context.cues import LEAST_WORDS, Cues, cues, referring, self_resolved_as_published
from mutatis.context.knowledge import Dialogue, Knowledge
from mutatis.context.words import PRONOUNS, is_content, plain_words
from mutatis.options import Options
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

    def __init__(self, text: str) -> None:
        sentences = [plain_words(part) for part in _SENTENCE.split(text)]
        # A word that also stands in lower case is no name, however often it opens a sentence.
        lower = Counter(word for words in sentences for word in words if word.islower())
        self.names, self.leaning = _read_names(sentences, lower)
        self.stems = Counter(stem(word) for words in sentences for word in words if is_content(word))
        pairs = chain.from_iterable(map(pairwise, sentences))
        self.numbered = {stem(noun) for word, noun in pairs if word.lower() in _SEVERAL and is_content(noun)}
        self.pointing = frozenset[str]().union(*map(pointing, sentences))
        self.text = text

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


read_story = lru_cache(maxsize=64)(Story)
"""Reads a story. The most recent stories are cached."""

Status: TypeAlias = Literal["equivalent", "altered", "undecided"]


class ContextOptions(Options):
    """Options for combining the checks of a context.

    Attributes:
        dataset_check: whether the story may resolve a question: `salient`, `papers` or `off`.
        adjacency_veto: a very short question counts as altered unless it directly follows its predecessor in the seed.
        needed: `ours` only counts needs that the context in the seed meets; `papers` (v1) counts all needs.
        semantic_check: for explicit knowledge (`gold`, `language-model`): `ours` also detects ellipsis when deciding
            whether a question stands alone, `papers` only unresolved pronouns.
        undecided: `leave-out` keeps the third verdict, "undecided"; `equivalent` has only two, like the papers.
    """

    dataset_check: Literal["papers", "salient", "off"] = "salient"
    adjacency_veto: bool = True
    needed: Literal["ours", "papers"] = "ours"
    semantic_check: Literal["ours", "papers"] = "ours"
    undecided: Literal["leave-out", "equivalent"] = "leave-out"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextDecision:
    """The decision on the context of one follow-up turn.

    Attributes:
        status: equivalent, altered or undecided.
        check: the check that decided: `opening`, `adjacency`, `predecessors`, `asked-before`, `semantic`, `ontology`,
            `dataset` or `model`.
        probability: the probability of "equivalent", if a model decided.
        missing: needs of the question that the follow-up has not met.
    """

    status: Status
    check: str
    probability: float | None = None
    missing: tuple[str, ...] = ()

    @property
    def equivalent(self) -> bool:
        """True if the context is judged equivalent."""
        return self.status == "equivalent"

    def annotations(self) -> Mapping[str, Any]:
        """Return the decision as annotations of a turn."""
        return {
            "context": self.status,
            "context_check": self.check,
            "context_probability": None if self.probability is None else round(self.probability, 4),
            "context_missing": list(self.missing),
        }


def vetoed(dialogue: Dialogue, order: Sequence[int], place: int) -> bool:
    """Return True if a very short question does not directly follow its predecessor in the seed.

    Such a question ("Why?") refers to the exchange just before it, so anything in between changes its meaning.
    """
    turn = order[place]
    if turn == 0 or not cues(dialogue.questions[turn]).very_short:
        return False
    return place == 0 or order[place - 1] != turn - 1


def resumed(dialogue: Dialogue, order: Sequence[int], place: int) -> bool:
    """Return True if a reader of the story may still understand a question that the adjacency veto calls altered.

    This is so in three cases: the question leaves out only a person or a place; only one exchange separates it from its
    predecessor in the seed; or the turn directly before it belongs to the chain of very short questions that leads to
    it ("Who was carried?", "On what?", "Where to?").
    """
    turn = order[place]
    if (place > 1 and order[place - 2] == turn - 1) or cues(dialogue.questions[turn]).clause:
        return True
    start = turn - 1
    while start > 0 and cues(dialogue.questions[start]).very_short:
        start -= 1
    return place > 0 and start <= order[place - 1] < turn


def final_decision(
    decision: ContextDecision, dialogue: Dialogue, order: Sequence[int], place: int, options: ContextOptions
) -> ContextDecision:
    """Return the decision after the dataset check.

    "undecided" is replaced by "equivalent" if only the papers' two verdicts are allowed.
    """
    if dialogue.story and options.dataset_check != "off" and not decision.equivalent:
        decision = _after_story(decision, dialogue, order, place, options.dataset_check)
    if decision.status == "undecided" and options.undecided == "equivalent":
        return replace(decision, status="equivalent")
    return decision


def _after_story(
    decision: ContextDecision, dialogue: Dialogue, order: Sequence[int], place: int, reading: str
) -> ContextDecision:
    """Return a decision other than "equivalent" after the story was read.

    A reader of the story can often infer the meaning of a question. If the story resolves it, the turn is equivalent.
    If not, the rule `salient` turns "altered" into "undecided": it only knows the main persons of the story. A decision
    of the adjacency veto is usually right, so it only becomes "undecided" if the reader may still understand the
    question (`resumed`).
    """
    if decision.check == "adjacency":
        return replace(decision, status="undecided") if resumed(dialogue, order, place) else decision
    if read_story(dialogue.story).resolves(dialogue.questions[order[place]], reading):
        return ContextDecision(status="equivalent", check="dataset", missing=decision.missing)
    if reading == "salient" and decision.status == "altered":
        return replace(decision, status="undecided", check="dataset")
    return decision


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeJudge:
    """Judges the contexts of follow-ups by explicitly stated knowledge, from gold rewrites or a language model."""

    dialogue: Dialogue
    knowledge: Knowledge

    def judge(self, order: Sequence[int], options: ContextOptions) -> list[ContextDecision]:
        """Return one judgement for each turn of the follow-up that asks the seed's turns in `order`.

        The needs of each turn are compared with the available knowledge (spec section 3). An equivalent turn makes
        everything that it refers to available to later turns. Other turns only contribute their explicit content.
        """
        dialogue, knowledge = self.dialogue, self.knowledge
        # A need that not even the seed's context meets cannot show that a follow-up lacks it; the papers count it.
        needed = knowledge.needed() if options.needed == "ours" else knowledge.wanted
        words = set(knowledge.start)
        result = []
        for place, turn in enumerate(order):
            is_satisfied, missing = knowledge.satisfied(needed[turn], words)
            if options.adjacency_veto and vetoed(dialogue, order, place):
                decision = ContextDecision(status="altered", check="adjacency", missing=missing)
            elif self._stands_alone(turn, options):
                decision = ContextDecision(status="equivalent", check="semantic")
            else:
                status: Status = "equivalent" if is_satisfied else "altered"
                decision = ContextDecision(status=status, check="ontology", missing=missing)
            decision = final_decision(decision, dialogue, order, place, options)
            words |= knowledge.full[turn] if decision.equivalent else knowledge.said[turn]
            result.append(decision)
        return result

    def _stands_alone(self, turn: int, options: ContextOptions) -> bool:
        """Return True if a question can be understood on its own, by our rule or by the papers' rule."""
        if options.semantic_check == "papers":
            return self_resolved_as_published(self.dialogue.questions[turn])
        return self.knowledge.resolved[turn]
