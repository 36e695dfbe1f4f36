"""Relations on reasoning, for word problems and multiple-choice questions. The edits are our own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from mutatis.core.measure import Comparison
from mutatis.core.relation import Group
from mutatis.relations.output import OUTPUT_RELATIONS, Equal, with_reference
from mutatis.relations.soundness import ENOUGH, LOGIC, ROBUSTNESS, WORDING
from mutatis.relations.table import CHOICE, KNOWN, PROBLEM, Row, register

SYMBOLIC = "GSM-Symbolic (Mirzadeh et al. 2024); form ours"
ORDER = "Pezeshkpour and Hruschka 2023, sensitivity to the order of options; form ours"


@dataclass(frozen=True, slots=True)
class SameChoice(Equal):
    """Output relation `same-choice`: the same option is chosen.

    Unlike `equal`, it does not accept the edited form of the reference, since the edit puts a different option in its
    place.
    """

    in_words = "the same option is chosen"
    for_readers = "The same option must be right, whatever its letter."
    name: str = "same-choice"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each chosen option with the source's."""
        return with_reference(group)


OUTPUT_RELATIONS[SameChoice().name] = SameChoice()

_reasoned = partial(Row, enough=ENOUGH, tags=("ours", "reasoning"), paper="ours", turns="all")
_problem = partial(_reasoned, tasks=(PROBLEM,), fields={PROBLEM: (("question",),)})
_options = partial(_reasoned, tasks=(CHOICE,), fields={CHOICE: (("options",),)})

register(
    _problem("recompute-number", KNOWN, purpose=LOGIC, paper=SYMBOLIC),
    _problem("idle-number", purpose=ROBUSTNESS, paper=SYMBOLIC),
    _problem("ask-first", purpose=WORDING),
    _problem("swap-facts", purpose=ROBUSTNESS),
    _problem("rename-people", by="change-names", purpose=ROBUSTNESS, paper=SYMBOLIC),
    _problem("euros", purpose=WORDING),
    _problem("metric-units", purpose=WORDING),
    _options("reverse-options", SameChoice(), purpose=ROBUSTNESS, paper=ORDER),
    _options("number-options", SameChoice(), purpose=ROBUSTNESS, paper=ORDER),
    _options("none-of-them", KNOWN, purpose=LOGIC),
)
