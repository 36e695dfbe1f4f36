"""lm-evaluation-harness: a task whose documents are the questions of a configuration, sources and follow-ups.

    results = simple_evaluate(model=..., tasks=[ConsistencyTask({"dataset_kwargs": {"config": "mutatis.toml"}})])

The harness asks each question separately; the answers are judged together when it aggregates. A task's YAML names the
class through a file next to it that imports the class: `class: !function my_tasks.ConsistencyTask`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from datasets import Dataset
from lm_eval.api.task import ConfigurableTask

from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.system import Response
from mutatis.interop.hosted import SETTINGS, HostedCampaign, HostedRun

OPTIONS = ("config", "label", "out")
"""Keys of `dataset_kwargs`."""

Answer = tuple[str, str]
"""The name of a question, and its answer."""


class ConsistencyTask(ConfigurableTask):
    """Consistency of a model's answers. `consistency` is the share of satisfied comparisons, `findings` a count.

    Attributes:
        finding_ids: ids of the findings, once the task has been aggregated.

    Args:
        config: a task's configuration. `dataset_kwargs` names the configuration of Mutatis (`config`), the system's
            name in finding ids (`label`) and a folder for Mutatis' own report (`out`). `generation_kwargs` sets how
            answers end and how long they may be.

    Raises:
        UsageError: an unknown key in `dataset_kwargs`, or dialogue data.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        told = {name: value for name, value in (config or {}).items() if name != "class"}
        options = dict(told.pop("dataset_kwargs", None) or {})
        for name in options:
            if name not in OPTIONS:
                raise unknown_name("key of dataset_kwargs:", name, OPTIONS)
        self.label = str(options.get("label", "lm-eval"))
        self.hosted = HostedCampaign(settings=options.get("config", SETTINGS), out=options.get("out"))
        self.finding_ids: list[str] = []
        self._judged: tuple[dict[str, str], HostedRun] | None = None
        usual = {
            "task": "mutatis_consistency",
            "output_type": "generate_until",
            "test_split": "test",
            "doc_to_text": "text",
            "doc_to_target": "name",
            "generation_kwargs": {"until": ["\n\n"], "do_sample": False, "max_gen_toks": 256},
            "process_results": self._answered,
            "metric_list": [
                {"metric": name, "aggregation": aggregate, "higher_is_better": name == "consistency"}
                for name, aggregate in self.aggregation().items()
            ],
        }
        super().__init__(config={**usual, **told})

    def download(self, *args: Any, **options: Any) -> None:
        """Create the documents; nothing is downloaded."""
        questions = self.hosted.questions
        if not questions:
            raise UsageError("the configuration has nothing to ask: its relations fit none of its inputs")
        texts = ["\n\n".join(message["content"] for message in question.messages) for question in questions]
        rows = [{"name": q.name, "source": q.source, "text": text} for q, text in zip(questions, texts, strict=True)]
        self.dataset = {"test": Dataset.from_list(rows)}

    def aggregation(self) -> dict[str, Callable[[Sequence[Answer]], float]]:
        """Return the functions that aggregate all answers, by metric."""
        return {"consistency": self._consistency, "findings": self._findings}

    def _answered(self, doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Answer]:
        answer = (str(doc["name"]), results[0])
        return dict.fromkeys(("consistency", "findings"), answer)

    def _judge(self, answers: Sequence[Answer]) -> HostedRun:
        """Judge the answers; both metrics come from the same run."""
        texts = dict(answers)
        if self._judged is None or self._judged[0] != texts:
            responses = {name: Response(text=text) for name, text in texts.items()}
            self._judged = texts, self.hosted.judge(responses, self.label)
            self.finding_ids = self._judged[1].ids
        return self._judged[1]

    def _consistency(self, answers: Sequence[Answer]) -> float:
        return self._judge(answers).consistency

    def _findings(self, answers: Sequence[Answer]) -> float:
        return float(len(self._judge(answers).ids))
