"""Ray that waits as long as a busy machine takes: it gives up a start after thirty seconds, and workers soon after.

For processes of their own, which import this before they start Ray.
"""

from __future__ import annotations

import os
import time
import types

os.environ |= {
    "RAY_worker_register_timeout_seconds": "600",
    "RAY_health_check_timeout_ms": "600000",
    "RAY_health_check_failure_threshold": "1000",
}

import ray._private.node

# The thirty seconds are written out in a function.
ray._private.node.time = types.SimpleNamespace(**{**vars(time), "monotonic": lambda: time.monotonic() / 20})  # type: ignore[attr-defined]
