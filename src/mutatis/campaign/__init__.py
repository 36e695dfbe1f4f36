"""The main loop of a campaign: propose, derive, annotate, ask, match, judge, confirm, shrink.

The loop depends only on the contracts in `core`. The systems with their query layers, the relations, the judges and the
search are passed in.
"""
