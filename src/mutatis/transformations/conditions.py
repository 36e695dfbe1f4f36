"""Reverses or removes a condition in a question, such as the user's state, possessions or wishes.

Only questions with a recognised wording are changed. Comparing the answers shows whether the system took the condition
into account.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.transformations.conversation import turn_of

CONDITION = "condition"
"""Annotation of a turn: how its condition was changed, `TURNED` or `LEFT_OUT`."""

TURNED, LEFT_OUT = "turned", "left out"

_BEGINS = r"(?:(?<=\A)|(?<=[.!?,] )|(?<=\b[Ii]f )|(?<=\b[Ww]hen ))"
"""Pattern for the start of a statement about the user, as opposed to a request such as "Can I have ..."."""

_END = r"(?=\s*[.!,;?]|\s*\Z)"
_ADJECTIVES = (
    r"pregnant|breastfeeding|vegetarian|vegan|diabetic|asthmatic|disabled|retired|unemployed|employed|self-employed|married"
    r"|insured|deaf|blind|under-?age|of age|lactose intolerant|gluten intolerant|allergic to [a-z]+|vaccinated"
    r"|neutered|spayed|microchipped|registered|injured|fragile|damaged|opened|unopened|sealed|frozen|perishable"
)
_THEY = r"(?:[Mm]y|[Tt]he|[Oo]ur) [a-z]+(?: [a-z]+)?|[Hh]e|[Ss]he|[Ii]t"
"""Subjects other than the user whose state a message may describe: "my dog", "the parcel"."""

_NO_ROLE = r"bit|little|really|very|huge|big|fan|good|loyal|frequent|lot|question|problem|request|complaint|while|few"
_ROLE = rf"an? (?!(?:{_NO_ROLE})\b)[A-Za-z][a-z-]*(?: [a-z-]+){{0,3}}?"
_OWNED = (
    r"(?:an? (?:\w+ )?(?:card|pass|membership|subscription|licen[cs]e|visa|disability|pacemaker|allergy|garden|voucher"
    r"|coupon|season ticket)"
    r"|(?:[a-z]+ )?(?:children|kids|pets|diabetes|asthma|epilepsy|insurance|allergies|panels|blood pressure))"
)
"""Possessions of the user that may affect an answer, such as a pass or a visa."""

_NOT_OF_NOUN = "today|now|here|already|yet|alone|costs?|for|from|on|in|at|of|and|or"
_WISHED = r"(?!(?:to|you|it|this|that|them|more|the|your|my|some|any|no)\b)(?:an? )?[a-z-]+(?: [a-z-]+){0,2}?"


_CONJUNCTION_BEFORE = re.compile(r"[\s,]*(?:\b(?:and|but|as|if|because|since|when|while)\s*)?\Z", re.IGNORECASE)
"""The end of the text before a condition, with the conjunction that joins it: ", because "."""

_CONJUNCTION_BEHIND = re.compile(r"\A\s*[.!,;?]?\s*(?:(?:and|but|so|then)\s+)?")
"""The beginning of the text after a condition, with the conjunction that joins it: ". So "."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A condition in a question.

    Attributes:
        turned: the question with the condition reversed, in each possible wording.
        left_out: the question without the condition.
        wished: True if the condition is a wish of the user, False if it is a state, a possession or an action.
    """

    turned: tuple[str, ...]
    left_out: str
    wished: bool


def _without(text: str, start: int, end: int) -> str:
    """Return a text without one clause. If the clause began a sentence, the next word is capitalised."""
    before = _CONJUNCTION_BEFORE.sub("", text[:start])
    if before and before[-1] not in ".!?":
        return f"{before}{text[end:]}"
    behind = _CONJUNCTION_BEHIND.sub("", text[end:])
    return f"{before} {behind[:1].upper()}{behind[1:]}".strip()


# Each function below returns a matched condition reversed, in each possible wording.


def _am(match: re.Match[str]) -> tuple[str, ...]:
    """Return a state reversed: "I'm not a student" for "I'm a student", or "I'm no longer a student" if it can end."""
    verb, state = match["verb"], match["state"]
    if match["not"]:
        return (f"{verb} {state}",)
    can_end = state.startswith(("a ", "an ")) and not state.endswith(("pensioner", "senior"))
    return (f"{verb} not {state}", f"{verb} no longer {state}") if can_end else (f"{verb} not {state}",)


def _have_done(match: re.Match[str]) -> tuple[str, ...]:
    """Return a deed reversed: "I have not paid" for "I have paid"."""
    return (f"I have {'' if match['not'] else 'not '}{match['state']}",)


def _do(match: re.Match[str]) -> tuple[str, ...]:
    """Return a possession, a habit or a wish reversed: "I don't have a card" for "I have a card"."""
    auxiliary = "" if match["not"] else "don't "
    return (f"I {auxiliary}{match['verb']} {match['what']}",)


def _with(match: re.Match[str]) -> tuple[str, ...]:
    """Return the words from the question to a feature, reversed: "Which plan is best without a term" for "with"."""
    how, article, noun = match["how"].lower(), match["article"] or "", match["what"]
    if how == "with no" and not noun.endswith("s"):
        article = "an " if noun[0] in "aeiou" else "a "
    return (f"{match['stays']} {'without' if how == 'with' else 'with'} {article}{noun}",)


def _that_is(match: re.Match[str]) -> tuple[str, ...]:
    """Return a quality reversed, with the noun before it: "plan that is not green" for "plan that is green"."""
    return (f"{match['stays']} that is{'' if match['not'] else ' not'} {match['state']}",)


_DONT = r"(?P<not>don['\u2019]t |do not )?"
_DONE = r"passed|paid|booked|signed|registered|opened|worn|used|started|finished|failed"
_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[str, ...]]], ...] = tuple(
    (re.compile(pattern), reverse)
    for pattern, reverse in (
        (
            rf"{_BEGINS}(?P<verb>I(?:['\u2019]m| am))(?P<not> not| no longer)? (?P<state>{_ADJECTIVES}|{_ROLE}){_END}",
            _am,
        ),
        (rf"{_BEGINS}(?P<verb>(?P<other>{_THEY}) (?:is|has been))(?P<not> not)? (?P<state>{_ADJECTIVES}){_END}", _am),
        (rf"{_BEGINS}I(?:['\u2019]ve| have)(?P<not> not)? (?P<state>(?:{_DONE})[^.!,;?]*){_END}", _have_done),
        (rf"{_BEGINS}I {_DONT}(?P<verb>have) (?P<what>{_OWNED}){_END}", _do),
        (rf"{_BEGINS}I {_DONT}(?P<verb>eat|drink|drive|smoke) (?P<what>{_WISHED}){_END}", _do),
        (rf"(?<=\b[Ii]f )I {_DONT}(?P<verb>want|prefer) (?P<what>{_WISHED}){_END}", _do),
        (
            r"(?:(?<=\A)|(?<=[.!?] ))"
            r"(?=(?:Which|How much|What (?!(?:do|does|did|is|are|if|can|should|happens)\b))\b)"
            r"(?P<stays>(?:(?!\b(?:can|do|could|should|must) (?:I|we)\b)[^?.!])*?)"
            r"(?<! go)(?<! goes)(?<! come)(?<! comes)(?<! deal)(?<! do) "
            r"(?P<how>with no|without|with) (?P<article>an? )?"
            r"(?!(?:my|your|the|it|this|that|me|you|us|them|no)\b)"
            rf"(?P<what>[a-z][a-z-]+(?: (?!(?:{_NOT_OF_NOUN})\b)[a-z][a-z-]+)?)"
            r"(?<!ing)(?=\?| (?:cost|for \w+ (?:nights?|days?|weeks?|people)|in [A-Z]|on [A-Z])\b)",
            _with,
        ),
        (
            r"(?<=\b[Aa] )(?P<stays>(?!one\b)[a-z-]+(?: [a-z-]+)?) that is(?P<not> not)? "
            r"(?P<state>(?!(?:the|your|my|in|at|on|for|not)\b)[a-z-]+)(?=\s*[?.!,;]|\s*\Z)",
            _that_is,
        ),
    )
)
"""Patterns of conditions, each with the function that reverses it.

`stays` is the part that a question keeps without its condition: the words before "with", or the noun before "that is".
`other` is someone or something other than the user, whose state the condition describes.
"""

_ASKS = re.compile(r"\?|\b(?:please|show|list|find|tell) ", re.IGNORECASE)
"""Words of a text that still asks for something."""

_GOES_ON = re.compile(r" ?,? (?:and|so|but|or|an?|\d+)\b", re.IGNORECASE)
"""The beginning of a text that continues a condition: " and a dog", ", but"."""

_REFERS_BACK = re.compile(
    r"\b(?:he|she|him|her|his|still|it|its|they|them|their|there|one|ones|that|this)\b", re.IGNORECASE
)
"""Words that refer back to something. A question with one of these words makes no sense without the condition."""

_FEWEST_WORDS = 3


def condition_of(question: str) -> Condition | None:
    """Return the condition of a question, or None if it has no condition or several.

    >>> [condition_of(text).turned[0] for text in ("I'm vegan. Can I eat it?", "Which is right if I don't want gas?")]
    ["I'm not vegan. Can I eat it?", 'Which is right if I want gas?']
    >>> condition_of("Which plan is best with no minimum term?")
    Condition(turned=('Which plan is best with a minimum term?',), left_out='Which plan is best?', wished=True)
    >>> condition_of("I'm looking for a room."), condition_of("I have a question. Are you open?")
    (None, None)
    >>> condition_of("How much is a room with a balcony and a view?")  # of which only the first part would be turned
    """
    matches = [(match, reverse) for pattern, reverse in _FORMS for match in pattern.finditer(question)]
    if len(matches) != 1:
        return None
    [(match, reverse)] = matches
    # The group `stays` of a form precedes its condition, `verb` is that of the user, and `other` is another person.
    before, behind, groups = question[: match.start()], question[match.end() :], match.groupdict()
    keeps_part, verb = "stays" in groups, groups.get("verb", "")  # "Which plan is best" stays without its condition
    left_out = _without(question, match.end("stays") if keeps_part else match.start(), match.end())
    # "May I bring him? My dog is small." gives a reason; "Are you open? Which rooms are there without stairs?" asks.
    gives_reason = "?" in before and "with" not in match.group()
    # "it" in the rest of the question may be a possession of the user, or the subject of the condition.
    names_thing = verb == "have" or "other" in groups
    needs_condition = names_thing and _REFERS_BACK.search(left_out)
    is_request = _ASKS.search(left_out) and len(left_out.split()) >= _FEWEST_WORDS
    has_another = _GOES_ON.match(behind)  # "with a balcony and a view"
    if gives_reason or has_another or needs_condition or not is_request:
        return None
    return Condition(
        turned=tuple(f"{before}{reversed_condition}{behind}" for reversed_condition in reverse(match)),
        left_out=left_out,
        wished=keeps_part or verb in ("want", "prefer"),
    )


def _condition_in(turn: Turn, fields: tuple[str, ...]) -> Condition:
    """Return the condition of a turn. Raise UnusableFollowUp if it does not have exactly one."""
    condition = condition_of(turn.fields[fields[0]])
    if condition is None:
        raise UnusableFollowUp("the question does not have exactly one condition that can be reversed")
    return condition


@transformation("turn-condition", level="turn", capability="negation", says="a condition turned", languages=ENGLISH)
@as_a_whole
def turn_condition(turn: Turn, fields: tuple[str, ...], draw: int) -> Turn:
    """Reverse the user's state, possession or wish: "I'm not pregnant" for "I'm pregnant".

    >>> turn = Turn(fields={"message": "Do you have a plan that is not green?"})
    >>> turn_condition(turn, ("message",), 0).fields["message"]
    'Do you have a plan that is green?'
    """
    condition = _condition_in(turn, fields)
    if draw >= len(condition.turned):
        raise UnusableFollowUp("the condition can be reversed in only one way")
    return turn_of(turn, condition.turned[draw], **{CONDITION: TURNED})


@transformation("drop-condition", level="turn", capability="negation", says="a condition left out", languages=ENGLISH)
@as_a_whole
def drop_condition(turn: Turn, fields: tuple[str, ...]) -> Turn:
    """Leave out the user's state, possession or wish: "Can I take it?" for "I'm pregnant. Can I take it?".

    >>> drop_condition(Turn(fields={"message": "I'm pregnant. Can I take it?"}), ("message",)).fields["message"]
    'Can I take it?'
    """
    return turn_of(turn, _condition_in(turn, fields).left_out, **{CONDITION: LEFT_OUT})
