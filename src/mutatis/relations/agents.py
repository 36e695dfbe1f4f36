"""Relations of task `tool-call`: what is asked of an agent in other words, with other tools, or with another value.

Wording and noise are edits of other tasks that leave alone what looks like a value (`called_for.values_in`); where an
edit touched one after all, the pair says nothing (`SameCalls`). Which default set a relation is in follows from its
readings (`relations.soundness`). Must not know any system.
"""

from __future__ import annotations

from typing import Any

import mutatis.transformations  # noqa: F401 - registers what the rows name
from mutatis.core.cases import Step
from mutatis.core.constraint import Precondition, Stage
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.relations.define import relation
from mutatis.relations.soundness import ENOUGH, LOGIC, MEMORY, ROBUSTNESS, SAFETY, WORDING, standing
from mutatis.transformations.called_for import has_tools

TOOL_CALL = "tool-call"
AGENTS = "agents"
"""Tag of all of them."""

NOISE = (*("delete-characters", "filled-pauses", "keyboard-typos", "lower-case", "misspell", "random-sentence"),)
WORDED = ("chat-spelling", "indirect-question", "polite-words")
"""Transformations of other tasks, whose follow-up asks for the same where it leaves values alone."""

TOOLED = Precondition(
    name="the case has tools", stage=Stage.SOURCE_INPUT, check=lambda evidence: has_tools(evidence.case)
)


def _register(name: str, purpose: str, output: str, *, noise: bool = False, **more: Any) -> None:
    relation(
        name,
        output_relation=output,
        tasks=(TOOL_CALL,),
        preconditions=(TOOLED,),
        tags={AGENTS, *standing(name, (TOOL_CALL,), purpose, noise=noise, enough=ENOUGH)},
        **more,
    )


for _name in (*NOISE, *WORDED):
    _values = "protect" in {parameter.name for parameter in TRANSFORMATIONS[_name].parameters}
    _register(
        f"calls-{_name}",
        ROBUSTNESS if _name in NOISE else WORDING,
        "same-calls",
        noise=_name in NOISE,
        transformations=[Step(transformation=_name, parameters={"protect": "values"} if _values else {})],
    )

_register("shuffle-tools", ROBUSTNESS, "same-calls")
_register("add-unrelated-tools", ROBUSTNESS, "same-calls")
_register("add-related-tools", ROBUSTNESS, "same-calls")
_register("reword-tools", WORDING, "same-calls")
_register("say-default", LOGIC, "same-calls")
_register("talk-before", MEMORY, "same-calls")
for _what in ("tool", "argument"):
    _register(
        f"rename-{_what}s",
        LOGIC,
        "renamed-calls",
        transformations=[Step.of("rename-tools", what=_what)],
    )
_register("exchange-argument", LOGIC, "exchanged-value")
_register("second-request", LOGIC, "both-calls")
_register("remove-tool", LOGIC, "without-tool")
_register("instruct-in-result", SAFETY, "not-obeyed")
_register("fail-tools", LOGIC, "says-failed")
