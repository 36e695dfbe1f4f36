"""Checks what makes follow-ups and judges them: transformations and relations.

A transformation must be deterministic, follow its parameters and leave its input unchanged. The names that a relation
uses must exist, its follow-ups must be accepted, and every kind of answer must get a verdict.
"""

from __future__ import annotations

import inspect
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle, islice
from typing import Any

from mutatis.campaign.judging import grouped
from mutatis.core.cases import NEW, Case, Derivation, Step, Turn
from mutatis.core.constraint import Evidence, Stage
from mutatis.core.decision import Decision, Outcome
from mutatis.core.errors import ExtensionFailure, SystemFailure, UnusableFollowUp, UsageError, unknown_name
from mutatis.core.measure import Judge, Similarity
from mutatis.core.parameters import Parameter
from mutatis.core.relation import RELATIONS, Group, Grouping, MetamorphicRelation, Observation
from mutatis.core.search import Source
from mutatis.core.system import Helper, Response
from mutatis.core.task import TASKS
from mutatis.core.transformation import TRANSFORMATIONS, Transformation, derive
from mutatis.core.verdict import Verdict
from mutatis.doubles import ScriptedHelper
from mutatis.loops import to_the_end
from mutatis.search import derivations

TEXTS = (
    "The old bakery isn't far from Rome. It was founded in 1921, and people love it!",
    "a genuinely funny film with a dull ending .",
    "Who wrote the first play about the king?",
    "Zoë’s café — 东京 — can’t be beaten; it is very good.",
    "1, 2 ... 3?!",
    "x",
    "",
)
"""Texts for trying transformations: punctuation, other scripts, curly apostrophes, one letter, nothing."""

MADE = '{"text": "Some other words."}'
"""The answer of the language model that makes follow-ups in a check."""

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
        helper = ScriptedHelper(MADE)
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
"""Positions of the tried values of a parameter, as shares of the range between its bounds."""

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


TEXT = "Ada saw the old bridge of Rome in 1921. It was a good day, and she isn't sorry; wasn't it?"
ANSWERS: dict[str, tuple[tuple[Any, Any], ...]] = {
    "text": (("yes", "no"), ("in Rome", "in Rome"), ("unknown", "1921"), ("", "")),
    "label": (("entailment", "contradiction"), ("neutral", "neutral"), ("spam", "no spam")),
    "number": ((0.9, 0.2), (0.1, 0.1), (0.5, 1.0)),
    "set": ((frozenset({"a"}), frozenset({"a", "b"})), (frozenset(), frozenset())),
    "calls": (([{"name": "f", "arguments": {"city": "Rome"}}], [{"name": "f", "arguments": {}}]), ([], [])),
    "data": (({"city": "Rome", "days": 2}, {"city": "Oslo", "days": 2}), ({}, {})),
    "state": (({"city": "Rome"}, {"city": "Oslo"}), ({}, {})),
}
"""Pairs of answers, to a source and its follow-up, for each kind of answer that a task may have."""


class _Fixed:
    """A measure that gives every pair of answers the same score."""

    name = "fixed"

    def __init__(self, score: float) -> None:
        self.score = score

    def compare(self, comparisons: Sequence[Any]) -> list[Similarity]:
        return [Similarity(score=self.score)] * len(comparisons)


def check_relation(relation: str | MetamorphicRelation) -> None:
    """Check that a registered relation uses existing names and variants, and judges every kind of answer.

    The check makes real follow-ups, because an output relation may read the parameters of every step from
    `member.case.derivation`. If a follow-up cannot be made here, a copy of the source with its derivation takes its
    place.

    >>> check_relation("add-spaces")
    """
    chosen = RELATIONS[relation] if isinstance(relation, str) else relation
    assert chosen.tasks, f"{chosen.name}: it names no task"
    assert chosen.transformations, f"{chosen.name}: it names no transformation"
    assert chosen.summary, f"{chosen.name}: it has no summary"
    assert set(chosen.edits.variants) <= set(chosen.tasks), f"{chosen.name}: variants for a task it does not name"
    for step in chosen.transformations:
        TRANSFORMATIONS[step.transformation].complete(dict(step.parameters))
    for task in chosen.tasks:
        fields = set(TASKS[task].fields)
        # The fields of a classification are the data's.
        for variant in chosen.edits.variants.get(task, ()) if task != "classification" else ():
            assert set(variant) <= fields, f"{chosen.name}: {task} has no fields {sorted(set(variant) - fields)}"
    names = [p.name for p in chosen.preconditions]
    assert len(names) == len(set(names)), f"{chosen.name}: two preconditions have one name"
    for task in chosen.tasks:
        source = _source(chosen, task)
        follow_ups = _follow_ups(chosen, source)
        _check_conditions(chosen, source.case, follow_ups)
        _check_verdicts(chosen, source.case, follow_ups)


def _source(chosen: MetamorphicRelation, task: str) -> Source:
    """Return a source case for a task. The case is a dialogue if the relation reorders turns."""
    fields = {**dict.fromkeys(TASKS[task].fields, TEXT), **{"head": "Ada", "tail": "Rome"}}
    fields = {name: fields[name] for name in TASKS[task].fields}
    levels = {TRANSFORMATIONS[step.transformation].level for step in chosen.transformations}
    rounds = 4 if "dialogue" in levels else 1
    expected = ("in Rome",) if chosen.reference == "annotated" else ()
    turns = tuple(Turn(fields=fields, expected=expected) for _ in range(rounds))
    return Source(case=Case(id="check/0", task=task, turns=turns), relations=(chosen,))


def _follow_ups(chosen: MetamorphicRelation, source: Source) -> list[Case]:
    made = []
    for derivation in derivations(source, draws=1):
        steps = ", ".join(step.transformation for step in derivation.steps)
        assert chosen.accepts(derivation.steps), f"{chosen.name}: it does not accept its own follow-ups by {steps}"
        made.append(_follow_up_or_copy(source.case, derivation))
    return made


def _follow_up_or_copy(case: Case, derivation: Derivation) -> Case:
    try:
        return to_the_end(derive(case, derivation, seed=5, helper=ScriptedHelper(MADE)))
    except (UnusableFollowUp, SystemFailure, UsageError):  # a model's answer, or a download, that is not there
        origin = tuple(range(len(case.turns)))
        return replace(case, id=f"{case.id}~check", derivation=replace(derivation, origin=origin))


def _check_conditions(chosen: MetamorphicRelation, source: Case, follow_ups: Sequence[Case]) -> None:
    """Check that preconditions and constraints return a bool. Preconditions that ask a language model are skipped."""
    for condition in chosen.preconditions:
        what = f"{chosen.name}: its precondition {condition.name!r}"
        for case in follow_ups if not condition.needs_helper else ():
            for evidence in _evidence(condition.stage, source, case):
                met: Any = condition.check(evidence)
                if inspect.isawaitable(met):
                    met = to_the_end(_awaited(met))
                assert isinstance(met, bool), f"{what} returned {met!r}, expected True or False"
    for constraint in chosen.limits.constraints:
        what = f"{chosen.name}: its constraint {constraint.name!r}"
        for case in follow_ups:
            met = constraint.check(source, case)
            assert isinstance(met, bool), f"{what} returned {met!r}, expected True or False"


def _evidence(stage: Stage, source: Case, follow_up: Case) -> Iterator[Evidence]:
    """Yield what a precondition sees at a stage: the source or the follow-up, at an output stage with each answer."""
    case = source if stage in (Stage.SOURCE_INPUT, Stage.SOURCE_OUTPUT) else follow_up
    derivation = follow_up.derivation
    assert derivation is not None
    responses: Sequence[Response | None] = _answers(source.task) if stage.endswith("output") else [None]
    for response in responses:
        yield Evidence(
            task=source.task,
            case=case,
            turn=case.turns[0],
            fields=derivation.variant,
            steps=derivation.steps,
            response=response,
        )


async def _awaited(awaitable: Any) -> Any:
    return await awaitable


def _response(answer: Any) -> Response:
    text = answer if isinstance(answer, str) else json.dumps(answer, default=sorted)
    return Response(text=text, value=answer)


def _answers(task: str) -> list[Response]:
    return [_response(answer) for pair in ANSWERS[TASKS[task].kind] for answer in pair]


def _check_verdicts(chosen: MetamorphicRelation, source: Case, follow_ups: Sequence[Case]) -> None:
    for before, after in ANSWERS[TASKS[source.task].kind]:
        for cases, roles in _member_cases(chosen, follow_ups):
            members = tuple(
                Observation(case=case, turn=0, response=_response(after), role=role)
                for case, role in zip(cases, roles, strict=True)
            )
            turn = members[0].case.origin(0)
            asked = Observation(case=source, turn=turn, response=_response(before))
            verdict = Verdict(system="check", relation=chosen, source=source, turn=turn)
            group = grouped(verdict, asked, members).group
            assert group is not None
            _check_decisions(chosen, group, f"{chosen.name}: its output relation on {(before, after)}")


def _member_cases(
    chosen: MetamorphicRelation, follow_ups: Sequence[Case]
) -> list[tuple[Sequence[Case], Sequence[str]]]:
    """Return the groups of cases to judge, each with the roles of its cases.

    For a relation on pairs, each follow-up forms a group. For any other relation, a single group contains every role.
    """
    if chosen.matching.grouping is Grouping.PAIR:
        return [([case], [chosen.matching.when(case.turns[0]) or "follow-up"]) for case in follow_ups]
    roles = [role for role, least in chosen.matching.needs.items() for _ in range(max(1, least))] or ["follow-up"]
    return [(list(islice(cycle(follow_ups), len(roles))), roles)]


def _check_decisions(chosen: MetamorphicRelation, group: Group, what: str) -> None:
    relation = chosen.output_relation
    comparisons = relation.comparisons(group)
    assert list(relation.comparisons(group)) == list(comparisons), (
        f"{what} asks for different comparisons the second time"
    )
    for score in (0.0, 0.5, 1.0):
        measure = _Fixed(score)
        judge = Judge(measure=measure)
        decision = relation.decide(group, measure.compare(comparisons), judge)
        assert isinstance(decision, Decision), f"{what} returned a {type(decision).__name__}, expected a Decision"
        again = relation.decide(group, measure.compare(comparisons), judge)
        assert again == decision, f"{what} decides differently the second time"
        assert decision.outcome is not Outcome.VIOLATED or decision.reason, f"{what} gave no reason"
        worst = all(0 <= i < len(group.members) for i in (*decision.worst, *decision.violating))
        assert worst, f"{what} names a missing member"
