"""Adds to a question a condition or its opposite, or a second wish before or after the first.

The additions come from the run's own texts: the reply to the question if possible, otherwise another reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.languages import listed
from mutatis.transformations.conversation import Moved, Rounds, asked_after, conversation
from mutatis.transformations.interruptions import asks_one_thing, check_one_thing
from mutatis.transformations.two_ways import TWO_WAYS, WAY, Way

ADDED = "added"
"""Annotation of a turn: the form in which a condition was added to it, `ADDED_AS_IS` or `ADDED_TURNED`."""

ADDED_AS_IS, ADDED_TURNED = "as it is", "turned"

Added: TypeAlias = Literal["as it is", "turned"]

OF_PRICE = re.compile(
    r"\b(?:how (?:much|expensive) (?:is|are|does|do|would|will)|what (?:do|does|would|will) \w+ (?:pay|charge)"
    r"|costs?|prices?|fees?|fares?|deposit|surcharge)\b",
    re.IGNORECASE,
)
"""Words of a question for a price."""


def asks_price(question: str) -> bool:
    """Return True if a question asks for a price.

    >>> [asks_price(question) for question in ("What do you charge?", "How much is it?", "How much can I bring?")]
    [True, True, False]
    """
    return OF_PRICE.search(question) is not None


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
            parts = match.groupdict()
            if "state" in parts:
                yield f"I'm {parts['state']}.", f"I'm not {parts['state']}."
            else:
                owned = parts["owned"] if "owned" in parts else f"a {parts['card']}"
                yield f"I have {owned}.", f"I don't have {owned}."
    listed_states = list(states_listed())
    if any(state.is_shown_in(question) for state in listed_states):
        return  # the user's status is known already
    for state in listed_states:
        if state.is_shown_in(reply) or (_may_matter(state.state, question) and state.is_shown_in(elsewhere)):
            yield f"I'm {state.state}.", state.opposite


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

    def is_shown_in(self, text: str) -> bool:
        """Return True if a text contains one of the words that show this status."""
        return any(is_named_in(word, text) for word in self.words)


def states_listed() -> Iterator[State]:
    """Yield the statuses that customers may claim."""
    for line in listed("states"):
        words, _, statement = line.partition(": ")
        state, _, opposite = statement.partition(" | ")
        yield State(words=tuple(words.split()), state=state, opposite=opposite or f"I'm not {state}.")


def _may_matter(state: str, question: str) -> bool:
    """Return True if a status may reduce the price, or affect the safety, that a question asks about."""
    if state in _OF_HEALTH:
        return _OF_SAFETY.match(question) is not None
    return state in REDUCED_STATES and asks_price(question)


def _texts_of_run(dictionary: Dictionary) -> str:
    return "\n".join(f"{exchange.question}\n{exchange.reply}" for exchange in dictionary.exchanges)


def _states(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    check_one_thing(question)
    if not (asks_price(question) or _OF_PERMISSION.match(question)):
        raise UnusableFollowUp("the message asks neither for a price nor whether something is possible")
    statements = dict.fromkeys(_turned_both_ways(reply, _texts_of_run(dictionary), question))
    if not statements:
        raise UnusableFollowUp("no reply names a condition that the user may or may not meet")
    return [{"as_it_is": f"{claim} {question}", "opposite": f"{denial} {question}"} for claim, denial in statements]


@conversation("add-state", capability="negation", says="what the user is stated first, or its opposite", reads=_states)
def add_state(rounds: Rounds, turns: tuple[Turn, ...], *, way: Added = "as it is", **choice: str) -> Moved:
    """Begin the question by claiming or denying a status that a reply in the run mentions.

    >>> turns = (Turn(fields={"message": "How much is a card?"}),)
    >>> said = {"as_it_is": "I'm a student. How much is a card?", "opposite": "I'm not a student. How much is a card?"}
    >>> [(_, turn)] = add_state((0,), turns, way="turned", **said)
    >>> turn.fields["message"]
    "I'm not a student. How much is a card?"
    """
    text = choice["as_it_is"] if way == ADDED_AS_IS else choice["opposite"]
    return asked_after(rounds, turns, [], text, **{ADDED: {"way": way, "other": choice["opposite"]}})


_HAS_EXTRA = re.compile(r"\b(?:with|without|including|included|excluding|plus|per|and|or)\b", re.IGNORECASE)


_ASKS_PRICE_OF = (
    r"(?:\bhow (?:much|expensive) (?:is|are|does|do|would|will)|\bwhat (?:does|do|would)"
    r"|\b(?:price|cost|fee|fare)s? (?:of|for)|\bto send) "
    r"(?:(?:an?|the|one|your|\d+|two|three) )?(?:(?!for\b|of\b)[\w-]+ ){0,2}?"
)
"""Pattern for the words before the item whose price is asked for, and up to two words that describe the item."""


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
        if re.search(rf"{_ASKS_PRICE_OF}(?:{'|'.join(names)})\b", question, re.IGNORECASE):
            usual, _, only_priced = extras.partition(" | ")
            words = [*usual.split(), *(only_priced.split() if priced else ())]
            return names, [word.replace("_", " ") for word in words]
    return [], []


def _extras(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    if not (asks_one_thing(question) and asks_price(question)) or _HAS_EXTRA.search(question):
        raise UnusableFollowUp("the message does not ask for the price of a single thing without extras")
    extras = extras_of(question)
    if not extras:
        raise UnusableFollowUp("no extras are known for the thing in the question")
    bare = question.rstrip(" ?")
    return [
        {"as_it_is": f"{bare} with {extra}?", "opposite": f"{bare} without {extra}?"}
        for extra in _named_in_run(extras, reply, dictionary)
    ]


def _named_in_run(extras: list[str], reply: str, dictionary: Dictionary) -> list[str]:
    """Return the extras that the run's texts mention, or all extras if the texts mention none of them."""
    texts = f"{reply}\n{_texts_of_run(dictionary)}"
    return [extra for extra in extras if is_named_in(re.sub(r"\Aan? ", "", extra), texts)] or extras


@conversation("add-extra", capability="negation", says="with or without an extra", reads=_extras)
def add_extra(rounds: Rounds, turns: tuple[Turn, ...], *, way: Added = "as it is", **choice: str) -> Moved:
    """Ask for the price of an item with or without an extra that the run's texts mention.

    >>> turns = (Turn(fields={"message": "How much is a room?"}),)
    >>> said = {"as_it_is": "How much is a room with breakfast?", "opposite": "How much is a room without breakfast?"}
    >>> [(_, turn)] = add_extra((0,), turns, way="turned", **said)
    >>> turn.fields["message"]
    'How much is a room without breakfast?'
    """
    return add_state(rounds, turns, way=way, **choice)


# Two wishes

_NO_WISH = r"(?:my|your|the|it|this|that|me|you|us|them|him|her|each|every|all|any|no|which|what|and)\b"
_END_OF_WISH = r"(?:and|or|for|on|in|at|from|to|of|is|are|was|by|costs?|as|if|do|does|can|that|today|now)\b"
_WISH = re.compile(
    rf"\b(?P<thing>[a-z]{{3,}}) (?P<how>without|with) (?P<what>(?!{_NO_WISH})(?:an? )?[a-z][a-z-]+"
    rf"(?: (?!{_END_OF_WISH})[a-z][a-z-]+)?)"
)


class Wish(NamedTuple):
    """A wish such as "with a view": the words "with" or "without", and what is wished for."""

    how: str
    what: str


def _wishes_for(noun: str, question: str, dictionary: Dictionary) -> Iterator[Wish]:
    """Yield wishes for a thing, in the singular or plural, from the run's texts and the list of extras."""
    for exchange in dictionary.exchanges:
        for match in _WISH.finditer(f"{exchange.question} {exchange.reply}"):
            if match["thing"] in (noun, f"{noun}s", noun.removesuffix("s")):
                yield Wish(match["how"], match["what"])
    for extra in extras_of(question):
        yield Wish("with", extra)


def _joined(first: Wish, second: Wish) -> str:
    """Join two wishes into one phrase.

    >>> _joined(Wish("with", "a bath"), Wish("with", "a view"))
    'with a bath and a view'
    >>> _joined(Wish("with", "a bath"), Wish("without", "breakfast"))
    'with a bath and without breakfast'
    """
    again = "" if first.how == second.how else f"{second.how} "
    return f"{first.how} {first.what} and {again}{second.what}"


def _two_wishes(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return pairs of wishes in both orders, with the words before and after them.

    The wishes are the question's own and another ("with a bath", "with a view"), or two extras that have a price.
    """
    if not asks_one_thing(question) or re.search(r"\b(?:and|or)\b", question):
        raise UnusableFollowUp("the message is not a single, self-contained question")
    matches = list(_WISH.finditer(question))
    if len(matches) > 1:
        raise UnusableFollowUp("the message already contains several wishes")
    if matches:
        [match] = matches
        lead, rest = question[: match.start("how")], question[match.end("what") :]
        wish = Wish(match["how"], match["what"])
        others = dict.fromkeys(_wishes_for(match["thing"], question, dictionary))
        pairs = [(wish, other) for other in others if other.what != wish.what]
    else:
        extras = extras_of(question) if asks_price(question) and not _HAS_EXTRA.search(question) else []
        lead, rest = f"{question.rstrip(' ?')} ", "?"
        pairs = list(combinations((Wish("with", extra) for extra in extras), 2))
    if not pairs:
        raise UnusableFollowUp("no two extras or wishes are known that could be combined")
    return [
        {"plain": _joined(first, second), "otherwise": _joined(second, first), "lead": lead, "rest": rest}
        for first, second in pairs
    ]


@conversation("two-wishes", capability="several constraints", says="two wishes in one question", reads=_two_wishes)
def two_wishes(rounds: Rounds, turns: tuple[Turn, ...], *, way: Way = "plain", **choice: str) -> Moved:
    """Ask for something with two wishes, in either order. The second wish comes from another text of the run.

    `plain` and `otherwise` are the wishes in the two orders; `lead` and `rest` are the text around them.

    >>> turns = (Turn(fields={"message": "How much is a room with a bath?"}),)
    >>> said = {"plain": "with a bath and a view", "otherwise": "with a view and a bath", "lead": "How much is a room "}
    >>> for way in ("plain", "otherwise"):
    ...     print(two_wishes((0,), turns, way=way, **said, rest="?")[0][1].fields["message"])
    How much is a room with a bath and a view?
    How much is a room with a view and a bath?
    """
    text = f"{choice['lead']}{choice[way]}{choice['rest']}"
    noted = [choice["plain"], choice["otherwise"]]
    return asked_after(rounds, turns, [], text, **{WAY: way, TWO_WAYS: noted})
