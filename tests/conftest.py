"""What all tests share: where the real data lies, and systems scripted for a test."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

sys.path.insert(0, str(Path(__file__).parent))  # so that tests can say: from support.server import serve

# No test looks at the clock: by default Hypothesis fails what takes long, which a busy machine does.
settings.register_profile("any-clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-clock")

SHARED = Path(os.environ.get("MUTATIS_SHARED", Path(__file__).resolve().parents[2] / "shared"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real public data; the test is skipped where it is absent."""
    data = SHARED / "data"
    if not data.is_dir():
        pytest.skip("the real data is not here: set MUTATIS_SHARED to the folder that holds data/")
    return data
