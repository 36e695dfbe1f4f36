"""Relations for conditions in a question that are reversed or added, and for things that are ruled out in it.

They compare the texts of the answers, and leave the verdict open if these are unclear.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from mutatis.core.cases import Step
from mutatis.core.constraint import Stage
from mutatis.core.decision import Decision
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Group, Limits
from mutatis.dictionary import limits_of
from mutatis.languages import Language
from mutatis.measures.by_folder import certain_in
from mutatis.measures.facts import facts, is_among
from mutatis.relations.output import (
    Compared,
    ReadsByFolder,
    extreme,
    invalid_decision,
    judge_unsure,
    judged,
    on_answer,
    without_answers,
)
from mutatis.relations.reaching import OneAnswer
from mutatis.relations.said import FREE, Agreement, are_opposed, open_decision, read_decision
from mutatis.relations.soundness import LOGIC, MUST_MOVE, READ
from mutatis.relations.table import WANTED, grouped_by, row
from mutatis.relations.together import sentence_about
from mutatis.text.abstention import is_abstention, is_lost
from mutatis.text.alike import answer_alike
from mutatis.text.openers import without_courtesies
from mutatis.text.segments import content_word_stems
from mutatis.text.sentences import sentences
from mutatis.text.sides import side_begun
from mutatis.text.values import Value, values
from mutatis.transformations.conditions import CONDITION, LEFT_OUT, TURNED, condition_of
from mutatis.transformations.ruling_out import OTHER, RULED_OUT, STATUS
from mutatis.transformations.together import asks_back
from mutatis.transformations.two_ways import OTHERWISE, PLAIN, WAY
from mutatis.transformations.wishes import asks_price, is_named_in

OF_THE_CASE = on_answer(
    name="the answer is about the user's case",
    check=lambda evidence: evidence.response is None or _is_of_case(evidence.turn.question, evidence.response.text),
    broken="the reply states a general rule, or several prices, so it may stay the same when the condition is reversed",
    languages=ENGLISH,
)
"""Precondition that the answer is about the user's own case.

A rule that names the condition ("Students with a disability get more time") is correct for every user.
"""


def _is_of_case(question: str, reply: str) -> bool:
    """Return True if a reply is about the user's own case, rather than a general rule.

    A reply that begins with yes or no is, unless it gives several prices. Any other reply must state no limit, and give
    one price if the question asks for one, else none. Without a price, it must not repeat the user's condition, as a
    rule does, unless the condition is a wish.

    >>> question = "I have a disability, do I get extra time?"
    >>> _is_of_case(question, "Yes."), _is_of_case(question, "Students with a disability get more time.")
    (True, False)
    >>> _is_of_case("How much is a room without breakfast?", "A room is 90 EUR, and breakfast 15 EUR each.")
    False
    """
    condition = condition_of(question)
    if condition is None:
        return True  # then the edit itself rejects the question, with its own reason
    if is_lost(reply) or is_abstention(reply) or "?" in without_courtesies(reply):
        return False
    prices = _distinct_prices(reply) or ({("", 0.0)} if FREE.search(reply) else set())  # "free" is a price of 0
    if side_begun(reply) is not None:
        return len(prices) <= 1
    expected_prices = 1 if asks_price(question) else 0
    if limits_of(reply) or len(prices) != expected_prices:
        return False
    if prices or condition.wished:  # a reply that names the user's wish is no general rule
        return True
    # "Students with a disability get more time" repeats the condition, as a rule does.
    return _words_of_condition(question).isdisjoint(content_word_stems(reply))


def _words_of_condition(question: str) -> frozenset[str]:
    """Return the stems of the content words of a question's condition.

    >>> _words_of_condition("Can my dog stay if he is not vaccinated?")
    frozenset({'vaccin'})
    """
    condition = condition_of(question)
    return frozenset() if condition is None else content_word_stems(question) - content_word_stems(condition.left_out)


_NEEDS = re.compile(r"\b(?:must|needs?|have to|has to|required?)\b", re.IGNORECASE)
"""Words of a sentence that calls something necessary."""


def _needed_but_allowed_without(group: Group, turned: Sequence[int]) -> str:
    """Return the sentence of a yes to a condition that calls it necessary, if the opposite also got a plain yes, or "".

    A yes to the opposite that mentions the condition, as in "Yes, but you need a card first", is not a plain yes.
    """
    source, negates = (group.question, str(group.reference[0])), Language("en").pattern("negates")
    for place in turned:
        ways = (source, (group.members[place].question, str(group.members[place].answer)))
        (_, yes), (without, plain_yes) = sorted(ways, key=lambda way: len(negates.findall(way[0])))
        named = _words_of_condition(without)
        if not (side_begun(yes) and side_begun(plain_yes)) or not named.isdisjoint(content_word_stems(plain_yes)):
            continue
        for sentence in sentences(yes):
            is_needed = _NEEDS.search(sentence) and not negates.search(sentence)
            if named and named <= content_word_stems(sentence) and is_needed:
                return sentence
    return ""


_AS_SUCH = re.compile(r"\b(?:as|you(?: are|['\u2019]re)) an?\b", re.IGNORECASE)
"""Words of a sentence that says what the user is: "as a student", "you are a student"."""
_NOT_SUCH = re.compile(r"\b(?:if|when|unless|would|could|not|no longer)\b|n['\u2019]t\b", re.IGNORECASE)
"""Words of a sentence that leaves open, or denies, that the user is something."""


def _taken_for_it(group: Group, turned: Sequence[int]) -> str:
    """Return a sentence that says that the user is what the question denies, or "": "As a student you pay 5 EUR."."""
    negates, named = Language("en").pattern("negates"), _words_of_condition(group.question)
    for place in turned:
        if named and len(negates.findall(group.members[place].question)) > len(negates.findall(group.question)):
            for sentence in sentences(str(group.members[place].answer)):
                is_of_user = _AS_SUCH.search(sentence) and re.search(r"\byour?\b", sentence, re.IGNORECASE)
                if is_of_user and named <= content_word_stems(sentence) and not _NOT_SUCH.search(sentence):
                    return sentence
    return ""


NOT_BY_CONDITION = f"{Stage.FOLLOW_UP_OUTPUT.value}: the answer depends on the condition"
"""Name of the precondition that is broken if the question without the condition gets the same answer."""


class MovesWithCondition(Compared):
    """Output relation `moves-with-condition`: the answer changes if the condition is reversed.

    This is required only if the answer also changes without the condition.
    """

    finds = "same"
    expects = "different"
    expects_change = True
    in_words = "the answer changes if it depends on the condition"
    for_readers = (
        "If the question without its condition (the last one) is answered otherwise than before, with one other price "
        "or the other of yes and no, the answer goes by the condition; then the question with the opposite condition "
        "(the first one) must be answered otherwise, too. If it is answered as before, or with several prices (a list "
        "for all, say), nothing must hold."
    )
    name = "moves-with-condition"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if the reversed question gets the source's answer, although the condition matters.

        The condition matters if the question without it gets a different answer.
        """
        turned, without = group.with_role(TURNED), group.with_role(LEFT_OUT)
        if not turned or not without or not similarities:
            return without_answers(judge)
        expectation = "the answer depends on the condition, so it should change with it"
        if needed := _needed_but_allowed_without(group, turned):
            return read_decision(False, expectation, f"it allows without the condition, and says {needed!r}")
        if sentence := _taken_for_it(group, turned):
            return read_decision(False, expectation, f"it says {sentence!r} to somebody who is not")
        bare, reply = similarities[without[0]], str(group.members[without[0]].answer)
        if bare.open:
            return judge_unsure([bare], judge)
        if is_lost(reply) or "?" in without_courtesies(reply):
            return open_decision("without the condition the question is not answered")
        if len(_distinct_prices(reply)) > 1:  # with and without the condition
            side = side_begun(str(group.reference[0]))
            if any(are_opposed(side, side_begun(str(group.members[place].answer))) for place in turned):
                return read_decision(True, expectation)
            return open_decision("without the condition the answer gives several prices")
        if bare.score >= judge.different:
            reason = "the answer is the same without the condition, so it does not depend on it"
            return invalid_decision(reason, judge.measure.name, precondition=NOT_BY_CONDITION)
        worst = extreme(similarities, turned, lowest=False)
        if worst is None:
            return judge_unsure([similarities[place] for place in turned], judge)
        held = similarities[worst].score < judge.equal
        violation = "but stays the same when the condition is reversed"
        return judged(held, similarities[worst], judge, (worst,), expectation, violation)


class StaysWithout(ReadsByFolder):
    """Output relation: ruling out something that was not asked for does not change the answer.

    A price may change in one direction only. It may not rise if an extra is ruled out, and may not fall if a price
    reduction is ruled out.
    """

    for_readers = (
        "The question did not ask for the thing that is now ruled out. Without an extra, nothing may cost more than "
        "before; for somebody without a reduced status, nothing may cost less. If another day or name is ruled out, "
        "the new answer must give the same yes or no and the same values as before, and none for the other day or "
        "name. (Anything else that a reply repeats, adds or leaves out does not count.)"
    )
    name = "stays-without"
    note = RULED_OUT

    def read(self, group: Group) -> Decision:
        """Report a violation if ruling something out changes the answer in a way that it should not.

        Examples are a price that moves in the wrong direction, a different value, or a value for the day or name that
        was ruled out. The verdict stays open if the answers are unclear. Languages other than English have one rule for
        everything that is ruled out.
        """
        noted = group.recorded(RULED_OUT)
        excluded, language = str(noted["excluded"]), group.language
        before, reply = group.replies
        if asks_back(reply) or is_lost(reply, language) or is_abstention(reply, language):
            return open_decision("the question is not answered, or is answered with a question")
        if not is_english(language):
            same, violation = _without_other_by_folder(excluded, before, reply, group.question, language)
        elif noted["form"] == OTHER:
            same, violation = _without_other(excluded, before, reply, [group.question, group.members[0].question])
        else:
            # Without breakfast, a room may be cheaper; for someone who is no student, it may only be dearer.
            cheaper = noted["form"] == STATUS
            same, violation = _without_extra(without_clauses(before, excluded), reply, cheaper=cheaper)
        expectation = f"{excluded!r} was ruled out, and was not asked for before"
        return read_decision(same, expectation, violation, "it is unclear whether the two answers agree")


def _without_other(excluded: str, before: str, reply: str, asked: Sequence[str]) -> Agreement:
    """Return whether two replies agree and the second gives no value for the excluded day or name."""
    if sentence := _sentence_on(excluded, reply, before):
        return False, f"it says {sentence!r}"
    return answer_alike(before, reply, asked)


def _without_other_by_folder(excluded: str, before: str, reply: str, question: str, language: str) -> Agreement:
    """Do the same as `_without_other` for languages other than English, using their word lists."""
    if sentence := sentence_about(excluded, reply, before, language):
        return False, f"it says {sentence!r}"
    apart = certain_in(before, reply, language)
    if apart is not None and apart.score < 0.5:
        return False, apart.reason
    asked, repeated = facts(question, language=language), facts(reply, language=language)
    wanted = [fact for fact in facts(before, language=language) if not is_among(fact, asked)]
    repeats_all = bool(wanted) and all(is_among(fact, repeated) for fact in wanted)
    return True if repeats_all else None, ""


def _without_extra(before: str, reply: str, *, cheaper: bool) -> Agreement:
    """Return True if a reply repeats an earlier amount, or False with evidence if the amount moved the wrong way.

    The wrong way is up, or down if `cheaper` is set. The result is None if neither is certain.

    >>> _without_extra("90 EUR.", "It is 105 EUR.", cheaper=False), _without_extra("90 EUR.", "80 EUR.", cheaper=False)
    ((False, "it was '90 EUR' and is '105 EUR'"), (None, ''))
    """
    old, new = (sorted(_amounts(text), key=lambda value: value.size) for text in (before, reply))
    if any(value.same(other) for value in old for other in new):
        return True, ""
    if not old or not new or old[0].measure != new[0].measure:
        return None, ""
    # It is certain only if all amounts moved: below the lowest of before, or above the highest.
    first, second = (old[0], new[-1]) if cheaper else (old[-1], new[0])
    moved = second.size < first.size if cheaper else second.size > first.size
    return (False, f"it was {first.text!r} and is {second.text!r}") if moved else (None, "")


def _amounts(text: str) -> list[Value]:
    return [value for value in values(text) if value.kind == "amount"]


def _distinct_prices(reply: str) -> set[tuple[str, float]]:
    return {(value.unit, value.size) for value in _amounts(reply)}


def _sentence_on(excluded: str, reply: str, before: str) -> str:
    """Return the sentence of a reply that gives a new value for an excluded thing, or ""."""
    known = values(before)
    bare = re.sub(r"\A(?:the|an?) ", "", excluded)
    for sentence in sentences(reply):
        stated = (value for value in values(sentence) if value.kind not in ("name", "code") and value.text not in bare)
        if is_named_in(bare, sentence) and not all(any(map(value.same, known)) for value in stated):
            return sentence
    return ""


def without_clauses(reply: str, excluded: str) -> str:
    """Return a reply without the clauses that mention the excluded thing, or the whole reply if all clauses do.

    >>> without_clauses("A tour costs 9 EUR, 6 EUR for students.", "student")
    'A tour costs 9 EUR'
    """
    clauses = re.split(r"(?:(?<=[.!?;])|,)\s+", reply)
    kept = [clause for clause in clauses if not re.search(rf"\b{re.escape(excluded)}s?\b", clause, re.IGNORECASE)]
    return " ".join(kept) or reply


_row = partial(row, tasks="chat", purpose=LOGIC, tags=("ours", "together"), enough=READ)

_row(
    "turn-condition",
    MovesWithCondition(),
    by=("turn-condition", "drop-condition"),
    only_if=(OF_THE_CASE,),
    says="An answer that depends on what the user is, has or wants changes if that is reversed.",
    change="negation",
    draws=2,
    tags=("ours", MUST_MOVE),
    matching=grouped_by(CONDITION, TURNED, LEFT_OUT),
)
_row(
    "rule-out",
    StaysWithout(),
    says="Ruling out a thing that the question did not ask for does not change the answer.",
    change="negation",
    draws=4,
    matching=WANTED,
)
_row(
    "two-items",
    OneAnswer(),
    by=tuple(Step.of("two-items", way=way) for way in (PLAIN, OTHERWISE)),
    says="Two things, each with its own number, get the same answer in either order.",
    change="list",
    draws=2,
    matching=grouped_by(WAY, PLAIN, OTHERWISE),
    limits=Limits(unchanged="keep"),  # one order may be the source's
)
