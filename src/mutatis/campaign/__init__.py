"""The loop of a campaign: propose, derive, annotate, ask, match, judge, confirm, shrink.

Knows the contracts of `core` and is handed everything else: systems behind query layers, relations, judges, a search.
"""
