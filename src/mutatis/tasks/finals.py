"""Extracts the final answer from free-form reasoning: the solution of a word problem, or the chosen option."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from mutatis.core.cases import Case
from mutatis.core.system import Response
from mutatis.core.task import Unparsable
from mutatis.tasks.parsers import LONGEST, answer_text, quoted, unwrapped, values_under
from mutatis.text.normalisation import fold
from mutatis.text.options import options_of
from mutatis.text.refusals import is_refusal
from mutatis.text.values import numbers

_NUMBER = r"[-\u2212]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|[-\u2212]?\.\d+"
"""Matches a number, with a sign, with commas between thousands, or without a digit before the point."""

_FRACTION = rf"(?:{_NUMBER})(?: ?/ ?\d{{1,9}}(?![\d/]|\.\d))?"
"""Matches a number or a fraction such as 3/4, but not the beginning of a date such as 3/4/2025."""

_ANY = re.compile(rf"(?<![\w./])(?:{_FRACTION})(?![\d]|\.\d)")
"""Matches a number or fraction that is not part of a word, a path or a longer number."""

_SIGN = r"[$\u20ac\u00a3]?"
_FORMULA = rf"(?:(?:{_NUMBER})(?:\s?[-+*/x\u00d7\u00f7]\s?{_SIGN}(?:{_NUMBER}))*\s?=\s?{_SIGN})?"
"""Matches the formula in front of the result, if a solution ends with its last step: "6/2 = "."""

_BEFORE = r"[\s*_:=$\u20ac\u00a3\\({\[\"'~]*(?:about |exactly |equal to |is |: )?[\s*$\u20ac\u00a3\\({\[]*"
"""Matches marks and words between "the answer is" and the number."""

_SAID = (
    re.compile(rf"####\s*[$\u20ac\u00a3]?\s*({_NUMBER})"),
    re.compile(
        r"(?i)\b(?:the |my )?(?:final |correct )?(?:answer|result|total|solution)(?: is| would be|:|=)"
        rf"{_BEFORE}{_FORMULA}({_FRACTION})"
    ),
)
"""Patterns of the number that a text states as its result: after "####", or after words such as "the answer is"."""

_KEYS = ("answer", "result", "final_answer", "choice", "option", "solution", "value", "label")

_BOXED = re.compile(r"\\boxed\{((?:[^{}]|\{(?:[^{}]|\{[^{}]{0,40}\}){0,80}\}){1,200})\}")
"""Matches a LaTeX box, whose content may have two levels of nested braces."""

_LATEX_FRACTION = re.compile(r"\\[dt]?frac\{([^{}]{1,20})\}\{([^{}]{1,20})\}")
_MIXED = re.compile(r"(?<![\d.,/])([-\u2212]?)(\d{1,9}) ([0-9]{1,9})/([0-9]{1,9})(?![\d/])")
"""Matches a whole number followed by a fraction, as in 2 3/4."""

_BEFORE_FRACTION = re.compile(r"(?<=\d) ?(?=\\[dt]?frac\{)")
_IN_TEXT = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox)\{[^{}]{0,80}\}(?:\^\{?[23]\}?)?")
"""Matches words and units in a LaTeX formula, with the exponent of a unit."""

_UNIT_POWER = re.compile(r"(?<=[A-Za-z])\^(?:\{-?\d\}|-?\d)|\^\{?\\circ\b\}?")
"""Matches the exponent of a unit, and degree signs, which are not part of a number."""

_POWER = re.compile(r"\d[\s})]{0,3}\^")
"""Matches a number that is raised to a power."""

_LATEX = re.compile(r"\\(?:text|mathrm|mathbf)\b|\\[,;!]|[{}\\$]|(?<=\d)\{,\}(?=\d)")
"""Matches LaTeX commands and marks that may surround or divide a number."""


def _in_box(text: str) -> str | None:
    """Return the content of the last LaTeX box in a text, or None if there is no box.

    Fractions are written as 3/4.
    """
    boxes = _BOXED.findall(text)
    if not boxes:
        return None
    apart = _BEFORE_FRACTION.sub(" ", boxes[-1].replace("{,}", ","))
    return _MIXED.sub(_one_fraction, _LATEX_FRACTION.sub(r"\1/\2", apart))


def _one_fraction(match: re.Match[str]) -> str:
    sign, whole, over, under = match.groups()
    return f"{sign}{int(whole) * int(under) + int(over)}/{under}"


def _number_in_box(boxed: str) -> str | None:
    """Return the number in a LaTeX box: the first after the last "=", or else the first in the box.

    Text in the box, such as words and units, is searched only if there is no number outside it.

    Raises:
        Unparsable: the number is part of a power, so neither the base nor the exponent is the result.
    """
    for kept in (_IN_TEXT.sub(" ", boxed), boxed):
        plain = _UNIT_POWER.sub("", kept)
        for part in (plain.rpartition("=")[2], plain):
            if number := _ANY.search(_LATEX.sub("", part)):
                if _POWER.search(part):
                    raise Unparsable(f"found a power in {quoted(boxed)}; expected a number")
                return number[0]
    return None


_AROUND_THE_CLOCK = re.compile(r"(?<=\S )24/7\b")
_LEAD = re.compile(
    r"\A\W*+(?:(?:so|thus|hence|therefore),? )?(?:(?:the |my )?(?:final )?(?:answer|result|total)\b(?: is\b)?)?\W*+"
    r"(minus |negative )?"
)
"""Matches words that may precede a number written in words, such as "the answer is minus"."""


def _in_words(text: str) -> float | None:
    """Return the number that the last line spells out, if it contains nothing else except "The answer is"."""
    line = fold(text[-200:].strip().rpartition("\n")[2]).rstrip(" .!*_\"'`)]}")
    lead = _LEAD.match(line)
    bare = line[lead.end() :] if lead else line
    read = numbers(bare)
    if len(read) != 1 or read[0].kind == "ordinal" or (read[0].start, read[0].end) != (0, len(bare)):
        return None
    value = read[0].value if read[0].kind == "count" else read[0].raw
    return -value if lead and lead[1] else value


def plain_number(number: str) -> str:
    """Return a number in the form used for comparisons.

    >>> [plain_number(text) for text in ("70,000", "18.00", "-.5", "1.50", "3/4", "2/6")]
    ['70000', '18', '-0.5', '1.5', '0.75', '1/3']
    """
    plain = number.replace(",", "").replace("\u2212", "-").replace(" ", "")
    over, _, under = plain.partition("/")
    if under and int(under):
        whole = Fraction(over) / int(under)
        if pow(10, whole.denominator.bit_length(), whole.denominator):
            return str(whole)  # its denominator divides no power of ten, so its decimals have no end
        value = Decimal(whole.numerator) / Decimal(whole.denominator)
    else:
        value = Decimal(over)
    return format(value.to_integral_value() if value == value.to_integral_value() else value.normalize(), "f")


def read_final_number(response: Response, case: Case) -> str:
    """Return the number that concludes a solution, without commas or redundant zeros.

    It stands in "The answer is 18.", "#### 18" or a box, or is the last number.
    """
    text = answer_text(response)[-LONGEST:]
    if (boxed := _in_box(text)) is not None and (in_box := _number_in_box(boxed)) is not None:
        return plain_number(in_box)
    for pattern in _SAID:
        if said := pattern.findall(text):
            return plain_number(said[-1])
    for candidate in (*values_under(_KEYS, text), text):
        if in_digits := _ANY.findall(_AROUND_THE_CLOCK.sub("", candidate)):
            return plain_number(in_digits[-1])
        if (in_words := _in_words(candidate)) is not None:
            return plain_number(f"{in_words:.6f}")
    why = "a refusal" if is_refusal(text) else "no number"
    raise Unparsable(f"found {why} in {quoted(text)}; expected a number")


def read_choice(response: Response, case: Case) -> str:
    """Return the text of the option chosen in a multiple-choice question. It may be given by letter, number or text."""
    text = answer_text(response)
    options = options_of(case.turns[-1].fields.get("options", ""))
    if not options:
        raise Unparsable('the options are not a list of lines such as "A) tea"')
    lines = [line for line in text.splitlines() if line.strip()]
    for candidate in (*values_under(_KEYS, text), *_said(text), text, lines[-1], lines[0]):
        if (chosen := _chosen(unwrapped(candidate), options)) is not None:
            return chosen
    if is_refusal(text):
        raise Unparsable(f"the answer is a refusal: {quoted(text)}; expected an option")
    named = {words for _, words in options if f" {fold(words)} " in f" {_plain(text)} "}
    if len(named) == 1:
        return named.pop()
    why = f"{len(named)} options" if named else "no option"
    raise Unparsable(f"found {why} in {quoted(text)}; expected one of: {', '.join(name for name, _ in options)}")


_CHOSEN = re.compile(
    r"(?i)\b(?:answer|option|choice|choose|select)\b[\s*_:]*+(?:is|=)?[\s*_:(\"'\[{]*+(?:option )?"
    r"([A-Za-z]|\d{1,2})\b(?!')"
)
"""Matches the letter or number of an option after a word such as "answer", unless it begins a word."""

_BOX = re.compile(r"\\boxed\{(?:\\text\{)?\(?([A-Za-z]|\d{1,2})\b")
"""Matches the letter or number of an option in a LaTeX box."""


def _said(text: str) -> list[str]:
    chosen = [*_CHOSEN.findall(text[-LONGEST:])][-1:]
    return [*_BOX.findall(text[-LONGEST:])[-1:], *(name for name in chosen if name not in ("a", "I"))]


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s'%$.-]", " ", fold(text)).replace(". ", " ").rstrip(".").split())


def _chosen(text: str, options: list[tuple[str, str]]) -> str | None:
    """Return the option that a text names, or None if the text contains anything else."""
    bare = _plain(text)
    for name, words in options:
        known = {fold(name), _plain(words), _plain(f"{name} {words}"), f"option {fold(name)}"}
        if bare in known:
            return words
    return None
