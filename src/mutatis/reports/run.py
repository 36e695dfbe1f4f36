"""Represents a finished run as an object, with its metrics, tables, frames, figures, and a pass/fail check."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mutatis.analysis.newness import marked
from mutatis.core.errors import MutatisError
from mutatis.core.parameters import UnsaidFloat, was_said
from mutatis.core.transformation import NO_CHANGE
from mutatis.options import check_options as check_options
from mutatis.records import FindingRecord, Report, SummaryRow
from mutatis.records.baseline import read_baseline
from mutatis.records.runs import find_finding
from mutatis.records.scratch import Scratch
from mutatis.reports.drawing import page_template
from mutatis.reports.forms import write
from mutatis.reports.gate import Gate, gate_of
from mutatis.reports.markdown import markdown_html, render_markdown
from mutatis.reports.notes import notes
from mutatis.reports.numbers import counted
from mutatis.reports.passing import IN_PYTHON, accepted_endpoints, passing
from mutatis.reports.plain import finding_text
from mutatis.reports.ranking import capabilities_of, spread
from mutatis.reports.view import finding_view

if TYPE_CHECKING:
    from mutatis.reports.frames import Kind

WITHOUT_ANSWER = {"errors", "not-parsed"}
"""Health checks printed below the table, because they explain the errors that it only counts."""

SHOWN = 3
"""Maximum number of findings shown when the check of a run fails."""

LIMITS = {"max_rate", "max_findings", "relations", "baseline"}
"""Keys of `[gate]` that limit violations."""


class GateFailed(MutatisError, AssertionError):
    """Raised if a run has more violations than allowed, or too few verdicts.

    Test frameworks treat it as a failed assertion.
    """


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding that displays itself side by side with its source in a notebook, and as text elsewhere."""

    finding: FindingRecord
    folder: str = ""

    def __repr__(self) -> str:
        return finding_text(self.finding, self.folder)

    def _repr_html_(self) -> str:
        """Return the finding in an isolated frame, so that its styles do not leak out and no code in it can run."""
        page = page_template("shown.html.j2").render(finding=finding_view(self.finding))
        return f'<iframe srcdoc="{escape(page)}" sandbox="" style="width: 100%; height: 26em; border: 0"></iframe>'


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A finished run: its report, as in `report.json`, and its folder, if it was written.

    `baseline` is the run, or the file of known findings, that `check` compares with by default. `max_age` is the
    maximum age of stored answers that `check` accepts.
    """

    report: Report
    folder: Path | None = None
    baseline: Path | str | None = None
    max_age: str | None = None
    scratch: Scratch | None = field(default=None, repr=False, compare=False)

    @property
    def summary(self) -> list[SummaryRow]:
        """The summary, with one row for each system, task and relation."""
        return self.report.summary

    @property
    def findings(self) -> Sequence[FindingRecord]:
        """Distinct violations. In a large run, they are read from the run's folder one at a time."""
        return self.report.all_findings

    @property
    def metrics(self) -> dict[str, Any]:
        """Metrics of recipes and parameter sweeps, by name."""
        return self.report.metrics

    def table(self) -> str:
        """Return all summary rows as a plain-text table, followed by the reasons for missing answers, if any."""
        from mutatis.reports.tables import print_summary
        from mutatis.reports.terminal import console, print_notes

        out = io.StringIO()
        plain = console(width=120, file=out)
        print_summary(self.report, plain, every=True)
        if not any(row.judged for row in self.summary):
            print_notes(self.report, plain, whole=True)
        elif reasons := [note.text for note in notes(self.report.health) if note.name in WITHOUT_ANSWER]:
            plain.print(*(f"note {text}" for text in reasons), sep="\n", soft_wrap=True)
        for text in accepted_endpoints(self.report).values():
            plain.print(text, soft_wrap=True)
        return out.getvalue()

    def frame(self, kind: Kind = "summary") -> Any:
        """Return the summary, the findings, the verdicts or the draws as a pandas data frame."""
        from mutatis.reports.frames import frame

        return frame(kind, self.report, self._verdicts)

    def show(self, finding: str) -> ShownFinding:
        """Return a finding or an undecided pair for display, side by side in a notebook and as text elsewhere.

        Args:
            finding: its short hash, or the beginning of the hash.

        Raises:
            UsageError: no finding of the run matches, or several do.
        """
        record = find_finding(self.findings, finding, self.report.open)
        return ShownFinding(record, "" if self.folder is None else str(self.folder))

    def plot(self) -> Any:
        """Return the violation rates as a matplotlib figure, highest at the top. Notebooks display it."""
        from mutatis.reports.figures import draw_summary

        return draw_summary(self.report)

    def save(self, path: Path | str, *, form: str | None = None) -> Path:
        """Write the report. The suffix selects the format: .html, .json, .xml (JUnit), .csv, .md, .parquet or .zip.

        A .zip file contains the whole run in a single file to share.

        Args:
            path: the file to write.
            form: a format without its own suffix: "grid" (a page with all questions, with inputs in rows and systems in
                columns) or "baseline".

        Raises:
            UsageError: the suffix or format is unknown.
        """
        write(self.report, Path(path), self._verdicts, form=form)
        return Path(path)

    def __repr__(self) -> str:
        violated, judged = sum(row.violated for row in self.summary), sum(row.judged for row in self.summary)
        errors, flaky = sum(row.error for row in self.summary), sum(row.flaky for row in self.summary)
        findings = counted(max(len(self.findings) - flaky, 0), "finding") + (f" and {flaky} FLAKY" if flaky else "")
        failed = f", {errors} {'error' if errors == 1 else 'errors'}" if errors else ""
        where = "" if self.folder is None else f", folder={str(self.folder)!r}"
        return f"Run({violated} of {judged} verdicts violated, {findings}{failed}{where})"

    def _repr_html_(self) -> str:
        folder = "" if self.folder is None else str(self.folder)
        return markdown_html(render_markdown(self.report, folder=folder), raw=True)

    def check(
        self,
        max_rate: float | None = UnsaidFloat(0.0),
        max_findings: int | None = None,
        *,
        max_errors: float = UnsaidFloat(0.1),
        min_judged: int | None = None,
        baseline: Path | str | None = None,
        max_same: float = UnsaidFloat(0.5),
        max_age: str | None = None,
    ) -> None:
        """Raise GateFailed if there are more violations than allowed, or if too little could be judged.

        An endpoint whose answers were all stored counts as not tested. Without arguments, the limits of the run's
        `[gate]` apply, and if these do not limit violations, none are allowed. If any argument is given, the arguments
        replace the gate.

        Args:
            max_rate: maximum violation rate of a summary row, except for the relation no-change; None allows any rate.
            max_findings: maximum number of faults, as reports count them: findings with one cause count once.
            max_errors: maximum share of ERROR among a system's verdicts on a task, counting only verdicts that needed
                an answer.
            min_judged: minimum number of verdicts in each row that are satisfied or violated.
            baseline: a run, or a file of known findings. Findings that are not in it fail, except FLAKY ones. A
                `max_rate` of 0 then has no effect, since known findings are violations.
            max_same: maximum share of different questions that may get the same reply, if answers are free text.
            max_age: maximum age, such as "12h", of the newest answer of an endpoint whose answers were all stored.

        Raises:
            GateFailed: the run does not pass.
            UsageError: a limit is impossible, or the baseline does not exist.
        """
        __tracebackhide__ = True  # pytest shows the line of the test instead
        limits = {
            "max_rate": max_rate,
            "max_findings": max_findings,
            "max_errors": max_errors,
            "min_judged": min_judged,
            "max_same": max_same,
            "max_age": max_age,
        }
        without_default = (max_findings, min_judged, baseline, max_age)
        has_argument = any(value is not None for value in without_default)
        has_argument = has_argument or any(map(was_said, (max_rate, max_errors, max_same)))
        gate = check_options(Gate, limits, "Run.check") if has_argument else self._configured()
        gate = gate.model_copy(update={"max_age": gate.max_age or self.max_age})
        report, compared = self.report, self.baseline if baseline is None else baseline
        if compared is not None:
            gate = gate.model_copy(update={"baseline": str(compared), "max_rate": gate.max_rate or None})
            report = marked(report, read_baseline(str(compared)), newly_asked=gate.newly_asked)
        if failed := passing(report, gate, IN_PYTHON).reasons:
            error = GateFailed("; ".join(failed))
            error.add_note(self._first_findings(report))
            raise error

    def _configured(self) -> Gate:
        """Return the gate from the run's configuration. If it has no limits on violations, none are allowed."""
        gate = gate_of(self.report)
        return gate.model_copy(update={"max_rate": 0.0}) if LIMITS.isdisjoint(gate.model_fields_set) else gate

    @property
    def _verdicts(self) -> Path | None:
        return self.folder if self.scratch is None else self.scratch.folder

    def _first_findings(self, report: Report) -> str:
        """Return a message with the findings to show first and the report's path. New findings take precedence."""
        new = [finding for finding in report.all_findings if finding.new]
        chosen = [finding for finding in new or report.findings if finding.relation != NO_CHANGE]
        shown = spread(chosen, SHOWN, capabilities_of(report))
        texts = ["", *(finding_text(finding, str(self.folder or "")) + "\n" for finding in shown)]
        if self.folder is not None:
            number = f"{len(shown)} of {len(chosen)} findings; " if chosen else ""
            texts.append(f"{number}report: {self.folder / 'report.html'}")
        return "\n".join(texts)


def in_notebook() -> bool:
    """Return True if this code runs in a Jupyter kernel.

    The presence of `ipykernel` is not enough, because other programs import it too.
    """
    shell = sys.modules.get("IPython")
    return "ipykernel" in sys.modules and shell is not None and shell.get_ipython() is not None
