"""Options against their model: what fits keeps its value, what does not is told on one line in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import pydantic
import pytest

from mutatis.core.errors import UsageError
from mutatis.options import Kinds, Options, check_options


class Start(Options):
    """How a session begins.

    Attributes:
        url: the address that is
            called first.
    """

    url: str
    method: Literal["POST", "GET"] = "POST"


class Server(Options):
    type: str
    concurrency: int | None = pydantic.Field(default=None, ge=1)
    timeout: float = pydantic.Field(default=1.0, gt=0)


class Everything(Options):
    name: str
    target: str | Callable[..., Any] = "x"
    kind: Literal["text", "fields"] = "text"
    temperature: float | Literal["default"] = 0.0
    share: float = pydantic.Field(default=0.5, ge=0, le=1)
    wait: float = pydantic.Field(default=1, gt=0, lt=10)
    flag: bool = False
    fields: Sequence[str] = ()
    values: Sequence[float | int | str] = ()
    either: str | list[int] = ""
    headers: Mapping[str, str] = {}
    start: Start | None = None
    address: str | Start = ""
    servers: Sequence[Server] = ()
    named: Mapping[str, Server] = {}
    place: Path | None = None
    mark: str = pydantic.Field(default=",", min_length=1, max_length=1)
    pair: tuple[int, int] = (0, 0)

    @pydantic.field_validator("mark")
    @classmethod
    def _no_letter(cls, mark: str) -> str:
        if mark.isalpha():
            raise ValueError("expected a character that is no letter")
        return mark

    @pydantic.model_validator(mode="after")
    def _agree(self) -> Everything:
        if self.kind == "fields" and not self.fields:
            raise ValueError('kind = "fields" needs fields')
        return self


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "bot 'b' needs the option 'name'"),
        ({"nam": "x"}, "unknown option of bot 'b': 'nam'; did you mean 'name' or 'named'?"),
        ({"name": 3}, "bot 'b': name is 3; expected text"),
        ({"target": 7}, "bot 'b': target is 7; expected text or a callable"),
        ({"kind": "html"}, "bot 'b': kind is 'html'; expected one of: text, fields"),
        ({"kind": "field"}, "bot 'b': kind is 'field'; expected one of: text, fields (did you mean 'fields'?)"),
        ({"kind": "fields"}, "bot 'b': kind = \"fields\" needs fields"),
        ({"temperature": "hot"}, "bot 'b': temperature is 'hot'; expected a number or 'default'"),
        ({"temperature": True}, "bot 'b': temperature is True; expected a number or 'default'"),
        ({"share": 1.5}, "bot 'b': share is 1.5; expected 1 or less"),
        ({"share": -1}, "bot 'b': share is -1; expected 0 or more"),
        ({"share": float("nan")}, "bot 'b': share is nan; expected a finite number"),
        ({"wait": 0}, "bot 'b': wait is 0; expected more than 0"),
        ({"wait": 10.0}, "bot 'b': wait is 10.0; expected less than 10"),
        ({"flag": 1}, "bot 'b': flag is 1; expected true or false"),
        ({"flag": "yes"}, "bot 'b': flag is 'yes'; expected true or false"),
        ({"fields": "title"}, "bot 'b': fields is 'title'; expected a list: ['title']"),
        ({"fields": ["a", 2]}, "bot 'b': fields.1 is 2; expected text"),
        ({"values": [[]]}, "bot 'b': values.0 is []; expected a number or a whole number or text"),
        ({"either": 1.5}, "bot 'b': either is 1.5; expected text or a list"),
        ({"either": [1, "x"]}, "bot 'b': either.1 is 'x'; expected a whole number"),
        ({"headers": ["a"]}, "bot 'b': headers is ['a']; expected a table"),
        ({"headers": {"A": 1}}, "bot 'b': headers.A is 1; expected text"),
        ({"headers": {"Authorization": ["Bearer tok-1"]}}, "bot 'b': headers.Authorization is ***; expected text"),
        ({"start": "x"}, "bot 'b': start is 'x'; expected a table: start = {url = \"x\"}"),
        ({"start": {"uri": "x"}}, "unknown option in start of bot 'b': 'uri'; did you mean 'url'?"),
        ({"start": {}}, "bot 'b' needs the option 'start.url': the address that is called first"),
        ({"address": {}}, "bot 'b': address is {}; expected text or a table with 'url'"),
        ({"address": {"url": 1}}, "bot 'b': address.url is 1; expected text"),
        ({"address": {"uri": "x"}}, "unknown option in address of bot 'b': 'uri'; did you mean 'url'?"),
        ({"servers": {}}, "bot 'b': servers is {}; expected a list"),
        ({"servers": [{}]}, "bot 'b' needs the option 'servers.0.type'"),
        (
            {"servers": [{"type": "a"}, {"type": "b", "concurrency": 0}]},
            "bot 'b': servers.1.concurrency is 0; expected 1 or more",
        ),
        (
            {"servers": [{"type": "a", "concurency": 2}]},
            "unknown option in servers.0 of bot 'b': 'concurency'; did you mean 'concurrency'?",
        ),
        (
            {"named": {"one": {"type": "a", "timeot": 2}}},
            "unknown option in named.one of bot 'b': 'timeot'; did you mean 'timeout'?",
        ),
        ({"mark": ",,"}, "bot 'b': mark is ',,'; expected text of at most 1 characters"),
        ({"mark": "x"}, "bot 'b': mark is 'x'; expected a character that is no letter"),
        ({"pair": [1, 2]}, "bot 'b': pair is [1, 2]; expected a tuple"),
        ({"pair": 1}, "bot 'b': pair is 1; expected a list"),
        ({"pair": (1,)}, "bot 'b' needs the option 'pair.1'"),
        ({"name": "n", "target": "y\n" * 50, "flag": 3}, "bot 'b': flag is 3; expected true or false"),
    ],
)
def test_what_is_wrong_is_told_on_one_line(options: dict[str, Any], says: str) -> None:
    complete = {"name": "n", **options} if options and "nam" not in options else options
    with pytest.raises(UsageError) as caught:
        check_options(Everything, complete, "bot 'b'")
    assert str(caught.value) == says


def test_a_long_value_is_cut_and_stays_on_one_line() -> None:
    with pytest.raises(UsageError) as caught:
        check_options(Everything, {"name": ["long\n"] * 500}, "bot 'b'")
    assert len(str(caught.value)) < 150
    assert "\n" not in str(caught.value)


def test_the_word_for_an_option_is_the_owners() -> None:
    with pytest.raises(UsageError, match="the configuration needs the key 'name'"):
        check_options(Everything, {}, "the configuration", word="key")


def test_what_fits_is_kept_as_it_is() -> None:
    target = object()
    options = {"name": "n", "target": target.__repr__, "temperature": "default", "fields": ["a"], "wait": 3}
    checked = check_options(Everything, options, "bot 'b'")
    assert (checked.target, checked.temperature, checked.fields, checked.wait) == (target.__repr__, "default", ["a"], 3)
    with pytest.raises(pydantic.ValidationError):
        checked.name = "other"  # type: ignore[misc]


def test_a_kind_builds_from_its_options_and_what_the_caller_adds() -> None:
    shapes: Kinds[str] = Kinds("shape")

    @shapes.register("square")
    class Square(Options):
        """A square.

        More about it.
        """

        side: int = pydantic.Field(ge=1)
        colour: str = "red"

        def build(self, unit: str) -> str:
            return f"{self.side} {unit}, {self.colour}"

    square = shapes["square"]
    assert square("cm", side=2) == "2 cm, red"
    assert square.options == ("side", "colour")
    assert square.summary == "A square."
    with pytest.raises(UsageError, match="unknown option of shape 'square': 'sid'; did you mean 'side'"):
        square("cm", sid=2)
    with pytest.raises(UsageError, match="unknown shape 'squire'; did you mean 'square'"):
        shapes["squire"]
    with pytest.raises(UsageError, match="already registered"):
        shapes.register("square")(Square)
