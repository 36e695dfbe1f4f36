"""Everything that extensions need, in one place: registries, options, interfaces, records and errors.

    from mutatis.extending import SEARCHES, Proposal, SearchOptions, Source, derivations

Names that users of the library also need (`Case`, `Turn`, `relation`, `transformation`, ...) are available here and in
`mutatis`. `docs/extending.md` shows each kind of extension, and `mutatis.testing` checks them.
"""

from mutatis.analysis.intervals import violation_rate
from mutatis.campaign.events import Collector, Event
from mutatis.core.cases import NEW, Case, Derivation, Step, Turn
from mutatis.core.constraint import Constraint, Evidence, Precondition, Stage
from mutatis.core.decision import Decision, Outcome
from mutatis.core.errors import (
    AccessDenied,
    MissingExtra,
    MutatisError,
    Retryable,
    SystemFailure,
    UnusableFollowUp,
    UsageError,
    check_word,
    unknown_name,
)
from mutatis.core.extras import require
from mutatis.core.languages import knows
from mutatis.core.measure import Comparison, Judge, Measure, Similarity
from mutatis.core.parameters import Count, Parameter, Share, Within
from mutatis.core.parsing import json_of
from mutatis.core.relation import RELATIONS, Group, Grouping, MetamorphicRelation, Observation, OutputRelation
from mutatis.core.removed import names_removed as _names_removed
from mutatis.core.search import FEATURES, Measured, Measurements, Proposal, Rates, Reading, Search, Source
from mutatis.core.system import Annotator, Conversation, Finish, Helper, Message, Response, System
from mutatis.core.task import TASKS, Task, Unparsable
from mutatis.core.transformation import (
    AS_IT_IS,
    KEEP_ROUNDS,
    NO_CHANGE,
    TRANSFORMATIONS,
    Transformation,
    as_a_whole,
    derive,
    generator,
    transformation,
)
from mutatis.core.verdict import Part, Verdict
from mutatis.datasets import DATASETS, DataFile, DataOptions, Record, read_lines, read_rows
from mutatis.measures import MEASURES, measure
from mutatis.measures.answer import as_text
from mutatis.opening import FileName, ModelName, Opens, OutputName
from mutatis.options import Options
from mutatis.reading import find, read_json, shown
from mutatis.recipes import RECIPES, Recipe
from mutatis.relations import relation
from mutatis.relations.output import OUTPUT_RELATIONS
from mutatis.relations.preconditions import ANNOTATED
from mutatis.search import SEARCHES, Brought, SearchOptions, Setting, derivations
from mutatis.systems import SYSTEMS
from mutatis.systems.builtin import BUILT_IN, BuiltIn
from mutatis.systems.transformers import Loaded, load_pretrained
from mutatis.tasks import PARSERS, register_task
from mutatis.tasks.parsers import answer_text, quoted
from mutatis.text.normalisation import fold
from mutatis.text.refusals import is_refusal
from mutatis.text.spans import changes, restore_spans
from mutatis.text.values import vocabulary
from mutatis.transformations.pieces import picks
from mutatis.transformations.wordnet import wordnet_is_installed

__getattr__ = _names_removed(__name__)

__all__ = [
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
