"""Statistics of a run: rates with intervals, comparison of runs, agreement of raters, families.

Pure functions on counts and on the plain data of `report.json`. Nothing here asks a system, reads a file or prints.
"""
