"""LLMorph (Cho, Ruberto, Terragni 2025), a published method with 36 single-turn relations on four tasks.

Its metrics compare testing by relations with testing by labels (section IV): accuracy, and the overlap of the errors.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from mutatis.analysis.bug_levels import proportion
from mutatis.campaign.events import Event, SourceClosed
from mutatis.core.decision import Outcome
from mutatis.core.verdict import Verdict
from mutatis.recipes.recipe import Recipe, add_recipes
from mutatis.relations.llmorph import LABEL_BASED

PUBLISHED, OURS = "published", "ours"
_DECIDED = (Outcome.SATISFIED, Outcome.VIOLATED)

_Source: TypeAlias = tuple[str, str, str]
"""Key of a source: system, task and source id."""


@dataclass(slots=True)
class _Turn:
    """The results so far for one turn of a source that is still being tested."""

    wrong: bool | None = None
    violated: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class _LabelRow:
    """The counts for one system on one task.

    Attributes:
        labels: number of source turns by whether their answer is wrong.
        relations: verdicts of each relation, by origin (published or ours) and name: how many were judged and violated,
            and how many violations are on source answers that are right and wrong.
        overlap: for each origin, number of source turns by whether the relations and the label find them wrong.
    """

    labels: Counter[bool] = field(default_factory=Counter)
    relations: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    overlap: dict[str, Counter[tuple[bool, bool]]] = field(default_factory=lambda: defaultdict(Counter))


class LabelMetrics:
    """The metrics `metrics.llmorph`: accuracy, and the source turns found wrong by labels and by relations.

    Relations find a turn wrong if any of its follow-ups violates a relation. The label finds it wrong if the system's
    answer differs from the annotated one. Published relations and ours are counted separately. The overlap counts only
    turns that both could judge.
    """

    name = "llmorph"

    def __init__(self) -> None:
        self._open: dict[_Source, dict[int, _Turn]] = defaultdict(lambda: defaultdict(_Turn))
        self._origins: dict[str, str] = {}
        self._rows: dict[tuple[str, str], _LabelRow] = defaultdict(_LabelRow)

    def __call__(self, event: Event) -> None:
        """Count a verdict, or add up the results of a source whose test is complete."""
        if isinstance(event, Verdict) and event.repeat == 0 and event.outcome in _DECIDED:
            self._count(event)
        elif isinstance(event, SourceClosed):
            for key in [key for key in self._open if key[1:] == (event.case.task, event.case.id)]:
                self._close(key)

    def _count(self, verdict: Verdict) -> None:
        turn = self._open[verdict.system, verdict.source.task, verdict.source.id][verdict.turn]
        name, violated = verdict.relation.name, verdict.outcome is Outcome.VIOLATED
        if name == LABEL_BASED:
            turn.wrong = violated
            return
        published = any(name.startswith("llmorph/") for name in verdict.relation.published.ids)
        self._origins.setdefault(name, PUBLISHED if published else OURS)
        turn.judged[name] += 1
        turn.violated[name] += violated

    def _close(self, key: _Source) -> None:
        row = self._rows[key[:2]]
        for turn in self._open.pop(key).values():
            if turn.wrong is not None:
                row.labels[turn.wrong] += 1
            for name, judged in turn.judged.items():
                violated = turn.violated[name]
                row.relations[self._origins[name], name] += Counter(
                    judged=judged,
                    violated=violated,
                    source_right=violated if turn.wrong is False else 0,
                    source_wrong=violated if turn.wrong else 0,
                )
            if turn.wrong is not None:
                for origin in {self._origins[name] for name in turn.judged}:
                    by_relations = any(turn.violated[name] for name in turn.judged if self._origins[name] == origin)
                    row.overlap[origin][by_relations, turn.wrong] += 1

    def metrics(self) -> dict[str, Any]:
        """Return the metrics as JSON data."""
        for key in list(self._open):
            self._close(key)
        rows = {f"{system} on {task}": row for (system, task), row in sorted(self._rows.items())}
        return {
            "label-based": {name: _labels(row) for name, row in rows.items()},
            **{
                origin: {name: _overlap(row, origin) for name, row in rows.items() if _verdicts(row, origin)}
                for origin in (PUBLISHED, OURS)
            },
            "relations": [
                {"row": name, "relation": relation, "origin": origin, **_relation(counts)}
                for name, row in rows.items()
                for origin in (PUBLISHED, OURS)
                for relation, counts in _verdicts(row, origin)
            ],
        }


def _labels(row: _LabelRow) -> dict[str, Any]:
    right, wrong = row.labels[False], row.labels[True]
    return {"sources": right + wrong, "right": right, "wrong": wrong, "accuracy": proportion(right, right + wrong)}


def _verdicts(row: _LabelRow, origin: str) -> list[tuple[str, Counter[str]]]:
    """Return the relations of one origin with their counts, sorted by name."""
    return sorted((name, counts) for (origin_of, name), counts in row.relations.items() if origin_of == origin)


def _overlap(row: _LabelRow, origin: str) -> dict[str, Any]:
    total = Counter[str]()
    for _, of_relation in _verdicts(row, origin):
        total += of_relation
    counts = row.overlap[origin]
    both, only_relations, only_labels = counts[True, True], counts[True, False], counts[False, True]
    return {
        "judged": total["judged"],
        "violated": total["violated"],
        "rate": proportion(total["violated"], total["judged"]),
        "sources": sum(counts.values()),
        "both": both,
        "only_relations": only_relations,
        "only_labels": only_labels,
        "neither": counts[False, False],
        "labels_found": proportion(both, both + only_labels),
        "new_beside_labels": proportion(only_relations, both + only_relations),
        "jaccard": proportion(both, both + only_relations + only_labels),
    }


def _relation(counts: Counter[str]) -> dict[str, Any]:
    figures = {name: counts[name] for name in ("judged", "violated", "source_right", "source_wrong")}
    return {**figures, "rate": proportion(counts["violated"], counts["judged"])}


# Here the library's own judge decides; `llmorph_paper` has the published one.
_LLMORPH = Recipe(
    name="llmorph",
    summary="All 36 published relations that fit the task; those made by a language model need [helper].",
    paper="LLMorph (Cho, Ruberto, Terragni 2025)",
    relations=("tag:llmorph", LABEL_BASED),
    collectors=lambda: (LabelMetrics(),),
)

add_recipes(
    _LLMORPH,
    # The paper's text and its code use the two thresholds in opposite ways. This is the text's reading: the same from
    # 0.8 on, different up to 0.4; the code's is `equal = 0.4`, `different = 0.8`. Its model is on hubs only, so that
    # its folder has to be named: the one that a package carries, all-MiniLM-L6-v2, is another. "Stronger" is the
    # paper's, too: at least as far from 0.5, without the tolerance that ours has.
    replace(
        _LLMORPH,
        name="llmorph_paper",
        summary="The same, judged as published: cosine of paraphrase-MiniLM-L6-v2 (name its folder), 0.8 and 0.4.",
        settings={"judge": {"measure": "minilm-cosine", "equal": 0.8, "different": 0.4}},
        holds={"stronger": "at-least-as-strong"},
        embeddings="paraphrase-MiniLM-L6-v2",
    ),
)
