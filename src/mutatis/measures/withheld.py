"""Recognises replies that do not answer: refusals, admissions of ignorance, misunderstandings and greetings."""

from __future__ import annotations

import re

from mutatis.core.measure import Similarity
from mutatis.measures.answer import read
from mutatis.measures.similarities import cannot_tell, different, same
from mutatis.measures.words import NEGATIONS
from mutatis.text.abstention import is_lost
from mutatis.text.normalisation import fold
from mutatis.text.refusals import is_refusal
from mutatis.text.sentences import sentences

REFUSED_HERE = "refused here, answered there"
"""The reason stated for a pair of a refusal and an answer."""

NO_SUCH_THING = "says that there is no such thing"
GREETS = "only greets"

_HEAD = 300  # characters in which a reply says so
_NO_SUCH_THING = re.compile(
    r"\b(?:(?:have|has|carry|sell|offer|stock|know|find|is|are|got) no such"
    r"|no such [a-z]+ (?:here|in our|exists?|is|was)"
    r"|(?:do not|don't|does not|doesn't) (?:carry|sell|stock|offer|have) "
    r"(?:it|that|this|them|those|these|any|such|a product|an item)"
    r"|not (?:part of|in|among) our (?:range|assortment|catalogue|catalog|collection|stock|menu|list))\b"
)
_GREETS = re.compile(
    r"\A\W*+(?:(?:hi|hey|hello|greetings|welcome|good (?:morning|afternoon|evening|day))\b.{0,60}"
    r"|(?:how|what) (?:can|may|could) (?:i|we) (?:do|help|assist|be of)\b.{0,60}|nice to (?:see|meet) you.{0,20}"
    r"|(?:i am|i'm|this is) .{0,40}\b(?:bot|assistant|chatbot|here to help)\b.{0,40})"
)
_KEEPS_BACK = re.compile(
    r"\b(?:do not|don't|never|(?:can|must|may|will|could|would)(?: not|not)|can't|won't|couldn't|wouldn't|mustn't)"
    r" (?:\w+ )?(?:tell|say|share|give|disclose|advise|reveal|pass|discuss|comment|recommend|provide|name|answer)\b"
)
_SENDS_ELSEWHERE = re.compile(
    r"\b(?:please|should|must|better|have to|need to) (?:\w+ )?"
    r"(?:see|ask|consult|contact|(?:speak|talk|turn) to|call)\b"
    r"|\bonly (?:an?|the|your|our) (?:[\w'-]+ ){1,5}(?:can|may|could|knows?)\b"
)


def may_refuse(text: str) -> bool:
    """Return True if a reply may be a refusal: it withholds something, or only refers the user elsewhere.

    >>> may_refuse("We do not tell anybody where guests live."), may_refuse("For doses please see a doctor.")
    (True, True)
    >>> may_refuse("Please call us by 6 pm."), may_refuse("It is open.")
    (False, False)
    """
    head = fold(text[:_HEAD])
    return _KEEPS_BACK.search(head) is not None or (
        _SENDS_ELSEWHERE.search(head) is not None and not read(text).numbers
    )


def only_greets(text: str) -> bool:
    """Return True if a reply only greets and offers help."""
    told = sentences(fold(text[:_HEAD]))
    return bool(told) and all(_GREETS.fullmatch(sentence) for sentence in told)


def _no_such_thing(silent: str, told: str) -> Similarity | None:
    """Judge pairs of "we have no such product" and a reply that states a number for it.

    Other pairs are left undecided, since both may mean "no".
    """
    answer = read(told)
    if answer.polarity is False or not answer.numbers or any(word in NEGATIONS for word in answer.words):
        return None
    if any(left.value == right.value for left in read(silent).numbers for right in answer.numbers):
        return None
    return different(f"one reply {NO_SUCH_THING}, the other answers")


def _silence(text: str, question: str) -> str:
    """Describe how a reply fails to answer. Return "" if it answers."""
    if is_refusal(text, question):
        return "refuses"
    answer = read(text)
    if answer.abstains:
        return "says that it does not know"
    if is_lost(text):
        return "says that it did not understand"
    if only_greets(text):
        return GREETS
    return NO_SUCH_THING if _NO_SUCH_THING.search(fold(text[:_HEAD])) else ""


def withheld(first_text: str, second_text: str, question: str) -> Similarity | None:
    """Judge pairs with at least one reply that refuses, admits ignorance or only greets.

    A refusing reply that is also a denial ("we cannot offer breakfast") may be an answer. The pair is then left
    undecided.
    """
    ways = _silence(first_text, question), _silence(second_text, question)
    if not any(ways):
        return None
    if all(ways):
        return same(f"each {ways[0]}") if ways[0] == ways[1] else cannot_tell(f"one {ways[0]}, the other {ways[1]}")
    if GREETS in ways and only_greets(question):
        return None
    refused = "refuses" in ways
    if NO_SUCH_THING in ways:
        return _no_such_thing(*((first_text, second_text) if ways[0] else (second_text, first_text)))
    silent, told = map(read, (first_text, second_text) if ways[0] else (second_text, first_text))
    end = told.sentence_ends[0] if told.sentence_ends else len(told.words)
    ours = "we" in silent.words and "i" not in silent.words
    if told.polarity is False or (ours and any(word in NEGATIONS for word in told.words[:end])):
        return None
    if refused and may_refuse(second_text if ways[0] else first_text):
        return cannot_tell("one refuses, and the other may refuse in other words")
    return different(REFUSED_HERE if refused else f"one reply {ways[0] or ways[1]}, the other answers")
