"""Reads the questions and rewrites of MT-RAG as dialogues of the context check, one list per domain.

MT-RAG (Katsis et al. 2025) gives, of each domain, `DOMAIN_questions` (all questions of the user up to a turn) and
`DOMAIN_rewrite` (that turn for itself, written by a language model). The agent's answers are not part of these files.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path

from mutatis.context.cues import cues
from mutatis.context.extractors import from_rewrites
from mutatis.context.knowledge import Dialogue
from mutatis.core.errors import UsageError

DOMAINS = ("clapnq", "cloud", "fiqa", "govt")
_USER = "|user|:"
_MARK = "<::>"


def _lines(path: Path) -> list[tuple[str, int, str]]:
    """Return dialogue, turn (from 1) and text of every line; raise UsageError where the file is not MT-RAG's."""
    try:
        records = [json.loads(line) for line in lzma.decompress(path.read_bytes()).decode("utf-8").splitlines()]
        return [(*_place(record["_id"]), record["text"]) for record in records]
    except (OSError, lzma.LZMAError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"cannot read {path.name} as MT-RAG: {error!r}; expected JSON lines with _id and text in .jsonl.xz"
        ) from error


def _place(name: str) -> tuple[str, int]:
    dialogue, _, turn = name.partition(_MARK)
    return dialogue, int(turn)


def dialogues(folder: Path, domain: str) -> list[Dialogue]:
    """Return the dialogues of a domain in the order of its file; a turn without a rewrite has an empty one."""
    asked: dict[str, list[str]] = {}
    for name, _, text in _lines(folder / f"{domain}_questions.jsonl.xz"):
        questions = [question.strip() for question in text.split(_USER)[1:]]
        if len(questions) > len(asked.get(name, ())):
            asked[name] = questions
    rewritten = {
        (name, turn): text.replace(_USER, "").strip()
        for name, turn, text in _lines(folder / f"{domain}_rewrite.jsonl.xz")
    }
    return [
        Dialogue(
            id=f"{domain}/{name}",
            questions=tuple(questions),
            answers=("",) * len(questions),
            rewrites=tuple(rewritten.get((name, turn), "") for turn in range(1, len(questions) + 1)),
        )
        for name, questions in asked.items()
    ]


def counted(dialogue: Dialogue) -> tuple[bool, ...]:
    """Return which turns have a gold worth counting.

    Left out: a turn without a rewrite, one whose rewrite still needs a context itself ("What is the value?" for
    "Value?" does not, "Does he have an infinity gem?" does), and one that needs a name from an answer, which is not
    part of the data, so that nobody can say whether it is there.
    """
    gold = from_rewrites(dialogue)
    rows = zip(dialogue.rewrites, gold.wanted, gold.needed(), strict=True)
    return tuple(
        bool(rewrite) and not _dependent(rewrite) and all(need in offered for need in wanted if need.name)
        for rewrite, wanted, offered in rows
    )


def _dependent(rewrite: str) -> bool:
    seen = cues(rewrite)
    if seen.outside or seen.demonstrative or seen.pointed or seen.about or seen.words < 3:
        return True
    return "in this context" in rewrite.lower()
