"""Dialogues whose last turn depends on the first, or that ask about one item after asking about several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.transformations.conversation import conversation
from mutatis.transformations.interruptions import Moved, Rounds, check_one_thing
from mutatis.transformations.lexicon import plural
from mutatis.transformations.together import after_texts, ask_before, only_turn, short_choices

_THANKS = ("Okay, thank you.", "Thanks!", "Great, thanks.", "Thank you.")
"""Ways to thank the bot before asking another question."""


def _short_later(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    choices = short_choices(question, reply, dictionary)
    return [{**choice, "between": thanks} for choice in choices for thanks in _THANKS]


@conversation(
    "leave-out-later",
    capability="memory",
    says="only a new value for the previous question, after thanks",
    reads=_short_later,
    adds=2,
)
def leave_out_later(
    rounds: Rounds, turns: tuple[Turn, ...], *, before: str = "", between: str = "", short: str = ""
) -> Moved:
    """Ask about a different value or name, thank the system, and ask for the original in short form: "And Basic?".

    >>> turns = (Turn(fields={"message": "How much is Basic?"}),)
    >>> said = leave_out_later((0,), turns, before="How much is Duo?", between="Thanks!", short="And Basic?")
    >>> [turn.fields["message"] for _, turn in said]
    ['How much is Duo?', 'Thanks!', 'And Basic?']
    """
    turn = only_turn(turns)
    return after_texts(turn, [before, between], short) if before and between and short else rounds


# One thing after several

_BEHIND = r"(?P<behind>(?: (?:for|of|to|in|within|with|on|at|from|per|by)\b[^?]*?)?)"
_THING = r"an? (?P<thing>(?:(?!for\b|of\b|to\b|in\b|within\b|with\b|on\b|at\b|from\b|per\b|by\b)[a-z-]+ ?){1,3}?)"
_PRICE_OF_ONE = tuple(
    (re.compile(rf"(?:.*?[,.!] )?{question}\?", re.IGNORECASE), several)
    for question, several in (
        (rf"how much is {_THING}{_BEHIND}", "How much are {things}?"),
        (rf"(?:what|how much) does {_THING}{_BEHIND} cost(?P<after>[^?]*?)", "What do {things} cost{after}?"),
        (rf"(?:what|how much) do you charge for {_THING}{_BEHIND}", "How much do you charge for {things}?"),
    )
)
"""Patterns of questions for the price of one thing, each with the same question for several."""

_NUMBERS = ("2", "3", "4")
_NO_SEVERAL = re.compile(
    r"(?:\A(?:first|second|third|new|another|whole|full)\b.*|man|men|woman|child|person|foot|tooth|fe?|life"
    r"|half|couple|bit|lot|piece|s|deposit|fee|fine|price|discount|delivery|collection|licence|license|account"
    r"|consultation|vaccination|membership|subscription|insurance|policy|x-ray|driver"
    r"|[a-z]*(?:night|day|week|month|year|hour)(?:ly)?)\Z",
    re.IGNORECASE,
)
"""Nouns with an irregular plural, and things that no one orders several of."""

_FOR_ONE = re.compile(r" for (?:one|an?|my|our)\b| and (?:how|what|when|where|is|are|do|does|can)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfSeveral:
    """A question about the price of several items: its wording, the item in the singular, and the words after it."""

    form: str
    noun: str
    behind: str

    def item(self, number: str) -> str:
        """Return a number of items, as in "2 driving lessons for class B"."""
        return f"{number} {plural(self.noun)}{self.behind}"


def price_of_several(question: str) -> OfSeveral | None:
    """Turn a question about the price of one item into one about several. Return None for other questions.

    >>> asked = price_of_several("What does a driving lesson for class B cost?")
    >>> asked.form, asked.item("2")
    ('What do {things} cost?', '2 driving lessons for class B')
    >>> price_of_several("How much is the fee?")
    """
    for pattern, form in _PRICE_OF_ONE:
        match = pattern.fullmatch(question.strip())
        if match is not None:
            noun = match["thing"].strip()
            if _NO_SEVERAL.search(noun) or _FOR_ONE.search(question):
                return None
            after = match.groupdict(default="").get("after", "")
            return OfSeveral(form=form.replace("{after}", after), noun=noun, behind=match["behind"])
    return None


def _several_before(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    check_one_thing(question)
    several = price_of_several(question)
    if several is None:
        raise UnusableFollowUp("the message does not ask for the price of a single thing")
    return [{"before": several.form.format(things=several.item(number))} for number in _NUMBERS]


@conversation(
    "ask-several-before",
    capability="other turns",
    says="the price of several asked before the price of one",
    reads=_several_before,
    adds=1,
)
def ask_several_before(rounds: Rounds, turns: tuple[Turn, ...], *, before: str = "") -> Moved:
    """Ask for the price of several items first, and then for the price of one.

    >>> turns = (Turn(fields={"message": "How much is a mug?"}),)
    >>> [turn.fields["message"] for _, turn in ask_several_before((0,), turns, before="How much are 4 mugs?")]
    ['How much are 4 mugs?', 'How much is a mug?']
    """
    return ask_before(rounds, turns, before=before)
