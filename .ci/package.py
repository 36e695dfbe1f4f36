"""Build both distributions, check them, and try the wheel where nothing else is: `python .ci/package.py TOOLS`.

TOOLS is an environment with `build` and `twine`. In an empty environment of its own, the wheel is installed with the
pinned versions and `mutatis demo` is run. Says how much was installed, and fails where any step does, or where the core
brings torch or matplotlib.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAVY = ("torch", "matplotlib", "transformers", "pandas", "pyarrow", "ray")
"""What extras bring, and the core never does."""


def run(*command: str | Path, folder: Path = ROOT) -> str:
    """Run a command and return what it printed; SystemExit with its complaint where it fails."""
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def size_of(folder: Path) -> float:
    """Return the megabytes (10^6 bytes) of the files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def check_demo(wheel: Path) -> None:
    """Install a wheel into an empty environment and run the demo there."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "venv", folder / "empty")
        programs = folder / "empty" / "bin"
        before, started = size_of(folder / "empty"), time.monotonic()
        pip = (programs / "python", "-m", "pip", "--disable-pip-version-check")
        run(*pip, "install", "-q", "--no-compile", "-c", ROOT / "constraints.txt", wheel)
        seconds, after = time.monotonic() - started, size_of(folder / "empty")
        packages = [line.partition("==")[0] for line in run(*pip, "freeze").splitlines()]
        print(f"core: {len(packages)} packages, {after - before:.0f} MB, installed in {seconds:.0f} s")
        if brought := [package for package in packages if package.lower() in HEAVY]:
            raise SystemExit(f"the core brings {', '.join(brought)}, which belong to extras")
        demo = run(programs / "mutatis", "demo", "--out", folder / "demo", folder=folder)
        if not (folder / "demo" / "report.html").is_file():
            raise SystemExit(f"mutatis demo wrote no report:\n{demo[-2000:]}")
        print("mutatis demo: runs in an empty environment")


def build(tools: Path) -> Path:
    """Build and check both distributions; return the wheel."""
    dist = ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    run(tools / "bin" / "python", "-m", "build", "-o", dist, ROOT)
    made = sorted(dist.iterdir())
    run(tools / "bin" / "twine", "check", "--strict", *made)
    for path in made:
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB, checked")
    return next(path for path in made if path.suffix == ".whl")


if __name__ == "__main__":
    check_demo(build(Path(sys.argv[1])))
