"""Conditions of a question: what the user is, has or wants, and what is with or without; turned round, or left out.

Only where the form of the words tells how; every other text stays. A question whose condition is turned is compared with
the one that leaves it out, so that it is seen whether an answer goes by it. Must not know tasks or relations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.transformations.several import turn_of

CONDITION = "condition"
"""Annotation of a turn: what became of its condition, `TURNED` or `LEFT_OUT`."""

TURNED, LEFT_OUT = "turned", "left out"

_NO_STATE = (
    r"sure|afraid|sorry|happy|glad|interested|aware|able|going|looking|trying|wondering|writing|calling|asking|planning"
    r"|thinking|having|getting|hoping|travelling|traveling|arriving|staying|moving|leaving|flying|here|there|in|at|on|from"
    r"|to|about|with|for|not|no|just|only|still|already|also|so|very|too|aged|over|under|the|your|my|one|\d\S*"
)
_STATE = rf"(?!(?:{_NO_STATE})\b)(?:an? )?[a-z][a-z'-]+(?: [a-z][a-z'-]+){{0,2}}?"
_END = r"(?=\s*[.!,;]|\s+(?:and|but)\b|\s*\Z)"
_THING = r"(?:an? )?(?!lot\b|question\b|problem\b|to\b|been\b|the\b|your\b|my\b|some\b|it\b|this\b|that\b)[a-z][a-z -]{1,30}?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A condition in a question: where it stands, how it reads turned round, and the question without it."""

    turned: str
    left_out: str


def _without(text: str, start: int, end: int) -> str:
    """Return a text without a clause, with the mark behind it and a capital where a sentence begins."""
    behind = re.sub(r"\A\s*[.!,;]?\s*(?:(?:and|but|so)\s+)?", "", text[end:])
    before = re.sub(r"[\s,]*(?:\b(?:and|but|as|if|because|since|when|while)\s*)?\Z", "", text[:start])
    if not before or before[-1] in ".!?":
        return f"{before} {behind[:1].upper()}{behind[1:]}".strip()
    joint = "" if not behind or behind[0] in "?.!" else " "
    return f"{before}{joint}{behind}" if behind else f"{before}{text.rstrip()[-1:]}"


def _am(match: re.Match[str]) -> str:
    verb, state = match["verb"], match["state"]
    return f"{verb} {state}" if match["not"] else f"{verb} not {state}"


def _have(match: re.Match[str]) -> str:
    thing = match["thing"]
    if match["not"]:
        return f"I have {thing}"
    return f"I don't have {thing}"


def _want(match: re.Match[str]) -> str:
    if match["not"]:
        return f"{match['who']} {match['verb']} {match['thing']}"
    verb = "want" if "like" in match["verb"].lower() or match["verb"].endswith("d") else match["verb"]
    return f"{match['who'].removesuffix(chr(39) + 'd')} don't {verb} {match['thing']}"


def _with(match: re.Match[str]) -> str:
    how, article, thing = match["how"].lower(), match["article"] or "", match["thing"]
    if how == "with no":
        return f"with {'a' if not thing.endswith('s') else ''} {thing}".replace("  ", " ")
    return f"{'without' if how == 'with' else 'with'} {article}{thing}"


def _that_is(match: re.Match[str]) -> str:
    return f"{match['head']}{'' if match['not'] else ' not'} {match['state']}"


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"\b(?P<verb>I(?:['\u2019]m| am))(?P<not> not| no longer)? (?P<state>{_STATE}){_END}"), _am),
    (re.compile(rf"\bI (?P<not>don['\u2019]t |do not )?have (?P<thing>{_THING}){_END}"), _have),
    (
        re.compile(
            rf"\b(?P<who>I) (?P<not>don['\u2019]t |do not )?(?P<verb>want|need|prefer|eat|drink|drive|smoke) "
            rf"(?P<thing>{_THING})(?=\s*[.!,;?]|\s*\Z)"
        ),
        _want,
    ),
    (
        re.compile(
            r"\b(?P<how>with no|without|with) (?P<article>an? )?(?!(?:my|your|the|it|this|that|me|you|us|them|no)\b)"
            r"(?P<thing>[a-z][a-z-]+(?: [a-z][a-z-]+){0,2})(?=\s*[?.!,;]|\s*\Z)"
        ),
        _with,
    ),
    (
        re.compile(
            r"(?P<head>\b(?:that|which) (?:is|are))(?P<not> not)? (?P<state>(?!(?:the|your|my|in|at|on|for)\b)[a-z-]+)"
            r"(?=\s*[?.!,;]|\s*\Z)"
        ),
        _that_is,
    ),
)
_ASKS = re.compile(r"\?|\b(?:please|book|order|show|list|find|tell|give)\b", re.IGNORECASE)
_FEWEST_WORDS = 3


def condition_of(question: str) -> Condition | None:
    """Return the one condition of a question; None if it has none, or several.

    >>> [condition_of(text).turned for text in ("I'm pregnant. Can I take it?", "Which plan, if I don't want gas?")]
    ["I'm not pregnant. Can I take it?", 'Which plan, if I want gas?']
    >>> condition_of("Which plan is best with no minimum term?")
    Condition(turned='Which plan is best with a minimum term?', left_out='Which plan is best?')
    >>> condition_of("I'm looking for a room."), condition_of("I have a question. Are you open?")
    (None, None)
    """
    standing = [(match, turn) for pattern, turn in _FORMS for match in pattern.finditer(question)]
    if len(standing) != 1:
        return None
    [(match, turn)] = standing
    left_out = _without(question, *match.span())
    if not _ASKS.search(left_out) or len(left_out.split()) < _FEWEST_WORDS:
        return None
    return Condition(turned=f"{question[: match.start()]}{turn(match)}{question[match.end() :]}", left_out=left_out)


def _changed(turn: Turn, fields: tuple[str, ...], how: str) -> Turn:
    condition = condition_of(turn.fields[fields[0]])
    if condition is None:
        raise UnusableFollowUp("the question has not just one condition that can be turned")
    return turn_of(turn, condition.turned if how == TURNED else condition.left_out, **{CONDITION: how})


@transformation("turn-condition", level="turn", capability="negation", says="a condition turned", languages=ENGLISH)
@as_a_whole
def turn_condition(turn: Turn, fields: tuple[str, ...]) -> Turn:
    """Say the opposite of what the user is, has or wants: "I'm not pregnant" for "I'm pregnant".

    >>> turn_condition(Turn(fields={"message": "A plan that is not green?"}), ("message",)).fields["message"]
    'A plan that is green?'
    """
    return _changed(turn, fields, TURNED)


@transformation("drop-condition", level="turn", capability="negation", says="a condition left out", languages=ENGLISH)
@as_a_whole
def drop_condition(turn: Turn, fields: tuple[str, ...]) -> Turn:
    """Leave out what the user is, has or wants: "Can I take it?" for "I'm pregnant. Can I take it?".

    >>> drop_condition(Turn(fields={"message": "I'm pregnant. Can I take it?"}), ("message",)).fields["message"]
    'Can I take it?'
    """
    return _changed(turn, fields, LEFT_OUT)
