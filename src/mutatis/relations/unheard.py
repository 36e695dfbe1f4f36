"""Relations for names and things that do not exist: the system must neither confirm nor describe them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from mutatis.core.decision import Decision
from mutatis.core.relation import Group
from mutatis.relations.output import ReadsEnglish
from mutatis.relations.preconditions import NOT_A_REFUSAL
from mutatis.relations.said import open_decision, read_decision
from mutatis.relations.soundness import LOGIC, MUST_MOVE, READ
from mutatis.relations.table import WANTED, row
from mutatis.text.abstention import polarity
from mutatis.text.alike import core_without_values
from mutatis.text.sentences import sentences
from mutatis.text.values import values
from mutatis.transformations.near_names import ANOTHER, ASKS_FOR_IT, INVENTED, TAKEN, tells_of

_KNOWS_NOT = re.compile(
    r"\?|\b(?:not|no|never|unknown|unfamiliar|sorry|unfortunately|only|if|could|would|instead|all|every|each|any|other)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
"""Pattern of words in a reply that may not recognise a name, or that is about every such thing."""


_UNKNOWN_OR_COMMON = "the reply may say that it is unknown, or describe what all have in common"


class KnowsNone(ReadsEnglish):
    """Output relation `knows-none`: the answer states nothing about a name that does not exist.

    Nor does it give the answer that belongs to a similar name.
    """

    in_words = "nothing is stated about a thing that does not exist"
    for_readers = (
        "The follow-up asks about another name. Of one that was made up the answer must not state a price, a day, a "
        "time or a quantity, nor that of another name, as if it were known, nor confirm that there is one. Of a place "
        "or thing called like the one before, the answer must not tell of the one before alone, as if it had been "
        "asked about: what names the new one, asks back, denies or corrects is right."
    )
    name = "knows-none"
    note = INVENTED

    def read(self, group: Group) -> Decision:
        """Report a violation if the answer clearly states a value for the invented name, or for a similar one.

        Leave the verdict open if the statement may apply to everything, or if the answer is a question.
        """
        noted = group.recorded(INVENTED)
        before, reply = map(_without_courtesy, group.replies)
        question = group.members[0].question
        if noted.get("form") == ANOTHER:
            return _of_another(reply, question, noted)
        if noted.get("form") == TAKEN:
            return _taken_for(str(group.reference[0]), reply, noted)
        return _of_invented(before, reply, question, noted)


def _of_invented(before: str, reply: str, question: str, noted: Mapping[str, Any]) -> Decision:
    """Decide on a reply about an invented name, given the reply about the real name before it."""
    expectation = f"{noted['name']!r} does not exist, so nothing is known about it"
    first = next(iter(sentences(reply)), "")
    if ASKS_FOR_IT.match(question) and polarity(first) and not _KNOWS_NOT.search(reply):
        return read_decision(False, expectation, f"it says {first!r}")
    informative = [sentence for sentence in sentences(reply) if values_of_matter(sentence, question)]
    if not informative:
        return read_decision(True, expectation)
    if _KNOWS_NOT.search(reply) or _is_about_several(reply):
        return open_decision(_UNKNOWN_OR_COMMON)
    names_one = any(name.casefold() in informative[0].casefold() for name in (noted["name"], *noted["known"]))
    if not names_one and before != reply:
        return open_decision("the reply does not say what it is about")
    return read_decision(False, expectation, f"it says {informative[0]!r}")


_COURTESY = re.compile(
    r"\b(?:anything|something) else\b|\b(?:more|other|further) questions\b|\b(?:just|do|feel free to) (?:ask|write)\b"
    r"|\blet (?:me|us) know\b|\bhelp you\b",
    re.IGNORECASE,
)
"""Pattern of an offer of further help."""


def _without_courtesy(reply: str) -> str:
    """Remove the sentences that offer further help from a reply."""
    return " ".join(sentence for sentence in sentences(reply) if not _COURTESY.search(sentence))


def _of_another(reply: str, question: str, noted: Mapping[str, Any]) -> Decision:
    """Decide on a reply about a place or thing with a similar name.

    Report a violation if it only states values of that place or thing.
    """
    [old], new = noted["known"], str(noted["name"])
    informative = [
        sentence for sentence in sentences(reply) if tells_of(sentence, old) and values_of_matter(sentence, question)
    ]
    expectation = f"{new!r} is not {old!r}, so the answer should not be the one for {old!r}"
    if new.casefold() in reply.casefold() or not informative:
        return read_decision(True, expectation)
    if _KNOWS_NOT.search(reply) or _is_about_several(reply):
        return open_decision(_UNKNOWN_OR_COMMON)
    return read_decision(False, expectation, f"it says {informative[0]!r}")


def _taken_for(before: str, reply: str, noted: Mapping[str, Any]) -> Decision:
    """Decide on a reply to a question about a place that the system may have confused with a different one.

    Report a violation if the reply only describes that other place.
    """
    [old], new = noted["known"], str(noted["name"])
    if not tells_of(reply, new) or tells_of(reply, old) or _KNOWS_NOT.search(before):
        return open_decision(f"the reply about {new!r} does not describe it")
    return read_decision(False, f"{old!r} is not {new!r}", f"asked about {old!r}, it talks about {new!r}")


def _is_about_several(reply: str) -> bool:
    """Return True if a reply makes the same statement about several things.

    That is so if two sentences with amounts share most of their words.

    >>> _is_about_several("A trip to Oslo costs 9 EUR. A trip to Rome costs 12 EUR."), _is_about_several("It is 9 EUR.")
    (True, False)
    """
    informative = (sentence for sentence in sentences(reply) if values_of_matter(sentence, ""))
    words = [set(core_without_values(sentence).split()) for sentence in informative]
    return any(
        first and other and len(first & other) >= 0.75 * min(len(first), len(other))
        for first, other in combinations(words, 2)
    )


def values_of_matter(sentence: str, question: str) -> list[str]:
    """Return the amounts, dates, times and quantities that a sentence contains and the question does not."""
    asked = values(question)
    stated = [value for value in values(sentence) if value.kind not in ("name", "number", "code")]
    return [value.text for value in stated if not any(map(value.same, asked))]


row(
    "invented-name",
    KnowsNone(),
    "chat",
    only_if=(NOT_A_REFUSAL,),
    says="The answer states nothing about an invented name, nor the facts of a similar name.",
    purpose=LOGIC,
    change="name",
    draws=3,
    tags=("ours", MUST_MOVE),
    matching=WANTED,
    enough=READ,
)
