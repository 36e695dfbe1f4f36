"""Displays a finding in a notebook, and recognises notebooks."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from html import escape

from mutatis.records.report import FindingRecord
from mutatis.reports.drawing import page_template, template_text
from mutatis.reports.plain import finding_text
from mutatis.reports.view import finding_view


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding that displays itself side by side with its source in a notebook, and as text elsewhere."""

    finding: FindingRecord
    folder: str = ""

    def __repr__(self) -> str:
        return finding_text(self.finding, self.folder)

    def _repr_html_(self) -> str:
        """Return the finding in an isolated frame, so that its styles do not leak out and no code in it can run."""
        page = page_template("shown.html.j2").render(
            finding=finding_view(self.finding), css=template_text("report.css")
        )
        return f'<iframe srcdoc="{escape(page)}" sandbox="" style="width: 100%; height: 26em; border: 0"></iframe>'


def in_notebook() -> bool:
    """Return True if this code runs in a Jupyter kernel.

    The presence of `ipykernel` is not enough, because other programs import it too.
    """
    shell = sys.modules.get("IPython")
    return "ipykernel" in sys.modules and shell is not None and shell.get_ipython() is not None
