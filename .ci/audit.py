"""Ask whether a pinned version has a known weakness: `python .ci/audit.py PIP-AUDIT REQUIREMENTS`.

Exit code 0: every version is known and none is weak; 1: some are weak; 2: nothing, or not everything, could be asked.
pip-audit itself ends with 0 and "no known vulnerabilities" where the index that it asks knows none of the packages.
"""

from __future__ import annotations

import json
import subprocess
import sys


def main(program: str, requirements: str) -> int:
    """Run pip-audit and say on one line each what is weak, and how many versions that leaves unsaid."""
    command = [program, "-r", requirements, "--no-deps", "--disable-pip", "--progress-spinner", "off", "-f", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        audited = json.loads(done.stdout)["dependencies"]
    except ValueError:
        said = [line for line in done.stderr.splitlines() if line.strip()] or ["no output"]
        print(f"not audited: {program} could not ask the service that knows ({said[-1][:300]})")
        return 2
    known = [package for package in audited if "vulns" in package]
    weak = [package for package in known if package["vulns"]]
    for package in weak:
        for weakness in package["vulns"]:
            mended = ", ".join(weakness.get("fix_versions", [])) or "no version"
            print(f"{package['name']} {package['version']}: {weakness['id']}, mended in {mended}")
    unknown = [package["name"] for package in audited if "vulns" not in package]
    if known:
        print(f"{len(weak)} of {len(known)} audited versions have a known weakness")
    if unknown:
        few = ", ".join(unknown[:5]) + (", ..." if len(unknown) > 5 else "")
        print(f"not audited: {len(unknown)} of {len(audited)} packages, which the service that was asked lacks: {few}")
    return 1 if weak else 2 * bool(unknown)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
