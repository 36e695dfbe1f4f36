"""Divides a budget among the phases of a run: search, noise floor, confirm and shrink."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mutatis.campaign.confirm import first_per_relation, questions
from mutatis.campaign.events import CONFIRM, NOISE_FLOOR, SEARCH, SHRINK
from mutatis.campaign.run import Loop
from mutatis.campaign.shrink import shrinkable
from mutatis.campaign.tally import Finding

SMALLEST = 0.02
"""Minimum share of the budget that is worth returning to the search."""


class Phases:
    """Allots a budget to the phases of a run. Without a budget, phases are not limited.

    Args:
        loop: the loop that sends the questions. Its allowance is set at the beginning of each phase.
        findings: the findings so far that would be confirmed.
        dealt: the share of each phase, in order; None without a budget.
        confirm: maximum number of findings per relation whose questions are repeated.
        shrink: maximum number of smaller follow-ups tried for each finding.
        again: maximum number of questions for the noise floor.
    """

    def __init__(
        self,
        loop: Loop,
        findings: Sequence[Finding],
        dealt: dict[str, int] | None,
        *,
        confirm: int,
        shrink: int,
        again: int,
    ) -> None:
        self._loop, self._findings, self._dealt = loop, findings, dealt
        self._spending = loop.targets[0].layer.spending
        self._confirm, self._shrink, self._again = confirm, shrink, again
        self._begun: dict[str, int] = {}
        self.cut: list[str] = []
        """The phases that ended early because their allowance was used up."""

    def begin(self, phase: str) -> None:
        """Begin a phase, which may ask all questions that are not reserved for later phases."""
        self.end()
        self._begun[phase] = self._spending.asked
        if self._dealt is not None:
            phases = list(self._dealt)
            after = phases[phases.index(phase) + 1 :]
            self._loop.allowance.allow(sum(self._dealt.values()) - sum(self._dealt[later] for later in after))

    def end(self) -> None:
        """Record the current phase as incomplete if its allowance ended it early."""
        if self._loop.allowance.ended:
            self.cut.append(list(self._begun)[-1])

    def extend_search(self) -> bool:
        """Give the search half of the reserved questions that the findings so far do not need.

        Only half is given, because any additional findings will be confirmed and shrunk as well. Return whether the
        search got more questions: False without a budget, or if too few are left over.
        """
        if self._dealt is None:
            return False
        findings = first_per_relation(self._findings, self._confirm)
        turns_to_shrink = sum(len(finding.verdict.source.asked) for finding in findings if shrinkable(finding))
        needed = {
            NOISE_FLOOR: self._again,
            CONFIRM: sum(questions(self._loop, finding) for finding in findings),
            SHRINK: self._shrink * turns_to_shrink,  # each smaller follow-up asks all turns
        }
        spare = {phase: max(0, self._dealt[phase] - needed[phase]) for phase in needed}
        if sum(spare.values()) <= SMALLEST * sum(self._dealt.values()):
            return False
        for phase in spare:
            half = (spare[phase] + 1) // 2  # rounded up, so that every call that returns True gives something
            self._dealt[phase] -= half
            self._dealt[SEARCH] += half
        self._loop.allowance.allow(self._dealt[SEARCH])
        return True

    def spent(self) -> dict[str, int]:
        """Return how many questions each phase asked, including stored ones. Without a budget, the result is empty."""
        if self._dealt is None:
            return {}
        starts = list(self._begun.values())
        ends = [*starts[1:], self._spending.asked]
        return {phase: end - start for phase, start, end in zip(self._begun, starts, ends, strict=True)}

    def warning(self) -> list[dict[str, Any]]:
        """Return the report's warning that the budget ended the run early, or an empty list for a complete run."""
        if self._loop.stopped is None and not self.cut:
            return []
        if self._spending.money_is_spent:
            budget, key = f"{self._spending.max_money:g} is spent", "max_money"
        else:
            asked = ", ".join(f"{phase} {number:,}" for phase, number in self.spent().items())
            lost = sum(target.layer.counts.unanswered for target in self._loop.targets)
            spent = f"spent, {lost:,} of them on attempts without an answer" if lost else f"spent on {asked}"
            budget, key = f"{self._spending.max_queries:,} queries is {spent}", "max_queries"
        return [
            {
                "name": "budget",
                "subject": "run",
                "message": f"the run is not complete: the budget of {budget}",
                "remedy": f"repeat the run with a larger {key}; stored answers are not asked for again",
                "silence": "",  # a run that is not complete always says so
            }
        ]
