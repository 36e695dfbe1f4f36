"""Rewrites yes-no questions: to ask whether the statement is true or false, or to suggest the answer yes.

Other texts are left unchanged.
"""

from __future__ import annotations

import re

from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.languages import Language, language_tables, needing
from mutatis.text.sentences import QUESTION_MARKS
from mutatis.transformations.asking import last_question

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
    languages=needing("speech.statement", "speech.patterns.no_statement"),
)
@as_a_whole
def leading_question(text: str, written_in: str = "en") -> str:
    """Rewrite a yes-no question at the end so that it suggests the answer yes. Other texts are left unchanged.

    >>> leading_question("Do you ship to Norway?"), leading_question("My file has 90 MB, can I upload it?")
    ("You ship to Norway, don't you?", 'My file has 90 MB, I can upload it, right?')
    >>> leading_question("How much is it?"), leading_question("Is it open, and do you have a pool?")
    ('How much is it?', 'Is it open, and do you have a pool?')
    >>> leading_question("Haben Sie am Montag offen?", "de"), leading_question("Wann haben Sie offen?", "de")
    ('Sie haben am Montag offen, oder?', 'Wann haben Sie offen?')
    """
    folder, (before, question) = Language(written_in), last_question(text)
    asks_before = any(mark in before for mark in QUESTION_MARKS)
    if not question or asks_before or folder.pattern("no_statement").search(question):
        return text
    for pattern, statement in language_tables("speech", written_in)["statement"]:
        match = re.fullmatch(pattern, question[:1].lower() + question[1:], re.IGNORECASE | re.VERBOSE)
        if match is not None:
            leading = match.expand(statement)
            return f"{before}{leading[:1].upper()}{leading[1:]}"
    return text
