"""Reads any file in CANARD's form (a JSON list of records, also .xz) as dialogues for the context check."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections import defaultdict
from pathlib import Path
from typing import Any

from mutatis.context.knowledge import Dialogue
from mutatis.core.errors import UsageError

HELD_OUT_SHARE = 0.20
NO_ANSWER = (None, "CANNOTANSWER")
"""What stands in a history where there is no answer; it says nothing, so it must not count as a word."""


FIELDS = ("QuAC_dialog_id", "Question_no", "Question", "History")


def read_records(path: Path) -> list[dict[str, Any]]:
    """Read the records of a .json or .json.xz file; raise UsageError where it is not in CANARD's form."""
    try:
        raw = path.read_bytes()
        records = json.loads(lzma.decompress(raw) if path.suffix == ".xz" else raw)
    except (OSError, lzma.LZMAError, ValueError) as error:
        raise UsageError(
            f"cannot read {path.name} as JSON: {error}; expected .json or .json.xz in CANARD's form"
        ) from error
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise UsageError(f"{path.name} is not in CANARD's form: a list of records was expected")
    for place, record in enumerate(records):
        lacking = [name for name in FIELDS if name not in record]
        if lacking:
            raise UsageError(
                f"record {place} of {path.name} lacks {', '.join(lacking)}; expected CANARD's {', '.join(FIELDS)}"
            )
    return records


def held_out(dialogue: str) -> bool:
    """Whether a dialogue is left out of fitting: a fixed hash of its id, so the split never depends on the file."""
    digest = hashlib.sha256(f"mutatis/context/{dialogue}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64 < HELD_OUT_SHARE


def _answers(records: list[dict[str, Any]]) -> list[str]:
    """Return the answer of each question: what follows it in the longest history that holds it.

    Positions are not trusted: questions may be missing from the records, and answers from the history. An empty text
    stands where the history ends, or where the next entry is itself a question of the records.
    """
    histories = sorted((record["History"] or [] for record in records), key=len, reverse=True)
    longest = histories[0] if histories else []
    questions = {record["Question"] for record in records}
    answers, place = [], 2
    for record in records:
        answer = ""
        spot = next((at for at in range(place, len(longest)) if longest[at] == record["Question"]), None)
        if spot is not None:
            following = longest[spot + 1] if spot + 1 < len(longest) else ""
            if following not in questions:
                answer, place = following, spot + 2
            else:
                place = spot + 1
        answers.append("" if answer in NO_ANSWER else str(answer))
    return answers


def dialogues(records: list[dict[str, Any]], *, material: str = "title", opening: str = "question") -> list[Dialogue]:
    """Group records into dialogues, in the order of the file; `opening="rewrite"` puts the first rewrite first."""
    grouped: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in records:
        grouped[record["QuAC_dialog_id"]].append(record)
    result = []
    for name, rows in grouped.items():
        rows.sort(key=lambda row: row["Question_no"])
        head = [*(rows[0]["History"] or []), "", ""] if material == "title" else ["", ""]
        questions = [str(row["Question"] or "") for row in rows]
        rewrites = [str(row.get("Rewrite") or "") for row in rows]
        answers = _answers(rows)
        if opening == "rewrite" and rewrites[0]:
            questions[0] = rewrites[0]
        result.append(
            Dialogue(
                id=name,
                questions=tuple(questions),
                answers=tuple(answers),
                rewrites=tuple(rewrites),
                title=str(head[0] or ""),
                section=str(head[1] or ""),
            )
        )
    return result
