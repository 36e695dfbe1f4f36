"""Texts that make careless code slow, and everything that reads texts of data or of a system: a table of both.

A shape is what somebody can put into a data set or an answer; a job is work on one text, ready to be done.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import mutatis.relations  # noqa: F401 - fills the registry
from mutatis import measures
from mutatis.assembly.relations import default_sets
from mutatis.campaign.follow_up import FollowUp, Maker
from mutatis.campaign.records import follow_up_record
from mutatis.context import ContextCheck
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.constraint import Stage
from mutatis.core.measure import Comparison
from mutatis.core.relation import RELATIONS, MetamorphicRelation, Observation
from mutatis.core.search import Proposal, Source
from mutatis.core.system import Response
from mutatis.core.task import TASKS, Unparsable
from mutatis.measures import MEASURES
from mutatis.prompting import asking
from mutatis.reports.marking import mark, shorten
from mutatis.search.once import derivations
from mutatis.text import abstention, languages, normalisation, numbers, sentences, states, visible
from mutatis.text.spans import changes, images, restore_spans

START = "Does the old man, who isn't 33, like 3 red cats in May? "
"""What every text begins with: something to edit, so that what looks at the rest is reached."""

SHAPES: Mapping[str, str] = {
    "one long word": "w",
    "spaces": " ",
    "brackets and spaces": "<" + " " * 1023,
    "abab": "abab ab ",
    "short words": "a b c d e I to ",
    "lines": "x\n- y\n",
    "nesting and quotes": "([{\"'`",
    "combining and zero-width": "e\u0301\u200b\u0301",
    "numbers": "1,1.1-1/1:",
    "sentences of names": "Ann Lee is. Mr. B. is? ",
}
"""Eight of the issue, and two that numbers and names are read from; each is repeated to the length wanted."""


def text(shape: str, length: int) -> str:
    """Return a text of a shape, `length` characters long."""
    repeated = SHAPES[shape]
    return (START + repeated * (length // len(repeated) + 1))[:length]


def edited(source: str) -> str:
    """Return a text with an edit at both ends and every so often between."""
    return "X" + "".join(source[at : at + 997] + "Z" for at in range(0, len(source), 997))


@dataclass(frozen=True, slots=True)
class Job:
    """Work on one text: `prepare(text)` returns what is measured."""

    name: str
    prepare: Callable[[str], Callable[[], object]]
    longest: int = 10**6
    """Characters that it is ever given: a case of many turns is not as long as a text."""


def _relations() -> list[MetamorphicRelation]:
    tags = {tag.removeprefix("tag:") for tag in default_sets()}
    return [relation for name in RELATIONS if (relation := RELATIONS[name]).tags & tags]


def _fields(task: str, whole: str) -> dict[str, str]:
    return dict.fromkeys(TASKS[task].fields, whole)


def _case(task: str, whole: str) -> Case:
    marked = {"protected": {"entities": ("Ada",), "values": ("3",)}}
    return Case(id="h", task=task, turns=(Turn(fields=_fields(task, whole), annotations=marked),))


def _making(relation: MetamorphicRelation, task: str) -> Callable[[str], Callable[[], object]]:
    """Return the work of making one follow-up of each kind: conditions on the input, the edit, conditions after it."""

    def prepare(whole: str) -> Callable[[], object]:
        source = Source(case=_case(task, whole), relations=(relation,))
        maker = Maker(seed=7, helper=None)
        wanted = derivations(source, 1)[-1:]  # of all variants the last: the most fields

        async def make() -> None:
            for derivation in wanted:
                follow_up = FollowUp(proposal=Proposal(source=source, derivation=derivation), relations=(relation,))
                await maker.check_source(follow_up)
                await maker.make(follow_up)
                observation = Observation(case=source.case, turn=0, response=Response(text=whole))
                await maker.broken(relation, Stage.SOURCE_OUTPUT, follow_up, observation)

        return lambda: asyncio.run(make())

    return prepare


def _judging(name: str) -> Callable[[str], Callable[[], object]]:
    def prepare(whole: str) -> Callable[[], object]:
        compare = measures.judge(name).measure.compare
        pairs = [
            Comparison(reference=(whole,), answer=edited(whole), question=whole),
            Comparison(reference=(START,), answer=whole, question=START, directed=True),
            Comparison(reference=(whole,), answer=START, question=""),
        ]
        return lambda: compare(pairs)

    return prepare


def _parsing(task: str) -> Callable[[str], Callable[[], object]]:
    def prepare(whole: str) -> Callable[[], object]:
        case, parse = _case(task, "What?"), TASKS[task].parse

        def read() -> None:
            for answer in (whole, f"Answer: {whole}", f"{{{whole}"):
                with contextlib.suppress(Unparsable):
                    parse(Response(text=answer), case)

        return read

    return prepare


def _context(whole: str) -> Callable[[], object]:
    turns = [Turn(fields={"question": asked}) for asked in ("Who is Ann Lee?", f"{whole} he?", "What did she like?")]
    source = Case(id="d", task="dialogue", turns=tuple(turns), material={"story": whole})
    derivation = Derivation(source="d", steps=(), origin=(1, 2))
    follow_up = Case(id="f", task="dialogue", turns=tuple(turns[1:]), material=source.material, derivation=derivation)
    return lambda: asyncio.run(ContextCheck().annotate(source, follow_up))


def _telling(whole: str) -> Callable[[], object]:
    source = Case(id="s", task="sentiment", turns=(Turn(fields={"text": whole}),))
    steps = (Step(transformation="keyboard-typos"),)
    made = Case(
        id="f",
        task="sentiment",
        turns=(Turn(fields={"text": edited(whole)}),),
        derivation=Derivation(source="s", steps=steps, variant=("text",), origin=(0,)),
    )
    return lambda: follow_up_record(Observation(case=made, turn=0), source)


def _marking(whole: str) -> Callable[[], object]:
    other, swapped = edited(whole), whole[len(whole) // 2 :] + whole[: len(whole) // 2]
    return lambda: [list(map(shorten, mark(whole, new))) for new in (other, swapped, whole[::-1], START)]


def _spans(whole: str) -> Callable[[], object]:
    other = edited(whole)

    def work() -> None:
        changes(whole, other)
        restore_spans(whole, other, range(0, 10**6, 2))
        for phrase in ("a", "1", whole[len(whole) // 2 :], whole[60:160].strip()):
            images(whole, other, phrase)

    return work


READERS = (
    "is_abstention", "is_refusal", "polarity", "is_negated", "language", "tokens", "squad_normalise", "numbers",
    "parse_score", "sentences", "read_state", "on_one_line", "unfenced",
)  # fmt: skip
"""Functions of `mutatis.text` and `mutatis.prompting` that read one text."""


def _reading(name: str) -> Callable[[str], Callable[[], object]]:
    modules = (abstention, asking, languages, normalisation, numbers, sentences, states, visible)
    function = next(vars(module)[name] for module in modules if name in vars(module))
    return lambda whole: lambda: function(whole)


def jobs() -> Iterator[Job]:
    """Yield all jobs."""
    for relation in _relations():
        if relation.needs_helper:
            continue
        for task in relation.tasks:
            yield Job(f"relation {relation.name} on {task}", _making(relation, task))
    for name in MEASURES:
        if name != "helper":
            yield Job(f"judge {name}", _judging(name))
    for task in TASKS:
        yield Job(f"parser of {task}", _parsing(task))
    for name in READERS:
        yield Job(f"text {name}", _reading(name))
    yield Job("context check", _context)
    yield Job("spans", _spans)
    yield Job("telling", _telling)
    yield Job("marking", _marking)
