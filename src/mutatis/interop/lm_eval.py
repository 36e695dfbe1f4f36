"""lm-evaluation-harness: a task whose documents are the questions of a configuration, sources and follow-ups.

    results = simple_evaluate(model=..., tasks=[ConsistencyTask({"dataset_kwargs": {"config": "mutatis.toml"}})])

The harness asks each question separately. All answers are judged together when it aggregates results. To use the class
in a YAML task, import it in a file next to the YAML file: `class: !function my_tasks.ConsistencyTask`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from datasets import Dataset
from lm_eval.api.task import ConfigurableTask

from mutatis.core.errors import UsageError, check_known
from mutatis.core.system import Response
from mutatis.interop.hosted import SETTINGS, HostedCampaign, HostedRun

OPTIONS = ("config", "label", "out")
"""The valid keys of `dataset_kwargs`."""

Answer = tuple[str, str]
"""A pair of a question's name and its answer."""


class ConsistencyTask(ConfigurableTask):
    """A task for the consistency of a model's answers.

    Its metrics are `consistency`, the share of satisfied comparisons, and `findings`, the number of findings.

    Attributes:
        finding_ids: ids of the findings, available once the harness has aggregated the task's results.

    Args:
        config: a task's configuration. `dataset_kwargs` contains the Mutatis configuration (`config`), the system's
            name in finding ids (`label`) and a folder for Mutatis' own report (`out`). `generation_kwargs` sets the
            stop conditions and the maximum length of answers.

    Raises:
        UsageError: `dataset_kwargs` has an unknown key, or the data contains dialogues.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        # A YAML task names this class in its configuration, which the harness itself does not accept.
        settings = {name: value for name, value in (config or {}).items() if name != "class"}
        options = dict(settings.pop("dataset_kwargs", None) or {})
        check_known("key of dataset_kwargs:", options, OPTIONS)
        self.label = str(options.get("label", "lm-eval"))
        self.hosted = HostedCampaign(settings=options.get("config", SETTINGS), out=options.get("out"))
        self.finding_ids: list[str] = []
        self._judged: tuple[dict[str, str], HostedRun] | None = None  # the answers by question, and their run
        defaults = {
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
        super().__init__(config={**defaults, **settings})

    def download(self, *args: Any, **options: Any) -> None:
        """Create the documents from the configuration. Nothing is downloaded."""
        questions = self.hosted.questions
        if not questions:
            raise UsageError("the configuration has nothing to ask: none of its relations fits any of its inputs")
        texts = ["\n\n".join(message["content"] for message in question.messages) for question in questions]
        rows = [{"name": q.name, "source": q.source, "text": text} for q, text in zip(questions, texts, strict=True)]
        self.dataset = {"test": Dataset.from_list(rows)}

    def aggregation(self) -> dict[str, Callable[[Sequence[Answer]], float]]:
        """Return the aggregation function of each metric."""
        return {"consistency": self._consistency, "findings": self._findings}

    def _answered(self, doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Answer]:
        answer = (str(doc["name"]), results[0])
        return dict.fromkeys(("consistency", "findings"), answer)

    def _judge(self, answers: Sequence[Answer]) -> HostedRun:
        """Judge the answers. The result is kept, so that both metrics use the same run."""
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
