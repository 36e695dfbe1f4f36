"""Relations between several questions: asked in one message or dialogue, by users with other names, or in other words.

Each question is also asked separately, so the run itself provides the facts that the combined answer must state.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, groupby, pairwise
from typing import NamedTuple

from mutatis.core.cases import Step
from mutatis.core.constraint import Stage
from mutatis.core.decision import Decision, Outcome
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Group
from mutatis.languages import Language
from mutatis.measures.facts import Fact, is_among, mentions_fact
from mutatis.relations.output import Equal, ReadsByFolder, ReadsEnglish
from mutatis.relations.said import open_decision, read_decision, stated
from mutatis.relations.soundness import FAIRNESS, LOGIC, MEMORY, READ
from mutatis.relations.table import WANTED, grouped_by, row
from mutatis.text.openers import without_openers
from mutatis.text.refusals import gives_no_answer
from mutatis.text.segments import content_word_stems, segmented_words, stem
from mutatis.text.sentences import sentences
from mutatis.text.sides import side_begun
from mutatis.text.values import Value, values
from mutatis.transformations.lists import LISTED, PARTS, hours_by_day
from mutatis.transformations.together import (
    ASKED_ALONE,
    ASKED_WITH,
    CALLED,
    IN_ONE,
    SEVERAL,
    TAKEN_BACK,
    TURNED_ROUND,
    asks_back,
    asks_value,
)

TOGETHER = "together"
"""Tag of the relations that combine several questions."""

_ONE_AT_A_TIME = re.compile(
    r"\bone (?:question|thing|matter|at a time|by one)\b|\bwhich (?:one|of (?:the|these|them))\b|\bfirst question\b"
    r"|\bseparately\b",
    re.IGNORECASE,
)


_EACH = "asked both at once, it should repeat its answer to each"


class SaysEach(ReadsByFolder):
    """Output relation: the answer to two questions at once repeats a fact from the answer to each one alone."""

    for_readers = "The answer must repeat the values from its separate answers to the two questions."
    name = "says-each"
    note = ASKED_WITH

    def read(self, group: Group) -> Decision:
        """Report a violation if the answer repeats no fact from one of the two separate answers.

        The verdict stays open if this is unclear.
        """
        other = group.recorded(ASKED_WITH)
        before, reply = group.replies
        language = group.language
        parts = _parts_of([(group.question, before), (other["question"], other["reply"])], language)
        return _decision(parts, reply, language, _EACH)


class SaysBoth(ReadsEnglish):
    """Output relation `says-both`: as `says-each`, of two questions that the turns before ask separately."""

    for_readers = "The last answer must repeat the values from its answers to both earlier questions."
    name = "says-both"

    def read(self, group: Group) -> Decision:
        """Report a violation if the answer repeats no fact from one of the last two answers.

        The verdict stays open if this is unclear.
        """
        member = group.members[0]
        asked = [turn.question for turn in member.case.turns[: member.turn]]
        exchanges = list(zip(asked, member.history, strict=True))[-FEWEST:]  # fewer, if the dialogue was shrunk
        parts = _parts_of(exchanges, group.language)
        return _decision(parts, group.reply, group.language, _EACH, all_ask_values=True)


class Part(NamedTuple):
    """One of several questions that are asked together, the reply to it alone, and the facts of that reply only."""

    question: str
    reply: str
    facts: Sequence[Fact]

    def is_repeated_in(self, reply: str, language: str) -> bool:
        """Return True if a reply to all questions states one of these facts."""
        return any(_is_in(reply, fact, language) for fact in self.facts)


def _parts_of(exchanges: Sequence[tuple[str, str]], language: str) -> list[Part]:
    """Return questions and their replies, each with the facts that no other reply and no question states."""
    asked = [fact for question, _ in exchanges for fact in stated(question, language)]
    parts = []
    for place, (question, reply) in enumerate(exchanges):
        other_replies = [other for i, (_, other) in enumerate(exchanges) if i != place]
        facts = [
            fact
            for fact in stated(reply, language)
            if not is_among(fact, asked) and not any(_is_in(other, fact, language) for other in other_replies)
        ]
        parts.append(Part(question, reply, facts))
    return parts


def _decision(
    parts: Sequence[Part], reply: str, language: str, expectation: str, *, all_ask_values: bool = False
) -> Decision:
    """Return the decision on a reply to several questions at once, or an open one if it may be right in other words."""
    if any(gives_no_answer(part.reply, language) for part in parts):
        return open_decision("one of the parts was not answered when asked alone")
    stating = [part for part in parts if part.facts]
    unrepeated = [part for part in stating if not part.is_repeated_in(reply, language)]
    # The answer to a part that asks for no value may be right without one.
    missing = [part for part in unrepeated if all_ask_values or asks_value(part.question, language)]
    if not unrepeated and len(stating) >= FEWEST:
        if len(parts) == FEWEST and _are_exchanged(parts, reply, language):
            return read_decision(False, expectation, "it states the answer to each of the other")
        return read_decision(True, expectation)
    if not missing:
        return open_decision("its answer to one of the parts has no amount, day, time or code of its own")
    if _ONE_AT_A_TIME.search(reply):
        return open_decision("it asks the user to send one question at a time")
    lacking = missing[0].facts[0].text
    if (instead := _of_another_kind(reply, missing[0].facts, parts, language)) is not None:
        return open_decision(f"it says {instead.text!r} in place of {lacking!r}, which may mean the same thing")
    return read_decision(False, expectation, f"it does not say {lacking!r}, its answer to {missing[0].question!r}")


def _of_another_kind(reply: str, missing: Sequence[Fact], parts: Sequence[Part], language: str) -> Fact | None:
    """Return a fact that is new in a reply and of a different kind from all missing facts, or None.

    An example is a year in place of an age.
    """
    texts = chain.from_iterable((part.question, part.reply) for part in parts)
    known = list(chain.from_iterable(stated(text, language) for text in texts))
    kinds = {(fact.kind, fact.unit) for fact in missing}
    new = (fact for fact in stated(reply, language) if not is_among(fact, known))
    return next((fact for fact in new if (fact.kind, fact.unit) not in kinds), None)


def _are_exchanged(parts: Sequence[Part], reply: str, language: str) -> bool:
    """Return True if a reply states the facts of one part with the words of the other, and the other way round.

    Words and facts must alternate, as in "42 EUR for a cat, 38 EUR for a dog", so that it is clear what belongs
    together.
    """
    first, second = parts
    only_in = [
        content_word_stems(part.question, language) - content_word_stems(f"{other.question} {other.reply}", language)
        for part, other in ((first, second), (second, first))
    ]
    places = [
        (word.start(), f"word {number}")
        for word in segmented_words(reply, language)
        for number, stems in enumerate(only_in)
        if stem(word.group().lower(), language) in stems
    ]
    places += [
        (place, f"fact {number}")
        for fact in stated(reply, language)
        for number, part in enumerate(parts)
        if is_among(fact, part.facts) and (place := reply.casefold().find(fact.text.casefold())) >= 0
    ]
    order = [label for label, _ in groupby(label for _, label in sorted(places))]
    return order in _EXCHANGED


_EXCHANGED = (
    ["word 0", "fact 1", "word 1", "fact 0"],
    ["word 1", "fact 0", "word 0", "fact 1"],
    ["fact 0", "word 1", "fact 1", "word 0"],
    ["fact 1", "word 0", "fact 0", "word 1"],
)
"""The orders of words and facts that put each fact beside the words of the other question."""


def _is_in(reply: str, fact: Fact, language: str) -> bool:
    return is_among(fact, stated(reply, language)) or mentions_fact(reply, fact)


class SaysAll(ReadsByFolder):
    """Output relation: the answer about several things repeats a fact from the answer about each one alone."""

    for_readers = (
        "One follow-up asks about several things at once, others about each of them alone: the answer to the first "
        "must repeat at least one value (a price, a time, a day, a number) from the answer about each alone, if "
        "nothing but that answer states it."
    )
    name = "says-all"

    def read(self, group: Group) -> Decision | None:
        """Report a violation if the combined answer repeats nothing from the separate answer about one of the things.

        The verdict stays open if the answers are too unclear for this.
        """
        alone = group.with_role(ASKED_ALONE)
        combined = sorted([*group.with_role(IN_ONE), *group.with_role(TURNED_ROUND)])
        if not alone or not combined:
            return None
        exchanges = [(group.question, str(group.reference[0]))]
        exchanges += [(group.members[place].question, str(group.members[place].answer)) for place in alone]
        language = group.language
        parts = _parts_of(exchanges, language)
        if sum(bool(part.facts) for part in parts) < FEWEST:
            return open_decision("the separate answers do not state different values")
        decisions = [
            (place, _decision(parts, str(group.members[place].answer), language, _EXPECTED)) for place in combined
        ]
        place, gravest = min(decisions, key=lambda judged: _GRAVEST_FIRST.index(judged[1].outcome))
        return replace(gravest, worst=(place,)) if gravest.outcome is Outcome.VIOLATED else gravest


FEWEST = 2
"""Minimum number of separate answers that must each state something that no other answer states."""

_GRAVEST_FIRST = (Outcome.VIOLATED, Outcome.INVALID, Outcome.SATISFIED)

_EXPECTED = "asked about several at once, it should repeat its answer about each"


CALLS_BY_NAME = f"{Stage.FOLLOW_UP_OUTPUT.value}: the answer calls the user by a name"
"""The precondition reported as broken if an answer does not call the user by name.

Most systems never do, and then there is nothing to judge.
"""


class LatestName(ReadsByFolder):
    """Output relation: the answer does not call the user by the name of an earlier user."""

    for_readers = "The answer must not call the user by the name of somebody who wrote before."
    name = "latest-name"
    note = CALLED

    def read(self, group: Group) -> Decision:
        """Report a violation if the answer uses the earlier user's name and not the latest user's.

        An answer that contains neither name is not judged.
        """
        reply, names = group.reply, group.recorded(CALLED)
        first, latest = names
        calls_first, calls_latest = (any(re.search(rf"\b{part}\b", reply) for part in name.split()) for name in names)
        expectation = f"it should call the user {latest}"
        if calls_latest:
            return read_decision(True, expectation)
        if calls_first:
            return read_decision(False, expectation, f"it says {first!r}")
        return open_decision("the answer does not call the user by name", CALLS_BY_NAME)


class AnswersTheOne(Equal):
    """Output relation: the answer stays the same and states nothing about a value that the user has withdrawn.

    The withdrawn value may still occur in a range or a list.
    """

    for_readers = (
        "The answer must stay the same, and state nothing for the value or name that is not meant; it may mention that "
        "one within a range or a list that includes the one meant and gets one answer."
    )
    name = "answers-the-one"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if a sentence states something about the withdrawn value, or if the answers differ."""
        withdrawn = group.recorded(TAKEN_BACK)
        if withdrawn is not None and group.reference:
            before, reply = group.replies
            sentence = sentence_about(withdrawn, reply, before, group.language)
            if sentence:
                return read_decision(False, f"{withdrawn!r} was taken back", f"it says {sentence!r}")
        return Equal.decide(self, group, similarities, judge)


def sentence_about(withdrawn: str, reply: str, before: str, language: str) -> str:
    """Return the first sentence of a reply that states something about a withdrawn value, or "" if none does.

    Values that already occur in the earlier reply (`before`) are ignored.
    """
    wanted = [value for value in values(withdrawn, language) if value.kind != "name"]
    if any(known.same(value) for known in values(before, language) for value in wanted):
        return ""
    negates = Language(language).pattern("negates")
    for sentence in sentences(reply):
        stated_values = values(sentence, language)
        # "2027" names no day.
        dated = (value for value in stated_values if value.measure not in ("year", "month"))
        naming = [value for value in dated if any(map(value.same, wanted))]
        states_more = len(stated_values) > len(naming)
        in_list = any(_is_joined(sentence, value, stated_values) for value in naming)
        if naming and states_more and not in_list and not negates.search(sentence):
            return sentence
    return ""


_JOINED = re.compile(r"[^\d.;:!?]{1,4}|[^\w.;:!?]*(?:\w+[^\w.;:!?]+){0,2}")
"""Text allowed between the two ends of a range or between list items: at most two words."""


def _is_joined(sentence: str, value: Value, stated_values: Sequence[Value]) -> bool:
    """Return True if a value is in a list or range with another value of its kind, as in "Monday to Thursday"."""
    for first, last in pairwise(stated_values):
        of_one_kind = first.measure == last.measure or (first.measure == "count" and last is value)
        if value in (first, last) and of_one_kind and _JOINED.fullmatch(sentence, first.end, last.start):
            return True
    return False


_NOT = re.compile(r"\b(?:no|not|cannot|only)\b|n['\u2019]t\b", re.IGNORECASE)
_SAYS_NO = re.compile(
    r"\W*(?:no\b(?! (?:problem|worries|doubt))|(?:we|you) (?:do|can)(?: ?not|n['\u2019]t)\b(?! forget)"
    rf"|(?:sorry|unfortunately|I(?:['\u2019]m| am) (?:sorry|afraid))\b.*?(?:{_NOT.pattern})"
    r"|(?:that|this|th[eo]se|such|the|an?)\b[^.,;:]{0,40}? (?:is|are)(?: not|n['\u2019]t) "
    r"(?:among our|one of ours?\b"
    r"|(?:on|in|part of) our (?:\w+ )?(?:list|range|offer|fleet|menu|program(?:me)?|stock)\b))",
    re.IGNORECASE,
)
"""The beginning of a reply that says no: "No, ...", "Sorry, we don't ...", "That is not on our list"."""


_CLOSED = re.compile(r"\b(?:closed|shut)\b(?! (?:at|from)\b)", re.IGNORECASE)


class KeepsListed(ReadsEnglish):
    """Output relation `keeps-listed`: the system does not deny a thing that its own reply lists.

    The times for a weekday stay as the reply states them for it, or for a range of days that includes it.
    """

    for_readers = (
        "The reply before lists the thing that is asked for now, which must not be answered with no. If it states "
        "hours for the day that is asked for now, the answer must not give other ones."
    )
    name = "keeps-listed"
    note = LISTED

    def read(self, group: Group) -> Decision:
        """Report a violation if the reply says no, or gives other times for a day.

        Leave the verdict open if it says neither yes nor no, and does not name the thing.
        """
        item = group.recorded(LISTED)
        before, reply = group.replies
        if gives_no_answer(reply) or asks_back(reply):
            return open_decision("the question is not answered, or is answered with a question")
        if stated_hours := hours_by_day(before).get(item):
            return _keeps_hours(item, stated_hours, reply)
        first, expectation = next(iter(sentences(without_openers(reply))), ""), f"its reply before lists {item!r}"
        if _SAYS_NO.match(first):
            return read_decision(False, expectation, f"it says {first!r}")
        names_it = item.removeprefix("my ").rstrip("s").casefold() in first.casefold() and not _NOT.search(first)
        holds = side_begun(reply) or names_it
        return read_decision(True, expectation) if holds else open_decision("it says neither yes nor no")


def _keeps_hours(day: str, stated_hours: set[float], reply: str) -> Decision:
    """Decide whether a reply gives the hours of a day that were stated before."""
    hours, expectation = hours_by_day(reply).get(day, set()), f"its reply before states hours for {day!r}"
    if hours >= stated_hours:
        return read_decision(True, expectation)
    is_closed = _CLOSED.search(reply) and not any(value.kind == "time" for value in values(reply))
    if hours - stated_hours or is_closed:
        return read_decision(False, expectation, f"it says {reply!r}")
    return open_decision(f"it does not clearly give the hours of {day!r}")


_row = partial(row, tasks="chat", matching=WANTED, tags=("ours", TOGETHER), enough=READ)
_memory = partial(_row, purpose=MEMORY, change="conversation")
_several = partial(
    _row, holds=SaysAll(), purpose=LOGIC, change="list", matching=grouped_by(SEVERAL, ASKED_ALONE, IN_ONE, key="asked")
)
_pair = partial(_row, holds=SaysEach(), purpose=LOGIC, change="pair")

_pair(
    "ask-with-another",
    by=Step.of("ask-with-another", place="first"),
    says="Two questions of the data in one message are each answered as they are separately.",
)
_pair(
    "ask-behind-another",
    by=Step.of("ask-with-another", place="last"),
    says="A question after another one in the same message is answered as it is separately, and so is the other.",
)
_memory(
    "ask-after-another",
    by="ask-before",
    says="A self-contained question gets the same answer after another question of the data.",
)
_memory(
    "ask-after-three",
    by="three-turns-before",
    says="A question gets the same answer after three on other topics: their values are not taken over.",
)
_several(
    "ask-of-two",
    by=tuple(Step.of("ask-of-two", asked=asked) for asked in (ASKED_ALONE, IN_ONE, TURNED_ROUND)),
    says="A question about two things in one message, in either order, gets the answers that each gets separately.",
)
_several(
    "list-three",
    by=tuple(Step.of("list-three", asked=asked) for asked in PARTS),
    says="A question about each of three names gets the answers that each gets separately.",
)
_row(
    "ask-for-listed",
    KeepsListed(),
    says="Asked for a thing that its reply lists, it does not say no; for a day, it gives the hours stated for it.",
    purpose=LOGIC,
    change="list",
    draws=7,  # so that every day of a week is asked for
)
_memory(
    "ask-after-ten",
    by="ten-turns-before",
    says="A self-contained question gets the same answer after ten turns on other topics.",
)
_memory(
    "and-for-another",
    by="leave-out",
    says="The later of two values or names counts: a short question takes the rest from the question before.",
)
_memory(
    "and-for-another-later",
    by="leave-out-later",
    says="A short question after thanks takes the rest from the question before the thanks.",
)
_memory(
    "one-after-several",
    by="ask-several-before",
    says="The price of one thing is the same after a question about several: their number is not taken over.",
)
_memory(
    "meant-another",
    by="correct-next",
    says="A value or name corrected in the next turn gets the answer for the right one.",
)
_memory("it-for-name", by="say-it", says='A question with "it" for the thing just asked about gets the same answer.')
_memory("it-for-later-name", by="say-it-of-two", says='A question with "it" is about the thing asked about last.')
_memory(
    "ask-under-another-name",
    by="names-in-turn",
    says="A question that another person asks next gets the same answer.",
)
_memory(
    "latest-name", LatestName(), by="names-in-turn", says="The next user is not called by the previous user's name."
)
_row("give-name", says="The user's name does not change the answer.", purpose=FAIRNESS, change="name", draws=2)
_row(
    "not-the-other",
    AnswersTheOne(),
    says="A question gets the same answer after one about another value or name was taken back.",
    purpose=LOGIC,
    change="negation",
)
