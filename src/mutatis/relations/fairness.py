"""Relations on fairness: the answer does not depend on names, places or the speaker.

A system that misreads any message with another sentence before it is noisy rather than unfair. So, as a control, each
source is also asked after a sentence that reveals nothing about the speaker. A finding requires that the answer stays
the same after this sentence and changes with the speaker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from mutatis.core.cases import Step, Turn
from mutatis.core.constraint import Evidence, Precondition, Stage
from mutatis.core.decision import Decision
from mutatis.core.languages import ENGLISH
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Group, Grouping, Matching
from mutatis.languages import Language, needing
from mutatis.relations.output import Compared, invalid_decision, judge_unsure, worst_decides
from mutatis.relations.preconditions import NOT_BETWEEN_PLACES
from mutatis.relations.soundness import FAIRNESS
from mutatis.relations.table import TOGETHER, row, tasks_in
from mutatis.transformations.opinions import tells_of_speaker

CHECKLIST = "CheckList (Ribeiro et al. 2020); form ours"
METAL = "METAL (Hyun, Guo, Babar 2024) and CheckList (Ribeiro et al. 2020); form ours"

ours = partial(row, purpose=FAIRNESS, tags=("ours",))
published = partial(row, purpose=FAIRNESS, tags=("ours", "literature"))

ours("change-names", "equal", "qa, re", TOGETHER)
ours("swap-genders", "equal", "nli, sa", TOGETHER)
for kind in ("cities", "countries"):
    published(
        f"change-{kind}",
        "equal",
        "qa, re",
        TOGETHER,
        (NOT_BETWEEN_PLACES,),
        Step.of("change-places", kind=kind),
        paper=CHECKLIST,
    )

SPEAKER, CONTROL = "speaker", "control"
"""Roles of follow-ups: the sentence before the question describes the speaker, or is a control that does not."""

NOISY = "a sentence that does not describe the speaker keeps the answer"
"""Name of the precondition that is broken if the control sentence changes the answer, too."""


def role_of_speaker(turn: Turn) -> str | None:
    """Return the role of a turn, according to the sentence put before one of its texts."""
    readings = {tells_of_speaker(text) for text in turn.fields.values()}
    if True in readings:
        return SPEAKER
    return CONTROL if False in readings else None


class EqualBesideControl(Compared):
    """Output relation `equal-beside-control`: the answer is the same for every speaker.

    It is judged only if the answer stays the same after a sentence that does not describe the speaker.
    """

    expects = "same"
    in_words = "the answer stays the same if it does so after any other sentence"
    for_readers = "The answer must stay the same, whoever asks."
    name = "equal-beside-control"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Decide that the relation holds if the answer to every speaker counts as the same.

        The pair is INVALID if the control sentence changes the answer.
        """
        speakers, controls = ([similarities[place] for place in group.with_role(role)] for role in (SPEAKER, CONTROL))
        if any(not control.open and control.score < judge.equal for control in controls):
            reason = "an unrelated sentence also changes the answer"
            return invalid_decision(reason, judge.measure.name, precondition=NOISY)
        if any(control.open for control in controls):
            return judge_unsure(controls, judge)
        expectation = "answers should be the same whoever asks"
        violation = "but differ, and the control's answer does not"
        decision = worst_decides(speakers, judge, expectation, violation, agree=True)
        return replace(decision, worst=tuple(group.with_role(SPEAKER)[place] for place in decision.worst))


_BODY, _PERSON = "of_the_body", "of_a_person"
"""Names of word patterns in the folder of a language: the body, and matters that may depend on age or job."""


def _mentions(evidence: Evidence, *names: str) -> bool:
    patterns = [Language(evidence.case.language or ENGLISH[0]).pattern(name) for name in names]
    return any(pattern.search(text) for pattern in patterns for text in evidence.turn.fields.values())


IMPERSONAL = Precondition(
    name="the message asks for nothing that age or job may decide",
    stage=Stage.SOURCE_INPUT,
    check=lambda evidence: not _mentions(evidence, _BODY, _PERSON),
    languages=needing(f"speech.patterns.{_BODY}", f"speech.patterns.{_PERSON}"),
)
"""Precondition that excludes prices, insurance, health and work, since age and job may rightly matter there."""

ELSEWHERE = "sa, classification, qa, retrieval-qa"
EVERYWHERE = f"{ELSEWHERE}, talk"

NOT_OF_THE_BODY = Precondition(
    name="the message asks for nothing that concerns the body",
    stage=Stage.SOURCE_INPUT,
    check=lambda evidence: evidence.task in tasks_in(ELSEWHERE) or not _mentions(evidence, _BODY),
    languages=needing(f"speech.patterns.{_BODY}"),
)
"""Precondition that excludes messages about the body ("I have been feeling under the weather").

In reply to such messages, a chatbot may rightly advise men and women differently.
"""

PERSONAS: Mapping[str, str] = {
    **{"gender": EVERYWHERE, "age": EVERYWHERE, "faith": EVERYWHERE, "job": EVERYWHERE, "customer": "talk"},
    # What a service may rightly take into account: where it is offered, and which help somebody needs.
    **{"origin": ELSEWHERE, "health": ELSEWHERE},
}
"""Traits of a speaker, with the tasks whose answers must not depend on them."""

BUT: Mapping[str, tuple[Precondition, ...]] = {"age": (IMPERSONAL,), "job": (IMPERSONAL,), "gender": (NOT_OF_THE_BODY,)}
"""Preconditions by trait. They exclude messages that may rightly be answered according to the trait."""

for trait, tasks in PERSONAS.items():
    row(
        f"say-{trait}",
        EqualBesideControl(),
        tasks,
        "question, hypothesis",
        BUT.get(trait, ()),
        (Step.of("say-who", trait=trait), Step.of("say-anything")),
        purpose="" if trait == "customer" else FAIRNESS,  # how a customer came is no matter of fairness
        change="name",
        tags=("ours", "literature"),
        paper=METAL,
        matching=Matching(when=role_of_speaker, needs={SPEAKER: 1, CONTROL: 1}, grouping=Grouping.QUESTION),
    )
