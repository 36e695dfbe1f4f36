"""Relations on answers that must change with the question, because the source's answer depends on it.

The correct answer need not be known. If an answer repeats "for four people" from the question, it must not do so when
the question is changed to six. Beyond a limit that an answer states, the new answer must differ. An action or a list
must change if the request is reversed or narrowed. Answers are interpreted by their key words (`relations.said`), so
that their wording does not matter. Answers that cannot be interpreted leave the verdict open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, takewhile
from typing import ClassVar

from mutatis.core.cases import Step
from mutatis.core.constraint import Evidence, Precondition
from mutatis.core.decision import Decision
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Expects, Group
from mutatis.dictionary import limits_of
from mutatis.measures.folder_words import content_words
from mutatis.measures.words import FUNCTION_WORDS
from mutatis.relations.output import (
    OUTPUT_RELATIONS,
    ReadsByFolder,
    ReadsEnglish,
    follow_up_reply,
    language_of,
    on_answer,
    recorded,
    replies_in,
    source_reply,
    without_answers,
)
from mutatis.relations.preconditions import NOT_A_REFUSAL
from mutatis.relations.said import StatedPlace, listed_items, open_decision, read_decision, value_places
from mutatis.relations.soundness import ENOUGH, LOGIC, MUST_MOVE
from mutatis.relations.table import CHAT, Row, marked_by, register
from mutatis.text.abstention import is_lost, polarity
from mutatis.text.alike import core
from mutatis.text.sentences import sentences
from mutatis.text.sides import side_taken
from mutatis.text.values import values, whole_value
from mutatis.transformations.lexicon import verb_forms
from mutatis.transformations.together import asks_value
from mutatis.transformations.turning import ACTS, REFRAINED, act_asked_for
from mutatis.transformations.values import ASKED_KINDS, EXCHANGED, Slot, only_value, products_of, value_as, values_said

ALONE: tuple[Slot, ...] = ("weekday", "date", "time", "size", "city", "country", "product")
"""Kinds of values that must be the only one in an answer, since others may be the service's own (opening hours)."""


def repeats(answer_text: str, question: str, kind: Slot, names: Sequence[str] = ()) -> bool:
    """Return True if an answer repeats the value in its question without hedging.

    Products are recognised by `names`: the question's product, and others that may replace it.

    >>> repeats("A table for 4 is booked.", "Can I have a table for four people?", "count")
    True
    >>> repeats("We only have tables for 4.", "Can I have a table for four people?", "count")
    False
    """
    asked = only_value(question, kind, names)
    answered = value_places(answer_text, kind, names)
    if asked is None or (kind in ALONE and len({value.key for value, _ in answered}) > 1):
        return False
    places = [place for value, place in answered if value.same(asked)]
    return bool(places) and not any(place.hedged for place in places)


def _repeats(kind: Slot, evidence: Evidence) -> bool:
    """Return True if the source's answer repeats the question's value, which no earlier turn has mentioned.

    After an earlier mention, another value would contradict the user's own words.
    """
    turn, names = evidence.turn, products_of(evidence.turn)
    if evidence.response is None or not repeats(evidence.response.text, turn.question, kind, names):
        return False
    asked = only_value(turn.question, kind, names)
    earlier_turns = takewhile(lambda other: other is not turn, evidence.case.turns)
    texts = chain.from_iterable((earlier.question, earlier.reply or "") for earlier in earlier_turns)
    mentioned = chain.from_iterable(values_said(text, kind, names) for text in texts)
    return asked is not None and not any(value.same(asked) for value in mentioned)


def _repeats_asked(evidence: Evidence) -> bool:
    """Return True if the source's answer repeats every value that an edit replaces.

    The edit `another-value` checks this itself.
    """
    kinds = [step.parameters["kind"] for step in evidence.steps if step.transformation == "exchange-value"]
    return all(_repeats(kind, evidence) for kind in kinds)


def _is_a_word(text: str, product: str, place: StatedPlace) -> bool:
    """Return True if part of a product's name may be an ordinary word.

    That is so if it begins a sentence and belongs to the following word.

    >>> _is_a_word("Night", "Night tariff", value_places("Night hours are until 6.", "product", ["Night tariff"])[0][1])
    True
    """
    in_part = len(text.split()) < len(product.split())
    return in_part and place.first and place.after != "" and place.after not in FUNCTION_WORDS


class FollowsValue(ReadsByFolder):
    """Output relation `follows-value`: the answer gives the new value if the source's answer gave the old one."""

    expects: ClassVar[Expects] = "different"
    expects_change: ClassVar[bool] = True
    for_readers = (
        "The new answer must not give the old value in the place where the source answer gave it; a value given "
        "there must be the new one. (An answer that says no, names both or none, or refuses, is allowed.)"
    )
    name = "follows-value"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Decide that the relation holds if the answer gives the new value.

        Report a violation if it gives only the old value, in the same place as before. Otherwise, leave the verdict
        open.
        """
        exchange = recorded(group, EXCHANGED)
        if not group.reference or exchange is None:
            return without_answers(judge)
        kind, old, new = exchange
        before, after = replies_in(group)
        if not is_english(language := language_of(group)):
            return _follows_by_folder(before, after, old, new, language)
        expectation = f"the answer should use {new!r}, not {old!r}"
        values_after = [value for value, _ in value_places(after, kind, (old, new))]
        if any(value.same(value_as(kind, new)) for value in values_after):
            says_old = any(value.same(value_as(kind, old)) for value in values_after)
            return open_decision("it names both values") if says_old else read_decision(True, expectation)
        if polarity(after) is False:
            return open_decision("it says no, and may list what is available")
        if _prices_named(group.question, kind, old):
            return open_decision(f"it may state the price of what is offered, {old!r}")
        return _without_new_value(before, after, exchange, expectation)


def _prices_named(question: str, kind: Slot, measure: str) -> bool:
    """Return True if a question asks for the price of something that it names by a measure ("a 30 minute lesson").

    The reply may then rightly state the price of the only such thing that is offered.
    """
    value = value_as(kind, measure)
    named = re.search(rf"\b(?:an?|the|one|your)\s+{re.escape(measure)}[\s-]+[^\W\d_]", question, re.IGNORECASE)
    return named is not None and value.measure != "count" and value.kind != "amount" and asks_value(question)


def _without_new_value(before: str, after: str, exchange: tuple[Slot, str, str], expectation: str) -> Decision:
    """Decide on an answer that does not give the new value.

    It is wrong if it gives the old value, or another number, where the source's answer gave the old value.
    """
    kind, old, new = exchange
    old_value = value_as(kind, old)
    old_places = [place for value, place in value_places(before, kind, (old, new)) if value.same(old_value)]
    # "Only on Friday" may rightly give an old value, and so may "The limit is 120 kg" in both answers.
    limits = {limit.value for limit in limits_of(before)} & {limit.value for limit in limits_of(after)}
    places = value_places(after, kind, (old, new))
    stated = [(value, place) for value, place in places if not place.hedged and value.text not in limits]
    # A small number may occur by chance, for something else. A day or a place hardly does.
    shared = 2 if old_value.measure == "count" else 1
    repeated = [
        (value.text, place)
        for value, place in stated
        if value.same(old_value) and any(place.is_like(old_place, shared=shared) for old_place in old_places)
    ]
    certain = [text for text, place in repeated if kind != "product" or not _is_a_word(text, old, place)]
    if certain:
        return read_decision(False, expectation, f"it still says {certain[0]!r}")
    if repeated:
        return open_decision(f"{repeated[0][0]!r} may be an ordinary word there, not the product")
    other = [value.text for value, place in stated if any(map(place.is_framed_as, old_places))]
    if kind in ("count", "amount") and other:
        return read_decision(False, expectation, f"it says {other[0]!r} there")
    return open_decision("it does not give a value there")


def _follows_by_folder(before: str, after: str, old: str, new: str, language: str) -> Decision:
    """Decide `follows-value` for a language other than English.

    The relation holds if the answer gives the new value, and is violated if it still clearly gives the old one.
    """
    expectation = f"the answer should use {new!r}, not {old!r}"
    old_value, new_value = whole_value(old, language), whole_value(new, language)
    if old_value is None or new_value is None:
        return open_decision("the exchanged value cannot be read separately")
    says_old, says_new = (any(map(value.same, values(after, language))) for value in (old_value, new_value))
    if says_new:
        return open_decision("it names both values") if says_old else read_decision(True, expectation)
    if side_taken(after, language) is False or limits_of(after, language):
        return open_decision("it says no or states a limit, and may list what is available")
    said_before = any(map(old_value.same, values(before, language)))
    if says_old and said_before and content_words(before, language).keys() & content_words(after, language).keys():
        return read_decision(False, expectation, f"it still says {old!r}")
    return open_decision("it does not give a value there")


_PARTICIPLES = {
    **{act: verb_forms(act)["participle"] for act in ACTS},
    **{"send": "sent", "freeze": "frozen", "cancel": "cancell?ed", "transfer": "transferred", "stop": "stopped"},
    **{"book": "booked", "unblock": "unblocked", "upgrade": "upgraded"},
}
"""Pattern of the participle of each action."""
_SAID_DONE = (
    r"\b(?:have|has|is|are|was|were|been|['\u2019]ve|['\u2019]s|now|got|will be)\s+"
    r"(?:(?:now|just|been|successfully|being|all)\s+)*(?:{participle})\b"
    r"|\b(?:I|we)\s+(?:just\s+)?(?:{participle})\b|"
    r"\b(?:I|we)(?:['\u2019]ll|\s+will|['\u2019]m going to)\s+(?:now\s+)?{base}\b"
)
"""Pattern of an action that is reported as done: "is now cancelled", "we just cancelled", "I will cancel"."""
_DENIES = re.compile(
    r"\b(?:not|never|no|nothing|without|if|unless|(?<!at )once|until|already|can|could|may|might|would|should)\b"
    r"|\binstead\b|n['\u2019]t\b|\?",
    re.IGNORECASE,
)
"""Pattern of words that deny an action, or report it with a condition: "once paid", but not "at once"."""


_IN_GENERAL = re.compile(
    r"\W*(?:an?|every|each|any) [\w ]{1,30}? (?:is|are|gets?) \w+ed (?:by|with|within|in|on|online|if|when)\b", re.I
)
"""A general procedure: "An account is closed with a letter." does not report that any account is closed."""


def says_done(reply: str, act: str) -> bool:
    """Return True if a reply states, without conditions, that an action has been or will be carried out.

    >>> says_done("Your booking is now cancelled.", "cancel"), says_done("I have not cancelled it.", "cancel")
    (True, False)
    >>> says_done("Bookings can be cancelled online.", "cancel"), says_done("We'll send it today.", "send")
    (False, True)
    >>> says_done("An account is closed with a letter.", "close"), says_done("A taxi to the station is booked.", "book")
    (False, True)
    """
    done = re.compile(_SAID_DONE.format(participle=_PARTICIPLES[act], base=act), re.IGNORECASE)
    return any(
        done.search(sentence) and not _DENIES.search(sentence) and not _IN_GENERAL.match(sentence)
        for sentence in sentences(reply)
    )


class Refrains(ReadsEnglish):
    """Output relation `refrains`: the answer does not report an action as done if the user asked not to do it."""

    expects: ClassVar[Expects] = "different"
    expects_change: ClassVar[bool] = True
    for_readers = "The new answer must not say that the act was done."
    name = "refrains"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if the answer reports the action as done, or repeats the source's answer.

        Decide that the relation holds if it denies the action. Otherwise, leave the verdict open.
        """
        act = recorded(group, REFRAINED)
        if act is None:
            return without_answers(judge)
        before, after = replies_in(group)
        expectation = f"asked not to {act}, it must not {act}"
        if core(before) == core(after) or says_done(after, act):
            return read_decision(False, expectation, "it says that it did")
        named = re.compile(_PARTICIPLES[act], re.IGNORECASE)
        denied = any(_DENIES.search(sentence) and named.search(sentence) for sentence in sentences(after))
        return read_decision(True, expectation) if denied else open_decision("it does not say whether it did so")


_ALL_BUT = re.compile(
    r"\b(?:except|apart from|other than|aside from|but for|all others?|everything else)\b", re.IGNORECASE
)
"""Pattern of words that introduce exceptions."""


class NotTheSameList(ReadsEnglish):
    """Output relation `not-the-same-list`: the lists of things with and without a property differ."""

    expects: ClassVar[Expects] = "different"
    expects_change: ClassVar[bool] = True
    for_readers = "The new answer must not list exactly what the source answer lists."
    name = "not-the-same-list"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if both answers list the same things.

        Decide that the relation holds if the lists share nothing. Otherwise, leave the verdict open.
        """
        before, after = map(listed_items, replies_in(group))
        expectation = "a list and its complement cannot be the same"
        if _ALL_BUT.search(follow_up_reply(group)):
            return open_decision("it names exceptions")
        if before and before == after:
            return read_decision(False, expectation, f"both answers list {', '.join(sorted(after))}")
        if not after:
            return open_decision("it lists nothing")
        if before & after:
            return open_decision("the lists have something in common")
        return read_decision(True, expectation)


def _does_it(evidence: Evidence) -> bool:
    """Return True if the source's answer reports the action that was asked for as done."""
    act = act_asked_for(evidence.turn.question)
    return act is not None and says_done(source_reply(evidence), act)


def _condition(name: str, check: Callable[[Evidence], bool], broken: str) -> Precondition:
    return on_answer(name=name, check=check, broken=broken, languages=ENGLISH)


DID_IT = _condition(
    "source answer says that it was done", _does_it, "the source's answer does not say that it did what was asked"
)
LISTS = _condition(
    "source answer lists something",
    lambda e: bool(listed_items(source_reply(e))) and not is_lost(source_reply(e)),
    "the source's answer lists nothing",
)


GIVES_VALUE = on_answer(
    name="source answer repeats the value",
    check=_repeats_asked,
    broken="the source's answer does not depend on a value of the question",
)
OUTPUT_RELATIONS[FollowsValue().name] = FollowsValue()

_moves = partial(Row, tasks=(CHAT,), purpose=LOGIC, tags=("ours", MUST_MOVE), enough=ENOUGH)


register(
    _moves(
        "another-value",
        FollowsValue(),
        only_if=(GIVES_VALUE, NOT_A_REFUSAL),
        by=("another-value", *(Step.of("exchange-value", kind=kind) for kind in ASKED_KINDS)),
        says="With another value in the question, the answer does not repeat the old one.",
        change="value",
        matching=marked_by(EXCHANGED),
    ),
    _moves(
        "ask-not-to",
        Refrains(),
        only_if=(DID_IT, NOT_A_REFUSAL),
        says='Asked not to do what it did when it was asked ("please don\'t cancel it"), it does not do it.',
        change="negation",
    ),
    _moves(
        "negate-constraint",
        NotTheSameList(),
        only_if=(LISTS, NOT_A_REFUSAL),
        says="A list and the list of everything else ('which are not ...?') are different.",
        change="negation",
    ),
)
