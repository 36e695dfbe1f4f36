"""DeepEval evaluates the bot: a test run with the metric `ConsistencyMetric`, which calls the bot itself."""

from pathlib import Path

from bot import answer
from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig

from mutatis.interop.deepeval import ConsistencyMetric


def ids() -> list[str]:
    """Return the ids of the findings."""
    metric = ConsistencyMetric(answer, config=Path(__file__).with_name("mutatis.toml"), label="shop-bot")
    result = evaluate(
        metric.test_cases(),
        [metric],
        async_config=AsyncConfig(max_concurrent=4),
        cache_config=CacheConfig(write_cache=False),
        display_config=DisplayConfig(show_indicator=False, print_results=False, inspect_after_run=False),
    )
    # The reason of a failed test case has a finding on each line, which begins with its id.
    reasons = [data.reason for test in result.test_results for data in test.metrics_data if not data.success]
    return sorted(line.split()[0] for reason in reasons for line in reason.splitlines())


if __name__ == "__main__":
    print(*ids())
