"""Ten small runs whose verdicts are kept: `python -m benchmarks.fixed check` says which ones a change moved."""
