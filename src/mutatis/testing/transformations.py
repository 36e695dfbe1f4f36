"""Checks a transformation: it is deterministic, follows its parameters and leaves its input unchanged."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from mutatis.core.cases import NEW, Case, Derivation, Step, Turn
from mutatis.core.errors import ExtensionFailure, UnusableFollowUp, UsageError, unknown_name
from mutatis.core.parameters import Parameter
from mutatis.core.system import Helper
from mutatis.core.transformation import TRANSFORMATIONS, Transformation, derive
from mutatis.doubles import ScriptedHelper
from mutatis.loops import to_the_end

TEXTS = (
    "The old bakery isn't far from Rome. It was founded in 1921, and people love it!",
    "a genuinely funny film with a dull ending .",
    "Who wrote the first play about the king?",
    "Zoë’s café — 东京 — can’t be beaten; it is very good.",
    "1, 2 ... 3?!",
    "x",
    "",
)
"""Texts on which transformations are tried: punctuation, other scripts, curly apostrophes, one letter, nothing."""

PROTECTED = "Rome"
_LONGER_WORD = re.compile(r"\w{4,}")


def _sources(chosen: Transformation, texts: Sequence[str]) -> list[Case]:
    """Return source cases that cover all fields of the built-in tasks, and one dialogue."""
    cases = []
    for number, text in enumerate(texts):
        names = ("text", "context", "question", "premise", "hypothesis")
        fields = {**dict.fromkeys(names, text), "head": "Ada", "tail": PROTECTED}
        marked = {"protected": {"entities": ("Ada", PROTECTED), "values": (PROTECTED,)}}
        cases.append(Case(id=f"check/{number}", turns=(Turn(fields=fields, annotations=marked),)))
    turns = tuple(Turn(fields={"question": f"Question {i}?"}) for i in range(7))
    if chosen.level == "case":
        return [_with_tools(number, text) for number, text in enumerate(texts)]
    dialogues = [Case(id=f"check/{n}-turns", turns=turns[:n]) for n in (1, 2, 3, 7)]
    return dialogues if chosen.level == "dialogue" else cases


def _variant(chosen: Transformation) -> tuple[str, ...]:
    return () if chosen.level in ("dialogue", "case") else ("text",)


def _with_tools(number: int, text: str) -> Case:
    """Return a case with a message, two tools and a recorded result."""
    schema = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer", "default": 1}}}
    tools = [
        {"name": name, "description": f"Get the {name}.", "parameters": {**schema, "required": ["city"]}}
        for name in ("weather", "trains")
    ]
    results = [{"name": "weather", "arguments": {"city": "Rome"}, "result": "4 C"}]
    material = {"tools": json.dumps(tools), "tool_results": json.dumps(results)}
    turns = (Turn(fields={"message": text}),)
    return Case(id=f"check/{number}", turns=turns, material=material, task="tool-call")


def _follow_up(case: Case, wanted: Derivation, helper: Helper | None) -> Case | str:
    """Return the follow-up that a transformation makes, or the reason why it could not be made."""
    try:
        return to_the_end(derive(case, wanted, seed=5, helper=helper))
    except UnusableFollowUp as error:
        return f"unusable: {error}"
    except ExtensionFailure as error:
        raise AssertionError(str(error)) from None


def check_transformation(
    transformation: str | Transformation,
    *,
    texts: Sequence[str] = TEXTS,
    nested: str | None = None,
    helper: Helper | None = None,
) -> None:
    """Check that a transformation is deterministic, follows its parameters and keeps its input intact.

    Args:
        transformation: the transformation's name.
        texts: the texts to try the transformation on.
        nested: a numeric parameter. Every change made at a smaller value must also be made at a larger one.
        helper: a substitute for the language model that a transformation uses; by default it returns a meaningless
            sentence.

    >>> check_transformation("add-spaces", nested="share")
    """
    chosen = TRANSFORMATIONS[transformation] if isinstance(transformation, str) else transformation
    if chosen.made_by == "language-model" and helper is None:
        helper = ScriptedHelper('{"text": "Some other words."}')
    for case in _sources(chosen, texts):
        for parameters in _settings(chosen):
            _check_derivation(chosen, case, parameters, helper)
        if nested is not None:
            _check_nested(chosen, case, nested)
    for parameter in chosen.parameters:
        _check_bounds(chosen, parameter)


def _settings(chosen: Transformation) -> list[dict[str, Any]]:
    """Return settings to try: the defaults, and each parameter at its bounds or with each of its choices."""
    settings: list[dict[str, Any]] = [{}]
    for parameter in chosen.parameters:
        values: list[Any] = list(parameter.choices)
        if parameter.low is not None and parameter.high is not None:
            values = [parameter.type(parameter.low), parameter.type(min(parameter.high, 20))]
        settings += [{parameter.name: value} for value in values]
    return settings


def _check_derivation(chosen: Transformation, case: Case, parameters: dict[str, Any], helper: Helper | None) -> None:
    """Check one follow-up: it can be repeated and rebuilt from its record, and leaves its source as it was.

    Nothing more is checked if the follow-up could not be made.
    """
    what = f"{chosen.name} with {parameters or 'its defaults'} on {case.id}"
    wanted = Derivation(
        source=case.id,
        steps=(Step(transformation=chosen.name, parameters=parameters),),
        variant=_variant(chosen),
    )
    before = json.dumps(case.to_record(), sort_keys=True)
    made = _follow_up(case, wanted, helper)
    assert json.dumps(case.to_record(), sort_keys=True) == before, f"{what}: it changed its input"
    again = _follow_up(case, wanted, helper)
    assert made == again, f"{what}: it returned two different follow-ups: {made} and {again}"
    if isinstance(made, str):  # the reason why it could not be made
        return
    assert made.derivation is not None
    record = json.loads(json.dumps(made.derivation.to_record()))
    rebuilt = _follow_up(case, Derivation.from_record(record), helper)
    assert rebuilt == made, f"{what}: its record rebuilds a different follow-up: {rebuilt} instead of {made}"
    for turn, origin in zip(made.turns, made.derivation.origin, strict=True):
        if origin != NEW:
            _check_fields(turn, case.turns[origin], wanted.variant if chosen.level == "text" else None, what)
    if parameters.get("protect", "nothing") != "nothing":
        for name in wanted.variant:
            lost = PROTECTED in case.turns[0].fields[name] and PROTECTED not in made.turns[0].fields[name]
            assert not lost, f"{what}: it edited the protected text {PROTECTED!r}"


def _check_fields(turn: Turn, source: Turn, edited: Sequence[str] | None, what: str) -> None:
    """Check that a turn has the fields of its source, as texts, and that only `edited` fields differ, unless None."""
    assert set(turn.fields) == set(source.fields), f"{what}: it added or dropped fields"
    assert all(isinstance(text, str) for text in turn.fields.values()), f"{what}: a field is not text"
    if edited is not None:
        kept = [name for name in source.fields if name not in edited]
        assert all(turn.fields[name] == source.fields[name] for name in kept), f"{what}: it changed another field"


def _check_bounds(chosen: Transformation, parameter: Parameter) -> None:
    wrong: list[Any] = ["no such choice"] if parameter.choices else []
    if parameter.low is not None and parameter.high is not None:
        wrong = [parameter.type(parameter.low - 1), parameter.type(parameter.high + 1)]
    for value in wrong:
        try:
            chosen.complete({parameter.name: value})
        except UsageError:
            continue
        raise AssertionError(f"{chosen.name}: parameter {parameter.name} accepts {value!r}")
    assert chosen.complete({})[parameter.name] == parameter.default, f"{chosen.name}: {parameter.name} has no default"


def _untouched(chosen: Transformation, case: Case, name: str, value: Any) -> Counter[str]:
    """Return the parts of the source that the follow-up keeps: longer words, or turns that occur once."""
    step = Step(transformation=chosen.name, parameters={name: value})
    made = _follow_up(case, Derivation(source=case.id, steps=(step,), variant=_variant(chosen)), None)
    assert isinstance(made, Case), f"{chosen.name} on {case.id}: {made}"
    if chosen.level == "dialogue":
        assert made.derivation is not None
        times = Counter(made.derivation.origin)
        return Counter(str(number) for number in times if times[number] == 1)
    before, after = (
        Counter(word for field in _variant(chosen) for word in _LONGER_WORD.findall(version.turns[0].fields[field]))
        for version in (case, made)
    )
    return before & after  # without the words that the edit added, even if the source has them too


SHARES = (0.0, 0.1, 0.3, 0.6, 1.0)
"""Positions at which a parameter is tried, as shares of the range between its bounds."""

FURTHEST = 20
"""How far above its lower bound an integer is tried at most, because its upper bound may be very high."""


def _rising(chosen: Transformation, name: str) -> list[float]:
    """Return increasing values of a parameter to try, as integers if the parameter is an integer."""
    parameter = next((parameter_of for parameter_of in chosen.parameters if parameter_of.name == name), None)
    if parameter is None:
        raise unknown_name(f"parameter of transformation {chosen.name!r}:", name, [p.name for p in chosen.parameters])
    if parameter.type not in (int, float):
        raise UsageError(f"nested = {name!r}: this parameter is not a number; expected a numeric parameter")
    low = 0.0 if parameter.low is None else parameter.low
    if parameter.type is float:
        high = 1.0 if parameter.high is None else parameter.high
        return [low + share * (high - low) for share in SHARES]
    most = low + FURTHEST if parameter.high is None else min(parameter.high, low + FURTHEST)
    return sorted({round(low + share * (most - low)) for share in SHARES})


def _check_nested(chosen: Transformation, case: Case, name: str) -> None:
    """Check that a smaller value leaves unchanged everything that a larger value leaves unchanged."""
    smaller: Counter[str] | None = None
    for value in _rising(chosen, name):
        larger = _untouched(chosen, case, name, value)
        touched = [] if smaller is None else sorted((larger - smaller).elements())
        assert not touched, (
            f"{chosen.name} on {case.id}: {name} = {value} leaves {touched} unchanged, but a smaller one does not"
        )
        smaller = larger
