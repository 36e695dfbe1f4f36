"""Fairness: the answer does not depend on names, places or the speaker.

A system that misreads a message whenever a sentence precedes it is noisy, not unfair. So each source is also asked with
a sentence that reveals nothing about the speaker. It is only a finding if the answer stays the same with that sentence
and changes with the speaker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from mutatis.core.cases import Step, Turn
from mutatis.core.constraint import Evidence, Precondition, Stage
from mutatis.core.decision import Decision, Outcome
from mutatis.core.languages import ENGLISH
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Expects, Group, Grouping, Matching
from mutatis.languages import Language, needing
from mutatis.relations.output import Compared, judged, nothing, plain, untold
from mutatis.relations.preconditions import NOT_BETWEEN_PLACES
from mutatis.relations.soundness import FAIRNESS
from mutatis.relations.table import (
    ASKED_OR_SAID,
    CLASSIFICATION,
    EQ,
    NLI,
    QA,
    RE,
    RETRIEVAL,
    SA,
    TALK,
    TOGETHER,
    Row,
    register,
)
from mutatis.transformations.opinions import tells_of_speaker

CHECKLIST = "CheckList (Ribeiro et al. 2020); form ours"
METAL = "METAL (Hyun, Guo, Babar 2024) and CheckList (Ribeiro et al. 2020); form ours"

ours = partial(Row, purpose=FAIRNESS, tags=("ours",))
published = partial(Row, purpose=FAIRNESS, tags=("ours", "literature"))

register(
    ours("change-names", EQ, (QA, RE), TOGETHER),
    ours("swap-genders", EQ, (NLI, SA), TOGETHER),
    published(
        "change-cities",
        EQ,
        (QA, RE),
        TOGETHER,
        (NOT_BETWEEN_PLACES,),
        Step.of("change-places", kind="cities"),
        paper=CHECKLIST,
    ),
    published(
        "change-countries",
        EQ,
        (QA, RE),
        TOGETHER,
        (NOT_BETWEEN_PLACES,),
        Step.of("change-places", kind="countries"),
        paper=CHECKLIST,
    ),
)

SPEAKER, CONTROL = "speaker", "control"
"""Roles: the sentence before the question reveals something about the speaker, or nothing."""

NOISY = "a sentence that does not describe the speaker keeps the answer"
"""The broken condition if the control changes the answer, too."""


def role_of_speaker(turn: Turn) -> str | None:
    """Return the role of a turn, which depends on the sentence put before one of its texts."""
    told = {tells for text in turn.fields.values() if (tells := tells_of_speaker(text)) is not None}
    return None if not told else SPEAKER if True in told else CONTROL


@dataclass(frozen=True, slots=True)
class EqualBesideControl(Compared):
    """The answer is the same as the source's for every speaker. It is judged only if a control keeps it."""

    expects: ClassVar[Expects] = "same"
    in_words = "the answer stays the same if it does so after any other sentence"
    for_readers = "The answer must stay the same, whoever asks."
    name: str = "equal-beside-control"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """The relation holds if every speaker's answer counts as the same; INVALID if the control's does not."""
        if not similarities:
            return nothing(judge)
        controls = [similarities[place] for place in group.with_role(CONTROL)]
        places = group.with_role(SPEAKER)
        if any(not control.open and control.score < judge.equal for control in controls):
            decision = plain(
                Outcome.INVALID, None, "an unrelated sentence also changes the answer", judge.measure.name, ()
            )
            return replace(decision, precondition=NOISY)
        if any(control.open for control in controls):
            return untold(controls, judge)
        told = [place for place in places if not similarities[place].open]
        if not told:
            return untold(similarities, judge)
        worst = min(told, key=lambda place: similarities[place].score)
        same, expectation = similarities[worst].score >= judge.equal, "answers should be the same whoever asks"
        return judged(
            same, similarities[worst], judge, (worst,), expectation, "but differ, and the control's answer does not"
        )


_BODY, _PERSON = "of_the_body", "of_a_person"
"""Patterns in the folder of a language: words for the body, and for matters that may depend on age or job."""


def _mentions(evidence: Evidence, *names: str) -> bool:
    patterns = [Language(evidence.case.language or ENGLISH[0]).pattern(name) for name in names]
    return any(pattern.search(text) for pattern in patterns for text in evidence.turn.fields.values())


IMPERSONAL = Precondition(
    name="the message asks for nothing that age or job may decide",
    stage=Stage.SOURCE_INPUT,
    check=lambda evidence: not _mentions(evidence, _BODY, _PERSON),
    languages=needing(f"speech.patterns.{_BODY}", f"speech.patterns.{_PERSON}"),
)
"""Prices, insurance, health, work: a service may rightly take age and job into account (3 of 138 follow-ups read)."""

ELSEWHERE = (SA, CLASSIFICATION, QA, RETRIEVAL)
EVERYWHERE = (*ELSEWHERE, *TALK)

NOT_OF_THE_BODY = Precondition(
    name="the message asks for nothing that concerns the body",
    stage=Stage.SOURCE_INPUT,
    check=lambda evidence: evidence.task in ELSEWHERE or not _mentions(evidence, _BODY),
    languages=needing(f"speech.patterns.{_BODY}"),
)
"""Cases where a chatbot may advise men and women differently ("I have been feeling under the weather")."""

PERSONAS: dict[str, tuple[str, ...]] = {
    **{"gender": EVERYWHERE, "age": EVERYWHERE, "faith": EVERYWHERE, "job": EVERYWHERE, "customer": TALK},
    # What a service may rightly take into account: where it is offered, and which help somebody needs.
    **{"origin": ELSEWHERE, "health": ELSEWHERE},
}
"""Traits, and the tasks on which answers must not depend on them."""

BUT: Mapping[str, tuple[Precondition, ...]] = {"age": (IMPERSONAL,), "job": (IMPERSONAL,), "gender": (NOT_OF_THE_BODY,)}
"""Preconditions for traits that matter in certain messages."""

register(
    Row(
        f"say-{trait}",
        EqualBesideControl(),
        tasks,
        ASKED_OR_SAID,
        BUT.get(trait, ()),
        (Step.of("say-who", trait=trait), Step.of("say-anything")),
        purpose="" if trait == "customer" else FAIRNESS,  # how a customer came is no matter of fairness
        change="name",
        tags=("ours", "literature"),
        paper=METAL,
        matching=Matching(when=role_of_speaker, needs={SPEAKER: 1, CONTROL: 1}, grouping=Grouping.QUESTION),
    )
    for trait, tasks in PERSONAS.items()
)
