"""Clusters of the answers to a source asked several times: the lines of `draws.jsonl`, and means for the report."""

from __future__ import annotations

from mutatis.records.record import ITEMS, Rate, ReportRecord, Text


class MeansRecord(ReportRecord):
    """The draws of one system on one task: the entropy and each pass^k, averaged over the sources."""

    system: Text
    task: Text
    sources: int
    draws: int
    entropy: float
    pass_k: list[Rate] = ITEMS


class DrawsRecord(ReportRecord):
    """The answers to one turn of a source, asked several times: a line of `draws.jsonl`.

    `clusters` gives a text and the number of equal answers for each, largest first. `left_out` counts failures and
    answers that the judge cannot decide. `entropy` is that of the clusters, in nats. `pass_k` holds, for each k from 1,
    the probability that k draws are all in the largest cluster.
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
