"""DeepEval: a metric that asks a callback the same questions in different words and scores its consistency.

    metric = ConsistencyMetric(my_bot, config="mutatis.toml")
    evaluate(metric.test_cases(), [metric])

A single run covers all inputs in the configuration, whichever test case is measured first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

from mutatis.core.errors import UsageError
from mutatis.core.system import as_system, is_system
from mutatis.interop.hosted import SETTINGS, HostedCampaign, HostedRun, SourceResult, case_text
from mutatis.loops import to_the_end
from mutatis.systems import SYSTEMS

SOURCE = "mutatis_source"
"""Metadata key for the source id of a test case. A test case without it is identified by its input."""


class ConsistencyMetric(BaseMetric):
    """The share of satisfied comparisons between a source and its follow-ups; 1 if no answer contradicts another.

    `findings` holds the ids of the contradictions in the test case that was measured last.

    Args:
        callback: the system under test: a function that takes a text and returns an answer, a coroutine function, or a
            Mutatis system.
        config: a Mutatis configuration, whose systems are ignored.
        threshold: minimum score of a passing test case.
        label: the system's name in finding ids and reports; by default the callback's name.
        out: folder for Mutatis' own report and stored answers.
        hosted: the campaign, if several metrics share one.
    """

    def __init__(
        self,
        callback: Callable[..., Any] | object,
        config: Mapping[str, Any] | Path | str = SETTINGS,
        threshold: float = 1.0,
        label: str | None = None,
        out: Path | str | None = None,
        hosted: HostedCampaign | None = None,
    ) -> None:
        # DeepEval measures with copies, made from attributes that bear the names of arguments: they share `hosted`.
        self.callback, self.config, self.threshold, self.label, self.out = callback, config, threshold, label, out
        self.hosted = HostedCampaign(settings=config, out=out) if hosted is None else hosted
        self.findings: list[str] = []

    @property
    def __name__(self) -> str:
        """The name of the metric in DeepEval's tables."""
        return "Consistency"

    def test_cases(self) -> list[LLMTestCase]:
        """Ask all questions, and return one test case per source, with the answer."""
        results = to_the_end(self._run()).results
        return [
            LLMTestCase(
                name=name,
                input=case_text(case),
                actual_output=results.get(name, SourceResult()).answer,
                metadata={SOURCE: name},
            )
            for name, case in self.hosted.sources.items()
        ]

    def measure(self, test_case: LLMTestCase, *args: Any, **options: Any) -> float:
        """Return the score of a test case; see `a_measure`."""
        return to_the_end(self.a_measure(test_case))

    async def a_measure(self, test_case: LLMTestCase, *args: Any, **options: Any) -> float:
        """Return the score of a test case.

        Raises:
            UsageError: the test case does not belong to a source of the configuration, or none of its comparisons could
                be judged.
            SystemFailure: the callback answered too few questions to judge.
        """
        self.error = None
        source = self._source(test_case)
        result = (await self._run()).results.get(source, SourceResult())
        if result.consistency is None:
            raise UsageError(f"{source}: none of the comparisons could be judged")
        self.findings = [finding.id for finding in result.findings]
        self.score, self.reason = result.consistency, result.explanation
        self.success = self.score >= self.threshold
        return self.score

    async def _run(self) -> HostedRun:
        callback = self.callback
        is_ours = is_system(callback)
        system = as_system(callback) if is_ours else SYSTEMS["function"](target=callback, label=self.label)
        return await self.hosted.run(system)

    def _source(self, test_case: LLMTestCase) -> str:
        sources = self.hosted.sources
        name = (test_case.metadata or {}).get(SOURCE)
        if name is None:
            name = next((name for name, case in sources.items() if case_text(case) == test_case.input), None)
        if name not in sources:
            raise UsageError(
                f"the test case {test_case.input!r:.80} is not among the {len(sources)} inputs of the configuration; "
                "create them with metric.test_cases(), or add the input to its data"
            )
        return str(name)
