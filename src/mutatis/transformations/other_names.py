"""Edits that ask a question about another name, place or thing of the same kind."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Name, NameKind
from mutatis.core.errors import UnusableFollowUp
from mutatis.languages import listed
from mutatis.text.normalisation import like
from mutatis.text.values import values
from mutatis.transformations.conversation import Moved, Rounds, asked_instead, conversation
from mutatis.transformations.formats import ends_phrase
from mutatis.transformations.pieces import replaced_at
from mutatis.transformations.values import (
    EXCHANGED,
)


def _only_name(question: str, dictionary: Dictionary) -> tuple[NameKind, Name]:
    """Return the only name in a question, with its kind. Raise UnusableFollowUp if there are none or several."""
    standing = dictionary.kinds_of(question)
    if not standing:
        raise UnusableFollowUp("the question has no name whose kind is known from questions and replies")
    if len(standing) > 1:
        raise UnusableFollowUp("the question has several names")
    return standing[0]


def other_names(question: str, answer: str, dictionary: Dictionary) -> list[dict[str, str]]:
    """Return replacements for the only name in a question, if its answer repeats it: others of the same kind.

    Raises:
        UnusableFollowUp: there is not exactly one name, the answer does not repeat it, or no other name is known to be
            of its kind.
    """
    if mistaken := [*_taken_for(question, answer), *_of_a_kind(question, answer, dictionary)]:
        return mistaken
    kind, name = _only_name(question, dictionary)
    if name.text.casefold() not in answer.casefold():
        raise UnusableFollowUp("the answer does not repeat the name")
    others = [other.text for other in kind.names if other.trusted and _agree(name.text, other.text)]
    if not name.trusted or not others:
        raise UnusableFollowUp("no other name of this kind occurs in several questions or replies")
    return [{"old": name.text, "new": other} for other in others]


def _taken_for(question: str, answer: str) -> list[dict[str, str]]:
    """Return replacements for a country or city named in both question and answer: places with a similar name.

    >>> _taken_for("Do you deliver to Austria?", "Yes, to Austria it takes 3 days.")
    [{'old': 'Austria', 'new': 'Australia'}]
    """
    names = dict.fromkeys(re.findall(r"[^\W\d_]+", question))
    in_both = [name for name in names if re.search(rf"\b{name}\b", answer)]
    return [{"old": old, "new": new} for old in in_both for new in look_alikes(old) if new not in question]


def look_alikes(name: str) -> list[str]:
    """Return the places whose names people confuse with a name.

    >>> look_alikes("Austria"), look_alikes("Hull")
    (['Australia'], [])
    """
    pairs = [line.split() for line in listed("look_alikes")]
    return [other for pair in pairs if name in pair for other in pair if other != name]


def _of_a_kind(question: str, answer: str, dictionary: Dictionary) -> list[dict[str, str]]:
    """Return other objects of the same kind for the only object in a question, if no other reply mentions it."""
    item, others = thing_and_others(question)
    if not item or dictionary.kinds_of(question):
        return []
    named = re.compile(rf"\b{item}", re.IGNORECASE)
    in_other_reply = any(named.search(each.reply) for each in dictionary.exchanges if each.question != question)
    if not named.search(answer) or in_other_reply:
        return []  # what other replies name, too, may be the service's own word: every envelope is its parcel
    return [{"old": item, "new": other} for other in others]


_BEFORE_THING = re.compile(r"(?<![\w-])(?:an?|the|my|your|for|with|of) \Z", re.IGNORECASE)
"""Words that may stand right before a thing. In "the city car", another word comes between."""


def thing_and_others(question: str) -> tuple[str, list[str]]:
    """Return the only object in a question that people own or buy, and others of its kind; "" and [] if there is none.

    >>> thing_and_others("Is it safe for my dog?"), thing_and_others("What is your phone number?")
    (('dog', ['cat', 'rabbit', 'hamster', 'guinea pig']), ('', []))
    """
    present = [(match, name) for name in _kinds_of_things() for match in re.finditer(rf"\b{name}\b", question)]
    if len(present) != 1:
        return "", []
    [(match, item)] = present
    is_whole = ends_phrase(question, match.end()) and _BEFORE_THING.search(question, 0, match.start())
    if not is_whole or question.startswith(" for ", match.end()):
        return "", []  # "a phone number" is no phone, and nobody has a lorry for children
    if any(value.kind in ("quantity", "age") for value in values(question)):
        return "", []  # nobody has a hamster of 4 kg
    return item, [other for other in _kinds_of_things()[item] if other != item]


@cache
def _kinds_of_things() -> Mapping[str, Sequence[str]]:
    """Return the objects that people own or buy, each with all objects of its kind."""
    kinds = [[name.replace("_", " ") for name in line.split()] for line in listed("kinds")]
    return {name: kind for kind in kinds for name in kind}


def _agree(name: str, other: str) -> bool:
    """Return True if two different names agree in capitalisation and number, so that one can replace the other."""
    same_case = name[:1].isupper() is other[:1].isupper()
    same_number = name.endswith("s") is other.endswith("s")
    return same_case and same_number and name.casefold() != other.casefold()


def with_name(question: str, old: str, new: str) -> str | None:
    """Return a question with one name replaced and the article adapted, or None if the old name does not occur."""
    match = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", question, re.IGNORECASE)
    if match is None:
        return None
    return replaced_at(question, *match.span(), new if new[:1].isupper() else like(match.group(), new))


@conversation("another-name", capability="names and pronouns", says="another name of the same kind", reads=other_names)
def another_name(rounds: Rounds, turns: tuple[Turn, ...], **choice: str) -> Moved:
    """Ask about a different name of the same kind, taken from the questions and replies of the run.

    >>> turns = (Turn(fields={"message": "What does Basic cost?"}),)
    >>> for _, turn in another_name((0,), turns, old="Basic", new="Green Flex"): print(turn.fields["message"])
    What does Green Flex cost?
    """
    old, new = choice["old"], choice["new"]
    text = with_name(turns[-1].question, old, new)
    return asked_instead(rounds, turns, text, **{EXCHANGED: ["product", old, new]})
