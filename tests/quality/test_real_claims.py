"""The share of findings that a row calls real is the share that is: on a bot whose every pair is known."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from studies.repertoire import campaign, real


def test_what_a_row_claims_to_be_real_is_true_within_ten_points(tmp_path):
    campaign.main(["library", "--messages", "16", "--relations", "upper-case,polite-words", "--out", str(tmp_path)])
    told = {row.relation: row for row in real.rows(tmp_path)}
    assert told["upper-case"].findings == 16  # the planted fault: whoever shouts is not understood
    assert told["upper-case"].share == 1.0
    assert [row.relation for row in told.values() if row.findings >= real.FEW and abs(row.off) > 0.1] == []
