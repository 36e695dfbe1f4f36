"""Transformations in which a language model rewrites turns: premises, hypotheses, negation and keywords."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, EVERY, language_name
from mutatis.core.system import Helper
from mutatis.core.transformation import transformation
from mutatis.transformations.language_model import (
    Target,
    ask_by_prompt,
    askable,
    check_rewording,
    check_text,
    language_note,
    rewritten,
    usable,
)


async def _extended(turn: Turn, prompt: str, read: str, write: str, helper: Helper, draw: int, *, append: bool) -> Turn:
    """Have the helper write a text from the field `read`. It is appended to the field `write`, or replaces it."""
    if read not in turn.fields or write not in turn.fields:
        raise UnusableFollowUp("the turn has no premise and hypothesis")
    made = await rewritten(prompt, turn.fields[read], helper, draw)
    new = f"{turn.fields[write].rstrip()} {made}" if append else made
    return replace(turn, fields={**turn.fields, write: new})


@transformation(
    "extend-premise",
    level="turn",
    capability="inference",
    says="a premise written from the hypothesis appended",
    languages=ENGLISH,
)
async def extend_premise(turn: Turn, helper: Helper, draw: int = 0) -> Turn:
    """Extend the premise with a sentence based on the hypothesis.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(extend_premise(turn, ScriptedHelper("A woman walks home."))).fields["premise"]
    'A man runs. A woman walks home.'
    """
    return await _extended(turn, "premise-of-hypothesis", "hypothesis", "premise", helper, draw, append=True)


@transformation(
    "extend-hypothesis",
    level="turn",
    capability="inference",
    says="a hypothesis written from the premise appended",
    languages=ENGLISH,
)
async def extend_hypothesis(turn: Turn, helper: Helper, draw: int = 0) -> Turn:
    """Extend the hypothesis with a sentence based on the premise.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(extend_hypothesis(turn, ScriptedHelper("The man is awake."))).fields["hypothesis"]
    'Someone moves. The man is awake.'
    """
    return await _extended(turn, "hypothesis-of-premise", "premise", "hypothesis", helper, draw, append=True)


@transformation(
    "chained-hypothesis",
    level="turn",
    capability="inference",
    says="the hypothesis replaced by one that follows from it",
    languages=ENGLISH,
)
async def chained_hypothesis(turn: Turn, helper: Helper, draw: int = 0) -> Turn:
    """Replace the hypothesis with one that follows from it.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(chained_hypothesis(turn, ScriptedHelper("Somebody is there."))).fields["hypothesis"]
    'Somebody is there.'
    """
    return await _extended(turn, "hypothesis-of-premise", "hypothesis", "hypothesis", helper, draw, append=False)


@transformation(
    "premise-from-premise",
    level="turn",
    capability="inference",
    says="the premise replaced by one that follows from it",
    languages=ENGLISH,
)
async def premise_from_premise(turn: Turn, helper: Helper, draw: int = 0) -> Turn:
    """Replace the premise with a hypothesis that follows from it.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(premise_from_premise(turn, ScriptedHelper("A person is outside."))).fields["premise"]
    'A person is outside.'
    """
    return await _extended(turn, "hypothesis-of-premise", "premise", "premise", helper, draw, append=False)


@transformation("negation", level="turn", capability="negation and opposites", says="negated", languages=ENGLISH)
async def negation(turn: Turn, fields: tuple[str, ...], helper: Helper, draw: int = 0) -> Turn:
    """Negate a text.

    To negate a context, the helper is also shown the question. To negate a text with two entities, it is shown these,
    too.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"premise": "A man runs.", "hypothesis": "Someone moves."})
    >>> sync(negation(turn, ("hypothesis",), ScriptedHelper("Nobody moves."))).fields["hypothesis"]
    'Nobody moves.'
    """
    changed = dict(turn.fields)
    for name in fields:
        text = askable(turn.fields[name])
        prompt, shown = "negation", list[str]()
        if name == "context" and "question" in turn.fields:
            prompt, shown = "negation-of-context", ["question"]
        elif name == "text" and {"head", "tail"} <= set(turn.fields):
            prompt, shown = "negation-of-relation", ["head", "tail"]
        texts = {**{other: turn.fields[other] for other in shown}, "text": text}
        made = await ask_by_prompt(helper, prompt, texts, draw=draw, check=partial(check_text, text))
        changed[name] = usable(text, made["text"])
    return replace(turn, fields=changed)


@transformation(
    "same-category",
    level="turn",
    capability="names and pronouns",
    says="{words} replaced by another of its category",
    languages=EVERY,
)
async def same_category(
    turn: Turn, fields: tuple[str, ...], helper: Helper, draw: int = 0, written_in: str = "en"
) -> Turn:
    """Replace keywords with others of the same category, consistently in all fields.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"text": "Ada lives in Rome.", "head": "Ada", "tail": "Rome"})
    >>> answer = {"text": "Max lives in Oslo.", "head": "Max", "tail": "Oslo"}
    >>> dict(sync(same_category(turn, ("text", "head", "tail"), ScriptedHelper([answer]))).fields)
    {'text': 'Max lives in Oslo.', 'head': 'Max', 'tail': 'Oslo'}
    """
    texts = {name: turn.fields[name] for name in fields}
    whole = askable(" ".join(texts.values()))

    def check(made: Mapping[str, str]) -> None:
        check_rewording(whole, " ".join(made.values()))
        if not all(text.strip() for text in made.values()):
            raise UnusableFollowUp("the language model returned an empty text")
        if "head" in made and not all(made[name].lower() in made["text"].lower() for name in ("head", "tail")):
            raise UnusableFollowUp("the new entities are not in the new text")

    note = language_note(written_in)
    made = await ask_by_prompt(helper, "same-category", texts, answers=fields, draw=draw, check=check, note=note)
    usable(whole, " ".join(made.values()))  # raises if nothing is changed
    return replace(turn, fields={**turn.fields, **made})


@transformation(
    "translate-together", level="turn", capability="wording", says="translated into {language}", languages=EVERY
)
async def translate_together(
    turn: Turn,
    fields: tuple[str, ...],
    helper: Helper,
    draw: int = 0,
    written_in: str = "en",
    *,
    language: Target = "German",
) -> Turn:
    """Translate several related texts into another language, asking the helper once.

    A word gets the same translation in all texts. Numbers are kept, and different texts remain different.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> turn = Turn(fields={"instruction": "Name a metal.", "answer": "Iron is one."})
    >>> answer = {"instruction": "Nenne ein Metall.", "answer": "Eisen ist eins."}
    >>> sync(translate_together(turn, ("instruction", "answer"), ScriptedHelper([answer]))).fields["answer"]
    'Eisen ist eins.'
    """
    if language == language_name(written_in):
        raise UnusableFollowUp(f"the text is already in {language}")
    # A number alone needs no translation.
    texts = {name: turn.fields[name] for name in fields if any(map(str.isalpha, turn.fields[name]))}
    whole = askable(" ".join(texts.values()))

    def check(made: Mapping[str, str]) -> None:
        for name, text in texts.items():
            check_rewording(text, made[name])
            if _digits(text) != _digits(made[name]):
                raise UnusableFollowUp(f"the translation of {name} contains different numbers")
        if len(set(made.values())) < len(set(texts.values())):
            raise UnusableFollowUp("different texts got the same translation")

    made = await ask_by_prompt(
        helper,
        "translation-together",
        texts,
        answers=tuple(texts),
        slots={"language": language},
        draw=draw,
        check=check,
    )
    usable(whole, " ".join(made[name] for name in texts))  # raises if nothing is changed
    return replace(turn, fields={**turn.fields, **made})


def _digits(text: str) -> Counter[str]:
    """Count the numbers in a text, ignoring separators, which differ between languages (.5, 0,5)."""
    numbers = re.findall(r"\d(?:[\d.,\u00a0\u202f']*\d)?", text)  # no-break spaces may separate thousands
    return Counter(re.sub(r"\D", "", number).lstrip("0") for number in numbers)
