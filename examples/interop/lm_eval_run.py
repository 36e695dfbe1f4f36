"""The bot as a model of lm-evaluation-harness, evaluated on the task `ConsistencyTask`."""

from pathlib import Path
from typing import Any

from bot import answer
from lm_eval import simple_evaluate
from lm_eval.api.model import LM

from mutatis.interop.lm_eval import ConsistencyTask


class BotModel(LM):
    """A model that answers as the bot; it has no likelihoods."""

    def generate_until(self, requests: list[Any]) -> list[str]:
        return [answer(request.args[0]) for request in requests]

    def loglikelihood(self, requests: list[Any]) -> list[Any]:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Any]) -> list[Any]:
        raise NotImplementedError


def ids() -> list[str]:
    """Return the ids of the findings."""
    config = str(Path(__file__).with_name("mutatis.toml"))
    task = ConsistencyTask({"dataset_kwargs": {"config": config, "label": "shop-bot"}})
    results = simple_evaluate(model=BotModel(), tasks=[task], bootstrap_iters=0)
    assert results["results"]["mutatis_consistency"]["findings,none"] == len(task.finding_ids)
    return task.finding_ids


if __name__ == "__main__":
    print(*ids())
