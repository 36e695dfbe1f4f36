"""Decides whether a reply denies or affirms a question. "Optional" is a denial if the question is about a need.

To read a reply on its own, without a question, relations use `text.sides`.
"""

from __future__ import annotations

import re
from itertools import pairwise

from mutatis.measures.answer import Answer, read
from mutatis.measures.polar import NEARBY, denials, says_again
from mutatis.measures.words import FUNCTION_WORDS, NEEDLESS, REFUSING, REGRETS
from mutatis.text.kept_within import kept_within
from mutatis.text.normalisation import fold, listed_words
from mutatis.text.openers import without_willingness
from mutatis.text.sentences import split_sentences

_CONDITION = re.compile(
    r"\b(?:if|provided(?: that)?|unless|as long as|even if|when(?:ever)?|while|not (?:just|only))\b[^,;:.!?]*"
)
"""Pattern for a part of a sentence that states a condition."""

_WHO = re.compile(
    r"(\bwho\b(?:[^,;:.!?]{0,40}, or)? )"
    r"(?:can no longer|cannot|can not|can't|cant|(?:do|does|did|is|are)(?: not|n't|nt)|ha(?:ve|s) no)\b"
)
"""Pattern for a description of people, which does not deny anything: "to all who cannot leave the house"."""

_TAG = re.compile(
    r"[,.]? (?:do|does|did|is|are|was|were|wo|ca|would|could|should|have|has)(?:nt|n't| not) "
    r"(?:i|you|he|she|it|we|they|there) ?\?"
)
"""Pattern for a tag question, which asks for agreement and denies nothing: "I think I can, don't you?"."""

_NUMBER = re.compile(r"(?<=[\w,] )no\. ?(?=\d)")
"""Pattern for the abbreviation "no." before a number, which does not deny anything: "order no. 6034"."""

_CLAUSE = re.compile(r"[,.!?]\s")
_EXPLAINED = re.compile(r"[;:]\s")

_GRANTING = listed_words("fine welcome allowed permitted gladly")
_EASY = frozenset({("no", "problem"), ("feel", "free"), ("of", "course")})
_BINDING = listed_words("need needs must required compulsory mandatory obligatory necessary essential")
_ANOTHER = listed_words("other another else")
_AVOIDING = listed_words("avoid refrain avoided")
_THAT = listed_words("that this it them doing both")
_ADVERSE = _AVOIDING | listed_words("risk risky danger dangerous harm harms harmful unsafe")
_LIMITING = listed_words("only except against instead")
_OCCUPIED = frozenset(
    (verb, word) for verb in ("is", "are", "isnt", "arent", "already") for word in ("taken", "occupied", "full")
)
_CLOSED = frozenset((verb, "closed") for verb in ("is", "are", "were", "isnt", "arent", "stays", "remains"))


@kept_within(3_000_000, per_character=2)
def denies(reply: str, asked: str = "") -> bool:
    """Return True if a reply negates, denies or regrets something that concerns the question.

    >>> need = "Do I need an internship?"
    >>> denies("An internship is optional.", need), denies("You can't graduate without an internship.", need)
    (True, False)
    >>> denies("There is no charge.", "Is parking included?"), denies("There is no charge.", "Do I have to pay?")
    (False, True)
    """
    question = read(asked).words
    said: tuple[str, ...] = ()
    reply = without_willingness(reply)
    described = _TAG.sub(".", _WHO.sub(r"\1", _NUMBER.sub("", fold(reply))))
    for sentence in split_sentences(_CONDITION.sub(" ", described), cased=False):
        if _is_denied(sentence.text, question, said):
            return True
        said = (said + read(sentence.text).words)[-NEARBY:]
    return False


def denies_twice(reply: str, asked: str) -> bool:
    """Return True if a clause contains two denials, so that it is unclear whether they cancel each other out.

    >>> denies_twice("Without a vaccination it cannot stay.", "It is not vaccinated. Can it stay?")
    True
    """
    question = read(asked).words
    return any(
        _denials(read(clause), question, ()) > 1
        for sentence in split_sentences(fold(reply), cased=False)
        for clause in _CLAUSE.split(sentence.text)
        if clause.strip()
    )


def affirms(reply: str, asked: str) -> bool:
    """Return True if a reply clearly affirms a question: it begins with yes, repeats it, or permits or requires it.

    "It can only be ordered by phone" and "It raises the risk of bleeding" are not affirmations.

    >>> asked = "Are you open on Saturday at 3 pm?"
    >>> affirms("Gladly: So at 3pm we are closed on Saturday.", asked), affirms("Gladly, come in.", asked)
    (False, True)
    """
    reply = without_willingness(reply)
    if denies(reply, asked):
        return False
    if read(reply).polarity:
        return True
    if (_LIMITING | (_ADVERSE - set(read(asked).words))) & set(read(reply).words):
        return False
    if (_GRANTING | _BINDING) & set(read(reply).words):
        return True
    return any(says_again(read(part.text), read(asked)) for part in split_sentences(reply) if part.text.strip())


def plainly_denies(reply: str, asked: str) -> bool:
    """Return True if a reply denies the question itself, by beginning with no or by repeating the question.

    >>> plainly_denies("There are no disruptions.", "Is the bus running?")
    False
    """
    if not denies(reply, asked):
        return False
    said = read(reply)
    if said.polarity is False or (REFUSING | NEEDLESS) & set(said.words):
        return True
    return any(
        denies(part.text, asked) and says_again(read(part.text), read(asked))
        for part in split_sentences(reply)
        if part.text.strip()
    )


def _is_denied(sentence: str, question: tuple[str, ...], said: tuple[str, ...]) -> bool:
    """Return True if a sentence denies something. A negation that gives the reason for a permission does not count.

    An example is "It is fine: there is no name on it".
    """
    for part in _EXPLAINED.split(sentence):
        read_clauses = [read(clause) for clause in _CLAUSE.split(part) if clause.strip()]
        clauses = [clause for at, clause in enumerate(read_clauses) if not at or not _sets_aside(clause, question)]
        if any(_EASY & set(pairwise(clause.words)) for clause in clauses):
            return False
        for clause in clauses:
            if REGRETS & set(clause.words) or _discourages(clause, question) or _denials(clause, question, said) % 2:
                return True
            said += clause.words
        if any(_GRANTING & set(clause.words) for clause in clauses):
            return False
    return False


def _sets_aside(clause: Answer, question: tuple[str, ...]) -> bool:
    """Return True if a clause denies something that was not asked, as in "I am a program, not a person"."""
    return clause.words[:1] == ("not",) and (set(clause.words) - FUNCTION_WORDS).isdisjoint(question)


def _discourages(clause: Answer, question: tuple[str, ...]) -> bool:
    """Return True if a clause advises against the subject of the question, like "Please avoid that"."""
    wanted = frozenset(read(" ".join(question)).content)
    return _ADVERSE.isdisjoint(question) and any(
        word in _AVOIDING
        and (set(clause.words[at + 1 : at + 3]) & _THAT or wanted & set(clause.stems[at + 1 : at + NEARBY]))
        for at, word in enumerate(clause.words)
    )


def _denials(clause: Answer, question: tuple[str, ...], before: tuple[str, ...]) -> int:
    """Return the number of denials in a clause. "Taken" and "closed" count as denials, but "no other" does not."""
    words, pairs = clause.words, list(pairwise(clause.words))
    told = denials(words, question, before) + len((_OCCUPIED | _CLOSED) & set(pairs))
    if words and words[0] == "no" and told > 1:
        told = 1  # "No, it is not."
    if _ANOTHER.isdisjoint(question):
        told -= sum(pair == ("no", "other") for pair in pairs)  # "It is in English, so no other language is needed."
    return told
