"""What systems are asked to do: a prompt and an answer parser per task.

Each built-in task is one file in `prompts/`; importing this package registers them in `TASKS`. Must not know where
cases come from, which system answers or what is done with the answers.
"""

from mutatis.core.task import TASKS, Task, Unparsable
from mutatis.tasks.definition import adopt_task, load_task, register_task, with_prompt
from mutatis.tasks.parsers import NO_RELATION, PARSERS, UNKNOWN, Verbatim

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
