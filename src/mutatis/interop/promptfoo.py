"""promptfoo: generates its tests, provides an assertion that judges them, and reads its `results.json`.

    tests:
      - path: file://mutatis_tests.py:generate_tests
        config: { config: mutatis.toml }

The file `mutatis_tests.py` contains `from mutatis.interop.promptfoo import generate_tests`. After `promptfoo eval -o
results.json`, the command `python -m mutatis.interop.promptfoo results.json --config mutatis.toml` judges all answers
together, as `mutatis run` does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mutatis.core.calls import text_or_json
from mutatis.core.errors import MutatisError, SystemFailure, UsageError, check_known
from mutatis.core.gathering import gathered

if TYPE_CHECKING:  # promptfoo starts a process for each assertion, most of which need no more of ours
    from mutatis.core.system import Response
    from mutatis.interop.hosted import HostedRun
    from mutatis.reading import Record

NAME, VARIABLE = "mutatis", "message"
"""Metadata key for a question's name, and the prompt variable that holds its text."""

ASSERTION = "judge_promptfoo.py"
OPTIONS = ("config", "variable", "assertion")
LATER = (
    "judged when all answers to its source and follow-ups are available; "
    "`python -m mutatis.interop.promptfoo results.json` judges without waiting"
)
"""The reason shown for an answer while related answers are pending. Some never come if the provider fails."""

SYSTEM_ERROR = 2
"""Value of `failureReason` if the provider failed. For a failed assertion, it is 1."""

FOLDER = "mutatis-promptfoo-"
"""Prefix of the names of the folders that hold assertions."""

WEEK = 7 * 24 * 3600
"""Age in seconds after which an unused folder is removed. Until then, `promptfoo retry` may need it."""


def generate_tests(config: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """Return promptfoo tests, one for each question of a configuration, with sources before their follow-ups.

    Args:
        config: may contain `config`, the Mutatis configuration (by default mutatis.toml), and `variable`, the name of
            the prompt variable that receives the question (by default `message`). `assertion = false` omits the
            assertion.

    Raises:
        UsageError: `config` has an unknown key, or the data contains dialogues.
    """
    from mutatis.interop.hosted import SETTINGS, HostedCampaign

    options = dict(config or {})
    check_known("key of the generator's config:", options, OPTIONS)
    settings = str(Path(options.get("config", SETTINGS)).absolute())
    questions = HostedCampaign(settings=settings).questions
    of_source = gathered(questions, lambda question: question.source)
    folder = _assertion_folder() if options.get("assertion", True) else None
    tests = []
    for question in questions:
        test: dict[str, Any] = {
            "description": question.source if question.is_source else f"{question.source} in other words",
            "vars": {options.get("variable", VARIABLE): as_literal(question.text)},
            "metadata": {NAME: question.name, "source": question.source},
        }
        if folder is not None:
            names = [related.name for related in of_source[question.source]]
            judged: dict[str, Any] = {"settings": settings, "folder": folder, "name": question.name}
            judged |= {"source": question.source, "all": names}
            test["assert"] = [{"type": "python", "value": f"file://{folder}/{ASSERTION}:get_assert", "config": judged}]
        tests.append(test)
    return tests


def _assertion_folder() -> str:
    """Create a folder for the answers, with the assertion in a file of its own.

    promptfoo adds the assertion's folder to the front of Python's path. The file is therefore not placed in this
    module's folder, where some modules share their names with other packages. promptfoo does not announce the end of an
    evaluation, so the folders of earlier evaluations are removed when a new one begins.
    """
    folder = Path(tempfile.mkdtemp(prefix=FOLDER))
    now = folder.stat().st_mtime
    for earlier in folder.parent.glob(f"{FOLDER}*"):
        if now - _last_written(earlier, now) > WEEK:
            shutil.rmtree(earlier, ignore_errors=True)
    (folder / ASSERTION).write_text("from mutatis.interop.promptfoo import get_assert\n", encoding="utf-8")
    return str(folder)


def _last_written(folder: Path, now: float) -> float:
    """Return the time of the last write to a folder or an answer in it, or `now` if it cannot be determined."""
    try:
        return max(path.stat().st_mtime for path in (folder, *folder.iterdir()))
    except OSError:  # somebody else's, or gone meanwhile
        return now


def as_literal(text: str) -> str:
    """Escape text for promptfoo's templates, so that data is never read as a template or file name.

    promptfoo renders variables and reads values that begin with file:// from disk.

    >>> as_literal("Who?"), as_literal("{{ 7 * 7 }}")
    ('Who?', '{{ "{" + "{" + " 7 * 7 }}" }}')
    """
    if "{" not in text and "://" not in text and ":" not in text.partition(" ")[0]:
        return text
    # By hand: a template's text knows these escapes, and not all of JSON's.
    written = text
    for character, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        written = written.replace(character, escape)
    return '{{ "' + written.replace("{", '{" + "') + '" }}'


def get_assert(output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    """Judge the answers to a source and its follow-ups once all have arrived. Until then, every answer passes.

    promptfoo runs this function in a separate process for each answer and in any order, so the answers of an evaluation
    are kept in a folder. Only one source is judged at a time. A judge that compares the replies to all questions
    therefore has less evidence here than when it judges `results.json`.
    """
    judged = context["config"]  # as made by `generate_tests`
    label, folder = _system_of(context)
    folder.mkdir(parents=True, exist_ok=True)
    _keep(folder / judged["name"], text_or_json(output))
    if not all((folder / name).is_file() for name in judged["all"]):
        return _passed(LATER)
    try:  # of several processes that have all answers, the one that creates this file judges
        (folder / f"{judged['all'][0]}.judged").touch(exist_ok=False)
    except FileExistsError:
        return _passed("judged with another answer of its source")
    from mutatis.core.system import Response
    from mutatis.interop.hosted import HostedCampaign

    answers = {name: Response(text=(folder / name).read_text(encoding="utf-8")) for name in judged["all"]}
    campaign = HostedCampaign(settings=judged["settings"])
    result = campaign.judge(answers, label, judged["source"]).results.get(judged["source"])
    if result is None or result.consistency is None:
        return _passed("nothing could be judged")
    return {"pass": not result.findings, "score": result.consistency, "reason": result.explanation}


def _passed(reason: str) -> dict[str, Any]:
    return {"pass": True, "score": 1.0, "reason": reason}


def _system_of(context: Mapping[str, Any]) -> tuple[str, Path]:
    """Return the label of a tested system, and the folder of its answers. Each prompt counts as a system."""
    label = _label(context.get("provider") or {})
    # promptfoo may leave out the prompt's index.
    prompt = hashlib.sha256(json.dumps([label, context.get("promptIdx", "")]).encode()).hexdigest()[:16]
    return label, Path(context["config"]["folder"]) / prompt


def _label(provider: Mapping[str, Any]) -> str:
    return str(provider.get("label") or provider.get("id") or "promptfoo")


def _keep(path: Path, text: str) -> None:
    """Write text atomically. promptfoo runs assertions in parallel, so no reader may see a partly written answer."""
    number, part = tempfile.mkstemp(dir=path.parent, prefix="part-")
    os.close(number)
    Path(part).write_text(text, encoding="utf-8")
    Path(part).replace(path)


def judge_results(
    path: Path | str,
    config: Mapping[str, Any] | Path | str = "mutatis.toml",
    *,
    label: str = "",
    out: Path | str | None = None,
) -> dict[str, HostedRun]:
    """Judge the answers in a file written by `promptfoo eval -o results.json`, and return the runs by system label.

    Each combination of provider and prompt is a system. If a question was asked several times, its first answer is
    used.

    Args:
        path: the file with the results.
        config: the configuration that the tests were generated from.
        label: name of a single system in finding ids; by default the provider's label.
        out: folder for Mutatis' own report. If there are several systems, each has a folder in it.

    Raises:
        UsageError: promptfoo did not write the file, the file contains no tests from `generate_tests`, or the prompt
            did not contain the questions.
    """
    from mutatis.interop.hosted import HostedCampaign

    campaign = HostedCampaign(settings=config)
    systems = _answers(Path(path), {question.name: question.text for question in campaign.questions})
    if label and len(systems) > 1:
        raise UsageError(f"{path}: contains {len(systems)} systems ({', '.join(systems)}), but label names only one")
    runs: dict[str, HostedRun] = {}
    for number, (name, answers) in enumerate(systems.items()):
        folder = Path(out, str(number)) if out is not None and len(systems) > 1 else out
        hosted = HostedCampaign(settings=config, out=folder)
        runs[label or name] = hosted.judge(answers, label or name)
    return runs


def _answers(path: Path, texts: Mapping[str, str]) -> dict[str, dict[str, Response | SystemFailure]]:
    """Return the answers of each system by question name. Prompts must contain the text of their questions."""
    from mutatis.reading import Record

    records = [Record.of(f"{path}: result {number}", result) for number, result in enumerate(_results_in(path), 1)]
    several = len({record.get("promptIdx", int, 0) for record in records}) > 1
    systems: dict[str, dict[str, Response | SystemFailure]] = {}
    for record in records:
        name = Record.of(record.where, record.get("testCase", dict, {})).get("metadata", dict, {}).get(NAME)
        if name is None:
            continue
        if str(name) in texts:
            _check_prompt(record, texts[str(name)], path)
        label = _label(record.get("provider", dict, {}))
        system = f"{label}, prompt {record.get('promptIdx', int, 0) + 1}" if several else label
        systems.setdefault(system, {}).setdefault(str(name), _answer(record))
    if not systems:
        raise UsageError(f"{path}: none of its {len(records)} results belongs to a test from generate_tests")
    return systems


def _results_in(path: Path) -> list[Any]:
    from mutatis.reading import read_json

    data = read_json(path)
    results = data.get("results") if isinstance(data, dict) else None
    results = results.get("results") if isinstance(results, dict) else None
    if not isinstance(results, list):
        raise UsageError(
            f"{path}: the file contains no results of promptfoo; expected a file written by `promptfoo eval -o "
            f"{path.name}`"
        )
    return results


def _check_prompt(record: Record, question: str, path: Path) -> None:
    """Raise UsageError if the prompt of a result does not contain its question."""
    prompt = str(record.get("prompt", dict, {}).get("raw", ""))
    # The prompt may hold the question as it is, or as JSON written by Python or JavaScript.
    spellings = (question, json.dumps(question)[1:-1], json.dumps(question, ensure_ascii=False)[1:-1])
    if not any(spelling in prompt for spelling in spellings):
        raise UsageError(
            f"{path}: the prompt {prompt!r:.80} does not contain the question {question!r:.80}; each prompt "
            f"needs the variable of the tests, {{{{{VARIABLE}}}}}"
        )


def _answer(record: Record) -> Response | SystemFailure:
    from mutatis.core.system import Response

    response = record.get("response", dict, {})
    if record.data.get("failureReason") == SYSTEM_ERROR or response.get("error") or response.get("output") is None:
        return SystemFailure(str(response.get("error") or record.data.get("error") or "promptfoo recorded no output"))
    return Response(text=text_or_json(response["output"]))


def judge_from_command(arguments: Sequence[str] | None = None) -> int:
    """Judge a file of results, and print a table for each system with its findings."""
    parser = argparse.ArgumentParser(prog="python -m mutatis.interop.promptfoo", description=judge_from_command.__doc__)
    parser.add_argument("results", help="what `promptfoo eval -o results.json` wrote")
    parser.add_argument("--config", default="mutatis.toml", help="the configuration of the tests")
    parser.add_argument("--label", default="", help="the system's name in finding ids")
    parser.add_argument("--out", help="folder for a report")
    options = parser.parse_args(arguments)
    try:
        runs = judge_results(options.results, options.config, label=options.label, out=options.out)
    except MutatisError as error:
        print(error)
        return 2
    for label, hosted in runs.items():
        explanations = [result.explanation for result in hosted.results.values() if result.findings]
        print(label, hosted.run.table(), *explanations, sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(judge_from_command())
