"""Input transformations: how they are declared, and how a follow-up is derived from its source.

A transformation is a decorated function. Its level determines its argument and its result:

* `text`: one field's text -> text, for each field of the variant, on every turn;
* `turn`: one turn and the names of the fields of the variant -> turn;
* `dialogue`: the order of rounds (indices of source turns) -> a new order. A function that requests `turns` also
  receives the turns. It may return (index, turn) to replace a turn or (NEW, turn) to insert one;
* `case`: the whole case -> a case with the same number of turns. Turns, material (added tools) and language may differ.

Functions request further arguments by name:

* `rng`: a `random.Random` of their own;
* `helper`: the language model that makes follow-ups; the function is then a coroutine function;
* `draw`: the number to pass to the helper, so that a different draw gives a new answer;
* `protected`: strings that an edit must leave alone;
* `proper_names`: names of products and similar things in the text;
* `written_in`: language code of the case;
* `**choice`: the parameters that `reads` chose. Until it has chosen, the follow-up equals its source.

Other keyword-only arguments are declared parameters.

Every random choice is seeded by run seed, source, names and positions of the steps, variant, draw, turn and field, but
never by parameter values. In a well-written transformation, a smaller parameter value therefore makes a subset of the
changes that a larger value makes, so that sweeps and shrinking make meaningful comparisons.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from mutatis.core import parameters as declarations
from mutatis.core.cases import EXPECTS, NAMES, NEW, Case, Derivation, Step, Turn
from mutatis.core.dictionary import NO_ENTRIES, Dictionary, Parameters, ranked
from mutatis.core.errors import ExtensionFailure, UnusableFollowUp, UsageError, check_word
from mutatis.core.languages import ENGLISH, EVERY, Languages, LanguagesWith, check_languages, knows
from mutatis.core.parameters import Parameter
from mutatis.core.registry import Registry
from mutatis.core.removed import REMOVED_TRANSFORMATIONS
from mutatis.core.system import Helper

Level = Literal["text", "turn", "dialogue", "case"]
MadeBy = Literal["function", "language-model"]
Reads: TypeAlias = Callable[..., Mapping[str, str] | None]
"""A function that reads the parameters of a follow-up from a question and its answer, or returns None.

It may request `written_in` by name.
"""

LooksUp: TypeAlias = Callable[[str, str, Dictionary], Sequence[Parameters]]
"""A function that returns all possible parameters of a follow-up for a question, its answer and the dictionary.

It raises UnusableFollowUp with the reason if no parameters are possible.
"""

Restore: TypeAlias = Callable[[str, str, Collection[int]], str]
"""A function that undoes part of an edit, given the source text, the follow-up text and the span numbers."""

Seen: TypeAlias = Sequence[tuple[Parameters, str]]
"""Earlier follow-ups: the parameters of each, and the reply."""

Explores: TypeAlias = Callable[[str, str, Dictionary, Seen], Parameters]
"""A function that returns the parameters of the next follow-up, depending on the replies to earlier ones.

Its arguments are a question, its answer, the dictionary and the earlier follow-ups. It raises UnusableFollowUp with the
reason if nothing is left to ask. Each draw takes one step.
"""

F = TypeVar("F", bound=Callable[..., Any])

RESTORE = "restore"
"""Name of the step that restores changed spans from the source: `{"spans": {field: [numbers]}}`.

Shrinking adds this step.
"""

KEEP_ROUNDS = "keep-rounds"
"""Name of the step that keeps only some rounds of a follow-up dialogue: `{"rounds": [indices]}`.

Shrinking adds this step.
"""

AS_IT_IS = "identity-order"
"""Name of the transformation that leaves the source as it is, for comparing its answers with annotated ones."""

NO_CHANGE = "no-change"
"""Name of the transformation that changes nothing, and of the relation that measures the noise floor.

Each of its follow-ups asks the same question again under its own repeat index. The gate ignores this relation.
"""

PROTECT = Parameter(name="protect", type=str, default="nothing", choices=("nothing", "entities", "values"))
"""A parameter of every transformation that can leave certain strings in a turn unchanged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transformation:
    """A registered input transformation.

    Attributes:
        apply: the decorated function.
        parameters: its declared parameters.
        capability: the ability that a system needs to cope with the edit ("typing noise"); reports group by it.
        says: describes one application in words. A plural noun in braces stands for the edited things and their number:
            "{letters} left out".
        extra: the optional dependency that it needs.
        languages: the languages it supports. An edit that writes or recognises words of one language supports no
            others.
        reads: takes parameters from the answer to the source's last turn, so the source is sent first.
        looks_up: returns all parameters that the run's dictionary allows for a question; each draw takes one.
        explores: chooses each draw on the basis of the replies to earlier draws.
        takes_choice: whether the function takes what `reads` chose as `**choice`.
        adds: maximum number of turns that it inserts.
        needs: the word lists in a language's folder that it reads.
    """

    name: str
    apply: Callable[..., Any]
    level: Level
    parameters: tuple[Parameter, ...]
    made_by: MadeBy
    summary: str
    wants: frozenset[str]
    capability: str = ""
    says: str = ""
    extra: str = ""
    languages: Languages = EVERY
    reads: Reads | None = None
    looks_up: LooksUp | None = None
    explores: Explores | None = None
    takes_choice: bool = False
    adds: int = 0
    needs: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Return True if the edits only make sense together: edits of dialogues and cases, or marked `as_a_whole`."""
        return self.level in ("dialogue", "case") or self.apply in _WHOLE

    def draws_of(self, edited: str | Case, wanted: int, language: str) -> int:
        """Return how many of the requested draws can differ, for a function marked by `taken_in_turn`.

        The result is at least one, so that there is a verdict with a reason, for example in a language that the
        function does not support. `edited` is a text in a language, or the case for an edit of the whole case.
        """
        count = next((count for function, count in _IN_TURN if function is self.apply), None)
        if count is None:
            return wanted
        return min(wanted, max(1, count(edited, language or ENGLISH[0]))) if knows(self.languages, language) else 1

    def complete(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return a value for every declared parameter: the checked argument, or else the default."""
        return declarations.completed(self.parameters, values, f"transformation {self.name!r}")

    def choice_in(self, step: Step) -> dict[str, Any]:
        """Return the parameters of a step that `reads` chose, for a function that takes them as `**choice`."""
        declared = {parameter.name for parameter in self.parameters}
        return {name: value for name, value in step.parameters.items() if self.takes_choice and name not in declared}

    def parameters_in(self, step: Step) -> dict[str, Any]:
        """Return all parameters for a step: what `reads` chose, and a value for every declared parameter."""
        choice = self.choice_in(step)
        return choice | self.complete({name: step.parameters[name] for name in step.parameters if name not in choice})


_WHOLE: list[Callable[..., Any]] = []
"""Functions marked by `as_a_whole`.

This is a list because callable objects may not be hashable, and each access to a bound method creates a new object.
"""


def as_a_whole(function: F) -> F:
    """Mark a function, in addition to `@transformation`, as one whose edits only make sense together.

    An opening quotation mark needs the closing one, and a correction needs the value that it corrects. Shrinking never
    undoes just one edit.
    """
    _WHOLE.append(function)
    return function


_IN_TURN: list[tuple[Callable[..., Any], Callable[[Any, str], int]]] = []
"""Functions marked by `taken_in_turn`, each with the function that counts the possible edits of a text or a case."""


def taken_in_turn(count: Callable[[Any, str], int]) -> Callable[[F], F]:
    """Mark a function, in addition to `@transformation`, as one whose draws go through its possible edits in order.

    `count` returns the number of possible edits of a text, or of a case if the whole case is edited. Its arguments are
    the text or case and its language.
    """

    def mark(function: F) -> F:
        _IN_TURN.append((function, count))
        return function

    return mark


KEEP = "keep"
"""Parameter of helper-made edits: names from the dictionary that must not change, one per line."""

TRANSFORMATIONS: Registry[Transformation] = Registry("transformation", removed=REMOVED_TRANSFORMATIONS)

_CONTEXT = ("rng", "helper", "protected", "proper_names", "fields", "draw", "turns", "written_in")
"""Further arguments that a function may request by name."""


def transformation(
    name: str,
    *,
    level: Level = "text",
    capability: str = "",
    says: str = "",
    extra: str = "",
    languages: Iterable[str] = EVERY,
    reads: Reads | LooksUp | Explores | None = None,
    adds: int = 0,
) -> Callable[[F], F]:
    """Register the decorated function as the input transformation `name`.

    The first line of the function's docstring becomes its description; `says` (for reports) defaults to it. `extra` is
    an optional dependency. `languages` are codes or scripts ("Latin"), or the languages that have the word lists named
    in `needing(...)`; by default every language. `reads` finds parameters in the source's answer (`Reads`), in the
    run's dictionary (with a third argument: `LooksUp`) or in the earlier follow-ups (with a fourth: `Explores`). `adds`
    is the number of turns inserted.

    Raises:
        UsageError: no such level or language, no docstring, a parameter without a default, or the name is taken.
    """
    if not isinstance(name, str):
        raise UsageError(f'transformation({name!r:.60}); expected its name: @transformation("my-edit")')
    check_word(f"transformation {name!r}: level", level, get_args(Level))
    checked = check_languages(f"transformation {name!r}", languages)

    def register(function: F) -> F:
        summary = _summary_of(name, function)
        wants = frozenset(inspect.signature(function).parameters).intersection(_CONTEXT)
        declared = declarations.declared(function, without=frozenset(_CONTEXT))
        _check_callable(name, function, [*wants, *(parameter.name for parameter in declared)])
        if "protected" in wants:
            declared = (*declared, PROTECT)
        TRANSFORMATIONS.add(
            name,
            Transformation(
                name=name,
                apply=function,
                level=level,
                parameters=declared,
                made_by="language-model" if "helper" in wants else "function",
                summary=summary,
                wants=wants,
                capability=capability or "other",
                says=says or _as_template(summary),
                extra=extra,
                languages=checked,
                **_reading(reads),
                takes_choice=reads is not None and inspect.getfullargspec(function).varkw is not None,
                adds=adds,
                needs=languages.needs if isinstance(languages, LanguagesWith) else (),
            ),
        )
        return function

    return register


def _summary_of(name: str, function: Callable[..., Any]) -> str:
    """Return the first line of a function's docstring. Raise UsageError for a class, or if the docstring is missing."""
    if isinstance(function, type):
        raise UsageError(f"transformation {name!r}: {function.__name__} is a class; expected a function")
    summary = (inspect.getdoc(function) or "").partition("\n")[0]
    if not summary:
        raise UsageError(f"transformation {name!r} needs a docstring: one sentence that describes what it does")
    return summary


def _reading(reads: Reads | LooksUp | Explores | None) -> dict[str, Any]:
    """Return the keyword argument for passing `reads` to `Transformation`.

    Its name, such as `looks_up`, depends on how many arguments `reads` takes, besides `written_in`.
    """
    if reads is None:
        return {}
    name_by_arguments = {2: "reads", 3: "looks_up", 4: "explores"}
    return {name_by_arguments[len(inspect.signature(reads).parameters.keys() - {"written_in"})]: reads}


def _check_callable(name: str, function: Callable[..., Any], named: Iterable[str]) -> None:
    """Raise UsageError if a function cannot take the arguments of its level, because every follow-up would fail."""
    try:
        inspect.signature(function).bind("", **dict.fromkeys(named))
    except TypeError as error:
        raise UsageError(
            f"transformation {name!r}: {error}; expected one argument, the text or turns to edit, then any of "
            f"{', '.join(_CONTEXT)}, and its own parameters after a *"
        ) from None


def _as_template(summary: str) -> str:
    """Return a description as a template for `says`, with its braces escaped."""
    return (summary[:1].lower() + summary[1:].rstrip(".")).replace("{", "{{").replace("}", "}}")


def made_by(steps: Iterable[Step]) -> MadeBy:
    """Return what makes these edits, "function" or "language-model", ignoring steps that only shrink a follow-up."""
    by_language_model = any(known.made_by == "language-model" for known in transformations_of(steps))
    return "language-model" if by_language_model else "function"


def transformations_of(steps: Iterable[Step]) -> list[Transformation]:
    """Return the registered transformations of these steps, leaving out steps that only shrink a follow-up."""
    return [TRANSFORMATIONS[step.transformation] for step in steps if step.transformation in TRANSFORMATIONS]


def reads_answer(derivation: Derivation) -> bool:
    """Return True if a step takes parameters from the source's answer, so that the source must be sent first."""
    return any(known.reads or known.looks_up or known.explores for known in transformations_of(derivation.steps))


def looks_up(steps: Iterable[Step]) -> bool:
    """Return True if a follow-up with these steps needs the run's dictionary."""
    return any(known.looks_up or known.explores for known in transformations_of(steps))


def explores(derivation: Derivation) -> bool:
    """Return True if a step depends on the replies to earlier draws."""
    return any(known.explores for known in transformations_of(derivation.steps))


def keeping(derivation: Derivation, names: Sequence[str]) -> Derivation:
    """Return a derivation whose steps leave these names unchanged, if their transformations accept names (`KEEP`)."""
    if not names:
        return derivation
    steps = []
    for step in derivation.steps:
        parameters = {parameter.name for known in transformations_of([step]) for parameter in known.parameters}
        if KEEP in parameters and not step.parameters.get(KEEP):
            step = replace(step, parameters={**step.parameters, KEEP: "\n".join(names)})
        steps.append(step)
    return replace(derivation, steps=tuple(steps))


def completed_by(
    derivation: Derivation,
    question: str,
    answer: str,
    dictionaries: Sequence[Dictionary] = (NO_ENTRIES,),
    language: str = "",
    seen: Seen = (),
) -> Derivation:
    """Return the derivation with parameters filled in from the source's answer or a dictionary.

    Choices from the first of the `dictionaries` come first, so that facts learnt during a run do not change their
    order. `seen` holds the earlier draws of a transformation that explores.

    Raises:
        UnusableFollowUp: the answer gives no parameters, or the dictionary nothing for the question or a further draw.
    """
    written_in = language or ENGLISH[0]
    in_language = [replace(dictionary, language=written_in) for dictionary in dictionaries]
    steps = []
    for step in derivation.steps:
        if step.transformation not in TRANSFORMATIONS:  # it only shrinks the follow-up
            steps.append(step)
            continue
        known = TRANSFORMATIONS[step.transformation]
        filled: Mapping[str, str] | None = {}
        if known.reads is not None:
            context = {"written_in": written_in} if "written_in" in inspect.signature(known.reads).parameters else {}
            filled = known.reads(question, answer, **context)
        elif known.looks_up is not None:
            filled = _drawn(known.looks_up, question, answer, in_language, derivation.draw)
        elif known.explores is not None:
            filled = known.explores(question, answer, in_language[-1], seen)  # the last knows all that was learnt
        if filled is None:
            raise UnusableFollowUp("the source's answer has no single value that could be claimed")
        steps.append(replace(step, parameters={**step.parameters, **filled}))
    return replace(derivation, steps=tuple(steps))


def _drawn(look_up: LooksUp, question: str, answer: str, dictionaries: Sequence[Dictionary], draw: int) -> Parameters:
    """Return the parameters of one draw: the choices from each dictionary are taken in turn, each only once."""
    choices: list[Parameters] = []
    reason = ""
    for dictionary in dictionaries:
        try:
            allowed = ranked(question, look_up(question, answer, dictionary))
        except UnusableFollowUp as unusable:
            reason = str(unusable)
        else:
            choices += [choice for choice in allowed if choice not in choices]
    if draw < len(choices):
        return choices[draw]
    if choices or not reason:
        raise UnusableFollowUp(f"the question allows no further change of this kind ({len(choices)} in total)")
    raise UnusableFollowUp(reason)


def asks_again(derivation: Derivation) -> bool:
    """Return True if a follow-up only repeats the question of its source."""
    return all(step.transformation == NO_CHANGE for step in derivation.steps)


def generator(*key: object) -> Random:
    """Return a random generator seeded by a hash of `key`. The seed is the same in every process."""
    text = "\x1f".join(map(str, key))
    return Random(int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big"))


async def derive(
    source: Case, wanted: Derivation, *, seed: int = 0, helper: Helper | None = None, restore: Restore | None = None
) -> Case:
    """Return the follow-up that `wanted` describes. The same arguments always give the same follow-up.

    `restore` is needed if shrinking has undone some of the edits. It aligns two texts to find the edits, which this
    package cannot do itself; see `mutatis.text.spans.restore_spans`.

    Raises:
        UnusableFollowUp: a transformation could not make a follow-up from this input.
        UsageError: a step names an unknown transformation or an impossible parameter.
        SystemFailure: the helper failed.
    """
    order, case = tuple(range(len(source.turns))), source
    supplied = _Supplied(wanted=wanted, helper=helper, language=source.language)
    names: list[str] = []
    for step in wanted.steps:
        names.append(step.transformation)
        if step.transformation == RESTORE:
            case = _with_restored(case, source, order, step, restore)
        elif step.transformation == KEEP_ROUNDS:
            kept = step.parameters["rounds"]
            order, case = tuple(order[i] for i in kept), replace(case, turns=tuple(case.turns[i] for i in kept))
        else:
            seeds = (seed, source.question, *names, *wanted.variant, wanted.draw)
            order, case = await _edited(case, order, step, seeds, supplied)
    derivation = replace(wanted, source=source.id, origin=order)
    ask_turns = source.ask_turns
    if ask_turns is not None:
        ask_turns = tuple(i for i, origin in enumerate(order) if origin == NEW or origin in ask_turns)
    return replace(
        case,
        id=f"{source.id}~{derivation.digest()}",
        ask_turns=ask_turns,
        derivation=derivation,
        key=source.question,
        translations=(),
    )


async def _edited(
    case: Case, order: tuple[int, ...], step: Step, key: tuple[object, ...], supplied: _Supplied
) -> tuple[tuple[int, ...], Case]:
    """Return the order of source turns and the case after one edit. `key` seeds the random choices of the edit."""
    chosen = TRANSFORMATIONS[step.transformation]
    if chosen.takes_choice and not chosen.choice_in(step):
        return order, case
    if chosen.level == "case":
        edited = await _applied(chosen, case, _arguments(chosen, step, key, supplied))
        if not isinstance(edited, Case) or len(edited.turns) != len(case.turns):
            raise ExtensionFailure(f"transformation {chosen.name!r} did not return a case with {len(case.turns)} turns")
        return order, replace(case, turns=tuple(edited.turns), material=edited.material, language=edited.language)
    if chosen.level == "dialogue":
        arguments = _arguments(chosen, step, key, supplied, turns=case.turns)
        moved: Sequence[int | tuple[int, Turn]] = chosen.apply(tuple(range(len(case.turns))), **arguments)
        placed = [(entry, case.turns[entry]) if isinstance(entry, int) else entry for entry in moved]
        order = tuple(NEW if place == NEW else order[place] for place, _ in placed)
        return order, replace(case, turns=tuple(turn for _, turn in placed))
    turns = list(case.turns)
    for index, turn in enumerate(turns):
        if step.turns is None or index in step.turns:
            turns[index] = await _edited_turn(chosen, step, turn, (*key, order[index]), supplied)
    return order, replace(case, turns=tuple(turns))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Supplied:
    """Everything that a transformation may use besides the text. It is shared by all turns of a follow-up."""

    wanted: Derivation
    helper: Helper | None
    language: str


def _arguments(
    chosen: Transformation, step: Step, key: tuple[object, ...], supplied: _Supplied, **others: Any
) -> dict[str, Any]:
    """Return the arguments for a step's function: the step's parameters, and whatever else it requests by name."""
    if "helper" in chosen.wants and supplied.helper is None:
        raise UsageError(f"transformation {chosen.name!r} needs a language model; configure [helper]")
    offered = {
        "draw": supplied.wanted.draw,
        "written_in": supplied.language or ENGLISH[0],
        "helper": supplied.helper,
        "rng": generator(*key) if "rng" in chosen.wants else None,
        **others,
    }
    wanted = {name: value for name, value in offered.items() if name in chosen.wants}
    return chosen.parameters_in(step) | wanted


async def _applied(chosen: Transformation, edited: Any, arguments: Mapping[str, Any]) -> Any:
    result = chosen.apply(edited, **arguments)
    return await result if inspect.isawaitable(result) else result


async def _edited_turn(
    chosen: Transformation, step: Step, turn: Turn, key: tuple[object, ...], supplied: _Supplied
) -> Turn:
    """Return an edited turn: its fields of the variant are edited or, without a variant, all of its fields.

    A transformation at the level of turns is called once, with the turn. Any other is called for the text of each
    field.

    Raises:
        UsageError: the turn lacks a field of the variant.
        ExtensionFailure: the transformation returns a value of the wrong type.
    """
    fields = supplied.wanted.variant or tuple(turn.fields)
    names = tuple(turn.annotations.get(NAMES, ()))
    arguments = _arguments(chosen, step, key, supplied, fields=fields, proper_names=names)
    if "protected" in chosen.wants:  # in place of `protect`, the kind of text to protect, the function gets the texts
        arguments["protected"] = tuple(turn.annotations.get("protected", {}).get(arguments.pop("protect"), ()))
    if chosen.level == "turn":
        edited = await _applied(chosen, turn, arguments)
        if not isinstance(edited, Turn):
            raise _wrong_type(chosen, edited, "a Turn")
        return edited
    changed = dict(turn.fields)
    for name in fields:
        if name not in turn.fields:
            raise UsageError(f"the case has no field {name!r}; it has: {', '.join(turn.fields)}")
        if "rng" in chosen.wants:
            arguments["rng"] = generator(*key, name)
        changed[name] = text = await _applied(chosen, turn.fields[name], arguments)
        if not isinstance(text, str):
            raise _wrong_type(chosen, text, "a string")
    return replace(turn, fields=changed)


def _wrong_type(chosen: Transformation, edited: object, expected: str) -> ExtensionFailure:
    returned = f"transformation {chosen.name!r} returned an object of type {type(edited).__name__}"
    return ExtensionFailure(f"{returned}; expected {expected}")


def _with_restored(case: Case, source: Case, order: Sequence[int], step: Step, restore: Restore | None) -> Case:
    """Return the case with some edits undone. Turns that were inserted have no source to restore from."""
    if restore is None:
        raise UsageError("this derivation undoes edits; pass restore=restore_spans from mutatis.extending")
    turns = list(case.turns)
    for index, origin in enumerate(order):
        if origin != NEW:
            turns[index] = _restored(source.turns[origin], turns[index], step, index, restore)
    return replace(case, turns=tuple(turns))


def _restored(source: Turn, turn: Turn, step: Step, index: int, restore: Restore) -> Turn:
    """Return a turn with some of its edits undone, if the step concerns it."""
    if step.turns is not None and index not in step.turns:
        return turn
    if EXPECTS in turn.annotations:
        raise UnusableFollowUp("the right answer is known only for the whole edit, not for a part of it")
    spans: dict[str, list[int]] = step.parameters["spans"]
    fields = {name: restore(source.fields[name], text, spans.get(name, [])) for name, text in turn.fields.items()}
    return replace(turn, fields=fields)
