"""Texts that make careless code slow, and everything that reads texts of data or of a system: a table of both.

A shape is what somebody can put into a data set or an answer; a job is work on one text, ready to be done.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import inf, log2
from pathlib import Path

import mutatis.relations  # noqa: F401 - fills the registry
import mutatis.tasks  # noqa: F401 - fills the registry
from mutatis import measures, transformations
from mutatis.assembly.relations import default_sets
from mutatis.campaign.follow_up import FollowUp, Maker
from mutatis.campaign.records import follow_up_record
from mutatis.context import ContextCheck
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.constraint import Stage
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.measure import Comparison
from mutatis.core.relation import RELATIONS, MetamorphicRelation, Observation
from mutatis.core.search import Proposal, Source
from mutatis.core.system import Response
from mutatis.core.task import TASKS, Unparsable
from mutatis.doubles import ScriptedHelper
from mutatis.measures import MEASURES, payload
from mutatis.measures.helper import HelperMeasure
from mutatis.prompting import asking
from mutatis.reports.brief import brief
from mutatis.reports.csv import neutral
from mutatis.reports.markdown import escaped, fenced
from mutatis.reports.marking import mark, shorten
from mutatis.rltest4chatbot import edits, states
from mutatis.search.once import derivations
from mutatis.secrets.masking import scrubbed
from mutatis.systems.stream import events, joined
from mutatis.text import (
    abstention,
    languages,
    normalisation,
    openers,
    refusals,
    sentences,
    values,
    visible,
)
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


ALIGNED = 20_000
"""Characters of two texts above which not all of one is compared with all of the other."""

MOST = 2.5
"""By what the time may grow where a text becomes twice as long."""


def text(shape: str, length: int, variant: int = 0) -> str:
    """Return a text of a shape, `length` characters long; no variant is remembered from another."""
    repeated = SHAPES[shape]
    return (f"{START}In {2000 + variant}? " + repeated * (length // len(repeated) + 1))[:length]


def edited(source: str) -> str:
    """Return a text with an edit at both ends and every so often between."""
    return "X" + "".join(source[at : at + 997] + "Z" for at in range(0, len(source), 997))


@dataclass(frozen=True, slots=True)
class Job:
    """Work on one text: `prepare(text)` returns what is measured."""

    name: str
    prepare: Callable[[str], Callable[[], object]]
    least: int = 0
    """Characters from which on its time is in proportion, because below it everything may be compared with all."""


@cache
def unit() -> float:
    """Return the processor time of looking at 20,000 letters one by one, about a millisecond."""

    def once() -> float:
        started = time.process_time()
        sum(letter == " " for letter in "a " * 10_000)
        return time.process_time() - started

    return min(once() for _ in range(5))


@dataclass(slots=True)
class Growth:
    """What a job takes on a shape and on `times` as much of it: the least processor time of several tries each."""

    job: Job
    shape: str
    length: int
    times: int = 2
    once: float = inf
    more: float = inf
    tries: int = 0

    def __post_init__(self) -> None:
        self.length = max(self.length, self.job.least)

    @property
    def ratio(self) -> float:
        """Return by what the time grows where a text becomes twice as long: 2 is in proportion, 4 is with the square.

        What takes next to nothing is told by the clock's noise: the time of a short loop is added to both.
        """
        return float(((self.more + unit()) / (self.once + unit())) ** (1 / log2(self.times)))

    def measure(self, most: float, tries: int = 8, longer: int = 4) -> float:
        """Return the ratio; what is above `most` is measured again, at last on a `longer` text and four times that.

        Other work on a machine adds to a time, what is bounded ends to grow, and in one length there may be more to do
        than in another (an edit falls on a word, or between two); what grows with the square does so all the same.
        """
        self._once_more()
        while self.ratio > most and self.tries < tries:
            self._once_more()
        if self.ratio > most and longer > 1:
            self.length, self.times, self.once, self.more, self.tries = longer * self.length, 4, inf, inf, 0
            return self.measure(most, tries, longer=1)
        return self.ratio

    def _once_more(self) -> None:
        self.tries += 1
        self.once = min(self.once, self._seconds(self.length, 2 * self.tries))
        self.more = min(self.more, self._seconds(self.times * self.length, 2 * self.tries + 1))

    def _seconds(self, length: int, variant: int) -> float:
        work = self.job.prepare(text(self.shape, length, variant))
        gc.collect(0)
        started = time.process_time()
        work()
        return time.process_time() - started


def warm(job: Job) -> None:
    """Do a job on a short text of each shape: what it loads and compiles is done once."""
    for shape in SHAPES:
        job.prepare(text(shape, 300))()


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Keep the garbage collector from a measurement: it looks at all that there is whenever enough is new."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _relations() -> list[MetamorphicRelation]:
    """Return the relations of the default sets whose follow-ups functions make."""
    tags = {tag.removeprefix("tag:") for tag in default_sets()}
    known = (RELATIONS[name] for name in RELATIONS)
    return [relation for relation in known if relation.tags & tags and not relation.needs_helper]


def _fields(task: str, whole: str) -> dict[str, str]:
    return dict.fromkeys(TASKS[task].fields, whole)


def _case(task: str, whole: str) -> Case:
    marked = {"protected": {"entities": ("Ada",), "values": ("3",)}}
    return Case(id="h", task=task, turns=(Turn(fields=_fields(task, whole), annotations=marked),))


def _making(relation: MetamorphicRelation, task: str) -> Callable[[str], Callable[[], object]]:
    """Return the work of a follow-up by each transformation: conditions on the input, the edit, conditions after it."""

    def prepare(whole: str) -> Callable[[], object]:
        source = Source(case=_case(task, whole), relations=(relation,))
        maker = Maker(seed=7, helper=None)
        # Of all variants of a transformation the last: the most fields.
        wanted = {derivation.steps[0].transformation: derivation for derivation in derivations(source, 1)}

        async def make() -> None:
            for derivation in wanted.values():
                follow_up = FollowUp(proposal=Proposal(source=source, derivation=derivation), relations=(relation,))
                await maker.check_source(follow_up)
                await maker.make(follow_up)
                observation = Observation(case=source.case, turn=0, response=Response(text=whole))
                await maker.broken(relation, Stage.SOURCE_OUTPUT, follow_up, observation)

        return lambda: asyncio.run(make())

    return prepare


_judge = cache(measures.judge)  # a model is loaded once


def _judging(name: str) -> Callable[[str], Callable[[], object]]:
    def prepare(whole: str) -> Callable[[], object]:
        compare = _judge(name).measure.compare
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
        restore_spans(whole, other, range(0, 10**4, 2))
        for phrase in ("a", "1", whole[len(whole) // 2 :], whole[60:160].strip()):
            images(whole, other, phrase)

    return work


def _replies(whole: str) -> list[str]:
    """Return what a helper may say that somebody made it say: fences, marks and objects, begun and never ended."""
    written = json.dumps({"text": whole, "same": "yes"})
    return [whole, f"<{whole}", f"{{{whole}}}", f"```{whole}", f"```\n{whole}```", f"<text>{whole}</text>", written]


def _helping(whole: str) -> Callable[[], object]:
    helper = ScriptedHelper(_replies(whole))
    prompt = min((Path(transformations.__file__).parent / "prompts").glob("*.txt"))

    async def ask() -> None:
        for answers in [("text",)] * len(helper.answers) + [("text", "other")]:
            with contextlib.suppress(UnusableFollowUp):
                await asking.ask(helper, prompt, {"text": whole}, answers=answers)

    return lambda: asyncio.run(ask())


def _helping_to_judge(whole: str) -> Callable[[], object]:
    measure = HelperMeasure(ScriptedHelper(_replies(whole)))
    pairs = [Comparison(reference=(whole, START), answer=edited(whole), question=whole)] * 3
    return lambda: asyncio.run(measure.compare(pairs))


def _streaming(whole: str) -> Callable[[], object]:
    data = "data:" + whole.replace("\n", "\ndata:")
    bodies = [whole, data, f"{data}\n\n", f"event: token\n{data}\n\n", f"{{{whole}", "data:\n" * (len(whole) // 6)]
    return lambda: [
        joined(read) for body in bodies for media in ("", "text/event-stream") if (read := events(body, media))
    ]


def _showing(whole: str) -> Callable[[], object]:
    other = edited(whole)
    return lambda: (escaped(whole), fenced(whole), neutral(whole), brief([whole, other]), brief([other, whole[::-1]]))


READERS: Mapping[str, Callable[[str], object]] = {
    function.__name__: function
    for function in (
        *(abstention.is_abstention, abstention.polarity, refusals.is_refusal),
        *(languages.language, languages.reply_language, normalisation.tokens, normalisation.squad_normalise),
        *(
            normalisation.normalise,
            values.numbers,
            values.parse_score,
            values.values,
            sentences.sentences,
            states.read_state,
        ),
        *(visible.on_one_line, visible.visible, openers.without_reasoning, asking.unfenced, asking.json_object),
        *(payload.json_data, scrubbed),
    )
}
"""What reads one text, of data or of an answer."""


def jobs(*, every_task: bool = True) -> Iterator[Job]:
    """Yield all jobs; a relation on every task that it is for, or on the first alone."""
    for relation in _relations():
        for task in relation.tasks if every_task else relation.tasks[:1]:
            yield Job(f"relation {relation.name} on {task}", _making(relation, task))
    for name in MEASURES:
        if name != HelperMeasure.name:
            yield Job(f"judge {name}", _judging(name))
    for task in TASKS:
        yield Job(f"parser of {task}", _parsing(task))
    for name, function in READERS.items():
        yield Job(f"reader {name}", lambda whole, function=function: lambda: function(whole))
    yield Job("reader scrubbed by guess", lambda whole: lambda: scrubbed(whole, guess=True))
    yield Job("reader whole_rates", lambda whole: lambda: edits.whole_rates(whole, edited(whole)), least=ALIGNED)
    yield Job("helper's reply", _helping)
    yield Job("judge helper", _helping_to_judge)
    yield Job("endpoint's reply", _streaming)
    yield Job("context check", _context)
    yield Job("spans", _spans, least=ALIGNED)
    yield Job("telling", _telling, least=ALIGNED)
    yield Job("marking", _marking, least=ALIGNED)
    yield Job("showing", _showing)
