"""Relations on what is said over several turns, or several things in one: corrections, changes of mind, parts, options.

What the user wants in the end is what the source asks for, so the answer must be the source's. Where one message asks
what two asked before, its answer must state what both answers stated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import mutatis.transformations  # noqa: F401 - registers what is named here
from mutatis.core.cases import Step
from mutatis.core.constraint import Precondition, Stage
from mutatis.core.decision import Decision
from mutatis.core.languages import ENGLISH
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Expects, Group
from mutatis.measures.facts import same_fact
from mutatis.relations.deciding import ReadsEnglish, answer, nothing
from mutatis.relations.define import relation
from mutatis.relations.dialogues import role_wanted
from mutatis.relations.said import HEDGED, STATES, open_decision, read_decision, stated
from mutatis.relations.soundness import ENOUGH, LOGIC, MEMORY, PROBE, ROBUSTNESS, STATE, WORDING, standing
from mutatis.transformations.corrections import CORRECTED_NAMES
from mutatis.transformations.several import PARTS

CHAT = ("chat",)


@dataclass(frozen=True, slots=True)
class SaysBoth(ReadsEnglish):
    """The answer to two questions at once states what the answers to each stated."""

    expects: ClassVar[Expects] = "other"
    for_readers = "The last answer must state what its answers to the two questions before stated: both of them."
    name: str = "says-both"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Violated where it states nothing of one part and something of the other; open where that cannot be told."""
        if not group.members:
            return nothing(judge)
        member = group.members[0]
        number = int(member.asked.annotations.get(PARTS, 0))
        parts = [stated(reply) for reply in member.history[-number:]] if number else []
        if len(parts) < 2 or not all(parts):
            return open_decision("one of the parts was answered without an amount, a day, a time or a code")
        if any(same_fact(first, second) for first in parts[0] for second in parts[1]):
            return open_decision("both parts were answered alike")
        both = stated(str(answer(group, 0)))
        kept = [[fact for fact in part if any(same_fact(fact, other) for other in both)] for part in parts]
        expectation = "asked both at once, it should say what it said to each"
        if all(kept):
            return read_decision(True, expectation)
        if not any(kept):
            return open_decision("it states nothing of either")
        missing = parts[0 if kept[1] else 1][0].text
        return read_decision(False, expectation, f"it does not say {missing!r}")


@dataclass(frozen=True, slots=True)
class KeepsCorrection(ReadsEnglish):
    """The answer gives the name that the user corrected theirs to, and not the first one."""

    expects: ClassVar[Expects] = "other"
    in_words = "the corrected name is the one that it knows"
    for_readers = "The last answer must not still give the name that the user corrected."
    name: str = "keeps-correction"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Violated where it says the first name alone, and denies nothing; open where it says none, or both."""
        names = group.members[0].asked.annotations.get(CORRECTED_NAMES) if group.members else None
        if names is None:
            return nothing(judge)
        right, wrong = (str(name).split()[0] for name in names)
        reply = str(answer(group, 0))
        says = [re.search(rf"\b{name}\b", reply, re.IGNORECASE) is not None for name in (right, wrong)]
        expectation = f"it should know the user as {right}"
        if says == [True, False]:
            return read_decision(True, expectation)
        if says == [False, True] and HEDGED.search(reply) is None:
            return read_decision(False, expectation, f"it says {wrong}")
        none = not any(says)
        return open_decision("it says no name that was told" if none else "it says both names, or denies one")


def _register(
    name: str, purpose: str, summary: str, *steps: Step, tag: str = STATE, probe: bool = False, **more: Any
) -> None:
    kept = {PROBE} if probe else standing(name, CHAT, purpose, enough=ENOUGH)
    tags = {"ours", tag, *kept}
    relation(name, transformations=steps, tasks=CHAT, turns="each", tags=tags, summary=summary, **more)


_SEVERAL = "several"
"""Tag of relations on several constraints, options or questions in one message."""

SURFACE = "surface"
"""Tag of relations on what comes along with a message."""

_COURSE: dict[str, Any] = {"when": role_wanted}

_register(
    "reorder-options", WORDING, "The options of a question, named in another order, change no answer.", tag=_SEVERAL
)
_register("reorder-constraints", WORDING, "Two constraints, named in the other order, change no answer.", tag=_SEVERAL)
_register("answer-otherwise", WORDING, 'A yes or no to the bot in other words ("sure") has the same answer.')
_register("name-for-pronoun", MEMORY, 'The name in place of "it" changes no answer.')
_register(
    "say-in-turns",
    MEMORY,
    "A message sent in two, what it tells and what it asks, has the same answer at its end.",
    Step.of("say-in-turns", asides=0),
    **_COURSE,
)
for _asides in (1, 2, 4):
    _register(
        f"recall-after-{_asides}",
        MEMORY,
        f"What was told {_asides} unrelated {'turn' if _asides == 1 else 'turns'} ago is not forgotten.",
        Step.of("say-in-turns", asides=_asides),
        probe=True,  # neither reader would write such asides
        **_COURSE,
    )
_register(
    "ask-together",
    LOGIC,
    "Two questions in one message are answered as each was alone.",
    output_relation=SaysBoth(),
    tag=_SEVERAL,
    preconditions=(STATES,),
    **_COURSE,
)
# In no default set: a bot that keeps no dialogue, as it need not, does not know what a correction is about.
_register("correct-later", "", "A correction in a later turn has the answer of the right message.", **_COURSE)
_register("change-back", MEMORY, "A user who changes their mind, and back, gets the first answer.", **_COURSE)
# In no default set: it asks three questions for every message, and found one planted fault that nothing else did.
_register("start-again", "", 'After "let\'s start again" nothing is left of what was said before.', **_COURSE)
_ANEW = re.compile(
    r"\?|\breferences?\b|\bcontact\b|\blet (?:me|us) know\b|\bback (?:to|with) you\b|\bor choose\b|\boptions?\b",
    re.IGNORECASE,
)
SETTLED = Precondition(
    name="source answer settles what was asked for",
    stage=Stage.SOURCE_OUTPUT,
    check=lambda e: e.response is not None and not _ANEW.search(e.response.text),
    broken="the source's answer asks on, offers a choice or gives a number of a booking, which may be another one",
    languages=ENGLISH,
)
"""Without it 16 of 62 follow-ups read were not sound."""

_register(
    "ask-between",
    MEMORY,
    "After a question about something else in the middle of a request, the request goes on as before.",
    preconditions=(SETTLED,),
    **_COURSE,
)
_register("correct-value", LOGIC, "A value that is corrected in the same message has the answer of the right one.")
# In no default set: three questions for every message that a name goes with.
_register(
    "correct-name",
    "",
    "A name that was corrected in the next turn is not the old one any more.",
    output_relation=KeepsCorrection(),
    **_COURSE,
)
_register(
    "long-preamble",
    ROBUSTNESS,
    "Much that is said before the request and not to the point changes no answer.",
    tag=SURFACE,
)
_register(
    "long-postscript",
    "",  # in no default set: it asks as much as the preamble
    "Much that is said behind the request and not to the point changes no answer.",
    tag=SURFACE,
)
_register(
    "ask-again-later",
    MEMORY,
    "A question that is asked again later has the same answer.",
    Step.of("ask-again-later", asides=1),
    probe=True,
    **_COURSE,
)
