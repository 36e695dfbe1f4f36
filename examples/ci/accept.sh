#!/bin/sh
# Accept the findings of the last run: writes them to baseline.json, which is reviewed and committed like code.
set -eu
cd "$(dirname "$0")"
mutatis report "${OUT:-mutatis-out}" --format baseline -o baseline.json
