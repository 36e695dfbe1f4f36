"""Inspect AI evaluates the bot: the task `mutatis/consistency` with a model of Inspect that calls a function.

From the command line, with a real model: inspect eval mutatis/consistency --model openai/gpt-4o -T config=mutatis.toml
"""

from pathlib import Path
from typing import Any

from bot import answer
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

HERE = Path(__file__).parent


def generate(messages: list[Any], *_: Any) -> ModelOutput:
    """Answer as the bot; without a usage of its own, Inspect would fetch a tokenizer to count one."""
    output = ModelOutput.from_content("mockllm/shop", answer(messages[-1].text))
    output.usage = ModelUsage()
    return output


def ids(log_dir: str) -> list[str]:
    """Return the ids of the findings."""
    model = get_model("mockllm/shop", custom_outputs=generate)
    [log] = eval(
        "mutatis/consistency",
        model=model,
        task_args={"config": str(HERE / "mutatis.toml"), "label": "shop-bot"},
        log_dir=log_dir,
        display="none",
    )
    assert log.status == "success", log.error
    return sorted(name for sample in log.samples for name in sample.metadata["mutatis"]["findings"])


if __name__ == "__main__":
    print(*ids("logs"))
