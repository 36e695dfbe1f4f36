"""A real browser for the pages that are operated in one; a test is skipped where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 600_000
"""Milliseconds after which a page hangs, however busy the machine is."""


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the browser; event loops of one's own cannot run in this thread meanwhile."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright (extra `test`) drives the browser")
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE)
        yield browser
        browser.close()


def opened(browser: Any, **options: Any) -> Any:
    """Return a page in a context of its own, which waits for what is slow to come."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    return context.new_page()
