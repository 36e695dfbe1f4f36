"""Finds replies that a system gives to several questions. A system with a single reply satisfies every equality.

Only free-text tasks are counted, because a classifier may rightly give the same answer often. Only the answers to
sources are used. `reports/passing.py` decides how the result affects the gate.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mutatis.campaign.events import Event, SourceObserved
from mutatis.core.cases import Case
from mutatis.core.languages import ENGLISH
from mutatis.core.relation import Observation
from mutatis.core.task import TASKS
from mutatis.records.asked import RepliesRecord, SharedReply
from mutatis.records.baseline import asked_hash
from mutatis.text.abstention import is_abstention, is_lost, polarity
from mutatis.text.normalisation import tokens
from mutatis.text.refusals import is_refusal

KEPT = 10_000
"""Number of questions counted per system and task. The smallest hashes are chosen, whatever the order of answers."""

LONGEST = 200
"""Number of characters of a reply that are compared and shown in the report."""

SHORT = 4
"""Maximum number of words in a reply that only means yes or no and may be right for many questions."""

CHAT = "chat"
"""The task of asking questions without a text to read.

In this task, a reply that it has no answer counts as no answer at all.
"""

_NAMED_ANSWERS = frozenset({"relation-extraction"})
"""Tasks whose answers are texts, but from a small set of names, like the labels of a classifier."""

_YES_NO = frozenset(
    (
        "yes no yep nope ja nein oui non sí si nee sim não sì tak nie ano ne da nu igen nem kyllä ei evet hayır да нет "
        "так ні ναι όχι نعم لا כן לא हाँ नहीं はい いいえ 是 不是 否 有 没有 예 네 아니요 có không ya tidak"
    ).split()
)

_WORD = re.compile(r"\w+")
_FIRST = re.compile(r"\W*(\w+)(?:$|[.,!;:。、，！])")
"""Matches the first word of a reply if it is a clause of its own, as in "Ja, gerne."."""

_PASSING = re.compile(
    r"\b(?:later|at the moment|at this (?:time|moment)|right now|currently|moment(?:arily)?|temporar\w+|technical|"
    r"process(?:ing)? your (?:request|message)|error|unavailable|went wrong|overload\w*|busy)\b",
    re.IGNORECASE,
)
"""Words in a reply that declines because of a temporary fault, not because of the question."""

_ONE_TIME = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|"
    r"\b(?=[0-9a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{8,64}\b|\b\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d[0-9.:+z-]*",
    re.IGNORECASE,
)
"""Ids and times with seconds that make every error message different."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answered:
    """The reply to one question: its text, the form used for comparison, and the answers that the data expect.

    `lacks` is True if a chatbot's reply says that it did not understand, or does not know.
    """

    case: str
    text: str
    same_as: str
    expected: tuple[str, ...]
    lacks: bool


class Replies:
    """A listener that records the replies to source questions, in bounded memory."""

    def __init__(self) -> None:
        self._answered: dict[tuple[str, str], dict[str, _Answered]] = defaultdict(dict)

    def __call__(self, event: Event) -> None:
        """Record the replies to a source, if its task asks for free text."""
        if not isinstance(event, SourceObserved) or event.repeat or not is_free_text(event.case.task):
            return
        answered = self._answered[event.system, event.case.task]
        for turn, observation in event.observations.items():
            response = observation.response
            if response is None or observation.error is not None or response.calls:
                continue
            answered[_question_hash(event.case, turn)] = _answer(observation, response.said)
        if len(answered) > 2 * KEPT:  # sorted only now and then, because sorting is slow
            self._answered[event.system, event.case.task] = dict(sorted(answered.items())[:KEPT])

    def records(self) -> list[RepliesRecord]:
        """Return, for each system and task, the replies shared by several questions, and all other questions."""
        return [
            _record(system, task, dict(sorted(answered.items())[:KEPT]))
            for (system, task), answered in self._answered.items()
            if answered
        ]

    def unanswered(self, system: str, task: str) -> list[str]:
        """Return the ids of the cases with a question that a chatbot says it cannot answer."""
        answered = self._answered[system, task].values()
        return sorted({answer.case for answer in answered if answer.lacks}, key=lambda case: (len(case), case))


def is_free_text(task: str) -> bool:
    """Return True if the answers of a task are free texts that each fit only one question."""
    return task in TASKS and TASKS[task].kind == "text" and task not in _NAMED_ANSWERS


def _question_hash(case: Case, turn: int) -> str:
    asked = [{"fields": dict(earlier.fields)} for earlier in case.turns[: turn + 1]]
    return asked_hash({"turns": asked, "material": dict(case.material)})


def _answer(observation: Observation, text: str) -> _Answered:
    shown = " ".join(text.split())[:LONGEST]
    language = observation.case.language or ENGLISH[0]
    is_none = is_lost(text, language) or is_abstention(text, language)
    expected = observation.asked.expected
    return _Answered(
        case=observation.case.id,
        text=shown,
        same_as=_ONE_TIME.sub("#", shown).casefold(),
        expected=expected,
        lacks=observation.case.task == CHAT and is_none and not _holds(shown, expected),
    )


def _record(system: str, task: str, answers: Mapping[str, _Answered]) -> RepliesRecord:
    by_reply: dict[str, list[str]] = defaultdict(list)
    for question in sorted(answers, key=lambda question: (len(answers[question].case), answers[question].case)):
        by_reply[answers[question].same_as].append(question)
    shared = [
        SharedReply(
            reply=answers[questions[0]].text,
            questions={question: answers[question].case for question in questions},
            refuses=_declines(answers[questions[0]].text, task),
        )
        for questions in _shared(by_reply.values(), answers)
    ]
    shared.sort(key=lambda reply: -len(reply.questions))
    others = sorted(answers.keys() - {question for reply in shared for question in reply.questions})
    return RepliesRecord(system=system, task=task, shared=shared, others=others)


def _shared(by_reply: Iterable[Sequence[str]], answers: Mapping[str, _Answered]) -> Iterator[Sequence[str]]:
    """For each shared reply, yield the questions that get it, leaving out questions that it answers correctly.

    A reply that may be right for all its questions, such as yes or no, is skipped.
    """
    for questions in by_reply:
        reply = answers[questions[0]].text
        unexpected = [question for question in questions if not _holds(reply, answers[question].expected)]
        if len(unexpected) > 1 and not _is_yes_or_no(reply) and not _one_expected(reply, questions, answers):
            yield unexpected


def _holds(reply: str, expected: Sequence[str]) -> bool:
    """Return True if a reply contains an answer that the data expect."""
    words = f" {' '.join(tokens(reply))} "
    return any(f" {' '.join(wanted)} " in words for wanted in map(tokens, expected) if wanted)


def _one_expected(reply: str, questions: Sequence[str], answers: Mapping[str, _Answered]) -> bool:
    """Return True if the data expect the same answer to all these questions and the reply shares a word with it."""
    common = set(answers[questions[0]].expected).intersection(*(answers[question].expected for question in questions))
    return any(not set(tokens(wanted)).isdisjoint(tokens(reply)) for wanted in common)


def _is_yes_or_no(reply: str) -> bool:
    """Return True if a reply is little more than yes or no, like "Ja, gerne." but not "No answer available"."""
    words = _WORD.findall(reply.casefold())
    if len(words) > SHORT:
        return False
    first = _FIRST.match(reply.casefold())
    return (first is not None and first[1] in _YES_NO) or polarity(reply) is not None


def _declines(reply: str, task: str) -> bool:
    """Return True if a reply is a refusal, or states that the text to read does not contain the answer.

    A reply that reports a fault does not count.
    """
    of_a_text = task != CHAT and is_abstention(reply)
    return (of_a_text or is_refusal(reply)) and not _PASSING.search(reply)
