"""Relations on conversations: one request spread over several turns, or several requests in one message.

They need only the messages, without a context check or annotated answers. The user's final request is the same as in
the source, so the answer must be the same, too. If one message combines two earlier questions, the answer must state
facts from the answers to both.
"""

from __future__ import annotations

import re
from functools import partial

from mutatis.core.cases import Step
from mutatis.core.languages import ENGLISH
from mutatis.relations.output import on_answer
from mutatis.relations.said import STATES
from mutatis.relations.soundness import ENOUGH, LOGIC, MEMORY, PROBE, ROBUSTNESS, STATE
from mutatis.relations.table import WANTED, row
from mutatis.relations.together import SaysBoth

_LEAVES_OPEN = re.compile(
    r"\?|\breferences?\b|\bcontact\b|\blet (?:me|us) know\b|\bback (?:to|with) you\b|\bor choose\b|\boptions?\b",
    re.IGNORECASE,
)
"""Pattern of words in a reply that asks for more, offers a choice or gives a number that may differ next time."""
SETTLES = on_answer(
    name="source answer completes the request",
    check=lambda e: e.response is not None and not _LEAVES_OPEN.search(e.response.text),
    broken="the source's answer asks for more, offers a choice or gives a booking number, which may differ next time",
    languages=ENGLISH,
)
"""Precondition that the source's answer completes the request.

Without it, 16 of the 62 follow-ups that people read were unsound.
"""

_SEVERAL = ("ours", "several")
"""Tags of relations that put several constraints, options or questions into one message."""

_about = partial(row, tasks="chat", tags=("ours", STATE), enough=ENOUGH, change="conversation")
_course = partial(_about, matching=WANTED)
_dialogue = partial(
    row, tasks="chat, dialogue", tags=("ours", "dialogue"), purpose=MEMORY, change="conversation", matching=WANTED
)

_dialogue("unrelated-turn", says="A question about something else in between does not change later answers.")
_dialogue("ask-again", says="A question repeated right after its answer gets the same answer.")
_course(
    "recall-after-2",
    by=Step.of("say-in-turns", asides=2),
    says="What was told two unrelated turns ago is not forgotten.",
    tags=("ours", STATE, PROBE),  # neither reader would write such asides
)
_course(
    "ask-together",
    SaysBoth(),
    only_if=(STATES,),
    says="Two questions in one message are answered as each is separately.",
    change="pair",
    purpose=LOGIC,
    tags=_SEVERAL,
)
_course(
    "ask-between",
    only_if=(SETTLES,),
    says="After a question about something else in the middle of a request, the request goes on as before.",
    purpose=MEMORY,
)
_about(
    "correct-value",
    says="A value corrected in the same message gets the answer to the right value.",
    change="value",
    purpose=LOGIC,
)
_about(
    "long-preamble",
    says="Much irrelevant talk before the request does not change the answer.",
    change=None,
    purpose=ROBUSTNESS,
    tags=("ours", "surface"),
)
