"""Rewrites a yes-no question so that it suggests the answer yes: "You ship to Norway, don't you?"."""

from __future__ import annotations

import re

from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import in_other_languages, transformation
from mutatis.languages import Language, needing

_SOMEBODY = r"(?P<who>I|we|he|she|they|(?:my|our) [a-z]+)"
_REST = r"(?P<rest>(?!you\b|we\b|the\b|they\b)[a-z][^?]+)"
_LEADING = tuple(
    (re.compile(rf"(?P<told>(?:.*[.!,;:]\s+)?)(?P<asked>{asked})\?", re.IGNORECASE | re.DOTALL), statement)
    for asked, statement in (
        (rf"do you {_REST}", "you {rest}, don't you?"),
        (rf"are you {_REST}", "you are {rest}, aren't you?"),
        (rf"(?P<may>can|may) {_SOMEBODY} {_REST}", "{who} {may} {rest}, right?"),
        (rf"do (?P<who>I|we) {_REST}", "{who} {rest}, right?"),
        (r"is there (?P<rest>an? [^?]+)", "there is {rest}, isn't there?"),
        (r"is (?P<who>it|he|she) (?P<rest>[a-z][^?]+)", "{who} is {rest}, isn't {who}?"),
        (r"do (?P<who>[a-z]{3,}s) (?P<rest>(?:get|have|need|pay|cost) [^?]+)", "{who} {rest}, don't they?"),
    )
)
"""Patterns of yes-no questions, each with a statement that expects a yes."""

_NOT_STATED = re.compile(
    r"\b(?:book|reserve|talk|speak|meet|order|cancel|appointment|any\w*|ever|yet|either|or|still|even|please|her|him|them|think|know|if|whether|mind|less|more|not|no"
    r"|and (?:how|what|when|where|which|do|can|is|are))\b|n['\u2019]t\b|[,;:]",
    re.IGNORECASE,
)
"""Words in a question that do not fit a statement, or that make a yes an odd thing to expect."""


@transformation(
    "leading-question",
    capability="standing by an answer",
    says="asked so that a yes is expected",
    languages=ENGLISH,
)
def leading_question(text: str) -> str:
    """Rewrite a yes-no question so that it suggests the answer yes. Other texts are left unchanged.

    >>> leading_question("Do you ship to Norway?"), leading_question("My file has 90 MB, can I upload it?")
    ("You ship to Norway, don't you?", 'My file has 90 MB, I can upload it, right?')
    >>> leading_question("How much is it?"), leading_question("Is it open, and do you have a pool?")
    ('How much is it?', 'Is it open, and do you have a pool?')
    """
    for asked, statement in _LEADING:
        match = asked.fullmatch(text.strip())
        if match is None or _NOT_STATED.search(match["rest"]) or "?" in match["told"]:
            continue
        parts = {name: part for name, part in match.groupdict().items() if name not in ("told", "asked") and part}
        led = statement.format(**{**parts, "may": parts.get("may", "").lower(), "who": _inside(parts.get("who", ""))})
        begins = not match["told"].strip() or match["told"].rstrip()[-1] in ".!"
        return match["told"] + (f"{led[0].upper()}{led[1:]}" if begins else led)
    return text


def _inside(who: str) -> str:
    return who if who == "I" else f"{who[:1].lower()}{who[1:]}"


@in_other_languages("leading-question", languages=needing("speech.statement", "speech.patterns.no_statement", but="en"))
def leading_question_elsewhere(text: str, written_in: str) -> str:
    """Rewrite a yes-no question as a statement that suggests the answer yes, using the rules of the language.

    >>> leading_question_elsewhere("Haben Sie am Montag offen?", "de")
    'Sie haben am Montag offen, oder?'
    >>> leading_question_elsewhere("Wann haben Sie offen?", "de")
    'Wann haben Sie offen?'
    """
    folder, bare = Language(written_in), text.strip()
    if folder.pattern("no_statement").search(bare):
        return text
    for pattern, statement in folder.tables("speech")["statement"]:
        match = re.fullmatch(pattern, bare[:1].lower() + bare[1:], re.IGNORECASE | re.VERBOSE)
        if match is not None:
            led = match.expand(statement)
            return led[:1].upper() + led[1:]
    return text
