"""The main loop of a campaign: propose, derive, annotate, ask, match, judge, confirm, shrink.

The loop depends on the contracts in `core` only; the systems with their query layers, the relations, the judges and the
search are passed in.
"""
