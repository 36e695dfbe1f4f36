"""A value in another of the forms that people type: what the edits of formats share.

Each form has a level: 1 is another spacing or mark, higher levels are rarer. A text takes all its new forms from one
draw, so that a range ("from 6 pm to 8 pm") stays in one style. Must not know any particular format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Annotated

from mutatis.core.parameters import Within
from mutatis.languages import word_set
from mutatis.transformations.clear import quoted_spans
from mutatis.transformations.pieces import Edit, edited, is_free

Level = Annotated[int, Within(1, 3)]
"""How far a form may be from the one that is written."""

Form = tuple[int, str]
"""Its level, and the value as it is written in this form."""

NEAR = 40
"""Characters before a value that are looked at, so that a text of many values is not read again for each."""

_ADDRESS = re.compile(r"(?<![^\s@])[^\s@]++@\S++|(?:https?://|www\.)\S++")
_NEXT_WORD = re.compile(r"[ \t]*(?P<mark>[^\w\s]?)[ \t]*(?P<word>[^\W\d_]*)")


def another_form(forms: Iterable[Form], written: str, share: float, level: int) -> str:
    """Return a form up to a level other than the one that is written, drawn by a share of 1; else what is written.

    >>> another_form([(1, "6pm"), (1, "6 pm"), (2, "18:00")], "6 pm", 0.9, 2)
    '18:00'
    >>> another_form([(3, "1 000")], "1000", 0.5, 2)
    '1000'
    """
    others = list(dict.fromkeys(form for rank, form in forms if rank <= level and form != written))
    return others[int(share * len(others))] if others else written


def in_other_forms(
    text: str,
    matches: Iterable[re.Match[str]],
    forms: Callable[[re.Match[str]], Sequence[Form]],
    rng: Random,
    level: int,
) -> str:
    """Return the text with every value in another form; those in quotations and addresses stay.

    >>> found = re.finditer("[0-9]+", "1 and 2")
    >>> in_other_forms("1 and 2", found, lambda m: [(1, f"no. {m[0]}")], Random(1), 1)
    'no. 1 and no. 2'
    """
    share = rng.random()
    fixed = [*quoted_spans(text), *(match.span() for match in _ADDRESS.finditer(text))]
    edits: list[Edit] = []
    for match in matches:
        new = another_form(forms(match), match.group(), share, level)
        if new != match.group() and is_free(*match.span(), fixed):
            edits.append((*match.span(), new))
    return edited(text, edits)


def stands_before(pattern: re.Pattern[str], text: str, end: int) -> bool:
    r"""Whether what stands directly before a place is of a pattern, which ends in `\Z`; as far back as `NEAR`.

    >>> stands_before(re.compile(r"no\. *\Z"), "It is no. 7", 10)
    True
    """
    return pattern.search(text, max(0, end - NEAR), end) is not None


def ends_phrase(text: str, end: int) -> bool:
    """Whether no noun follows here: the text or a clause ends, or a small word comes.

    >>> text = "5 km away, a 5 km run, 5 km"
    >>> [ends_phrase(text, m.end()) for m in re.finditer("km", text)]
    [True, False, True]
    """
    follows = _NEXT_WORD.match(text, end)
    assert follows is not None
    if follows["mark"]:
        return follows["mark"] not in "-/"
    return not follows["word"] or follows["word"].lower() in word_set("function_words")
