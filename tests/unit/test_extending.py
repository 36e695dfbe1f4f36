"""The one module that extensions import from: exactly these names, sorted, each with a docstring."""

from __future__ import annotations

import inspect

import mutatis
from mutatis import extending
from mutatis.core.registry import Registry

NAMES = [
    "ANNOTATED",
    "AS_IT_IS",
    "BUILT_IN",
    "DATASETS",
    "FEATURES",
    "KEEP_ROUNDS",
    "MEASURES",
    "NEW",
    "NO_CHANGE",
    "OUTPUT_RELATIONS",
    "PARSERS",
    "RECIPES",
    "RELATIONS",
    "SEARCHES",
    "SYSTEMS",
    "TASKS",
    "TRANSFORMATIONS",
    "AccessDenied",
    "Annotator",
    "Brought",
    "BuiltIn",
    "Case",
    "Collector",
    "Comparison",
    "Constraint",
    "Conversation",
    "Count",
    "DataFile",
    "DataOptions",
    "Decision",
    "Derivation",
    "Event",
    "Evidence",
    "FileName",
    "Finish",
    "Group",
    "Grouping",
    "Helper",
    "Judge",
    "Loaded",
    "Measure",
    "Measured",
    "Measurements",
    "Message",
    "MetamorphicRelation",
    "MissingExtra",
    "ModelName",
    "MutatisError",
    "Observation",
    "Opens",
    "Options",
    "Outcome",
    "OutputName",
    "OutputRelation",
    "Parameter",
    "Part",
    "Precondition",
    "Proposal",
    "Rates",
    "Reading",
    "Recipe",
    "Record",
    "Response",
    "Retryable",
    "Search",
    "SearchOptions",
    "Setting",
    "Share",
    "Similarity",
    "Source",
    "Stage",
    "Step",
    "System",
    "SystemFailure",
    "Task",
    "Transformation",
    "Turn",
    "Unparsable",
    "UnusableFollowUp",
    "UsageError",
    "Verdict",
    "Within",
    "answer_text",
    "as_a_whole",
    "as_text",
    "changes",
    "check_word",
    "derivations",
    "derive",
    "find",
    "fold",
    "generator",
    "is_refusal",
    "json_of",
    "knows",
    "load_pretrained",
    "measure",
    "picks",
    "quoted",
    "read_json",
    "read_lines",
    "read_rows",
    "register_task",
    "relation",
    "require",
    "restore_spans",
    "shown",
    "transformation",
    "unknown_name",
    "violation_rate",
    "vocabulary",
    "wordnet_is_installed",
]
"""Written down here a second time: a name that comes or goes is a decision."""


def test_the_names_are_these_registries_then_classes_then_functions() -> None:
    kinds = {name: (0 if name.isupper() else 1 if name[0].isupper() else 2, name) for name in extending.__all__}
    assert extending.__all__ == sorted(extending.__all__, key=lambda name: kinds[name]) == NAMES


def test_nothing_else_is_public() -> None:
    assert sorted(name for name in vars(extending) if not name.startswith("_")) == sorted(NAMES)


def test_what_both_modules_have_is_the_same() -> None:
    both = set(NAMES) & set(mutatis.__all__)
    assert len(both) > 10
    assert all(getattr(mutatis, name) is getattr(extending, name) for name in both)


def test_classes_and_functions_have_docstrings_and_registries_are_full() -> None:
    for name in NAMES:
        public = getattr(extending, name)
        if isinstance(public, Registry | dict):
            assert len(public), name
        elif inspect.isclass(public) or inspect.isfunction(public):
            assert (inspect.getdoc(public) or "").strip(), name
