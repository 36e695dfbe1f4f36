"""Writes `repertoire.jsonl`: the replies used to judge each block of sources, with one line per question.

The file grows as blocks are judged. It is read again to judge other answers with the same replies.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple

from mutatis.campaign.verdict_file import UnfinishedFile
from mutatis.core.errors import UsageError
from mutatis.core.gathering import gathered
from mutatis.core.measure import QuestionReplies, Repertoire, ReplyBlock, WordedReply
from mutatis.records.files import writing_to
from mutatis.records.jsontext import dump

REPERTOIRE_FILE = "repertoire.jsonl"

_LISTS = ("siblings", "repeats", "others")
"""The lists of replies to one question that a line of the file has beside the reply to the question itself."""


class QuestionKey(NamedTuple):
    """The key of a question in a run: system, task, source id and source turn."""

    system: str
    task: str
    source: str
    turn: int


class BlockReplies:
    """The replies in one block of sources. The replies of each system to each task are judged separately."""

    def __init__(self, replies: Mapping[QuestionKey, QuestionReplies]) -> None:
        self.replies = replies
        self._blocks: dict[tuple[str, str], ReplyBlock] = {}
        self._places: dict[QuestionKey, int] = {}
        for who, questions in gathered(replies, lambda key: (key.system, key.task)).items():
            self._blocks[who] = ReplyBlock(questions=tuple(replies[key] for key in questions))
            self._places |= {key: place for place, key in enumerate(questions)}

    def of(self, key: QuestionKey) -> Repertoire | None:
        """Return the replies for judging a question: its own and those to other questions.

        Return None if it has no reply.
        """
        place = self._places.get(key)
        return None if place is None else Repertoire(block=self._blocks[key.system, key.task], place=place)


NOTHING = BlockReplies({})


class RepertoireFile(UnfinishedFile):
    """The replies of a run, stored on disk in blocks of sources. Only one number per block stays in memory.

    Args:
        folder: the folder for `repertoire.jsonl`; None keeps the lines in a temporary file.
    """

    def __init__(self, folder: Path | None) -> None:
        super().__init__(folder, REPERTOIRE_FILE)
        self._offsets: list[int] = []

    @property
    def blocks(self) -> int:
        """The number of blocks of sources whose replies have been written so far."""
        return len(self._offsets)

    def write(self, block: BlockReplies) -> None:
        """Append the replies in the next block of sources to the file."""
        with writing_to(self.path):
            lines = self.open()
            lines.seek(0, 2)
            self._offsets.append(lines.tell())
            number = len(self._offsets) - 1
            lines.writelines(record_line(number, key, replies) for key, replies in block.replies.items())

    def read(self, number: int) -> BlockReplies:
        """Return the stored replies of the block with this number, or an empty block if it has not been stored."""
        lines = self.lines
        if lines is None or number >= len(self._offsets):
            return NOTHING
        end = self._offsets[number + 1] if number + 1 < len(self._offsets) else None
        lines.seek(self._offsets[number])
        text = lines.read() if end is None else lines.read(end - self._offsets[number])
        return BlockReplies(dict(map(parsed, text.splitlines())))


def record_line(block: int, key: QuestionKey, replies: QuestionReplies) -> bytes:
    """Return the replies to one question as a line of JSON, in bytes."""
    record: dict[str, Any] = {
        **{"block": block, **key._asdict()},
        "reply": replies.source,
        **{name: getattr(replies, name) for name in _LISTS},
    }
    return dump(record).encode("utf-8") + b"\n"


def parsed(text: bytes | str) -> tuple[QuestionKey, QuestionReplies]:
    """Return the question and the replies parsed from a line of the file."""
    record = json.loads(text)
    key = QuestionKey(record["system"], record["task"], record["source"], record["turn"])
    source = None if record["reply"] is None else WordedReply(*record["reply"])
    return key, QuestionReplies(source=source, **{name: tuple(starmap(WordedReply, record[name])) for name in _LISTS})


def recorded_repertoire(folder: Path, key: QuestionKey, messages: Collection[str]) -> Repertoire | None:
    """Return the replies that a finished run used to judge these wordings of a question, or None.

    If the question is in several blocks, the first one that contains any of the wordings is used.

    Raises:
        UsageError: a line of the file is malformed.
    """
    of_question = {block: replies for block, asked, replies in _recorded(folder) if asked == key}
    if not of_question:
        return None
    chosen = min([block for block, replies in of_question.items() if _has_any(replies, messages)] or of_question)
    return BlockReplies({asked: replies for block, asked, replies in _recorded(folder) if block == chosen}).of(key)


def _has_any(replies: QuestionReplies, messages: Collection[str]) -> bool:
    """Return True if any of these wordings of a question got one of its replies."""
    return any(reply.message in messages for reply in (*replies.siblings, *replies.repeats, *replies.others))


def _recorded(folder: Path) -> Iterator[tuple[int, QuestionKey, QuestionReplies]]:
    """Yield the block number, question and replies from each line of a finished run's file, if there is one."""
    file = folder / REPERTOIRE_FILE
    if not file.is_file():
        return
    with file.open("rb") as lines:
        for number, text in enumerate(lines, 1):
            try:
                yield (int(json.loads(text)["block"]), *parsed(text))
            except (ValueError, TypeError, LookupError, RecursionError):
                raise UsageError(
                    f"{file}, line {number}: expected a question and its replies, as a run writes them; repeat the run "
                    "with --offline to write the file again"
                ) from None
