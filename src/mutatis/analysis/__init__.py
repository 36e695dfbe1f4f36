"""What the numbers of a run say: rates with intervals, comparison of runs, agreement of raters, families.

Pure functions on counts and on the plain data of `report.json`; nothing here asks a system, reads a file or prints.
"""
