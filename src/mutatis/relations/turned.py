"""Relations of requests and questions whose sense is turned or narrowed: what was done or listed must move with them.

The system's own answer decides: it said that it did what was asked, or listed what there is. Answers are read from
their words (`relations.said`); what cannot be read is open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import mutatis.transformations  # noqa: F401 - registers what is named here
from mutatis.core.cases import Step
from mutatis.core.constraint import Evidence, Precondition, Stage
from mutatis.core.decision import Decision
from mutatis.core.languages import ENGLISH
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Expects, Group
from mutatis.relations.deciding import ReadsEnglish, answer, nothing
from mutatis.relations.define import relation
from mutatis.relations.preconditions import NOT_A_REFUSAL
from mutatis.relations.said import core, is_complete, listed_items, open_decision, read_decision
from mutatis.relations.soundness import ENOUGH, LOGIC, MUST_MOVE, PROBE, standing
from mutatis.text.abstention import is_lost
from mutatis.text.sentences import sentences
from mutatis.text.sides import side_taken
from mutatis.transformations.lexicon import verb_forms
from mutatis.transformations.turning import ACTS, REFRAINED, act_asked_for

CHAT = ("chat",)

_FORMS = {
    **{act: verb_forms(act)["participle"] for act in ACTS},
    **{"send": "sent", "freeze": "frozen", "cancel": "cancell?ed", "transfer": "transferred", "stop": "stopped"},
    **{"book": "booked", "unblock": "unblocked", "upgrade": "upgraded"},
}
_SAID_DONE = (
    r"\b(?:have|has|is|are|was|were|been|['\u2019]ve|['\u2019]s|now|got|will be)\s+"
    r"(?:(?:now|just|been|successfully|being|all)\s+)*(?:{participle})\b"
    r"|\b(?:I|we)\s+(?:just\s+)?(?:{participle})\b|"
    r"\b(?:I|we)(?:['\u2019]ll|\s+will|['\u2019]m going to)\s+(?:now\s+)?{base}\b"
)
_DENIES = re.compile(
    r"\b(?:not|never|no|nothing|without|if|unless|(?<!at )once|until|already|can|could|may|might|would|should)\b"
    r"|\binstead\b|n['\u2019]t\b|\?",
    re.IGNORECASE,
)


_IN_GENERAL = re.compile(
    r"\W*(?:an?|every|each|any) [\w ]{1,30}? (?:is|are|gets?) \w+ed (?:by|with|within|in|on|online|if|when)\b", re.I
)
"""How it is done, in general: "An account is closed with a letter." says of nobody's that it is."""


def says_done(reply: str, act: str) -> bool:
    """Whether a reply says that an act is done, or will be, without conditions.

    >>> says_done("Your booking is now cancelled.", "cancel"), says_done("I have not cancelled it.", "cancel")
    (True, False)
    >>> says_done("Bookings can be cancelled online.", "cancel"), says_done("We'll send it today.", "send")
    (False, True)
    >>> says_done("An account is closed with a letter.", "close"), says_done("A taxi to the station is booked.", "book")
    (False, True)
    """
    done = re.compile(_SAID_DONE.format(participle=_FORMS[act], base=act), re.IGNORECASE)
    told = [
        sentence for sentence in sentences(reply) if not _DENIES.search(sentence) and not _IN_GENERAL.match(sentence)
    ]
    return any(map(done.search, told))


class _ReadFromWords(ReadsEnglish):
    """What the relations here have in common: no judge is asked, and the answer has to move."""

    __slots__ = ()
    expects_change: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Refrains(_ReadFromWords):
    """What is asked not to be done is not said to be done."""

    expects: ClassVar[Expects] = "different"
    for_readers = "The new answer must not say that the act was done."
    name: str = "refrains"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Violated where the answer says that it was done, or is the source's word for word; else open or held."""
        act = group.members[0].asked.annotations.get(REFRAINED) if group.members else None
        if not group.reference or act is None:
            return nothing(judge)
        before, after = str(group.reference[0]), str(answer(group, 0))
        expectation = f"asked not to {act}, it must not {act}"
        if core(before) == core(after) or says_done(after, act):
            return read_decision(False, expectation, "it says that it did")
        denied = any(_DENIES.search(s) and re.search(_FORMS[act], s, re.IGNORECASE) for s in sentences(after))
        return read_decision(True, expectation) if denied else open_decision("it does not say whether it did")


_ALL_BUT = re.compile(
    r"\b(?:except|apart from|other than|aside from|but for|all others?|everything else)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class NotTheSameList(_ReadFromWords):
    """The list of those that are so is not the list of those that are not."""

    expects: ClassVar[Expects] = "different"
    for_readers = "The new answer must not list exactly what the source answer lists."
    name: str = "not-the-same-list"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Violated where both answers list the same; held where the lists have nothing in common; else open."""
        if not group.members or not group.reference:
            return nothing(judge)
        before, after = listed_items(str(group.reference[0])), listed_items(str(answer(group, 0)))
        expectation = "what is so and what is not so cannot be the same"
        if _ALL_BUT.search(str(answer(group, 0))):
            return open_decision("it names exceptions")
        if before and before == after:
            return read_decision(False, expectation, f"both answers list {', '.join(sorted(after))}")
        if not after or before & after:
            return open_decision("it lists nothing" if not after else "the lists have something in common")
        return read_decision(True, expectation)


@dataclass(frozen=True, slots=True)
class NothingNew(_ReadFromWords):
    """With one more constraint, nothing is listed that the complete list did not have."""

    expects: ClassVar[Expects] = "other"
    expects_change: ClassVar[bool] = False
    for_readers = "The new answer must list nothing that the source answer, which is complete, does not list."
    name: str = "nothing-new"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Violated where an item is listed that was not before; open where nothing is listed."""
        if not group.members or not group.reference:
            return nothing(judge)
        before, after = listed_items(str(group.reference[0])), listed_items(str(answer(group, 0)))
        if not after:
            return open_decision("it lists nothing")
        added = sorted(item for item in after if not any(item in old or old in item for old in before))
        expectation = "one more constraint must not add anything to a complete list"
        return read_decision(not added, expectation, f"it lists {', '.join(added)}")


def _reply(evidence: Evidence) -> str:
    return "" if evidence.response is None else evidence.response.text


def _did(evidence: Evidence) -> bool:
    act = act_asked_for(evidence.turn.question)
    return act is not None and says_done(_reply(evidence), act)


def _condition(name: str, check: Callable[[Evidence], bool], broken: str) -> Precondition:
    return Precondition(name=name, stage=Stage.SOURCE_OUTPUT, check=check, broken=broken, languages=ENGLISH)


DID_IT = _condition(
    "source answer says that it was done", _did, "the source's answer does not say that it did what was asked"
)
LISTS = _condition(
    "source answer lists something",
    lambda e: bool(listed_items(_reply(e))) and not is_lost(_reply(e)),
    "the source's answer lists nothing",
)
LISTS_ALL = _condition(
    "source answer says that its list is complete",
    lambda e: is_complete(_reply(e)),
    "the source's answer does not say that its list is complete, nor count it",
)

relation(
    "ask-not-to",
    output_relation=Refrains(),
    tasks=CHAT,
    turns="each",
    tags={"ours", MUST_MOVE, *standing("ask-not-to", CHAT, LOGIC, enough=ENOUGH)},
    preconditions=(DID_IT, NOT_A_REFUSAL),
    summary='Asked not to do what it did when it was asked ("please don\'t cancel it"), it does not do it.',
)
relation(
    "negate-constraint",
    transformations=[Step.of("negate-constraint", how="list")],
    output_relation=NotTheSameList(),
    tasks=CHAT,
    turns="each",
    tags={"ours", MUST_MOVE, *standing("negate-constraint", CHAT, LOGIC, enough=ENOUGH)},
    preconditions=(LISTS, NOT_A_REFUSAL),
    summary="Those that are not so are not the same list as those that are so.",
)
GIVES_IT = _condition(
    "source answer gives what was asked for",
    lambda e: bool(_reply(e).strip()) and "?" not in _reply(e) and side_taken(_reply(e)) is not False,
    "the source's answer says no, or asks back, and may do so again",
)

relation(
    "with-or-without",
    transformations=[Step.of("negate-constraint", how="polar")],
    output_relation="different",
    tasks=CHAT,
    turns="each",
    tags={"ours", MUST_MOVE, PROBE},  # both may be yes: rooms with a bath, and rooms without
    preconditions=(GIVES_IT,),
    summary='Asked for something without what was asked for before ("with a bath?"), the answer is another one.',
)
relation(
    "narrow-list",
    output_relation=NothingNew(),
    tasks=CHAT,
    turns="each",
    tags={"ours", "several", PROBE},  # readers found few of the follow-ups natural
    preconditions=(LISTS_ALL,),
    summary="One more constraint adds nothing to a list that was complete.",
)
