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

_OBJECT = re.compile(r"[\[{].*[\]}]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class DataParser:
    """The data of an answer: given as data, or the JSON in its text, bare, in a fence or among words."""

    def parse(self, response: Response, case: Case) -> Any:
        """Return an object or a list; raise `Unparsable` where there is none."""
        if isinstance(response.data, dict | list):
            return response.data
        text = answer_text(response)
        embedded = _OBJECT.search(text)
        for candidate in (unfenced(text), embedded[0] if embedded else ""):
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


PARSERS["data"] = DataParser()
