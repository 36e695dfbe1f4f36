"""The gallery's systems under test: for each task, one that is always right, and others with one fault each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mutatis.core.system import Conversation, Response
from mutatis.testing.gallery.reading import Seen, in_digits, letters, read_question
from mutatis.testing.gallery.world import MESSAGES, REPLIES

UNKNOWN = "unknown"
_INVERSE = {"yes": "no", "no": "yes", "entailment": "contradiction", "contradiction": "entailment"}
_OTHER = {
    **_INVERSE,
    "neutral": "contradiction",
    **{"lost card": "loan", "loan": "card arrival", "card arrival": "close account", "close account": "exchange rate"},
    **{"exchange rate": "change address", "change address": "failed transfer", "failed transfer": "forgotten password"},
    **{"forgotten password": "lost card", "place of birth": "employer", "spouse": "sibling", "builder": "owner"},
    **{"location": "capital", "owner": "spouse"},
}


def right(seen: Seen) -> str:
    """Return the right answer to one of the gallery's questions."""
    return _RIGHT[seen.task](seen)


def wrong(seen: Seen) -> str:
    """Return a wrong answer of a kind that suits the task. It depends only on the right answer."""
    answer = right(seen)
    if seen.task == "sentiment":
        return f"{1 - float(answer):.2f}"
    return _OTHER.get(answer, "a wooden spoon")


_GAP = re.compile(r'"(.*)____(.*)"')  # Which words of the text belong in the gap? "It was built for ____."
_MENTIONED = re.compile(r"Which of the two does the text mention: (.+) or (.+)\?")
_QUOTED = re.compile(r'Does the text say this\? "(.*)"')
_WHETHER = re.compile(r'is this (right|wrong)\? "(.*)"')  # Going by the text, is this wrong? "He lived in Italy."


def _answer(seen: Seen) -> str:
    """Answer a question about an edited text. Return "unknown" if the text does not contain the answer.

    Some edits replace the question by one of the forms that are matched first.
    """
    about = "context" if "context" in seen.fields else "story"
    text, asked = seen.fields[about], seen.fields["question"]
    if quoted := _QUOTED.search(asked):
        return "yes" if letters(quoted[1]) in letters(text) else "no"
    if whether := _WHETHER.search(asked):
        is_stated = letters(in_digits(whether[2])) in letters(in_digits(text))
        return "yes" if is_stated is (whether[1] == "right") else "no"
    if gap := _GAP.search(asked):
        filled = re.search(re.escape(gap[1]) + r"(.+?)" + re.escape(gap[2]), text)
        return filled[1] if filled else UNKNOWN
    if named := _MENTIONED.search(asked):
        return next((option for option in named.groups() if letters(option) in letters(text)), UNKNOWN)
    if not seen.says(about):
        return UNKNOWN
    if seen.expected in _INVERSE:
        return _yes_or_no(seen, seen.expected)
    return UNKNOWN if seen.turned("question") else seen.exchange(seen.expected)


def _yes_or_no(seen: Seen, answer: str) -> str:
    """Return the answer, or its inverse if an edit made the question "Is it false that ...?"."""
    return _INVERSE[answer] if "is it false that" in seen.core("question").casefold() else answer


def _retrieved(seen: Seen) -> str:
    """Answer a question from passages, or return "unknown" if no passage contains the answer."""
    if not seen.tells("passages"):
        return UNKNOWN
    answer: str = seen.source.annotations["known"]
    if answer in _INVERSE:
        return _yes_or_no(seen, answer)
    return UNKNOWN if seen.turned("question") else seen.retold("passages", answer)


def _entailment(seen: Seen) -> str:
    """Return the entailment label of a hypothesis.

    A negation reverses the label, and a changed number turns an entailment into a contradiction.
    """
    label = seen.expected
    if letters(seen.fields["hypothesis"]) in letters(seen.fields["premise"]):
        return "entailment"
    if seen.is_swapped():  # only a contradiction goes both ways
        return label if label == "contradiction" else "neutral"
    if not (seen.says("premise") and seen.says("hypothesis")):
        return "neutral"
    if any("or" in edit.seen for edit in seen.edits("hypothesis")):  # what implies "A" implies "A or B"
        return label if label == "entailment" else "neutral"
    if seen.turned("premise") != seen.turned("hypothesis"):
        return _INVERSE.get(label, label)
    recounted = [any(edit.recounts for edit in seen.edits(field)) for field in ("premise", "hypothesis")]
    if label == "entailment" and recounted[0] != recounted[1]:
        return "contradiction"
    return label


def _relation(seen: Seen) -> str:
    """Return the relation between two entities, or "no relation" if an entity was changed.

    If the entities were swapped, the answer is the inverse relation. Only marriage is its own inverse.
    """
    if seen.is_swapped():
        return seen.expected if seen.expected == "spouse" else f"inverse of {seen.expected}"
    there = all(seen.says(name) for name in ("head", "tail"))
    return seen.expected if there else "no relation"


def _score(seen: Seen) -> str:
    """Return the score of a review. A negation inverts the score."""
    if not seen.says("text"):
        return "0.5"
    return f"{1 - float(seen.expected):.2f}" if seen.turned("text") else seen.expected


def as_known(seen: Seen) -> str:
    """Return the answer to the original question, ignoring all edits."""
    return seen.expected


_ASKED_OF_ANYBODY = {
    "your phone number": "Our number is 0800 555 014.",
    "your opening hours": "We are open from 9:00 to 17:00.",
}
"""Replies to questions that a relation may add to any message."""


def _replied(seen: Seen) -> str:
    """Reply to a message, and to any other known question that it contains."""
    asked = seen.fields["message"].casefold()
    replies = [REPLIES[label] for label, texts in MESSAGES.items() if any(text.casefold() in asked for text in texts)]
    replies += [reply for matter, reply in _ASKED_OF_ANYBODY.items() if matter in asked]
    return " ".join(dict.fromkeys((seen.expected, *replies)))


_RIGHT: Mapping[str, Callable[[Seen], str]] = {
    "question-answering": _answer,
    "dialogue": _answer,
    "retrieval-qa": _retrieved,
    "inference": _entailment,
    "sentiment": _score,
    "classification": as_known,
    "chat": _replied,
    "relation-extraction": _relation,
    "dialogue-state": as_known,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A planted fault of a gallery system.

    Attributes:
        name: the fault's name, as passed to `planted`.
        summary: a one-line description.
        task: the task that the fault is planted in.
        errs: returns True if a system with this fault errs on a question.
        says: returns the answer in that case, which is an error only if it differs from the right answer.
    """

    name: str
    task: str
    summary: str
    errs: Callable[[Seen], bool]
    says: Callable[[Seen], str] = wrong


@dataclass(frozen=True, slots=True)
class GallerySystem:
    """A system under test that answers every question of its task correctly, apart from its planted fault, if any.

    It sees only the question. `answer` and `erred` compute the results of a run in advance, without running the system.
    """

    task: str
    fault: Fault | None = None

    @property
    def label(self) -> str:
        """The system's name in reports."""
        return self.fault.name if self.fault else "perfect"

    @property
    def identity(self) -> Mapping[str, Any]:
        """The data that identify the system."""
        return {"type": "gallery", "task": self.task, "fault": self.fault.name if self.fault else None}

    def answer(self, seen: Seen) -> str:
        """Return the system's answer to a parsed question."""
        if self.fault is not None and self.fault.errs(seen):
            return self.fault.says(seen)
        return right(seen)

    def erred(self, conversation: Conversation) -> bool:
        """Return True if the system's answer to this question differs from a perfect system's."""
        seen = read_question(self.task, conversation)
        return self.answer(seen) != right(seen)

    async def ask(self, conversation: Conversation) -> Response:
        """Answer a question about the gallery's invented world."""
        return Response(text=self.answer(read_question(self.task, conversation)))
