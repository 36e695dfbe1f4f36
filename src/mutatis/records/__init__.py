"""Typed records of a run: the report and its files."""

from mutatis.records.asked import CaseRecord, ResponseRecord
from mutatis.records.files import Findings, read_report, read_verdicts, write_report
from mutatis.records.report import FindingRecord, FollowUpRecord, HealthRecord, Report, SummaryRow, VerdictRecord

__all__ = [
    "CaseRecord",
    "FindingRecord",
    "Findings",
    "FollowUpRecord",
    "HealthRecord",
    "Report",
    "ResponseRecord",
    "SummaryRow",
    "VerdictRecord",
    "read_report",
    "read_verdicts",
    "write_report",
]
