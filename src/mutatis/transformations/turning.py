"""Asks for the opposite: for something not to be done, for things without a property, or for fewer things.

The answer must change if the source's answer reports an action or a list. Only texts with a recognised wording are
changed. Based on the negations of CheckList and the negated retrieval of NevIR (Weller et al. 2024).
"""

from __future__ import annotations

import re
from dataclasses import replace

from mutatis.core.cases import Turn
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation
from mutatis.text.sentences import split_sentences

ACTS = (
    *("cancel", "block", "close", "book", "reserve", "delete", "send", "order", "change", "renew", "extend"),
    *("transfer", "stop", "activate", "deactivate", "unsubscribe", "subscribe", "return", "confirm", "upgrade"),
    *("replace", "freeze", "unblock", "register", "remove", "add", "move", "call", "repair", "forward", "update"),
)
"""Actions that services carry out on request and then report."""

REFRAINED = "refrained"
"""Annotation of a turn: the action that the user asks not to be carried out."""

_ACT = rf"(?P<act>{'|'.join(ACTS)})"
_OBJECT = r"(?P<rest>\s+(?:my|the|this|it|that|a|an|another|me|us|our|order|booking)\b[^?!]*?)"
_REQUESTS = (
    re.compile(
        rf"(?:please\s+)?(?:can|could|would|will)\s+you\s+(?:please\s+)?{_ACT}{_OBJECT}\s*[?.!]*\Z", re.IGNORECASE
    ),
    re.compile(rf"(?:please\s+)?{_ACT}{_OBJECT}\s*[.!?]*\Z", re.IGNORECASE),
    re.compile(rf"I\s*(?:['\u2019]d like|would like|want|need|wish)\s+to\s+{_ACT}{_OBJECT}\s*[.!]*\Z", re.IGNORECASE),
)
_POLITE_END = re.compile(r",?\s*(?:please|thanks|thank you)\s*\Z", re.IGNORECASE)
_JOINED = re.compile(r"\b(?:and|but|or|because|if|unless|not|never|then)\b|n['\u2019]t\b|[,;:]", re.IGNORECASE)


def _request(text: str) -> tuple[str, str] | None:
    """Return the requested action in a text and the words after it, or None if there is not exactly one request."""
    for pattern in _REQUESTS:
        match = pattern.match(text.strip())
        if match is not None:
            rest = _POLITE_END.sub("", match["rest"])
            return None if _JOINED.search(rest) else (match["act"].lower(), rest.rstrip())
    return None


def act_asked_for(text: str) -> str | None:
    """Return the action that a text requests, which is one of `ACTS`, or None.

    >>> act_asked_for("Could you cancel my booking, please?"), act_asked_for("How do I cancel it?")
    ('cancel', None)
    """
    request = _request(text)
    return None if request is None else request[0]


@transformation("ask-not-to", level="turn", capability="negation", says="asked not to do it", languages=ENGLISH)
def ask_not_to(turn: Turn, fields: tuple[str, ...]) -> Turn:
    """Ask for an action not to be carried out: "Please don't cancel my booking" for "Cancel my booking".

    Other texts are left unchanged.

    >>> for text in ("Could you please cancel my booking?", "I want to close my account.", "How do I cancel it?"):
    ...     print(ask_not_to(Turn(fields={"message": text}), ("message",)).fields["message"])
    Please don't cancel my booking.
    Please don't close my account.
    How do I cancel it?
    """
    request = _request(turn.fields[fields[0]])
    if request is None:
        return turn
    act, rest = request
    made = {**turn.fields, fields[0]: f"Please don't {act}{rest.rstrip('. ')}."}
    return replace(turn, fields=made, annotations={**turn.annotations, REFRAINED: act})


_WHICH = re.compile(
    r"(?P<head>(?:which|what)\s+(?:of\s+(?:the|your|them)\s*)?(?:(?!(?:do|does|did|can|should|must|will)\b)[\w'-]+\s+){0,3}?)"
    r"(?P<verb>are|have|offer|allow|accept|include|serve|come with|contain)\s+(?P<rest>[^?.,;]+)\?\s*\Z",
    re.IGNORECASE,
)
"""A question for things with a property: "Which rooms have a balcony?". The head is "Which rooms"."""
_EXCEPTIONAL = re.compile(
    r"\b(?:closed|cancell?ed|sold|booked|out of|full|broken|poisonous|dangerous|forbidden|needed|required|awake|missing"
    r"|late|delayed)\b",
    re.IGNORECASE,
)
"""Rare properties. A system asked for their opposite may rightly answer "all but these"."""

_NO_CONSTRAINT = re.compile(
    r"(?:the|there|your|my|our|you|it|they|we|this|that|these|those|going|not|no|most|best|left|a price)\b",
    re.IGNORECASE,
)
"""Words after the verb of a question that selects no things by a property: "Which rooms are the best?"."""
_WITH = re.compile(
    r"\b(?P<verb>which|what|show|list|find|any|all|do you have|are there|is there|have you got)\b"
    r"(?P<middle>[^?.!,;]*?\S)\s+"
    r"(?P<with>with|without)\s+(?P<rest>(?!me\b|you\b|us\b|my\b|your\b|the\b|it\b|them\b)[^?.!,;]+)",
    re.IGNORECASE,
)
"""A constraint with "with" or "without" on what is asked for: "Show me hotels with a pool"."""
_ARE_SO = re.compile(
    r"(?P<head>(?:which|what|list|show me|name)\b[^?.!,;]*\b(?:that|which) are) (?P<not>not )?(?P<rest>[^?.!,;]+)",
    re.IGNORECASE,
)
"""A relative clause with or without "not": "List the lamps that are dimmable"."""
_ARE_NOT = re.compile(r"(?P<head>(?:which|what) [^?.!,;]*\bare) (?P<not>not )(?P<rest>[^?.!,;]+)", re.IGNORECASE)
"""A question for things without a property: "Which pools are not heated?"."""
_NOT_A_WITH = re.compile(r"\bnot\b|n['\u2019]t\b|\A\W*what (?:do|does|did|is)\b|\bgo(?:es)? with\b", re.IGNORECASE)
"""Words beside which "with" is no constraint on a list, or which already negate something."""
_POLAR = re.compile(r"(?:do|does|is|are|can|could|have|has|will|would)\b", re.IGNORECASE)


@transformation("negate-constraint", capability="negation", says="asked for the opposite list", languages=ENGLISH)
def negate_constraint(text: str) -> str:
    """Ask for the opposite: "Which lamps are not dimmable?" for "Which lamps are dimmable?".

    Yes-no questions and other texts are left unchanged.

    >>> negate_constraint("Which lamps are dimmable?"), negate_constraint("Which rooms have a balcony?")
    ('Which lamps are not dimmable?', 'Which rooms do not have a balcony?')
    >>> negate_constraint("List the hotels with a pool."), negate_constraint("Do you have rooms with a view?")
    ('List the hotels without a pool.', 'Do you have rooms with a view?')
    >>> negate_constraint("What papers do I have to send?"), negate_constraint("What does a room with a bath cost?")
    ('What papers do I have to send?', 'What does a room with a bath cost?')
    >>> negate_constraint("Which pools are not heated?"), negate_constraint("Which chairs have you that are new?")
    ('Which pools are heated?', 'Which chairs have you that are not new?')
    """
    if not _is_one_sentence(text) or _POLAR.match(text) or _EXCEPTIONAL.search(text):
        return text
    match = _WHICH.match(text)
    # A head of one word asks for things in general: "What are ...?"
    if match is not None and not _NO_CONSTRAINT.match(match["rest"]) and len(match["head"].split()) > 1:
        verb = match["verb"].lower()
        return f"{match['head']}{'are not' if verb == 'are' else f'do not {verb}'} {match['rest']}?"
    match = _ARE_NOT.match(text) or _ARE_SO.match(text)
    if match is not None:
        return f"{match['head']} {'' if match['not'] else 'not '}{match['rest']}{text[match.end() :]}"
    match = _WITH.search(text)
    if match is None or _NOT_A_WITH.search(text):
        return text
    opposite = "without" if match["with"].lower() == "with" else "with"
    return f"{text[: match.start('with')]}{opposite}{text[match.end('with') :]}"


def _is_one_sentence(text: str) -> bool:
    return sum(bool(piece.text) for piece in split_sentences(text)) == 1
