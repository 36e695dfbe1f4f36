"""Statistics of a run: rates with intervals, comparison of runs, agreement between raters, families of relations.

These are pure functions on counts and on the plain data of `report.json`. They query no system, read no file and print
nothing.
"""
