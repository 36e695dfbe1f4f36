"""Adds to a question a condition or its opposite, or a second wish before or after the first.

The additions come from the run's own texts: the reply to the question if possible, otherwise another reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.languages import listed
from mutatis.transformations.conversation import conversation
from mutatis.transformations.interruptions import Moved, Rounds, asks_one_thing, check_one_thing
from mutatis.transformations.several import judged_after
from mutatis.transformations.two_ways import PLAIN, TWO_WAYS, WAY, Way

ADDED = "added"
"""Annotation of a turn: the form in which a condition was added to it, `ADDED_AS_IS` or `ADDED_TURNED`."""

ADDED_AS_IS, ADDED_TURNED = "as it is", "turned"

Added: TypeAlias = Literal["as it is", "turned"]

_OF_PRICE = re.compile(
    r"\b(?:how (?:much|expensive) (?:is|are|does|do|would|will)|costs?|price|fee|fare)\b", re.IGNORECASE
)


def asks_price(question: str) -> bool:
    """Return True if a question asks for a price."""
    return _OF_PRICE.search(question) is not None


_OF_PERMISSION = re.compile(r"\s*(?:can|may|could|do|am|are|is it (?:ok|okay|safe|allowed|possible))\b", re.IGNORECASE)
_OF_SAFETY = re.compile(r"\s*(?:can|may|should|could) (?:I|we)\b|\s*is (?:it|\w+) (?:ok|okay|safe)\b", re.IGNORECASE)
_OF_HEALTH = frozenset({"pregnant", "breastfeeding", "diabetic"})
REDUCED_STATES = frozenset({"a student", "a pensioner", "a senior", "a member", "a resident"})
"""Statuses that may be added to a question even if only another reply of the run mentions them."""

_CLAUSES = (
    re.compile(r"\bif you(?:['\u2019]re| are) (?P<state>(?:an? )?[a-z][a-z-]+(?: [a-z-]+)?)(?=[.,;!]|\Z)"),
    re.compile(r"\bif you have (?P<owned>an? [a-z][a-z-]+(?: [a-z-]+)?)(?=[.,;!]|\Z)"),
    re.compile(
        r"\bwith (?:an?|your) (?P<card>[a-z-]+ (?:card|pass|subscription|membership))(?=[.,;!]|\s+(?:you|it)\b|\Z)"
    ),
)
"""Patterns of conditions in a reply, such as "if you have a garden", that a user can claim or deny to meet."""


def is_named_in(word: str, text: str) -> bool:
    """Return True if a text contains the given word."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text, re.IGNORECASE) is not None


def _turned_both_ways(reply: str, elsewhere: str, question: str) -> Iterator[tuple[str, str]]:
    """Yield statements about a user's status or possession, each with its opposite; those from the reply come first."""
    for pattern in _CLAUSES:
        for match in pattern.finditer(reply):
            if match.re.groupindex.get("state"):
                yield f"I'm {match['state']}.", f"I'm not {match['state']}."
            else:
                owned = match["owned"] if "owned" in match.groupdict() else f"a {match['card']}"
                yield f"I have {owned}.", f"I don't have {owned}."
    lines = list(states_listed())
    if any(is_named_in(word, question) for line in lines for word in line.words):
        return
    for line in lines:
        if any(is_named_in(word, reply) for word in line.words) or (
            _fits(line.state, question) and any(is_named_in(word, elsewhere) for word in line.words)
        ):
            yield f"I'm {line.state}.", line.opposite


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A status that a customer may claim: the words that show it in a text, its name, and a sentence that denies it."""

    words: tuple[str, ...]
    state: str
    opposite: str

    @property
    def no_longer(self) -> str:
        """A sentence stating that the person no longer has this status, or "" if the status cannot be lost."""
        return f"I'm no longer {self.state}." if self.opposite == f"I'm not {self.state}." else ""


def states_listed() -> Iterator[State]:
    """Yield the statuses that customers may claim."""
    for line in listed("states"):
        words, _, said = line.partition(": ")
        state, _, opposite = said.partition(" | ")
        yield State(words=tuple(words.split()), state=state, opposite=opposite or f"I'm not {state}.")


def _fits(state: str, question: str) -> bool:
    """Return True if a status may reduce the price that a question asks for."""
    if state in _OF_HEALTH:
        return _OF_SAFETY.match(question) is not None
    return state in REDUCED_STATES and asks_price(question)


def _elsewhere(dictionary: Dictionary) -> str:
    return "\n".join(f"{exchange.question}\n{exchange.reply}" for exchange in dictionary.exchanges)


def _states(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    check_one_thing(question)
    if not (asks_price(question) or _OF_PERMISSION.match(question)):
        raise UnusableFollowUp("the message asks neither for a price nor whether something is possible")
    ways = dict.fromkeys(_turned_both_ways(reply, _elsewhere(dictionary), question))
    if not ways:
        raise UnusableFollowUp("no reply names a condition that the user may or may not meet")
    return [{"as_it_is": f"{way} {question}", "opposite": f"{other} {question}"} for way, other in ways]


@conversation("add-state", capability="negation", says="what the user is stated first, or its opposite", reads=_states)
def add_state(
    rounds: Rounds, turns: tuple[Turn, ...], *, way: Added = "as it is", as_it_is: str = "", opposite: str = ""
) -> Moved:
    """Begin the question by claiming or denying a status that a reply in the run mentions.

    >>> turns = (Turn(fields={"message": "How much is a card?"}),)
    >>> said = {"as_it_is": "I'm a student. How much is a card?", "opposite": "I'm not a student. How much is a card?"}
    >>> [(_, turn)] = add_state((0,), turns, way="turned", **said)
    >>> turn.fields["message"]
    "I'm not a student. How much is a card?"
    """
    return _added(rounds, turns, way, as_it_is, opposite)


def _added(rounds: Rounds, turns: Sequence[Turn], way: Added, as_it_is: str, opposite: str) -> Moved:
    if not (as_it_is and opposite and len(turns) == 1):
        return rounds
    text = as_it_is if way == ADDED_AS_IS else opposite
    return judged_after(rounds, turns, 0, [], text, **{ADDED: {"way": way, "other": opposite}})


_HAS_ONE = re.compile(r"\b(?:with|without|including|included|excluding|plus|per|and|or)\b", re.IGNORECASE)


def extras_of(question: str) -> list[str]:
    """Return the usual extras of the item whose price a question asks for, or [] if none are known.

    >>> extras_of("How much is a double room?")[:2], extras_of("How much is the fine for a late book?")
    (['breakfast', 'parking'], [])
    """
    _, extras = extras_for(question, priced=False)
    return extras


def extras_for(question: str, *, priced: bool = True) -> tuple[list[str], list[str]]:
    """Return the names of the item whose price is asked for, and the names of its extras.

    `priced` includes extras that may be ruled out only if the service has a price for them.

    >>> extras_for("How much is a single ticket?")[1], extras_for("How much is a ticket?", priced=False)[1]
    (['a seat reservation', 'insurance', 'a car'], ['a seat reservation', 'insurance'])
    """
    for line in listed("extras"):
        things, _, extras = line.partition(": ")
        names = [name.replace("_", " ") for name in things.split()]
        if re.search(rf"{_BEFORE_THING}(?:{'|'.join(names)})\b", question, re.IGNORECASE):
            usual, _, others = extras.partition(" | ")
            said = [*usual.split(), *(others.split() if priced else ())]
            return names, [extra.replace("_", " ") for extra in said]
    return [], []


_BEFORE_THING = (
    r"(?:\bhow (?:much|expensive) (?:is|are|does|do|would|will)|\bwhat (?:does|do|would)"
    r"|\b(?:price|cost|fee|fare)s? (?:of|for)|\bto send) "
    r"(?:(?:an?|the|one|your|\d+|two|three) )?(?:(?!for\b|of\b)[\w-]+ ){0,2}?"
)


def _extras(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    if not (asks_one_thing(question) and asks_price(question)) or _HAS_ONE.search(question):
        raise UnusableFollowUp("the message does not ask for the price of a single thing without extras")
    extras = extras_of(question)
    if not extras:
        raise UnusableFollowUp("no extras are known for the thing in the question")
    asked, extras = question.rstrip(" ?"), _named_in_run(extras, reply, dictionary)
    return [{"as_it_is": f"{asked} with {extra}?", "opposite": f"{asked} without {extra}?"} for extra in extras]


def _named_in_run(extras: list[str], reply: str, dictionary: Dictionary) -> list[str]:
    """Return the extras that the run's texts mention, or all extras if the texts mention none of them."""
    everywhere = f"{reply}\n{_elsewhere(dictionary)}"
    return [extra for extra in extras if is_named_in(re.sub(r"\Aan? ", "", extra), everywhere)] or extras


@conversation(
    "add-extra",
    capability="negation",
    says="with or without an extra",
    reads=_extras,
)
def add_extra(
    rounds: Rounds, turns: tuple[Turn, ...], *, way: Added = "as it is", as_it_is: str = "", opposite: str = ""
) -> Moved:
    """Ask for the price of an item with or without an extra that the run's texts mention.

    >>> turns = (Turn(fields={"message": "How much is a room?"}),)
    >>> said = {"as_it_is": "How much is a room with breakfast?", "opposite": "How much is a room without breakfast?"}
    >>> [(_, turn)] = add_extra((0,), turns, way="turned", **said)
    >>> turn.fields["message"]
    'How much is a room without breakfast?'
    """
    return _added(rounds, turns, way, as_it_is, opposite)


# Two wishes

_NO_WISH = r"(?:my|your|the|it|this|that|me|you|us|them|him|her|each|every|all|any|no|which|what|and)\b"
_END_OF_WISH = r"(?:and|or|for|on|in|at|from|to|of|is|are|was|by|costs?|as|if|do|does|can|that|today|now)\b"
_WISH = re.compile(
    rf"\b(?P<head>[a-z]{{3,}}) (?P<how>without|with) (?P<what>(?!{_NO_WISH})(?:an? )?[a-z][a-z-]+"
    rf"(?: (?!{_END_OF_WISH})[a-z][a-z-]+)?)"
)


def _wishes_for(head: str, question: str, dictionary: Dictionary) -> Iterator[tuple[str, str]]:
    """Yield wishes to add, such as "with" and "a view", from the run's texts and the list of extras."""
    for exchange in dictionary.exchanges:
        for match in _WISH.finditer(f"{exchange.question} {exchange.reply}"):
            if match["head"] in (head, f"{head}s", head.removesuffix("s")):
                yield match["how"], match["what"]
    for extra in extras_of(question):
        yield "with", extra


def _both(first: tuple[str, str], second: tuple[str, str]) -> str:
    """Join two wishes into one phrase.

    >>> _both(("with", "a bath"), ("with", "a view")), _both(("with", "a bath"), ("without", "breakfast"))
    ('with a bath and a view', 'with a bath and without breakfast')
    """
    how = "" if first[0] == second[0] else f"{second[0]} "
    return f"{first[0]} {first[1]} and {how}{second[1]}"


def _two_wishes(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    if not asks_one_thing(question) or re.search(r"\b(?:and|or)\b", question):
        raise UnusableFollowUp("the message is not a single, self-contained question")
    standing = list(_WISH.finditer(question))
    if len(standing) > 1:
        raise UnusableFollowUp("the message already contains several wishes")
    if standing:
        [match] = standing
        lead, rest = question[: match.start("how")], question[match.end("what") :]
        wished = (match["how"], match["what"])
        others = dict.fromkeys(_wishes_for(match["head"], question, dictionary))
        pairs = [(wished, other) for other in others if other[1] != wished[1]]
    else:
        extras = extras_of(question) if asks_price(question) and not _HAS_ONE.search(question) else []
        lead, rest = f"{question.rstrip(' ?')} ", "?"
        pairs = [(("with", first), ("with", other)) for first, other in combinations(extras, 2)]
    if not pairs:
        raise UnusableFollowUp("no two extras or wishes are known that could be combined")
    return [{"plain": _both(*pair), "otherwise": _both(*pair[::-1]), "lead": lead, "rest": rest} for pair in pairs]


@conversation("two-wishes", capability="several constraints", says="two wishes in one question", reads=_two_wishes)
def two_wishes(
    rounds: Rounds,
    turns: tuple[Turn, ...],
    *,
    way: Way = "plain",
    plain: str = "",
    otherwise: str = "",
    lead: str = "",
    rest: str = "",
) -> Moved:
    """Ask for something with two wishes, in either order. The second wish comes from another text of the run.

    >>> turns = (Turn(fields={"message": "How much is a room with a bath?"}),)
    >>> said = {"plain": "with a bath and a view", "otherwise": "with a view and a bath", "lead": "How much is a room "}
    >>> for way in ("plain", "otherwise"):
    ...     print(two_wishes((0,), turns, way=way, **said, rest="?")[0][1].fields["message"])
    How much is a room with a bath and a view?
    How much is a room with a view and a bath?
    """
    if not (plain and otherwise and len(turns) == 1):
        return rounds
    text = f"{lead}{plain if way == PLAIN else otherwise}{rest}"
    return judged_after(rounds, turns, 0, [], text, **{WAY: way, TWO_WAYS: [plain, otherwise]})
