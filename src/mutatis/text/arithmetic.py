"""Evaluates formulas of plain arithmetic exactly: "2*(3+4)/7".

Numbers are fractions, so nothing is rounded. No part of a formula is run as code.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

_ALLOWED = re.compile(r"[\d.+\-*/() ]{1,200}")
_WORKED = re.compile(r"<<([^<>=]{1,200})=([^<>=]{1,40})>>")
_OPERATIONS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class NoFormula(ValueError):
    """Raised if a text is not a formula of numbers, + - * / and brackets, or if it divides by zero."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """An arithmetic formula as a tree. Its numbers are identified by their position in the text."""

    tree: ast.expr
    numbers: tuple[Fraction, ...]

    @classmethod
    def parse(cls, text: str) -> Formula:
        """Parse a formula.

        Raises:
            NoFormula: the text contains anything but numbers, the four operations and brackets.
        """
        if not _ALLOWED.fullmatch(text) or "**" in text or "//" in text:
            raise NoFormula(text)
        bare = re.sub(r"(?<![\d.])0+(?=\d)", "", text).strip()  # Python rejects leading zeros: 007
        try:
            tree = ast.parse(bare, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise NoFormula(text) from None
        leaves = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        leaves.sort(key=lambda node: node.col_offset)
        numbers = []
        for place, node in enumerate(leaves):
            # The text of the number, because Python's 0.1 is not exactly a tenth.
            numbers.append(Fraction(ast.get_source_segment(bare, node) or ""))
            node.value = place  # its number among the leaves: `value` looks it up
        return cls(tree=tree, numbers=tuple(numbers))

    def value(self, numbers: Sequence[Fraction] | None = None) -> Fraction:
        """Return the value of the formula, optionally with its numbers replaced by others.

        Raises:
            NoFormula: the formula divides by zero, or contains an unknown operation.

        >>> Formula.parse("16-3-4").value(), Formula.parse("1/4+0.25").value()
        (Fraction(9, 1), Fraction(1, 2))
        """
        return self._evaluate(self.tree, self.numbers if numbers is None else numbers)

    def commutes(self) -> bool:
        """Return True if the formula only adds or only multiplies, so that the order of its numbers does not matter.

        >>> Formula.parse("2+3+4").commutes(), Formula.parse("2*3").commutes(), Formula.parse("2*3+4").commutes()
        (True, True, False)
        """
        kinds = {type(node.op) for node in ast.walk(self.tree) if isinstance(node, ast.BinOp)}
        return kinds <= {ast.Add} or kinds <= {ast.Mult}

    def _evaluate(self, node: ast.expr, numbers: Sequence[Fraction]) -> Fraction:
        if isinstance(node, ast.Constant):
            return numbers[int(node.value)]  # type: ignore[arg-type]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            inner = self._evaluate(node.operand, numbers)
            return -inner if isinstance(node.op, ast.USub) else inner
        if isinstance(node, ast.BinOp) and (operation := _OPERATIONS.get(type(node.op))) is not None:
            try:
                return operation(self._evaluate(node.left, numbers), self._evaluate(node.right, numbers))
            except ZeroDivisionError:
                raise NoFormula("division by nought") from None
        raise NoFormula(ast.dump(node))


def worked_steps(solution: str) -> list[tuple[Formula, Fraction]]:
    r"""Return the formulas in a worked solution, each with its result. As in GSM8K, they are marked "<<16-3-4=9>>".

    Raises:
        NoFormula: a line lacks a formula, a formula is not plain arithmetic, or its stated result is wrong.

    >>> [str(result) for _, result in worked_steps("She has 16-3 = <<16-3=13>>13 left.\n#### 13")]
    ['13']
    """
    pairs = []
    for line in solution.splitlines():
        if not line.strip() or line.startswith("####"):
            continue
        steps = _WORKED.findall(line)
        if not steps:
            raise NoFormula(f"no formula in {line!r}")
        for text, stated_result in steps:
            formula = Formula.parse(text.strip())
            try:
                result = Fraction(stated_result.strip())
            except (ValueError, ZeroDivisionError):
                raise NoFormula(stated_result) from None
            if formula.value() != result:
                raise NoFormula(f"{text} is not {stated_result}")
            pairs.append((formula, result))
    if not pairs:
        raise NoFormula("no formula")
    return pairs
