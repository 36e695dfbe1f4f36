"""Edits a premise and a hypothesis so that logic determines the new label.

Based on the laws of inference as consistency tests (Li et al. 2019, "A Logic-Driven Framework for Consistency of Neural
Models"; Jang et al. 2022, BECEL) and on the tautologies of the stress tests (Naik et al. 2018).
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from random import Random
from typing import Annotated, Literal

from mutatis.core.cases import Turn
from mutatis.core.languages import ENGLISH, EVERY
from mutatis.core.parameters import Within
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.languages import listed
from mutatis.transformations.known import ended, inside, knowing, needed, one_of

inference_edit = partial(transformation, level="turn", capability="inference")
"""Decorator that registers an edit of a premise and its hypothesis."""

_WHOLE = re.compile(
    r"(?:(?!\b(?:that|who|which|whose|while|as)\b)[^.?!\n])*\b(?:is|are|was|were|has|have|can|will|do|does|did|had)\b"
    r"[^.?!\n]*[.!]?\s*\Z",
    re.IGNORECASE,
)
"""A single statement with its first verb in the main clause."""
_ARTICLE = r"(?:an?|the|two|three|four|some)"
_AND_FIRST = re.compile(
    rf"\A(?P<first>(?i:{_ARTICLE})\s+[a-z]+)\s+and\s+(?P<second>(?i:{_ARTICLE})\s+[a-z]+)"
    r"(?=\s+(?:is|are|was|were|have|had)\b)"
)
_AND_LAST = re.compile(
    rf"(?<=\s)(?P<first>{_ARTICLE}\s+[a-z]+)\s+and\s+(?P<second>{_ARTICLE}\s+[a-z]+)(?=\s*[.?!]?\s*\Z)", re.IGNORECASE
)
"""Two nouns with articles at the beginning of a statement, before its verb, and at the end of a text."""
_TRUE, _FALSE = "and true is true", "and false is not true"


@inference_edit("exchange-texts", says="premise and hypothesis exchanged", languages=EVERY)
@as_a_whole
def exchange_texts(turn: Turn) -> Turn:
    """Swap the premise and the hypothesis.

    >>> turn = Turn(fields={"premise": "A man sleeps.", "hypothesis": "Nobody sleeps."})
    >>> dict(exchange_texts(turn).fields)
    {'premise': 'Nobody sleeps.', 'hypothesis': 'A man sleeps.'}
    """
    premise, hypothesis = needed(turn, "premise", "hypothesis")
    return replace(turn, fields={**turn.fields, "premise": hypothesis, "hypothesis": premise})


@inference_edit("premise-as-hypothesis", says="the premise in place of the hypothesis", languages=EVERY)
@as_a_whole
def premise_as_hypothesis(turn: Turn) -> Turn:
    """Replace the hypothesis with the premise, which follows from itself.

    >>> turn = Turn(fields={"premise": "A man sleeps.", "hypothesis": "Nobody sleeps."})
    >>> premise_as_hypothesis(turn).fields["hypothesis"]
    'A man sleeps.'
    """
    (premise,) = needed(turn, "premise")
    return knowing(turn, {"hypothesis": premise}, "entailment")


@inference_edit(
    "unrelated-hypothesis", says="a sentence about something else in place of the hypothesis", languages=ENGLISH
)
def unrelated_hypothesis(turn: Turn, rng: Random) -> Turn:
    """Replace the hypothesis with one of the package's own sentences, which do not relate to the premise.

    >>> turn = Turn(fields={"premise": "A man sleeps.", "hypothesis": "Nobody sleeps."})
    >>> unrelated_hypothesis(turn, Random(1)).fields["hypothesis"]
    'Two herons stand at the edge of the pond.'
    """
    needed(turn, "premise")
    return knowing(turn, {"hypothesis": one_of(listed("sentences"), rng)}, "neutral", "contradiction")


@inference_edit("append-hypothesis", says="the hypothesis appended to the premise", languages=EVERY)
def append_hypothesis(turn: Turn) -> Turn:
    """Append the hypothesis to the premise, so that the hypothesis follows.

    >>> turn = Turn(fields={"premise": "A man sleeps", "hypothesis": "He dreams."})
    >>> append_hypothesis(turn).fields["premise"]
    'A man sleeps. He dreams.'
    """
    premise, hypothesis = needed(turn, "premise", "hypothesis")
    return knowing(turn, {"premise": f"{ended(premise)} {hypothesis.strip()}"}, "entailment")


@inference_edit("prepend-premise", says="the premise put before the hypothesis", languages=EVERY)
def prepend_premise(turn: Turn) -> Turn:
    """Put the premise in front of the hypothesis. The result follows if and only if the hypothesis does.

    >>> turn = Turn(fields={"premise": "A man sleeps", "hypothesis": "He dreams."})
    >>> prepend_premise(turn).fields["hypothesis"]
    'A man sleeps. He dreams.'
    """
    premise, hypothesis = needed(turn, "premise", "hypothesis")
    return replace(turn, fields={**turn.fields, "hypothesis": f"{ended(premise)} {hypothesis.strip()}"})


@transformation("say-whether", capability="negation and opposites", says="said to be {holds}", languages=ENGLISH)
def say_whether(text: str, *, holds: Literal["true", "false"] = "true") -> str:
    """Declare a single statement true or false. Other texts are left unchanged.

    >>> say_whether("The man is asleep."), say_whether("The man is asleep.", holds="false")
    ('It is true that the man is asleep.', 'It is false that the man is asleep.')
    >>> say_whether("A man asleep.")
    'A man asleep.'
    """
    bare = text.strip()
    if not _WHOLE.match(bare):
        return text
    return f"It is {holds} that {inside(bare)}."


@transformation("or-else", capability="inference", says='"or" and another sentence appended', languages=ENGLISH)
def or_else(text: str, rng: Random) -> str:
    """Weaken a statement by adding "or" and an unrelated sentence. It still follows from the same premises.

    >>> or_else("The man is asleep.", Random(1))
    'The man is asleep, or two herons stand at the edge of the pond, or both.'
    """
    bare = text.strip()
    if not _WHOLE.match(bare) or re.search(r"\bor\b", bare):
        return text
    statement, other = inside(bare), inside(one_of(listed("sentences"), rng))
    return f"{statement[:1].upper()}{statement[1:]}, or {other[:1].lower()}{other[1:]}, or both."


@transformation("tautology", capability="added text", says="a sentence that is always true appended", languages=ENGLISH)
def tautology(text: str, *, says: Literal["true", "false"] = "true", times: Annotated[int, Within(1, 10)] = 1) -> str:
    """Append "and true is true" or "and false is not true" the given number of times (Naik et al. 2018).

    >>> tautology("A man sleeps."), tautology("A man sleeps", says="false", times=2)
    ('A man sleeps and true is true.', 'A man sleeps and false is not true and false is not true')
    """
    body = text.rstrip()
    mark = body[-1] if body.endswith((".", "!")) else ""
    bare = body.removesuffix(mark).rstrip()
    if not bare or bare.endswith(("?", ".", "!")):  # a question, or several marks
        return text
    return " ".join([bare, *[_TRUE if says == "true" else _FALSE] * times]) + mark


@transformation("swap-conjuncts", capability="wording", says="two things named in the other order", languages=ENGLISH)
def swap_conjuncts(text: str) -> str:
    """Swap two nouns with articles that are joined by "and".

    Applies only at the beginning or end of a statement, so that "and" clearly joins the nouns.

    >>> swap_conjuncts("A man and a woman are outside."), swap_conjuncts("He holds a cup and the keys.")
    ('A woman and a man are outside.', 'He holds the keys and a cup.')
    >>> swap_conjuncts("The queen of a hill and a lake.")
    'The queen of a hill and a lake.'
    """
    match = _AND_FIRST.search(text) or _AND_LAST.search(text)
    if match is None or re.search(r"\b(?:of|between|with)\s+\Z", text[: match.start()]):
        return text
    first, second = match["first"], match["second"]
    if first[0].isupper():
        first, second = first[0].lower() + first[1:], second[0].upper() + second[1:]
    return f"{text[: match.start()]}{second} and {first}{text[match.end() :]}"
