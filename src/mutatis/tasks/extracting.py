"""The parser of task `extraction`: the JSON object or list that an answer consists of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from mutatis.core.cases import Case
from mutatis.core.parsing import NotReadable, json_of
from mutatis.core.system import Response
from mutatis.core.task import Unparsable
from mutatis.prompting import unfenced
from mutatis.tasks.parsers import PARSERS, answer_text, quoted

_OPENING = re.compile(r"[\[{]")


@dataclass(frozen=True, slots=True)
class DataParser:
    """The data of an answer: given as data, or the JSON in its text, bare, in a fence or among words."""

    def parse(self, response: Response, case: Case) -> Any:
        """Return an object or a list; raise `Unparsable` if none is found."""
        if isinstance(response.data, dict | list):
            return response.data
        text = answer_text(response)
        for candidate in (unfenced(text), _embedded(text)):
            try:
                data = json_of(candidate)
            except NotReadable:
                continue
            if isinstance(data, dict | list):
                return data
        raise Unparsable(f"no JSON data in {quoted(text)}")

    def uninformative(self, value: Any) -> bool:
        """Whether nothing was extracted."""
        return not value


def _embedded(text: str) -> str:
    """Return the text from the first opening bracket to the last closing one; "" if not found in this order.

    >>> _embedded('Here it is: {"name": "Ann"}. Done.')
    '{"name": "Ann"}'
    """
    opening = _OPENING.search(text)
    end = max(text.rfind("}"), text.rfind("]")) + 1
    return "" if opening is None else text[opening.start() : end]


PARSERS["data"] = DataParser()
