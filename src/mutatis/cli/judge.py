"""`mutatis judge`: scores a file of answer pairs with any measure, and compares the scores with people's labels.

The measure `refusal` scores single replies. Input is read, judged and written in chunks, so that a file of a million
lines needs little memory.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import IO, Any, TypeVar

from rich.console import Console

from mutatis.analysis.agreement import agreement_in
from mutatis.assembly.judges import of_text
from mutatis.assembly.systems import Mode, helper_of
from mutatis.campaign.judging import compare_pairs
from mutatis.config import Config, JudgeSection, check, read_toml
from mutatis.core.calls import ToolCall, read_tools
from mutatis.core.errors import SystemFailure, UsageError
from mutatis.core.languages import UNKNOWN, is_english, language_code, language_name
from mutatis.core.measure import Comparison, Judge, Measure, Similarity
from mutatis.core.system import close_all
from mutatis.measures import MEASURES
from mutatis.measures.answer import as_text
from mutatis.measures.helper import Cascade
from mutatis.measures.refusal import REFUSAL, stance_in, stance_text, why_open
from mutatis.query import Spending, Store
from mutatis.query.helper import SystemHelper
from mutatis.reading import Record, json_lines
from mutatis.records.runs import HOME, STORE_FILE
from mutatis.reports.numbers import counted
from mutatis.reports.terminal import error_console
from mutatis.text.languages import commonest, language
from mutatis.text.refusals import Kind

SAMPLE, LEAST_SHARE = 200, 2 / 3
"""Number of pairs used to detect the language of a file, and the share that must be in that language."""

CHUNK = 4096
"""Number of lines judged at a time. Each distinct text in a chunk is embedded only once, in batches."""

PAIR = '{"question"?: text, "reference": text or list, "answer": text, "label"?: true or false, "language"?: "de"}'
CALL_PAIR = (
    '{"question"?: text, "tools"?: [tools], "reference": [calls], "answer": [calls], "label"?: true or false}, a call '
    'being {"name": text, "arguments": object}'
)
REPLY = '{"question"?: text, "answer": text, "label"?: true (refuses), false or "partly"}'
"""The expected format of a line, shown in error messages."""

_SAME: Mapping[str, bool] = {
    **dict.fromkeys(("same", "true", "yes", "1", "equivalent", "correct"), True),
    **dict.fromkeys(("different", "false", "no", "0", "incorrect"), False),
}
_REFUSES: Mapping[str, Kind] = {
    **dict.fromkeys(("refuses", "refusal", "full refusal", "true", "yes", "1"), "refuses"),
    **dict.fromkeys(("answers", "answer", "compliance", "full compliance", "false", "no", "0"), "answers"),
    **dict.fromkeys(("partly", "partial", "partial refusal"), "partly"),
}
"""Accepted labels and their meanings, including the labels of XSTest ("2_full_refusal")."""

L = TypeVar("L")


@dataclass(slots=True)
class AgreementTally:
    """Counts of judged pairs, and of their agreement with people's labels.

    `undecided` counts the pairs whose `same` is null. `labelled` includes those whose score lies between the thresholds
    or in the undecided band, by their score alone, but none that the measure left open.
    `labelled` counts pairs as (judged different, labelled different). `language` is assumed for pairs that do not state
    one.
    """

    pairs: int = 0
    undecided: int = 0
    language: str = ""
    labelled: Counter[tuple[bool, bool]] = field(default_factory=Counter)


def _records(path: Path, expected: str) -> Iterator[Record]:
    """Yield the records in a file, one per line.

    Raises:
        UsageError: a line is not a JSON object, or the file is empty.
    """
    number = 0
    for number, data in json_lines(path):
        yield Record.of(f"{path}: line {number}", data)
    if not number:
        raise UsageError(f"{path}: the file has no lines; expected JSON lines such as {expected}")


def _label(record: Record, meanings: Mapping[str, L], expected: str) -> L | None:
    """Return the value of the label in a line, or None if it has no label."""
    value = record.data.get("label")
    if value is None:
        return None
    word = re.sub(r"^\d_", "", str(value).strip().lower()).replace("_", " ")
    if word not in meanings:
        raise record.error("label", expected)
    return meanings[word]


def _answer(record: Record, name: str) -> Any:
    value = record.data.get(name)
    if not isinstance(value, str | int | float | list) or value == []:
        raise record.error(name, "text, a number, or a list that is not empty")
    return value


def pair_of(record: Record) -> Comparison:
    """Return the comparison described by a line.

    The reference is an annotated answer or, with `"directed": false`, the output of a system.

    Raises:
        UsageError: a field is missing or malformed.
    """
    reference, language = _answer(record, "reference"), record.get("language", str, "")
    return Comparison(
        reference=tuple(reference) if isinstance(reference, list) else (reference,),
        answer=_answer(record, "answer"),
        question=record.get("question", str, ""),
        directed=record.get("directed", bool, True),
        language=language and language_code(language, record.where),
    )


def call_pair_of(record: Record) -> Comparison:
    """Return the comparison of tool calls described by a line, for the measure `tool-calls`.

    Raises:
        UsageError: a field is missing or malformed.
    """
    try:
        tools = read_tools(record.get("tools", list, []))
    except UsageError as error:
        raise UsageError(f"{record.where}: field 'tools': {error}") from None
    return Comparison(
        reference=(_calls(record, "reference"),),
        answer=_calls(record, "answer"),
        question=record.get("question", str, ""),
        tools=tools,
    )


def _calls(record: Record, name: str) -> list[dict[str, Any]]:
    """Return the tool calls in a field. Raise UsageError for a malformed call."""
    calls = []
    for entry in record.need(name, list):
        if not isinstance(entry, dict):
            raise record.error(name, "a list of calls, objects with a name")
        try:
            call = ToolCall.from_record(entry)
        except UsageError as error:
            raise UsageError(f"{record.where}: field {name!r}: {error}") from None
        if call.malformed:
            raise record.error(name, f"a JSON object as arguments of {call.name}")
        calls.append({"name": call.name, "arguments": dict(call.arguments)})
    return calls


def _with_language(pair: Comparison, usual: str) -> Comparison:
    """Return the pair with its language: the stated one, else the one detected in question or answer, else `usual`.

    The reference is ignored, because it may list a name in many languages.
    """
    if pair.language:
        return pair
    default = usual or "en"
    detected = language(str(pair.question), default) or language(str(pair.answer), default)
    return replace(pair, language=detected or usual)


def _usual_language(comparisons: Sequence[Comparison]) -> str:
    """Return the language of most pairs, `UNKNOWN` for a mixture, or "" if none can be detected.

    Pairs without a language count as English.
    """
    texts = ("\n".join(map(str, (pair.question, *pair.reference, pair.answer))) for pair in comparisons[:SAMPLE])
    code, share = commonest(texts)
    return code if not code or share >= LEAST_SHARE else UNKNOWN


def _write(file: IO[str], similarity: Similarity, judging: Judge) -> tuple[bool, bool]:
    """Write the result for one pair, and return two flags: the answers count as the same, and that is undecided."""
    score = similarity.score
    same = score >= judging.equal
    between_thresholds = judging.different <= score < judging.equal
    undecided = similarity.open or judging.is_undecided(score) or between_thresholds
    _write_line(file, {"score": round(score, 6), "same": None if undecided else same, "reason": similarity.reason})
    return same, undecided


def _write_line(file: IO[str], result: Mapping[str, object]) -> None:
    """Write a result as one line of ASCII JSON. A reason may contain a lone surrogate, which UTF-8 cannot encode."""
    file.write(json.dumps(result) + "\n")


async def judge_file(pairs: Path, judging: Judge, file: IO[str]) -> AgreementTally:
    """Judge all lines of a file in order, write one line of JSON for each, and return the counts.

    The language of most pairs is detected in the first chunk.

    Raises:
        UsageError: a line is malformed. The results of earlier chunks have been written by then.
    """
    tally = AgreementTally()
    has_calls = judging.measure.name == "tool-calls"
    read, expected_line = (call_pair_of, CALL_PAIR) if has_calls else (pair_of, PAIR)
    expected_label = "true or false ('same' or 'different')"
    rows = ((read(record), _label(record, _SAME, expected_label)) for record in _records(pairs, expected_line))
    while chunk := list(islice(rows, CHUNK)):
        comparisons = [comparison for comparison, _ in chunk]
        if not tally.pairs:
            tally.language = _usual_language(comparisons)
        similarities = await compare_pairs(judging, [_with_language(pair, tally.language) for pair in comparisons])
        for (_, label), similarity in zip(chunk, similarities, strict=True):
            if similarity.error is not None:
                raise SystemFailure(similarity.error)
            same, undecided = _write(file, similarity, judging)
            tally.pairs += 1
            tally.undecided += undecided
            if label is not None and not similarity.open:
                tally.labelled[not same, not label] += 1
    return tally


def judge_command(pairs: Path, measure: str, output: Path | None, config: Path | None = None) -> None:
    """Judge a file as `mutatis judge` does, and write the results to `output` or print them."""
    if not pairs.is_file():
        expected = {"refusal": REPLY, "tool-calls": CALL_PAIR}.get(measure, PAIR)
        raise UsageError(f"no such file: {pairs}; expected JSON lines such as {expected}")
    if output is not None and not output.parent.is_dir():
        raise UsageError(f"cannot write {output}: no such folder: {output.parent}")
    if output is not None and output.is_dir():
        raise UsageError(f"cannot write {output}: it is a folder; name a file in it")
    tables = read_toml(config) if config is not None else {}
    if measure:
        tables["judge"] = {**tables.get("judge", {}), "measure": measure}
    folder = Path() if config is None else config.parent
    settings = check(tables, folder, objects=("systems", "data"))
    if _reads_one_reply(settings.judge):
        _judge_refusals(pairs, output)
    else:
        asyncio.run(_judge(pairs, settings, output))


def _reads_one_reply(section: JudgeSection) -> bool:
    """Return True if the measure is `refusal`, which needs no reference answers.

    Raises:
        UsageError: the measure is `refusal`, but options for pairs of answers are also set.
    """
    if section.measure is None or MEASURES.resolve(section.measure) != REFUSAL:
        return False
    unfit = sorted(section.model_fields_set - {"measure"})
    if unfit:
        raise UsageError(
            f"[judge] {unfit[0]} only applies to pairs of answers; a file judged by 'refusal' contains single replies"
        )
    return True


def _judge_refusals(replies: Path, output: Path | None) -> None:
    """Write for each reply whether it refuses, answers or refuses in part, and show the agreement with the labels."""
    tally, partly_refused, partly_labels, undecided = AgreementTally(), 0, 0, 0
    with output.open("w", encoding="utf-8") if output is not None else nullcontext(sys.stdout) as file:
        for record in _records(replies, REPLY):
            reply, question = as_text(_answer(record, "answer")), record.get("question", str, "")
            label = _label(record, _REFUSES, "true (refuses), false (answers) or 'partly'")
            kind = _write_stance(file, reply, question)
            tally.pairs += 1
            partly_refused += kind == "partly"
            undecided += kind is None
            partly_labels += label == "partly"
            if kind is not None and label in ("refuses", "answers"):  # agreement is on whether a reply refuses or not
                tally.labelled[kind == "refuses", label == "refuses"] += 1
    console = error_console()
    undecided_text = f", {undecided} undecided" if undecided else ""
    console.print(f"refusal: {counted(tally.pairs, 'line')}, {partly_refused} refused in part{undecided_text}")
    _print_agreement(console, tally, "refuses")
    if partly_labels:
        console.print(f"left out: {counted(partly_labels, 'label')} of a refusal in part")


def _write_stance(file: IO[str], reply: str, question: str) -> Kind | None:
    """Write the stance of a reply to the file and return it.

    It is None if the reply cannot be assessed, because it is empty or in an unsupported language.
    """
    stance = stance_in(reply, question)
    if why := why_open(reply, stance):
        _write_line(file, {"refuses": None, "partly": None, "score": 0.5, "reason": why})
        return None
    refuses, partly = stance.kind == "refuses", stance.kind == "partly"
    _write_line(file, {"refuses": refuses, "partly": partly, "score": stance.score, "reason": stance_text(stance)})
    return stance.kind


async def _judge(pairs: Path, config: Config, output: Path | None) -> None:
    with Store(HOME / STORE_FILE if config.helper is not None else None) as store:
        helper = helper_of(config, Mode(store=store, spending=Spending(config.max_queries)))
        try:
            judging = of_text(config, helper, [])
            with output.open("w", encoding="utf-8") if output is not None else nullcontext(sys.stdout) as file:
                tally = await judge_file(pairs, judging, file)
            _summarise(judging.measure, tally, helper)
        finally:
            if helper is not None:
                await close_all([helper.layer.system])


def _summarise(measure: Measure, tally: AgreementTally, helper: SystemHelper | None) -> None:
    console = error_console()
    console.print(f"{measure.name}: {counted(tally.pairs, 'pair')}, {tally.undecided} undecided")
    if not is_english(tally.language):
        console.print(
            f"language of most pairs: {language_name(tally.language)}, recognised from the first lines; "
            'a line may override it: "language": "en"'
        )
    if isinstance(measure, Cascade) and helper is not None:
        share = measure.asked / max(tally.pairs, 1)
        console.print(
            f"asked about {counted(measure.asked, 'pair')} ({share:.0%}), of them {helper.layer.counts.paid} paid now"
        )
    _print_agreement(console, tally, "different")


def _print_agreement(console: Console, tally: AgreementTally, label: str) -> None:
    """Print kappa, and the precision and recall for the label "different" or "refuses"."""
    if tally.labelled:
        labels = agreement_in(tally.labelled)
        kappa = 1.0 if labels.kappa is None else labels.kappa
        precision, recall = ("-" if share is None else f"{share:.3f}" for share in (labels.precision, labels.recall))
        console.print(
            f"against {counted(labels.items, 'label')}: kappa {kappa:.3f}, "
            f'precision of "{label}" {precision}, recall of "{label}" {recall}'
        )
