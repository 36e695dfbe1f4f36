"""Recognises replies that do not answer: refusals, admissions of ignorance, misunderstandings and greetings."""

from __future__ import annotations

import re

from mutatis.core.measure import Similarity
from mutatis.measures.answer import read
from mutatis.measures.similarities import cannot_tell, different, same
from mutatis.text.abstention import is_lost
from mutatis.text.normalisation import fold
from mutatis.text.refusals import is_refusal
from mutatis.text.sentences import sentences

REFUSED_HERE = "refused here, answered there"
"""The reason stated for a pair of a refusal and an answer."""

GREETS = "only greets"

_HEAD = 300  # characters in which a reply says so
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
    greeting = sentences(fold(text[:_HEAD]))
    return bool(greeting) and all(_GREETS.fullmatch(sentence) for sentence in greeting)


_ASKS_WHO = re.compile(
    r"\b(?:are you|is this|am i (?:talking|speaking|chatting|writing) (?:to|with)) [^.!?]{0,30}"
    r"\b(?:bot|chatbot|robot|ai|machine|computer|program|human|person|people)\b"
)
_IS_BOT = re.compile(r"\b(?:bot|chatbot|robot|ai|machine|computer|program|assistant)\b")
_IS_NO_BOT = re.compile(r"\b(?:not|no|n't)(?: an?| the)? (?:\w+ )?(?:bot|chatbot|robot|machine|computer|program)\b")
_TELLS_WHO = re.compile(
    r"\bi(?: am|['\u2019]m)\b|\b(?:human|person|people|software|code|automat\w+|virtual|digital|artificial)\b"
)


def _says_who(text: str) -> bool:
    """Return True if a reply to a question such as "Are you a robot?" names a bot, which is its answer."""
    head = fold(text[:_HEAD])
    return _IS_BOT.search(head) is not None and _IS_NO_BOT.search(head) is None


def _may_say_who(text: str) -> bool:
    """Return True if a reply may answer such a question in other words."""
    says_who = _TELLS_WHO.search(fold(text[:_HEAD])) is not None or _says_who(text)
    return says_who or read(text).polarity is not None


def _who(first_text: str, second_text: str) -> Similarity | None:
    """Judge two replies to such a question, if either names a bot."""
    texts = (first_text, second_text)
    if all(map(_says_who, texts)):
        return same("both name the bot")
    if any(map(_says_who, texts)) and not all(map(_may_say_who, texts)):
        return different("one reply names the bot that it is, the other does not")
    return None


def _silence(text: str, question: str) -> str:
    """Describe how a reply fails to answer. Return "" if it answers."""
    if _ASKS_WHO.search(fold(question)) and _says_who(text):
        return ""
    if is_refusal(text, question):
        return "refuses"
    answer = read(text)
    if answer.abstains:
        return "says that it does not know"
    if is_lost(text):
        return "says that it did not understand"
    return GREETS if only_greets(text) else ""


def withheld(first_text: str, second_text: str, question: str) -> Similarity | None:
    """Judge pairs with at least one reply that refuses, admits ignorance or only greets. Return None for other pairs.

    Also return None if the other reply begins with no, so that both may deny.

    >>> withheld("I cannot discuss that.", "It is 5 EUR.", "What is the fee?").reason
    'refused here, answered there'
    >>> withheld("I cannot discuss that.", "Please see a doctor.", "How much may I take?").reason
    'one refuses, and the other may refuse in other words'
    """
    if _ASKS_WHO.search(fold(question)) and (similarity := _who(first_text, second_text)) is not None:
        return similarity
    first_way, second_way = _silence(first_text, question), _silence(second_text, question)
    if not first_way and not second_way:
        return None
    if first_way and second_way:
        if first_way == second_way:
            return same(f"each {first_way}")
        return cannot_tell(f"one {first_way}, the other {second_way}")
    way, reply_text = (first_way, second_text) if first_way else (second_way, first_text)
    if way == GREETS and only_greets(question):
        return None
    if read(reply_text).polarity is False:
        return None  # "We cannot offer breakfast." is an answer beside "No, there is none."
    if way != "refuses":
        return different(f"one reply {way}, the other answers")
    if may_refuse(reply_text):
        return cannot_tell("one refuses, and the other may refuse in other words")
    return different(REFUSED_HERE)
