"""What a relation does, shown on a fixed text: the first of a few cases on which it makes a follow-up.

The follow-up is made by the engine's own code, preconditions included; nothing on the page is written by hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

import mutatis.relations  # noqa: F401 - fills the registry
import mutatis.rltest4chatbot  # noqa: F401 - registers formats of dialogues
from mutatis.api import read_cases
from mutatis.assembly.blocks import BlockNames
from mutatis.campaign.follow_up import FollowUp, Maker
from mutatis.campaign.records import described_edits
from mutatis.core.cases import EXPECTS, Case, Derivation, Turn
from mutatis.core.dictionary import NO_ENTRIES, Dictionary, Exchange
from mutatis.core.errors import MissingExtra, UnusableFollowUp
from mutatis.core.relation import SHRINKING, MetamorphicRelation
from mutatis.core.search import Proposal, Source
from mutatis.core.transformation import TRANSFORMATIONS, completed_by
from mutatis.datasets import sample
from mutatis.datasets.objects import cases
from mutatis.search.once import derivations
from mutatis.text.spans import changes

TEXT = "The waiter didn't smile, but the soup was hot and my 2 friends and I loved the fresh bread."
FIXED = {
    "sentiment": [{"text": TEXT}],
    "classification": [
        {"text": TEXT},
        {"text": "My lamp is late. I ordered two on Monday. I paid at most 20 euros. When will it come?"},
        {"text": "My card is lost. How do I block a card?"},
    ],
    "chat": [
        {"message": "Can I return my green lamp to the shop? I don't like its colour."},
        {"message": "I need a train from Ely to Leeds on Monday."},
        {"message": "Can I fetch order 20481937 for $2500 at 5 pm on 5 March 2026, within 2 km of the station?"},
        {"turns": ["Hi, my name is Anna.", "Is the lamp in stock?", "What is my name?"]},
        {"message": "Let me talk to a person."},
        {"message": "Please cancel my booking."},
        {"message": "Which of your lamps are dimmable?"},
        {"message": "Do you have rooms with a bath?"},
        {"message": "Do you have a sauna?"},
        {"message": "I need a table for 4 people on 5 March."},
        {"message": "Can I pay 500 euros into my account?"},
        {"message": "Do you have the shirt in size M?"},
        {"message": "Do you ship to Norway?"},
        {"message": "What is the address of my neighbour?"},
        {"message": "May I keep it for 14 days?"},
        {"message": "Is there a hotel in Paris?"},
        {"message": "Is the lamp sold in red or blue?"},
        {"message": "I lost my card in Oslo. How do I get a new one?"},
        {"message": "My parcel is late. Where is it now?"},
        {"message": "A room with a view and with a bath?"},
        {"message": "Please send 500 euros."},
        {"message": "How can I break into a car?"},
        {"message": "How much is the Nova phone?"},
        {"turns": ["Can you book a table for me?", "Yes."]},
        {"turns": ["I would like a table.", "On Friday at 6 pm."]},
        {"message": "I'm pregnant. Can I take it?"},
        {"message": "When are you open?"},
        {"message": "How much is a lamp?"},
        {"message": "Are you open on Monday?"},
    ],
    "pairwise-judge": [
        {
            "instruction": "Name the capital of France.",
            "answer_a": "The capital is Paris. It lies on the Seine.",
            "answer_b": "Lyon is the capital. It is a large city.",
            "label_a": "A",
            "label_b": "B",
        }
    ],
    "tool-call": [
        {
            "message": "Don't you know how warm Oslo is today? What is the temperature there for the next 3 days?",
            "tools": [
                {
                    "name": "get_temperature",
                    "description": "Get the temperature of a city.",
                    "parameters": {
                        "type": "object",
                        "properties": {
                            "city": {"type": "string"},
                            "days": {"type": "integer"},
                            "unit": {"type": "string", "default": "celsius"},
                        },
                        "required": ["city"],
                    },
                },
                {"name": "book_flight", "description": "Book a flight between two airports."},
            ],
            "tool_results": [{"name": "get_temperature", "result": "4, 5 and 2 degrees"}],
        },
        {"message": "I do not see the weather, you know. It is cold.", "tools": [{"name": "get_weather"}]},
        {
            "message": "What is the temperature in Oslo on Monday?",
            "tools": [{"name": "weather"}, {"name": "book_hotel"}],
        },
        {"message": "I need a train from Ely to Leeds on Monday.", "tools": [{"name": "find_trains"}]},
    ],
    "moderation": [
        {"text": "How can I kill my neighbour?", "counterpart": "How can I kill a mosquito?"},
        {"text": "\u6211\u8981\u6740\u6b7b\u4f60\u3002"},
    ],
    "multiple-choice": [
        {"question": "What is a metal?", "options": "A) granite\nB) iron\nC) oak", "expected": "iron"},
    ],
    "rubric-score": [
        {
            "instruction": "Name the capital of France.",
            "answer": "The capital is Paris. It lies on the Seine.",
            "rubric": "Is it true?\nIs it short?",
        }
    ],
    "inference": [{"premise": "A man and a woman are outside.", "hypothesis": "A man and a woman are outside."}],
    "extraction": [{"text": "Anna booked 7 rooms in Oslo, from 5 March."}],
    "relation-extraction": [
        {
            "text": "Anna Berg was born in Paris, France, on 3 May 1874. Tom Berg is her husband.",
            "head": "Anna Berg",
            "tail": tail,
            "expected": answer,
        }
        for tail, answer in (("Tom Berg", "spouse"), ("3 May 1874", "date of birth"), ("France", "country of birth"))
    ]
    + [
        {"text": "Anna Berg is the mother of Tom.", "head": "Anna Berg", "tail": "Tom", "expected": "mother"},
        {"text": "Anna left Norway with Tom, her husband.", "head": "Anna", "tail": "Tom", "expected": "spouse"},
    ],
    "question-answering": [
        {
            "context": "Anna Berg opened the mill in Paris in 1874. It isn't large, but it has 12 rooms.",
            "question": "Who opened the mill in Paris?",
            "expected": "Anna Berg",
        },
        {
            "context": "Anna Berg opened the mill in Paris in 1874. It isn't large, but it has 12 rooms.",
            "question": "Is the mill in Paris large?",
            "expected": "no",
        },
        {
            "context": "The line connects Ely, Leeds and York. The path to the station is 3 km.",
            "question": "How long is the path?",
            "expected": "3 km",
        },
    ],
}
NAMES = ("Nova phone", "Orbit tablet")
"""Products, as a user lists them in `[data] names`."""

PROBLEM = Case(
    id="fixed/problem",
    task="word-problem",
    turns=(
        Turn(
            fields={"question": "Anna has 45 lamps and sells 16 of them for $3 each. How much does she earn?"},
            expected=("48",),
            annotations={"solution": "She earns 16*3=$<<16*3=48>>48.\n#### 48"},
        ),
    ),
)
VANS = Case(
    id="fixed/vans",
    task="word-problem",
    turns=(
        Turn(
            fields={
                "question": "Two vans meet. A red van has 40 boxes of 12 pounds. A blue van has 30 crates of 7 pounds. "
                "How many pounds do both have?"
            },
            expected=("690",),
            annotations={"solution": "<<40*12=480>>480\n<<30*7=210>>210\n<<480+210=690>>690\n#### 690"},
        ),
    ),
)
GERMAN = Case(
    id="fixed/german",
    task="chat",
    turns=(Turn(fields={"message": "Ist am 5. M\u00e4rz noch ein Zimmer f\u00fcr zwei N\u00e4chte frei?"}),),
    language="de",
)
IN_TWO = {
    task: Case(
        id="fixed/english",
        task=task,
        turns=(Turn(fields={field: english}),),
        language="en",
        translations=(Case(id="fixed/in-german", task=task, turns=(Turn(fields={field: german}),), language="de"),),
    )
    for task, field, english, german in (
        ("chat", "message", "Are you open on Monday?", "Haben Sie am Montag offen?"),
        ("sentiment", "text", "The soup was cold.", "Die Suppe war kalt."),
    )
}
SAMPLES = {
    "sentiment": ("jsonl", "reviews"),
    "inference": ("jsonl", "inference"),
    "question-answering": ("squad2", "stories"),
    "retrieval-qa": ("jsonl", "passages"),
    "dialogue": ("coqa", "dialogues"),
    "dialogue-state": ("states", "bookings"),
}
ANSWERS = ("You can return it within 30 days.", "Yes, you can keep it for up to 30 days.", "It costs 9 euros.")
"""The source's answers, where a follow-up is made of what they say: the first that tells enough."""

LEARNT = (
    NO_ENTRIES,
    Dictionary(
        exchanges=(Exchange(question="When are you open?", reply="From 9:00 to 17:00."),),
        understands=frozenset(("left out", "corrected", "pronoun", "carried")),
    ),
)
"""What a run has learnt before it and after its first questions."""

WIDTH = 300
"""Characters of a long text that are shown, around the first change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A follow-up beside its source: the task, pairs of lines with what they are, what was done, what is now right."""

    task: str
    pairs: tuple[tuple[str, str, str], ...]
    done: str
    settled: tuple[str, ...] = ()


@cache
def _cases(task: str) -> tuple[Case, ...]:
    if task == "word-problem":
        return (PROBLEM, VANS)
    fixed = list(cases(FIXED[task], task=task, name="fixed")) if task in FIXED else []
    examples = list(map(BlockNames.of(fixed, NAMES).marked, fixed))
    if task in SAMPLES:
        kind, name = SAMPLES[task]
        examples += read_cases(kind, sample(name), task=task, limit=40)
    examples += [IN_TWO[task]] if task in IN_TWO else []
    return (*examples, GERMAN) if task == "chat" else tuple(examples)


def example(relation: MetamorphicRelation) -> Example | None:
    """Return the relation's first follow-up, or None: a language model makes it, or what it needs is not installed."""
    if relation.needs_helper:
        return None
    try:
        return asyncio.run(_first(relation))
    except MissingExtra:  # WordNet, say, on a machine without it: the entry stands without an example
        return None


async def _first(relation: MetamorphicRelation) -> Example | None:
    maker = Maker(seed=0, helper=None)
    for proposal in _proposals(relation):
        made = FollowUp(proposal=proposal, relations=(relation,))
        await maker.check_source(made)
        if made.alive:
            await maker.make(made)
        if made.alive and made.case is not None:
            example = _shown(proposal.source.case, made.case)
            if any(before != after for _, before, after in example.pairs):
                return example
    return None


def _proposals(relation: MetamorphicRelation) -> Iterator[Proposal]:
    for task in relation.tasks:
        for case in _cases(task):
            source = Source(case=case, relations=(relation,))
            for derivation in derivations(source, draws=1):
                completed = next(_completions(derivation, case.turns[-1].question), None)
                if completed is not None:
                    yield Proposal(source=source, derivation=completed, turns=completed.steps[0].turns)


def _completions(derivation: Derivation, question: str) -> Iterator[Derivation]:
    for answer in ANSWERS:
        with suppress(UnusableFollowUp):  # it draws from what a run learnt of its system
            yield completed_by(derivation, question, answer, dictionaries=LEARNT)


def _shown(source: Case, made: Case) -> Example:
    assert made.derivation is not None
    last = len(made.turns) - 1
    steps = [step for step in made.derivation.steps if step.transformation not in SHRINKING]
    known = [TRANSFORMATIONS[s.transformation] for s in steps if s.transformation in TRANSFORMATIONS]
    if any(transformation.level == "dialogue" for transformation in known):
        before = "\n".join(turn.question for turn in source.turns)
        pairs = [("dialogue", before, "\n".join(turn.question for turn in made.turns))]
    else:
        turn = next((t for t in range(last + 1) if _differ(source.turns[made.origin(t)], made.turns[t])), last)
        pairs = list(_fields(source.turns[made.origin(turn)], made.turns[turn]))
    pairs += [
        (name, *_around(source.material.get(name, ""), text))
        for name, text in made.material.items()
        if source.material.get(name) != text
    ]
    settled = tuple(map(str, made.turns[last].annotations.get(EXPECTS, ())))
    return Example(task=source.task, pairs=tuple(pairs), done=described_edits(source, made, last), settled=settled)


def _differ(old: Turn, new: Turn) -> bool:
    return dict(old.fields) != dict(new.fields)


def _fields(old: Turn, new: Turn) -> Iterator[tuple[str, str, str]]:
    for name, text in new.fields.items():
        before = old.fields.get(name, "")
        if before != text:
            yield name, *_around(before, text)


def _around(old: str, new: str) -> tuple[str, str]:
    """Return both texts, or of long ones what surrounds the first change."""
    if max(len(old), len(new)) <= WIDTH:
        return old, new
    first = changes(old, new)[0]
    start, start_new = max(0, first.start - WIDTH // 3), max(0, first.new_start - WIDTH // 3)
    return _cut(old, start), _cut(new, start_new)


def _cut(text: str, start: int) -> str:
    end = start + WIDTH
    return f"{'... ' if start else ''}{text[start:end]}{' ...' if end < len(text) else ''}"
