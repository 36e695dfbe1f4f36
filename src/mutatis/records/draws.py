"""Records for sources that were asked several times: clusters of answers (`draws.jsonl`) and means for the report."""

from __future__ import annotations

from mutatis.records.record import ITEMS, Rate, ReportRecord, Text


class MeansRecord(ReportRecord):
    """Means over the sources that a system answered several times in one task: entropy and each pass^k."""

    system: Text
    task: Text
    sources: int
    draws: int
    entropy: float
    pass_k: list[Rate] = ITEMS


class DrawsRecord(ReportRecord):
    """The answers to one turn of a source that was asked several times; a line of `draws.jsonl`.

    `clusters` contains a text and the number of equal answers for each cluster, largest first. `left_out` counts
    failures and answers that the judge cannot decide. `entropy` is the entropy of the clusters, in nats. `pass_k`
    contains, for each k from 1, the probability that k draws are all in the largest cluster.
    """

    system: Text
    task: Text
    source: Text
    turn: int
    draws: int
    clusters: list[tuple[Text, int]]
    left_out: int = 0
    entropy: float
    pass_k: list[Rate] = ITEMS
