"""promptfoo evaluates the bot: its tests are generated, an assertion judges them, and its results are judged again.

`PROMPTFOO` is the program; by default the one on the path.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from mutatis.interop.promptfoo import judge_results

HERE = Path(__file__).parent


def ids() -> list[str]:
    """Return the ids of the findings, after the assertions said the same."""
    command = [os.environ.get("PROMPTFOO", "promptfoo"), "eval", "-c", str(HERE / "promptfooconfig.yaml")]
    environment = {
        "PROMPTFOO_PYTHON": sys.executable,
        "PROMPTFOO_CONFIG_DIR": str(Path("home").absolute()),
        "PROMPTFOO_FAILED_TEST_EXIT_CODE": "0",
    }
    results = Path("results.json").absolute()
    subprocess.run(
        [*command, "-o", str(results), "--no-cache", "--no-progress-bar", "--no-table"],
        cwd=HERE,  # where the configuration of the tests is read from
        env={**os.environ, **environment},
        stdout=sys.stderr,
        check=True,
    )
    [judged] = judge_results(results, HERE / "mutatis.toml").values()
    reasons = [result["gradingResult"]["reason"] for result in json.loads(results.read_text())["results"]["results"]]
    asserted = sorted(line.split()[0] for reason in reasons for line in reason.splitlines() if " -> " in line)
    assert asserted == judged.ids, asserted
    return judged.ids


if __name__ == "__main__":
    print(*ids())
