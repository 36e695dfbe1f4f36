"""Rewrites yes-no questions: to ask whether the statement is true or false, or to suggest the answer yes.

Other texts are left unchanged.
"""

from __future__ import annotations

import re

from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.languages import Language, needing

_POLAR = re.compile(
    r"(?P<verb>(?i:is|are|was|were|can|could|will|would|should|must|do|does|did|has|have|had))\s+"
    r"(?P<subject>(?i:he|she|it|they|we|you|there)|(?:[A-Z][\w-]+)(?:\s+[A-Z][\w-]+){0,2})\s+"
    r"(?P<rest>(?!(?:and|or|of)\b|['\u2019])[^?]*[^?\s])\s*\?\s*\Z"
)
"""A yes-no question about a pronoun or a name, because it is clear where these subjects end."""
_REQUEST = re.compile(r"\s*(?:can|could|will|would|may|shall)\s+(?:you|we|I)\b", re.IGNORECASE)
"""The beginning of a request. Answering it with yes does not affirm a statement."""
_CHOICE_OR_DENIAL = re.compile(r"\bor\b|\bnot\b|n['\u2019]t\b")
_SECOND_QUESTION = re.compile(r"\band\s+(?:what|who|where|when|why|how|which)\b", re.IGNORECASE)
_PRONOUNS = frozenset({"he", "she", "it", "they", "we", "you", "there"})

_SOMEBODY = r"(?P<who>I|we|he|she|they|(?:my|our) [a-z]+)"
_REST = r"(?P<rest>(?!you\b|we\b|the\b|they\b)[a-z][^?]+)"
_LEADING = tuple(
    (re.compile(rf"(?P<before>(?:.*[.!,;:]\s+)?){question}\?", re.IGNORECASE | re.DOTALL), statement)
    for question, statement in (
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
    r"\b(?:book|reserve|talk|speak|meet|order|cancel|appointment|any\w*|ever|yet|either|or|still|even|please|her|him"
    r"|them|think|know|if|whether|mind|less|more|not|no|and (?:how|what|when|where|which|do|can|is|are))\b"
    r"|n['\u2019]t\b|[,;:]",
    re.IGNORECASE,
)
"""Words in a question that do not fit a statement, or that make a yes an odd thing to expect."""


@transformation(
    "deny-question", capability="negation and opposites", says="asked whether the opposite is true", languages=ENGLISH
)
@as_a_whole
def deny_question(text: str) -> str:
    """Ask whether the opposite of a yes-no question is true. Other questions are left unchanged.

    Only pronouns and names are supported as subjects, because it is clear where they end.

    >>> deny_question("Was he at home?"), deny_question("did Ada like the soup ?")
    ('Is it false that he was at home?', 'Is it false that Ada did like the soup?')
    >>> deny_question("Where was he?"), deny_question("Is it red or blue?")
    ('Where was he?', 'Is it red or blue?')
    """
    return _whether(text, "false")


@transformation("affirm-question", capability="wording", says="asked whether it is true", languages=ENGLISH)
@as_a_whole
def affirm_question(text: str) -> str:
    """Rephrase a yes-no question to ask whether its statement is true. Other questions are left unchanged.

    >>> affirm_question("Was he at home?"), affirm_question("Where was he?")
    ('Is it true that he was at home?', 'Where was he?')
    """
    return _whether(text, "true")


def _whether(text: str, true_or_false: str) -> str:
    """Rephrase a yes-no question to ask whether its statement is true or false. Other texts are left unchanged."""
    match = _POLAR.match(text.strip())
    if (
        match is None
        or _CHOICE_OR_DENIAL.search(text)
        or _REQUEST.match(text)
        or _SECOND_QUESTION.search(match["rest"])
    ):
        return text
    subject = match["subject"].lower() if match["subject"].lower() in _PRONOUNS else match["subject"]
    return f"Is it {true_or_false} that {subject} {match['verb'].lower()} {match['rest']}?"


@transformation(
    "leading-question",
    capability="standing by an answer",
    says="asked so that a yes is expected",
    languages=needing("speech.statement", "speech.patterns.no_statement", also=ENGLISH),
)
@as_a_whole
def leading_question(text: str, written_in: str = "en") -> str:
    """Rewrite a yes-no question so that it suggests the answer yes. Other texts are left unchanged.

    >>> leading_question("Do you ship to Norway?"), leading_question("My file has 90 MB, can I upload it?")
    ("You ship to Norway, don't you?", 'My file has 90 MB, I can upload it, right?')
    >>> leading_question("How much is it?"), leading_question("Is it open, and do you have a pool?")
    ('How much is it?', 'Is it open, and do you have a pool?')
    >>> leading_question("Haben Sie am Montag offen?", "de"), leading_question("Wann haben Sie offen?", "de")
    ('Sie haben am Montag offen, oder?', 'Wann haben Sie offen?')
    """
    if is_english(written_in):
        return _leading_in_english(text)
    folder, question = Language(written_in), text.strip()
    if folder.pattern("no_statement").search(question):
        return text
    for pattern, statement in folder.tables("speech")["statement"]:
        match = re.fullmatch(pattern, question[:1].lower() + question[1:], re.IGNORECASE | re.VERBOSE)
        if match is not None:
            leading = match.expand(statement)
            return leading[:1].upper() + leading[1:]
    return text


def _leading_in_english(text: str) -> str:
    """Return a yes-no question as a statement with a tag ("don't you?"), or any other text unchanged."""
    for pattern, statement in _LEADING:
        match = pattern.fullmatch(text.strip())
        if match is None or _NOT_STATED.search(match["rest"]) or "?" in match["before"]:
            continue
        parts = match.groupdict(default="")
        who, may = parts.get("who", ""), parts.get("may", "")
        if who != "I":
            who = f"{who[:1].lower()}{who[1:]}"
        leading = statement.format(who=who, may=may.lower(), rest=match["rest"])
        begins_sentence = not match["before"].strip() or match["before"].rstrip()[-1] in ".!"
        return match["before"] + (f"{leading[0].upper()}{leading[1:]}" if begins_sentence else leading)
    return text
