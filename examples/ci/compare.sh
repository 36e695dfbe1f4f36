#!/bin/sh
# Two runs, two models or two revisions: compare.sh OLD NEW fails where NEW has findings that OLD lacks.
set -eu
mutatis compare "$1" "$2" --format markdown --fail-on-new >> "${GITHUB_STEP_SUMMARY:-comparison.md}"
