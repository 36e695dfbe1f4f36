"""Edits requests for information to a system that calls tools: in short for another value, in another order, not yet.

A request for information may be asked twice, since nothing is done.
"""

from __future__ import annotations

import re
from random import Random

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.languages import word_list
from mutatis.text.values import values, vocabulary
from mutatis.transformations.called_for import request_edit, request_of, with_last_turn
from mutatis.transformations.conversation import Moved, Rounds, conversation, judged_after, only_turn
from mutatis.transformations.known import at_least_one, one_of
from mutatis.transformations.stated import exchange_in
from mutatis.transformations.tools import needed_tools, spoken_name
from mutatis.transformations.values import EXCHANGED

_INQUIRES = re.compile(
    r"(?:please |and |so |(?:can|could) you (?:please )?)?"
    r"(?:how|what|what's|which|when|where|who|is|are|does|do|has|have"
    r"|tell|give|show|find|get|check|calculate|compute|search|look up)\b[^.!?]*[.?]?\s*\Z",
    re.IGNORECASE,
)
"""Matches a single request for information. An action that is requested would be carried out for both values."""
_NO_INQUIRY = "the message is not a single request for information"
_TAKEN_UP = (
    r"(?P<short>\b(?:for|on|in|at|from|to|until)\s+(?:the\s+)?{}"
    r"(?:\s+(?:days?|nights?|weeks?|months?|years?|hours?|people|persons|guests|adults))?)"
    r"(?=\s*[?,.]|\s+(?:for|on|in|at|from|to)\b)"
)
"""Pattern of a value with its preposition and unit, which a short question can take up: "for 4 days"."""


@conversation("and-for-new-value", capability="memory", says="the same for another value", adds=1)
def and_for_new_value(rounds: Rounds, rng: Random, turns: tuple[Turn, ...]) -> Moved:
    """Ask a question, and then ask the same about a different value in short form: "And for 6 days?".

    >>> turns = (Turn(fields={"message": "What do 2 ladders cost on Friday?"}),)
    >>> [turn.fields["message"] for _, turn in and_for_new_value((0,), Random(1), turns)]
    ['What do 2 ladders cost on Friday?', 'And on Saturday?']
    """
    message = only_turn(turns).question
    if not _INQUIRES.match(message):
        raise UnusableFollowUp(_NO_INQUIRY)

    def taken_up(old: str) -> re.Match[str] | None:
        taken = re.search(_TAKEN_UP.format(re.escape(old)), message)
        # "For 12 months and 8 months": it is not clear which of them "and for 11 months" replaces.
        return (
            taken if taken and len(re.findall(rf"\b{re.escape(taken.group().split()[-1])}\b", message)) == 1 else None
        )

    if any(sum(name in message for name in names) > 1 for names in (word_list("places"), vocabulary().weekdays)):
        raise UnusableFollowUp("the message has several towns or days")
    kind, old, new = exchange_in(message, [], rng, lambda old: taken_up(old) is not None)
    value = taken_up(old)
    assert value is not None
    short = value["short"].replace(old, new)
    return judged_after(rounds, turns, 0, [message], f"And {short}?", **{EXCHANGED: [kind, old, new]})


_BEFORE = re.compile(r"\b(?:for|on|at|from)\s+(?:the\s+)?\Z", re.IGNORECASE)
_QUESTION_WORD = re.compile(r"(?:how|what|which|when|where|who|is|are|does|do|has|have)\b", re.IGNORECASE)
"""Matches the beginning of a question. "On Friday, find it" would be an order for Friday."""
_MOVED = frozenset({"weekday", "date", "time", "time of day"})


@transformation("value-first", capability="wording", says="a day or duration moved to the front", languages=ENGLISH)
@as_a_whole
def value_first(text: str) -> str:
    """Move the day, time or duration at the end of a question to its front: "For 4 days, how much is it?".

    Other texts are left unchanged.

    >>> value_first("What do 2 ladders cost for 4 days?"), value_first("From 3 to 5 May?")
    ('For 4 days, what do 2 ladders cost?', 'From 3 to 5 May?')
    """
    for value in values(text) if _INQUIRES.match(text) and _QUESTION_WORD.match(text) else ():
        lead = _BEFORE.search(text, 0, value.start)
        head = text[: lead.start()].rstrip(" ,") if lead else ""
        if lead and head and value.measure in _MOVED and not text[value.end :].strip("?. "):
            phrase = text[lead.start() : value.end]
            return f"{phrase[0].upper()}{phrase[1:]}, {_begun(head)}{text[value.end :]}"
    return text


def _begun(text: str) -> str:
    """Return a sentence as the continuation of another: it begins in lower case."""
    return f"{text[0].lower()}{text[1:]}"


WITHHELD = "withheld"
"""Annotation of a turn: the tools that the user does not want to be called yet."""
_ACTS = ("book", "reserve", "buy", "order")
"""What users inform themselves before. Nobody asks for a price and not to cancel."""


@request_edit("not-yet", capability="negation", says="asked not to act yet")
def not_yet(case: Case, rng: Random) -> Case:
    """Ask for information, and that nothing is done yet. The system must still make the same calls.

    >>> from mutatis.doubles import tool_case
    >>> case = tool_case("How much is a drill?", quote="Get the price.", book_tool="Book a tool.")
    >>> not_yet(case, Random(1)).turns[-1].fields["message"]
    "Don't book anything yet, but how much is a drill?"
    """
    message = request_of(case)
    if not _INQUIRES.match(message) or re.search(rf"(?i)\b(?:{'|'.join(_ACTS)})\b", message):
        raise UnusableFollowUp(_NO_INQUIRY)
    words = {str(tool["name"]): spoken_name(tool).split() for tool in needed_tools(case)}
    acts = [act for act in _ACTS if any(act in parts for parts in words.values())]
    act = one_of(at_least_one(acts, "no tool has a name that says that something is done"), rng)
    withheld = [name for name, parts in words.items() if act in parts]
    changed = f"Don't {act} anything yet, but {_begun(message)}"
    return with_last_turn(case, message=changed, annotations={WITHHELD: withheld})
