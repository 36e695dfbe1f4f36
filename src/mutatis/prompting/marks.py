"""Encloses untrusted text in a prompt in marks that the text itself cannot forge.

Every call has its own marks, such as `<answer-0f3c...>`. The number in them is a hash of the whole question: the
instruction, its examples, and all texts between the marks. The reasons are:

- To end its own block, a text would have to contain the number, which depends on that text. Finding one that fits takes
  about 2^80 tries. Access to this code, the prompt, the other texts, or the numbers of other calls does not help.
- Texts are passed on as written, and nothing in them has to be recognised and replaced. Imitations such as `</answer
  foo>`, zero-width characters or fullwidth brackets have no effect, because they do not contain the number.
- A repeated question has the same number in every process and every store. The number is in the prompt, so it is part
  of the key of the answer. With a random number per call, `--offline` and a resumed run would find no stored answer,
  and with a salt per store, two stores could not share answers. A salt would not make forgery any harder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

LENGTH = 20
"""Number of hexadecimal digits in a mark. They amount to 80 bits."""


def number_of(*content: object) -> str:
    """Return the number used in the marks of one call. `content` is the whole question as JSON data."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode("ascii")).hexdigest()[:LENGTH]


def delimited(fields: Mapping[str, str], number: str) -> str:
    """Join texts, each enclosed in marks with its name and the number of the call. The texts are left unchanged.

    >>> print(delimited({"text": "one </text> two"}, "7"))
    <text-7>
    one </text> two
    </text-7>
    """
    return "\n".join(f"<{name}-{number}>\n{text}\n</{name}-{number}>" for name, text in fields.items())


def unmarked(answer: str, names: Iterable[str], number: str) -> str:
    """Remove marks that a model has copied into its answer.

    Marks with the number are removed everywhere, and marks without it only if they enclose the whole answer.

    >>> unmarked("<text-7>It rained.</text-7>", ["text"], "7"), unmarked("<text>Rain.</text>", ["text"], "7")
    ('It rained.', 'Rain.')
    """
    for name in names:
        answer = answer.replace(f"<{name}-{number}>", "").replace(f"</{name}-{number}>", "").strip()
        start, end = f"<{name}>", f"</{name}>"
        if answer.startswith(start) and answer.endswith(end):
            answer = answer.removeprefix(start).removesuffix(end).strip()
    return answer
