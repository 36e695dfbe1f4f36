#!/bin/sh
# One step of a build, on any server: exit code 0 unless there is a finding that the baseline lacks (1), or the system
# could not be tested (3). OUT keeps the answers: kept from build to build, what did not change is not paid for again.
set -eu
cd "$(dirname "$0")"
OUT="${OUT:-mutatis-out}"
mutatis run mutatis.toml --out "$OUT" --summary "${GITHUB_STEP_SUMMARY:-$OUT-summary.md}"
