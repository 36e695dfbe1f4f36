"""For tests of one's own extensions: scripted systems and helpers, and checks of what an extension must keep to.

A check raises AssertionError that says what is wrong. Nothing here is used by a run.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Awaitable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeVar

import mutatis.relations  # noqa: F401
import mutatis.tasks  # noqa: F401 - both fill the registries
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.decision import Outcome
from mutatis.core.errors import SystemFailure, UnusableFollowUp, UsageError
from mutatis.core.measure import Judge, Similarity
from mutatis.core.parameters import Parameter
from mutatis.core.relation import RELATIONS, Group, Grouping, MetamorphicRelation, Observation
from mutatis.core.system import Conversation, Helper, Message, Response, System
from mutatis.core.task import TASKS
from mutatis.core.transformation import TRANSFORMATIONS, Transformation, derive
from mutatis.doubles import ScriptedBot, ScriptedHelper, ScriptedSystem

__all__ = [
    "ScriptedBot",
    "ScriptedHelper",
    "ScriptedSystem",
    "check_relation",
    "check_system",
    "check_transformation",
    "sync",
]

T = TypeVar("T")

TEXTS = (
    "The old bakery isn't far from Rome. It was founded in 1921, and people love it!",
    "a genuinely funny film with a dull ending .",
    "Who wrote the first play about the king?",
    "Zoë’s café — 东京 — can’t be beaten; it is very good.",
    "1, 2 ... 3?!",
    "x",
    "",
)
"""What transformations are tried on: punctuation, other scripts, typographic apostrophes, one letter, nothing."""

PROTECTED = "Rome"
_LONGER_WORD = re.compile(r"\w{4,}")


def sync(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, also where an event loop is already running.

    >>> async def two(): return 2
    >>> sync(two())
    2
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def _sources(chosen: Transformation, texts: Sequence[str]) -> list[Case]:
    """Return cases with every field that a published task has, and one dialogue."""
    cases = []
    for number, text in enumerate(texts):
        names = ("text", "context", "question", "premise", "hypothesis")
        fields = {**dict.fromkeys(names, text), "head": "Ada", "tail": PROTECTED}
        marked = {"protected": {"entities": ("Ada", PROTECTED), "values": (PROTECTED,)}}
        cases.append(Case(id=f"check/{number}", turns=(Turn(fields=fields, annotations=marked),)))
    turns = tuple(Turn(fields={"question": f"Question {i}?"}) for i in range(7))
    dialogues = [Case(id=f"check/{n}-turns", turns=turns[:n]) for n in (1, 2, 3, 7)]
    return dialogues if chosen.level == "dialogue" else cases


def _variant(chosen: Transformation) -> tuple[str, ...]:
    return () if chosen.level == "dialogue" else ("text",)


def _follow_up(case: Case, plan: Derivation, helper: Helper | None) -> Case | str:
    """Return the follow-up, or the reason why there is none."""
    try:
        return sync(derive(case, plan, seed=5, helper=helper))
    except UnusableFollowUp as error:
        return f"unusable: {error}"


def check_transformation(
    transformation: str | Transformation,
    *,
    texts: Sequence[str] = TEXTS,
    nested: str | None = None,
    helper: Helper | None = None,
) -> None:
    """Check a registered transformation: deterministic, true to its parameters and record, and leaving its input alone.

    Args:
        transformation: its name.
        texts: what it is tried on.
        nested: a parameter of which a smaller value must change a subset of what a larger one changes.
        helper: answers for one that is made by a language model; by default a sentence about nothing.

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
    """Return the default parameters, and each parameter at its bounds or choices."""
    settings: list[dict[str, Any]] = [{}]
    for parameter in chosen.parameters:
        values: list[Any] = list(parameter.choices)
        if parameter.low is not None and parameter.high is not None:
            values = [parameter.type(parameter.low), parameter.type(min(parameter.high, 20))]
        settings += [{parameter.name: value} for value in values]
    return settings


def _check_derivation(chosen: Transformation, case: Case, parameters: dict[str, Any], helper: Helper | None) -> None:
    what = f"{chosen.name} with {parameters or 'its defaults'} on {case.id}"
    plan = Derivation(
        source=case.id,
        steps=(Step(transformation=chosen.name, parameters=parameters),),
        variant=_variant(chosen),
    )
    before = json.dumps(case.to_record(), sort_keys=True)
    made = _follow_up(case, plan, helper)
    assert json.dumps(case.to_record(), sort_keys=True) == before, f"{what}: it changed its input"
    again = _follow_up(case, plan, helper)
    assert made == again, f"{what}: it gave two different follow-ups: {made} and {again}"
    if isinstance(made, str):
        return
    assert made.derivation is not None
    record = json.loads(json.dumps(made.derivation.to_record()))
    rebuilt = _follow_up(case, Derivation.from_record(record), helper)
    assert rebuilt == made, f"{what}: its record rebuilds another follow-up: {rebuilt} instead of {made}"
    for turn, origin in zip(made.turns, made.derivation.origin, strict=True):
        source = case.turns[origin]
        assert set(turn.fields) == set(source.fields), f"{what}: it added or dropped fields"
        assert all(isinstance(text, str) for text in turn.fields.values()), f"{what}: a field is no text"
        if chosen.level == "text":
            others = {n: t for n, t in source.fields.items() if n not in plan.variant}
            assert all(turn.fields[n] == t for n, t in others.items()), f"{what}: it changed another field"
    kind = parameters.get("protect")
    if kind is not None and kind != "nothing":
        lost = [
            n for n in plan.variant if PROTECTED in case.turns[0].fields[n] and PROTECTED not in made.turns[0].fields[n]
        ]
        assert not lost, f"{what}: it edited the protected text {PROTECTED!r}"


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
    """Return what of the source stands in the follow-up: rounds that stand there once, or longer words."""
    step = Step(transformation=chosen.name, parameters={name: value})
    made = _follow_up(case, Derivation(source=case.id, steps=(step,), variant=_variant(chosen)), None)
    assert isinstance(made, Case), f"{chosen.name} on {case.id}: {made}"
    if chosen.level == "dialogue":
        assert made.derivation is not None
        times = Counter(made.derivation.origin)
        return Counter(str(number) for number in times if times[number] == 1)
    source = {word for field in _variant(chosen) for word in _LONGER_WORD.findall(case.turns[0].fields[field])}
    found = (word for field in _variant(chosen) for word in _LONGER_WORD.findall(made.turns[0].fields[field]))
    return Counter(word for word in found if word in source)


def _check_nested(chosen: Transformation, case: Case, name: str) -> None:
    """Check that what a larger value leaves alone, a smaller one leaves alone as well."""
    smaller: Counter[str] | None = None
    for value in (0.0, 0.1, 0.3, 0.6, 1.0):
        larger = _untouched(chosen, case, name, value)
        touched = [] if smaller is None else sorted((larger - smaller).elements())
        assert not touched, (
            f"{chosen.name} on {case.id}: {name} = {value} leaves {touched} alone, a smaller one does not"
        )
        smaller = larger


def _observation(case: Case, answer: Any) -> Observation:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return Observation(case=case, turn=0, response=Response(text=text, value=answer))


class _Fixed:
    """A measure that gives every pair the same score."""

    name = "fixed"

    def __init__(self, score: float) -> None:
        self.score = score

    def compare(self, comparisons: Sequence[Any]) -> list[Similarity]:
        return [Similarity(score=self.score)] * len(comparisons)


def check_relation(relation: str | MetamorphicRelation) -> None:
    """Check a registered relation: names that exist, variants that its tasks have, verdicts for every kind of answer.

    >>> check_relation("add-spaces")
    """
    chosen = RELATIONS[relation] if isinstance(relation, str) else relation
    assert chosen.tasks, f"{chosen.name}: it names no task"
    assert chosen.transformations, f"{chosen.name}: it names no transformation"
    assert chosen.summary, f"{chosen.name}: it has no summary"
    assert set(chosen.variants) <= set(chosen.tasks), f"{chosen.name}: variants for a task it does not name"
    for step in chosen.transformations:
        TRANSFORMATIONS[step.transformation].complete(dict(step.parameters))
    for task in chosen.tasks:
        fields = set(TASKS[task].fields)
        for variant in chosen.variants.get(task, ()) if task != "classification" else ():  # its fields are the data's
            assert set(variant) <= fields, f"{chosen.name}: {task} has no fields {sorted(set(variant) - fields)}"
    names = [p.name for p in chosen.preconditions]
    assert len(names) == len(set(names)), f"{chosen.name}: two preconditions have one name"
    _check_output_relation(chosen)


def _check_output_relation(chosen: MetamorphicRelation) -> None:
    case = Case(id="check/0", turns=(Turn(fields={"question": "Which?"}),))
    roles = list(chosen.needs) if chosen.grouping is Grouping.QUESTION else ["follow-up"]
    for answers in (("yes", "no"), (0.9, 0.2), (0.1, 0.1), ("", ""), ("entailment", "contradiction")):
        members = tuple(
            replace(_observation(case, answers[1]), role=role)
            for role in roles
            for _ in range(max(1, chosen.needs.get(role, 1)))
        )
        group = Group(source=_observation(case, answers[0]), members=members, reference=(answers[0],))
        comparisons = chosen.output_relation.comparisons(group)
        for score in (0.0, 0.5, 1.0):
            measure = _Fixed(score)
            decision = chosen.output_relation.decide(group, measure.compare(comparisons), Judge(measure=measure))
            what = f"{chosen.name}: its output relation on {answers}"
            assert decision.outcome in set(Outcome), f"{what} gave no outcome"
            assert decision.outcome is not Outcome.VIOLATED or decision.reason, f"{what} gave no reason"
            assert all(0 <= i < len(members) for i in decision.worst), f"{what} names a member that is not there"


async def check_system(system: System, conversations: Sequence[Conversation] = ()) -> None:
    """Check a system: a label, an identity that is JSON data and stays, answers of the right type, alone and together.

    >>> sync(check_system(ScriptedSystem({"*": "yes"})))
    """
    asked = list(conversations) or [
        Conversation(messages=(Message(role="user", content=text),), fields={"text": text}) for text in TEXTS[:3]
    ]
    assert isinstance(system.label, str), "label is not a text"
    assert system.label, "label is empty"
    identity = json.dumps(dict(system.identity), sort_keys=True)
    answers = [await _answer(system.ask(conversation)) for conversation in asked]
    together = await asyncio.gather(*(_answer(system.ask(conversation)) for conversation in asked))
    assert len(together) == len(answers)
    ask_many = getattr(system, "ask_many", None)
    if ask_many is not None:
        batch = await ask_many([replace(conversation) for conversation in asked])
        assert len(batch) == len(asked), f"ask_many gave {len(batch)} answers to {len(asked)} conversations"
        assert all(isinstance(b, Response | SystemFailure) for b in batch), "ask_many gave something else than answers"
    assert json.dumps(dict(system.identity), sort_keys=True) == identity, "identity changed while it was asked"


async def _answer(asking: Awaitable[Response]) -> Response | SystemFailure:
    try:
        answer = await asking
    except SystemFailure as error:
        return error
    assert isinstance(answer, Response), f"ask gave a {type(answer).__name__}, expected a Response"
    assert isinstance(answer.text, str), "an answer's text is not a text"
    return answer
