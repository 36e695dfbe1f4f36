"""Everything that extensions need, in one place: registries, options, contracts and their records, errors.

    from mutatis.extending import SEARCHES, Proposal, SearchOptions, Source, derivations

Names that users of the library need too (`Case`, `Turn`, `relation`, `transformation`, ...) are available both here and
in `mutatis`. `docs/extending.md` shows each kind of extension; `mutatis.testing` checks it.
"""

from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.constraint import Constraint, Evidence, Precondition, Stage
from mutatis.core.decision import Decision, Outcome
from mutatis.core.edits import EditRates
from mutatis.core.errors import (
    AccessDenied,
    MissingExtra,
    MutatisError,
    Retryable,
    SystemFailure,
    UnusableFollowUp,
    UsageError,
)
from mutatis.core.measure import Comparison, Judge, Measure, Similarity
from mutatis.core.parameters import Count, Share, Within
from mutatis.core.relation import RELATIONS, Group, Grouping, MetamorphicRelation, Observation, OutputRelation
from mutatis.core.search import Measured, Measurements, Proposal, Reading, Search, Source
from mutatis.core.system import Annotator, Conversation, Finish, Helper, Message, Response, System
from mutatis.core.task import TASKS, Task, Unparsable
from mutatis.core.transformation import TRANSFORMATIONS, Transformation, as_a_whole, derive, generator, transformation
from mutatis.core.verdict import Verdict
from mutatis.datasets import DATASETS, DataFile, DataOptions, Record, read_lines, read_rows
from mutatis.measures import MEASURES, measure
from mutatis.options import Options
from mutatis.recipes import RECIPES, Recipe
from mutatis.relations import relation
from mutatis.relations.output import OUTPUT_RELATIONS
from mutatis.search import SEARCHES, SearchOptions, derivations
from mutatis.systems import SYSTEMS
from mutatis.tasks import register_task
from mutatis.text.spans import restore_spans
from mutatis.transformations.pieces import picks

__all__ = [
    "DATASETS",
    "MEASURES",
    "OUTPUT_RELATIONS",
    "RECIPES",
    "RELATIONS",
    "SEARCHES",
    "SYSTEMS",
    "TASKS",
    "TRANSFORMATIONS",
    "AccessDenied",
    "Annotator",
    "Case",
    "Comparison",
    "Constraint",
    "Conversation",
    "Count",
    "DataFile",
    "DataOptions",
    "Decision",
    "Derivation",
    "EditRates",
    "Evidence",
    "Finish",
    "Group",
    "Grouping",
    "Helper",
    "Judge",
    "Measure",
    "Measured",
    "Measurements",
    "Message",
    "MetamorphicRelation",
    "MissingExtra",
    "MutatisError",
    "Observation",
    "Options",
    "Outcome",
    "OutputRelation",
    "Precondition",
    "Proposal",
    "Reading",
    "Recipe",
    "Record",
    "Response",
    "Retryable",
    "Search",
    "SearchOptions",
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
    "as_a_whole",
    "derivations",
    "derive",
    "generator",
    "measure",
    "picks",
    "read_lines",
    "read_rows",
    "register_task",
    "relation",
    "restore_spans",
    "transformation",
]
