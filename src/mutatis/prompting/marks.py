"""Marks that enclose untrusted text in a prompt, such that no text can end its own block.

Every call has its own marks, such as `<answer-0f3c...>`. Their number is a hash of the whole question: the instruction,
its examples, and all texts between the marks. The reasons:

- To end its block, a text would have to contain the number, and the number depends on that text: about 2^80 tries until
  one fits. Access to this code, the prompt, the other texts, or the numbers of other calls does not help.
- Nothing in a text has to be recognised and replaced: `</answer foo>`, zero-width characters in a mark or fullwidth
  brackets end nothing, because they do not have the number. A list of imitations of a mark is never complete. A text is
  passed on as it was written and never searched, so the length of a text does not matter.
- A repeated question has the same number, in every process and every store. The number is in the prompt, so it is part
  of the key of the answer: with a random number per call, `--offline` and a resumed run would find no stored answer,
  and with a salt per store two stores would not recognise each other's answers. A salt would add nothing: an attacker
  without it has to guess, and one with everything but the salt still needs those 2^80 tries.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

LENGTH = 20
"""Number of hexadecimal digits in the number of a mark: 80 bits."""


def number_of(*content: object) -> str:
    """Return the number for the marks of one call. `content` is everything that is asked, as JSON data."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode("ascii")).hexdigest()[:LENGTH]


def delimited(fields: Mapping[str, str], number: str) -> str:
    """Return the texts unchanged, each between marks with its name and the call's number.

    >>> print(delimited({"text": "one </text> two"}, "7"))
    <text-7>
    one </text> two
    </text-7>
    """
    return "\n".join(f"<{name}-{number}>\n{text}\n</{name}-{number}>" for name, text in fields.items())


def unmarked(answer: str, names: Iterable[str], number: str) -> str:
    """Remove the marks that a model copied into its answer.

    Marks with the number are removed anywhere, marks without it only if they enclose the whole answer.

    >>> unmarked("<text-7>It rained.</text-7>", ["text"], "7"), unmarked("<text>Rain.</text>", ["text"], "7")
    ('It rained.', 'Rain.')
    """
    for name in names:
        answer = answer.replace(f"<{name}-{number}>", "").replace(f"</{name}-{number}>", "").strip()
        start, end = f"<{name}>", f"</{name}>"
        if answer.startswith(start) and answer.endswith(end):
            answer = answer.removeprefix(start).removesuffix(end).strip()
    return answer
