"""Run each adapter of `mutatis.interop` with its real tool on one planted bot, and compare the ids of the findings.

Prints a line per adapter, `NAME ran|skipped REASON IDS`, and fails only where an adapter fails or finds something else
than `mutatis run`. The tools have an environment of their own, FOLDER: they are large, and pin versions that are not
the project's. A tool that cannot be installed is skipped.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples" / "interop"
LONGEST = 600
"""Seconds after which an example is taken to hang."""

QUIET = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "DEEPEVAL_DISABLE_DOTENV": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    "PROMPTFOO_DISABLE_SHARING": "1",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PYTHONWARNINGS": "ignore",
}
"""Telemetry, update checks and downloads of the tools, turned off."""


PROMPTFOO = ("promptfoo@0.121.20", "@libsql/linux-x64-gnu@0.5.29")
"""Without its optional parts, a gigabyte of other services' clients, promptfoo lacks only its own database's driver."""


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """One tool: what installs it, and the example that runs it and prints the ids of its findings."""

    name: str
    example: str
    requirement: str = ""


ADAPTERS = (
    Adapter(name="inspect_ai", example="inspect_run.py", requirement="inspect_ai==0.3.285"),
    Adapter(name="deepeval", example="deepeval_run.py", requirement="deepeval==4.3.1"),
    Adapter(name="opentelemetry", example="telemetry_run.py", requirement="opentelemetry-sdk==1.45.2"),
    Adapter(name="lm_eval", example="lm_eval_run.py", requirement="lm-eval==0.4.13"),
    Adapter(name="promptfoo", example="promptfoo_run.py"),
)


def install(folder: Path) -> dict[str, str]:
    """Install what is not there yet; return why a tool could not be, by its name."""
    reasons = _install_python(folder)
    if reason := _install_promptfoo(folder / "npm"):
        reasons["promptfoo"] = reason
    return reasons


def _install_promptfoo(folder: Path) -> str:
    """Install promptfoo; return why it could not be."""
    if (folder / "node_modules" / ".bin" / "promptfoo").exists():
        return ""
    if shutil.which("npm") is None:
        return "no npm on the path"
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return f"its database's driver is named for Linux on x86_64, and this is {platform.machine()}"
    folder.mkdir(exist_ok=True)
    options = ["--no-audit", "--no-fund", "--omit=optional", "--ignore-scripts", "--prefix", folder]
    return _tried(["npm", "install", *options, *PROMPTFOO])


def _install_python(folder: Path) -> dict[str, str]:
    python = folder / "bin" / "python"
    if not python.is_file():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile"]
    subprocess.run([*map(str, pip), "-e", str(ROOT)], check=True)
    # One after the other: resolved together, they send pip through old versions for as long as it is let (25 minutes
    # and no end), for what one wants of rich and click another does not.
    reasons = {a.name: _tried([*pip, a.requirement]) for a in ADAPTERS if a.requirement}
    return {name: reason for name, reason in reasons.items() if reason}


def _tried(command: list[str | Path]) -> str:
    """Run a command; return the last line of what it complains of, nothing where it succeeds."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    return (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]


def run(folder: Path, example: str) -> tuple[list[str], str]:
    """Run an example in a folder of its own; return the ids that it printed, and what went wrong."""
    work = folder / "work" / example
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    try:
        done = subprocess.run(
            [(folder / "bin" / "python").absolute(), EXAMPLES / example],
            cwd=work,
            env={**os.environ, **QUIET, "PROMPTFOO": str(folder / "npm" / "node_modules" / ".bin" / "promptfoo")},
            capture_output=True,
            text=True,
            timeout=LONGEST,
        )
    except subprocess.TimeoutExpired:
        return [], f"no end after {LONGEST} s"
    lines = done.stdout.strip().splitlines() or [""]
    if done.returncode != 0:
        return [], (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}")[-2000:]
    return lines[-1].split(), ""


def main() -> int:
    """Run all; return 1 where an adapter failed or found something else."""
    folder = Path(sys.argv[1]).absolute()
    missing = install(folder)
    wanted, error = run(folder, "plain.py")
    if error or not wanted:
        print(f"mutatis failed {error or 'without findings'}")
        return 1
    print(f"mutatis ran {' '.join(wanted)}", flush=True)
    failed = False
    for adapter in ADAPTERS:
        if adapter.name in missing:
            print(f"{adapter.name} skipped not installed: {missing[adapter.name]}", flush=True)
            continue
        ids, error = run(folder, adapter.example)
        wrong = error or ("" if ids == wanted else f"finds {' '.join(ids) or 'nothing'} in place of {' '.join(wanted)}")
        print(f"{adapter.name} {'failed ' + wrong if wrong else 'ran ' + ' '.join(ids)}", flush=True)
        failed = failed or bool(wrong)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
