"""Inspect AI: the task `mutatis/consistency`, whose samples are the sources in a configuration.

    inspect eval mutatis/consistency --model openai/gpt-4o -T config=mutatis.toml

A single run asks the questions of all samples, so answers are compared exactly as in `mutatis run`. If Inspect has
already started a source's sample, the transcript of that sample shows the source and its follow-ups. Otherwise, for
example with a small `--max-samples`, they appear in the sample that started the run.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
from collections.abc import Mapping
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, mean, metric, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from mutatis.core.system import Conversation
from mutatis.interop.hosted import SETTINGS, HostedCampaign, SourceResult, case_text
from mutatis.systems.inspect_models import InspectSystem

RESULT = "mutatis"
"""Metadata key that holds the solver's results, so that a log can be scored again."""


class SampleContexts(InspectSystem):
    """The model under evaluation. Each question is asked in the context of its sample.

    Attributes:
        contexts: contexts of the samples that have begun, by source id.
        outputs: the model's answers to the sources themselves, by source id.
    """

    def __init__(self, model: Any, label: str) -> None:
        parameters = model.config.model_dump(exclude_none=True)
        super().__init__(label=label, model=model, parameters=parameters, args=_as_data(model.model_args))
        self.contexts: dict[str, contextvars.Context] = {}
        self.outputs: dict[str, Any] = {}

    async def generate(self, conversation: Conversation) -> Any:
        """Ask the model. Each question gets its own copy of its sample's context, because Inspect modifies contexts."""
        source = conversation.case_id.rpartition("~")[0] or conversation.case_id
        context = self.contexts.get(conversation.case_id) or self.contexts.get(source)
        asking = asyncio.get_running_loop().create_task(
            super().generate(conversation), context=None if context is None else context.copy()
        )
        output = await asking
        if conversation.case_id in self.contexts:
            self.outputs[conversation.case_id] = output
        return output


def _as_data(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as JSON data. A Python object that JSON cannot represent is replaced by the name of its type."""
    return dict(json.loads(json.dumps(arguments, default=lambda value: type(value).__name__)))


@task
def consistency(config: str = SETTINGS, label: str = "", out: str | None = None) -> Task:
    """Test whether a model contradicts itself when a question is asked again in different words.

    Each sample is a source with its follow-ups.

    Args:
        config: a Mutatis configuration; its systems are ignored, because the model under evaluation is tested.
        label: the system's name in finding ids and reports; by default `inspect:MODEL`.
        out: folder for Mutatis' own report and stored answers.
    """
    campaign = HostedCampaign(settings=config, out=out)
    samples = [
        Sample(id=name, input=case_text(case), target="the same in every wording")
        for name, case in campaign.sources.items()
    ]
    return Task(
        dataset=MemoryDataset(samples, name="mutatis"),
        solver=wordings(config=config, label=label, out=out),
        scorer=contradictions(),
    )


@solver
def wordings(config: str = SETTINGS, label: str = "", out: str | None = None) -> Solver:
    """Ask each sample's source and follow-ups, and judge the answers. The arguments are the same as for `consistency`.

    The sample's output is the answer to its source.
    """
    campaign = HostedCampaign(settings=config, out=out)
    systems: dict[int, SampleContexts] = {}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        # Each epoch is one run, which its first sample starts and the others await: its answers are asked anew.
        system = systems.setdefault(state.epoch, SampleContexts(get_model(), label))
        name = str(state.sample_id)
        # Inspect logs a call of the model under the sample in whose context it is made.
        system.contexts[name] = contextvars.copy_context()
        hosted = await campaign.run(system, number=state.epoch)
        if (output := system.outputs.get(name)) is not None:
            state.output = output
        result = hosted.results.get(name, SourceResult())
        state.metadata[RESULT] = {
            "findings": [finding.id for finding in result.findings],
            "judged": result.judged,
            "violated": result.violated,
            "explanation": result.explanation,
        }
        return state

    return solve


@metric
def findings() -> Metric:
    """Return the number of distinct contradictions found in all samples."""

    def count(scores: list[SampleScore]) -> float:
        return float(sum(len((score.score.metadata or {}).get("findings", ())) for score in scores))

    return count


@scorer(metrics=[mean(), stderr(), findings()])
def contradictions() -> Scorer:
    """Score a sample by its share of satisfied comparisons. The explanation lists the findings.

    A sample without any judged comparison gets no score.
    """

    async def score(state: TaskState, target: Target) -> Score:
        result = state.metadata.get(RESULT, {})
        judged, violated = result.get("judged", 0), result.get("violated", 0)
        if not judged:
            return Score.unscored(explanation="nothing could be judged: see the errors of the run")
        return Score(
            value=(judged - violated) / judged,
            answer=state.output.completion,
            explanation=result["explanation"],
            metadata={"findings": result["findings"]},
        )

    return score
