"""The tasks that a system can be tested on, each with a prompt and a parser for the answers.

Each built-in task is one file in `prompts/`. Importing this package registers the tasks in `TASKS`.
"""

from mutatis.core.task import TASKS, Task, Unparsable
from mutatis.tasks.definition import PARSERS, adopt_task, load_task, register_task, with_prompt
from mutatis.tasks.parsers import NO_RELATION, UNKNOWN, Verbatim

__all__ = [
    "NO_RELATION",
    "PARSERS",
    "TASKS",
    "UNKNOWN",
    "Task",
    "Unparsable",
    "Verbatim",
    "adopt_task",
    "load_task",
    "register_task",
    "with_prompt",
]
