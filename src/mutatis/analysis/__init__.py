"""Statistics of a run: rates with intervals, comparison of runs, agreement of raters, families.

These are pure functions on counts and on the plain data of `report.json`. They ask no system, read no file and print
nothing.
"""
