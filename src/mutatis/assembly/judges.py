"""Builds the judges of a run: one measure for each kind of answer, and the measures that relations require."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from mutatis import measures
from mutatis.campaign.judging import Judges
from mutatis.config import Config
from mutatis.core.errors import MissingExtra, UsageError
from mutatis.core.languages import is_english, knows, language_name
from mutatis.core.measure import Judge, Says
from mutatis.core.search import Source, kinds, relations_of
from mutatis.core.system import Helper
from mutatis.core.task import TASKS
from mutatis.measures.by_folder import KnownLanguages
from mutatis.measures.helper import CRITERIA, Cascade, HelperMeasure
from mutatis.measures.simple import embedded
from mutatis.recipes import RECIPES
from mutatis.relations.opposite import OppositeMeasure
from mutatis.text.by_folder import reads

BY_KIND = {"label": "label", "number": "number", "set": "set", "state": "state", "calls": "tool-calls", "data": "json"}
"""The measure for each kind of answer other than free text."""

CERTAIN: dict[Says, float] = {"same": 1.0, "different": 1.0}
"""Precision of judgements on labels, numbers, sets and states, which are compared exactly.

A measure that sets its own precision keeps it.
"""


_OF_OTHER_MEASURES = ("embeddings", "ask", "most", "equal", "different", "undecided")
"""Keys of `[judge]` that have no effect if a helper judges every pair."""


def reads_verbatim(config: Config, stand_in: Judge | None) -> bool:
    """Return True if the judge reads every reply verbatim, whatever the task. `stand_in` replaces `[judge]`."""
    if stand_in is not None:
        return stand_in.verbatim
    return config.judge.measure is not None and measures.MEASURES[config.judge.measure].verbatim


def build_judges(
    config: Config, sources: Sequence[Source], helper: Helper | None, stand_in: Judge | None, notes: list[str]
) -> Judges:
    """Return the judges of a run. `stand_in`, if given, judges free text in place of `[judge]`.

    A relation is judged by its own measure if it names one, else by its task's measure, else by the measure for the
    kind of answer. A measure that reads replies verbatim judges every kind, because it needs no parsed answer.
    """
    languages_of_tasks = {(kind.example.task, kind.example.case.language) for kind in kinds(sources)}
    tasks = {task for task, _ in languages_of_tasks}
    answers = {TASKS[task].kind for task in tasks}
    by_measure = _of_relations(sources, helper)
    if reads_verbatim(config, stand_in):
        judge = stand_in or of_text(config, helper, notes)
        return Judges(by_kind=dict.fromkeys(answers, judge), by_measure=by_measure)
    is_chosen = stand_in is not None or config.judge.measure is not None
    by_task = {} if is_chosen else _of_tasks(config, tasks, helper, notes)
    by_kind: dict[str, Judge] = {kind: _of_kind(kind) for kind in answers & BY_KIND.keys()}
    if any(TASKS[task].kind == "text" for task in tasks - by_task.keys()):
        by_kind["text"] = stand_in or of_text(config, helper, notes)
    elif "text" not in answers and (unused := _text_judge_named(config, stand_in)):
        notes.append(f"judge: {unused} is for free-text answers, and these tasks have none")
    notes += _language_notes(languages_of_tasks, by_task, by_kind)
    judges = Judges(by_kind=by_kind, by_measure=by_measure, by_task=by_task)
    asks_for_repeats = "repertoire" in config.judge.model_fields_set and config.judge.repertoire
    if asks_for_repeats and not judges.go_by_repertoires:
        notes.append("judge: [judge] repertoire has no effect: it belongs to the measure repertoire")
    return judges


def _of_kind(kind: str) -> Judge:
    """Return the judge of labels, numbers or other answers that are not free text."""
    judge = measures.judge(BY_KIND[kind])
    return judge if judge.precision else replace(judge, precision=CERTAIN)


def _text_judge_named(config: Config, stand_in: Judge | None) -> str:
    """Return a name for the judge of free text that the user chose, or "" if the user chose none."""
    if config.judge.measure is not None:
        return measures.MEASURES.resolve(config.judge.measure)
    if stand_in is not None:
        return "the judge given"
    keys = config.judge.model_fields_set - {"draws"}  # which serves answers of every kind
    return f"[judge] {', '.join(sorted(keys))}" if keys else ""


def _language_notes(
    languages_of_tasks: Set[tuple[str, str]], by_task: Mapping[str, Judge], by_kind: Mapping[str, Judge]
) -> list[str]:
    """Return notes on measures that support some languages only partly (word lists without a model) or not at all."""
    foreign: dict[str, set[str]] = {}
    read_by_words: dict[str, set[str]] = {}
    for task, language in languages_of_tasks:
        measure = by_task[task].measure if task in by_task else by_kind[TASKS[task].kind].measure
        if not isinstance(measure, KnownLanguages) or is_english(language):
            continue
        # The models of these measures are English; answers in a language with word lists are read by words.
        if reads(language):
            read_by_words.setdefault(measure.name, set()).add(language_name(language))
        elif not knows(measure.languages, language):
            foreign.setdefault(measure.name, set()).add(language_name(language))
    return [
        f"judge: {name} reads {_listed(languages, 'and')} by words and values: its model supports only English"
        for name, languages in sorted(read_by_words.items())
    ] + [
        f"judge: {name} does not support {_listed(languages, 'or')}: it compares texts, numbers, JSON and the "
        "language of answers, and leaves other wordings open; [judge] ask = [0.3, 0.7] and a [helper] also decide these"
        for name, languages in sorted(foreign.items())
    ]


def _listed(names: Set[str], last: str) -> str:
    """Return the names in sorted order as a list in words, with the conjunction `last` before the final name."""
    *others, end = sorted(names)
    return f"{', '.join(others)} {last} {end}" if others else end


def _of_tasks(config: Config, tasks: Set[str], helper: Helper | None, notes: list[str]) -> dict[str, Judge]:
    """Return the judges of the tasks that name their own measure. Tasks with the same measure share a judge."""
    named = {TASKS[task].measure for task in tasks} - {""}
    made = {name: of_text(config, helper, notes, default=name) for name in sorted(named)}
    return {task: made[TASKS[task].measure] for task in sorted(tasks) if TASKS[task].measure}


def of_text(config: Config, helper: Helper | None, notes: list[str], *, default: str = "") -> Judge:
    """Return the judge of free text: an offline measure, a helper, or a measure that asks the helper in unclear cases.

    `default` is used if `[judge]` does not name a measure. An empty `default` selects the best measure that is
    installed.

    Raises:
        UsageError: `[judge]` names an unknown measure, contradicts itself, or needs a helper that is missing.
    """
    section = config.judge
    name = section.measure or default or measures.default_text_measure()
    if section.measure is None and name.endswith("lexical"):  # for want of an embedding model
        notes.append(f"judge: {name} ({MissingExtra('the embedding judge answer-equivalence', 'semantic')})")
    if measures.MEASURES[name].verbatim and section.ask is not None:
        raise UsageError(
            f"[judge] measure = {name!r} never asks a language model whether two answers are the same; leave out ask"
        )
    helper_alone = measures.MEASURES.resolve(name) == HelperMeasure.name
    if not helper_alone and section.ask is None:
        if section.criteria is not None or section.most is not None:
            raise UsageError(
                '[judge] criteria and most only apply if a helper judges; add ask = [0.3, 0.7] or measure = "helper"'
            )
        return _offline(config, name)
    if helper is None:
        raise UsageError(f"[judge] {'measure' if helper_alone else 'ask'} needs a language model; add [helper]")
    asked = HelperMeasure(helper, criteria=CRITERIA if section.criteria is None else config.path(section.criteria))
    if helper_alone:
        if unused := [key for key in _OF_OTHER_MEASURES if getattr(section, key) is not None]:
            raise UsageError(
                f'[judge] measure = "helper" asks about every pair and gives no scores; leave out {", ".join(unused)}'
                ", or choose a different measure"
            )
        return Judge(measure=asked)
    assert section.ask is not None, "a measure that never asks has returned"
    low, high = section.ask
    if not 0 <= low <= high <= 1:
        raise UsageError(f"[judge] ask = [{low}, {high}]; expected [low, high] with 0 <= low <= high <= 1")
    offline = _offline(config, name)
    cascade = Cascade(offline.measure, asked, low=low, high=high, most=section.most)
    # The rates of the offline measure were measured without a helper, so none is known here.
    return replace(offline, measure=cascade, precision={}, false_alarm=None, unsound=1.0)


def _offline(config: Config, name: str) -> Judge:
    """Return the judge of free text by a measure that asks nobody."""
    section = config.judge
    _check_published(config, name)
    judge = measures.judge(name, section.equal, section.different, section.undecided)
    if section.embeddings is None:
        return judge
    # Precision was measured with the shipped model and is unknown for any other.
    measure = embedded(name, config.path(section.embeddings))
    return replace(judge, measure=measure, precision={}, false_alarm=None, unsound=1.0)


def _check_published(config: Config, name: str) -> None:
    """Raise UsageError if the judge of a recipe needs a model that was not given.

    A different model would not reproduce the published results.
    """
    for recipe in (RECIPES[chosen] for chosen in config.recipe):
        of_recipe = recipe.settings.get("judge", {}).get("measure")
        if recipe.embeddings and name == of_recipe and config.judge.embeddings is None:
            raise UsageError(
                f"recipe {recipe.name!r} judges with the embeddings of {recipe.embeddings}, which no package provides; "
                'give the folder of this model: [judge] embeddings = "FOLDER" (or --set judge.embeddings=FOLDER)'
            )


def _of_relations(sources: Sequence[Source], helper: Helper | None) -> dict[str, Judge]:
    named = {relation.measure for relation in relations_of(sources).values() if relation.measure is not None}
    chosen = {name: measures.judge(name) for name in named - {OppositeMeasure.name}}
    if OppositeMeasure.name in named and helper is not None:
        chosen[OppositeMeasure.name] = Judge(measure=OppositeMeasure(helper))
    return chosen
