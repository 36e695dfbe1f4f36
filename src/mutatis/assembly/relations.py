"""Chooses the relations for each task and adapts them to the configuration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from mutatis.config import Config
from mutatis.context import ContextCheck
from mutatis.context.cues import pipeline
from mutatis.core.cases import Step
from mutatis.core.errors import MissingExtra, UsageError, install_command, nearest, unknown_name
from mutatis.core.extras import is_installed
from mutatis.core.gathering import gathered
from mutatis.core.languages import EVERY
from mutatis.core.relation import CHANGES, RELATIONS, MetamorphicRelation
from mutatis.core.removed import REMOVED_RELATIONS
from mutatis.core.task import TASKS
from mutatis.core.transformation import NO_CHANGE, TRANSFORMATIONS
from mutatis.recipes import RECIPES
from mutatis.relations.metal import BY_WORDNET
from mutatis.relations.mortar import CHECK
from mutatis.relations.output import OUTPUT_RELATIONS
from mutatis.relations.soundness import DEFAULT, LEFT_OUT, PURPOSES, default_languages
from mutatis.transformations import wordnet


@dataclass(slots=True, kw_only=True)
class Chooser:
    """Chooses the relations of a run and adapts them to its configuration.

    `named` collects the relations that were selected by name or passed in as objects; it is an error if one of these
    fits no task. Default sets leave out relations with a tag in `lacking`, because the data contain nothing to test
    them on. A relation that people have checked only in certain languages is included if the data contain one of these
    (see `languages`).
    """

    config: Config
    has_helper: bool
    notes: list[str]
    lacking: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    named: set[str] = field(default_factory=set)
    _check: ContextCheck = field(init=False)

    def __post_init__(self) -> None:
        # One check for the run, as what it finds out about a source serves every relation.
        self._check = ContextCheck(**self.config.context.model_dump(exclude_none=True))
        if self.config.context.semantic_check == "papers" and pipeline() is None:
            self.notes.append(
                "semantic check: coreferee or its English models are not installed, so any pronoun of the third person "
                "counts as unresolved (pip install 'mutatis[coreference]'; docs/context.md names the models)"
            )

    def choose(
        self, selectors: Sequence[str | MetamorphicRelation], tasks: Iterable[str]
    ) -> dict[str, tuple[MetamorphicRelation, ...]]:
        """Return the relations that fit each task, selected by name, published id or tag, or passed in as objects.

        `DEFAULT` stands for all default sets. If a relation needs a helper but none is configured, it is skipped with a
        note, unless it was selected by name: then an error is raised.

        Raises:
            UsageError: a name is unknown, a relation selected by name needs a helper, or no relation fits a task.
        """
        by_task: dict[str, dict[str, MetamorphicRelation]] = {task: {} for task in tasks}
        left_out = _left_out(self.config.without)
        sets = default_sets()
        selectors = [name for each in selectors for name in (sets if each == DEFAULT else [each])]
        by_default = all(name in selectors for name in sets)  # the user did not choose among the sets
        for selector in selectors:
            # Only a default set leaves out or limits relations; one that is selected otherwise is used as it is.
            by_purpose = isinstance(selector, str) and selector.removeprefix("tag:") in PURPOSES
            for relation in self._selected(selector, by_task):
                if relation.name in left_out or relation.change in left_out:
                    continue
                for task in _fitting(relation, by_task, handed_over=not isinstance(selector, str)):
                    chosen = self._as_in_set(relation, task, by_default=by_default) if by_purpose else relation
                    if chosen is not None:
                        by_task[task][relation.name] = self._adapted(chosen)
        for task, relations in by_task.items():
            if selectors and not relations:
                names = ", ".join(s if isinstance(s, str) else s.name for s in selectors)
                what = f"task {task!r} has no default relations" if by_default else ""
                what = what or f"none of the relations {names} fits task {task!r}"
                why = f" ({'; '.join(self.notes)})" if self.notes else ""
                raise UsageError(f"{what}{why}; {_fitting_examples(task)}")
        return {task: tuple(relations.values()) for task, relations in by_task.items()}

    def _as_in_set(self, relation: MetamorphicRelation, task: str, *, by_default: bool) -> MetamorphicRelation | None:
        """Return a relation as the set of its purpose uses it on a task, or None if the set leaves it out there.

        A relation that people have checked only in certain languages is limited to these. A run with the default
        sets leaves out further relations of some tasks.
        """
        like = task if task in relation.tasks else TASKS[task].like
        if by_default and relation.name in LEFT_OUT.get(like, ()):
            return None
        checked_in = default_languages(relation.name, like)
        if checked_in == EVERY:
            return relation
        fits_data = relation.limits.languages == EVERY and not self.languages.isdisjoint(checked_in)
        return relation.but(languages=checked_in) if fits_data else None

    def _selected(self, selector: str | MetamorphicRelation, tasks: Iterable[str]) -> list[MetamorphicRelation]:
        """Return the relations with the tag that a selector names, or else the one relation that it names or is.

        A note is added if that relation fits none of the tasks.
        """
        if isinstance(selector, str) and selector.startswith("tag:"):
            return self._tagged(selector.removeprefix("tag:"), tasks)
        relation = _relation(selector)
        fits = bool(_fitting(relation, tasks, handed_over=not isinstance(selector, str)))
        if fits and relation.needs_helper and not self.has_helper:
            raise UsageError(f"relation {relation.name!r} needs a language model; add [helper]")
        if fits and (extra := _missing(relation)):
            raise MissingExtra(f"relation {relation.name!r}", extra)
        if fits:
            self.named.add(relation.name)
        else:
            self.notes.append(
                f"relation {relation.name} does not fit task {', '.join(tasks)} (it fits {', '.join(relation.tasks)})"
            )
        return [relation]

    def _tagged(self, tag: str, tasks: Iterable[str]) -> list[MetamorphicRelation]:
        """Return the relations with a tag that fit any of the tasks. A note names each one that cannot be used."""
        tagged = [RELATIONS[name] for name in RELATIONS if tag in RELATIONS[name].tags]
        if not tagged:
            raise _unknown_tag(tag)
        tagged = self._by_wordnet(tag, tagged)
        left_out = self.lacking - {tag}  # a tag selected by name is not left out for want of data
        fitting = [
            relation
            for relation in tagged
            if any(_fits(relation, task) for task in tasks) and left_out.isdisjoint(relation.tags)
        ]
        skipped = [relation.name for relation in fitting if relation.needs_helper and not self.has_helper]
        if skipped:
            self.notes.append(f"left out, because they need [helper]: {', '.join(skipped)}")
        for extra, needing in gathered(fitting, _missing).items():
            if extra:
                names = [relation.name for relation in needing]
                self.notes.append(f"left out, because they need {install_command(extra)}: {', '.join(names)}")
                skipped += names
        return [relation for relation in fitting if relation.name not in skipped]

    def _by_wordnet(self, tag: str, tagged: list[MetamorphicRelation]) -> list[MetamorphicRelation]:
        """Return METAL's relations and add a note. If WordNet is installed, they use METAL's own synonyms."""
        lexicon, by_wordnet = BY_WORDNET.get(tag, ("", ""))
        if not lexicon:
            return tagged
        if not wordnet.wordnet_is_installed():
            self.notes.append(
                f"{lexicon}: synonyms from our lexicon, because WordNet is not installed (pip install 'mutatis[nlp]' "
                f"and WordNet's files); {by_wordnet} is METAL's own"
            )
            return tagged
        self.notes.append(f"{by_wordnet} replaces {lexicon}: WordNet is installed")
        return [RELATIONS[by_wordnet] if relation.name == lexicon else relation for relation in tagged]

    def _adapted(self, relation: MetamorphicRelation) -> MetamorphicRelation:
        """Return a relation with the settings of the run, such as its context check and the texts to protect."""
        config = self.config
        if relation.matching.annotator is CHECK:
            relation = relation.but(annotator=self._check)
        # Reference-based testing needs the annotated answers: compared with the system's own, it would always hold.
        if config.reference is not None and relation.reference == "annotated" and "reference" not in relation.tags:
            relation = relation.but(reference=config.reference)
        for recipe in config.recipe:
            if holds := RECIPES[recipe].holds.get(relation.output_relation.name):
                relation = relation.but(output_relation=OUTPUT_RELATIONS[holds])
        if config.turns != "all":
            relation = relation.but(turns=config.turns)
        if config.protect != "nothing":
            steps = tuple(_protecting(step, config.protect) for step in relation.transformations)
            relation = replace(relation, transformations=steps)
        return relation


def _left_out(names: Sequence[str]) -> frozenset[str]:
    """Return the kinds of change and the relations that the configuration leaves out.

    Raises:
        UsageError: a name is neither a kind of change nor a relation.
    """
    for name in names:
        if name in REMOVED_RELATIONS:
            RELATIONS.resolve(name)  # raises the error with its successor
        if name not in CHANGES and name not in RELATIONS:
            raise unknown_name("kind of change or relation in `without`:", name, [*CHANGES, *RELATIONS])
    return frozenset(name if name in CHANGES else RELATIONS[name].name for name in names)


def default_sets() -> list[str]:
    """Return the default sets of relations, for a run that selects no relations."""
    return [f"tag:{purpose}" for purpose in PURPOSES]


def _unknown_tag(tag: str) -> UsageError:
    tags = _tags()
    near = nearest(tag, tags)
    hint = f"did you mean 'tag:{near[0]}'?" if near else f"{len(tags)} tags: {', '.join(tags[:12])}, ..."
    return UsageError(f"no relation has the tag {tag!r}; {hint}")


def _fitting_examples(task: str) -> str:
    """Return a hint for when none of the chosen relations fits a task: the set of the task, or some relations."""
    fitting = [name for name in RELATIONS if task in RELATIONS[name].tasks and name != NO_CHANGE]
    if not fitting:
        return "see 'mutatis list relations'"
    own_set = f"'tag:{task}', or " if task in _tags() else ""
    return f"choose {own_set}some of {', '.join(fitting[:3])}, ...: 'mutatis list relations --task {task}'"


def _tags() -> list[str]:
    return sorted({tag for name in RELATIONS for tag in RELATIONS[name].tags})


def _relation(selector: str | MetamorphicRelation) -> MetamorphicRelation:
    """Return the relation with this name or published id, or the relation object itself."""
    if isinstance(selector, MetamorphicRelation):
        return selector
    if not isinstance(selector, str):
        raise UsageError(
            f"relations contains {selector!r}; expected names, published ids, tag:NAME or relation objects"
        )
    try:
        return RELATIONS[selector]
    except UsageError as error:
        sets = {DEFAULT: DEFAULT, **{tag: f"tag:{tag}" for tag in _tags()}}
        near = nearest(selector, [*sets, *RELATIONS], 2)
        if selector in REMOVED_RELATIONS or sets.keys().isdisjoint(near):
            raise
        names = [repr(sets.get(name, name)) for name in sorted(near, key=sets.__contains__)]  # relations first
        raise UsageError(f"unknown relation {selector!r}; did you mean {' or '.join(names)}?") from error


def _fitting(relation: MetamorphicRelation, tasks: Iterable[str], *, handed_over: bool) -> list[str]:
    """Return the tasks that a relation fits. A relation object that fits none of these tasks is accepted for all."""
    fitting = [task for task in tasks if not relation.tasks or _fits(relation, task)]
    return fitting or (list(tasks) if handed_over else [])


def _fits(relation: MetamorphicRelation, task: str) -> bool:
    """Return True if a relation supports the task, or the built-in task that a user's task is modelled on."""
    return task in relation.tasks or (task in TASKS and TASKS[task].like in relation.tasks)


def _missing(relation: MetamorphicRelation) -> str:
    """Return the first optional dependency that a relation needs and that is not installed, or ""."""
    needed = [TRANSFORMATIONS[step.transformation].extra for step in relation.transformations]
    return next((extra for extra in needed if not is_installed(extra)), "")


def _protecting(step: Step, kind: str) -> Step:
    if any(parameter.name == "protect" for parameter in TRANSFORMATIONS[step.transformation].parameters):
        return replace(step, parameters={**step.parameters, "protect": kind})
    return step
