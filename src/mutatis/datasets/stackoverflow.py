"""Reads the Stack Overflow question-quality data: title and body, with a quality label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from mutatis.core.cases import Case, Turn
from mutatis.datasets.reader import DATASETS, DataOptions
from mutatis.reading import DataFile, read_table

COLUMNS = ("Id", "Title", "Body", "Y")
_BLOCKS = frozenset({"p", "div", "pre", "br", "li", "ul", "ol", "blockquote", "hr", "table", "tr", "h1", "h2", "h3"})
_BLANK_LINES = re.compile(r"\n\s*\n\s*")


class _Text(HTMLParser):
    """An HTML parser that collects the text, with a line break at the beginning and end of each block."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Start a new line before a block."""
        if tag in _BLOCKS:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """Start a new line after a block."""
        if tag in _BLOCKS:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        """Collect a piece of text."""
        self.pieces.append(data)


def html_to_text(html: str) -> str:
    r"""Return the text of an HTML document. As in a browser, anything that looks like a tag (List<int>) is dropped.

    >>> html_to_text("<p>a &lt; b</p><p>c</p>")
    'a < b\nc'
    """
    parser = _Text()
    parser.feed(html)
    parser.close()
    return _BLANK_LINES.sub("\n", "".join(parser.pieces)).strip()


class StackOverflowOptions(DataOptions):
    """Options for reading the Stack Overflow data.

    Attributes:
        lower: whether to convert all texts to lower case.
        html: whether to keep the tags in the body.
    """

    lower: bool = False
    html: bool = False


@DATASETS.register("stackoverflow", task="classification", tasks=("classification",), options=StackOverflowOptions)
def stackoverflow(file: DataFile, options: StackOverflowOptions) -> Iterator[Case]:
    """Read Stack Overflow CSV (Id, Title, Body, ..., Y). Options: `lower` (lower case) and `html` (keep tags)."""
    for record in read_table(file.path, encoding=file.encoding, wanted=COLUMNS):
        fields = {"title": record.text("Title"), "body": record.get("Body", str, "")}
        if not options.html:
            fields["body"] = html_to_text(fields["body"])
        if options.lower:
            fields = {name: text.lower() for name, text in fields.items()}
        yield Case(id=file.id(record.id("Id")), turns=(Turn(fields=fields, expected=(record.text("Y"),)),))
