#!/bin/sh
# One step of a build, on any server: exit code 0 unless there is a finding that the baseline lacks (1), or the system
# could not be tested (3). OUT keeps the answers: a build that is started again does not pay for them again. REVISION (by
# default the commit, where nothing was changed since) says what is tested: answers of another one are not used.
set -eu
cd "$(dirname "$0")"
OUT="${OUT:-mutatis-out}"
REVISION="${REVISION:-$(git diff --quiet HEAD 2>/dev/null && git rev-parse HEAD || true)}"
mutatis run mutatis.toml --out "$OUT" --set "system.revision=\"$REVISION\"" \
  --summary "${GITHUB_STEP_SUMMARY:-$OUT-summary.md}"
