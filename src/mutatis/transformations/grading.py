"""Edits of what a grader is shown: two answers to an instruction, and what is said of them.

Must not know relations, tasks or systems.
"""

from __future__ import annotations

from dataclasses import replace

from mutatis.core.cases import Turn
from mutatis.core.languages import EVERY
from mutatis.core.transformation import transformation
from mutatis.transformations.known import needed


@transformation(
    "swap-answers", level="turn", capability="fair grading", says="the two answers exchanged", languages=EVERY
)
def swap_answers(turn: Turn) -> Turn:
    """Show the two answers in the other order.

    >>> turn = Turn(fields={"instruction": "Name a colour.", "answer_a": "Red.", "answer_b": "Three."})
    >>> swap_answers(turn).fields["answer_a"]
    'Three.'
    """
    first, second = needed(turn, "answer_a", "answer_b")
    return replace(turn, fields={**turn.fields, "answer_a": second, "answer_b": first})
