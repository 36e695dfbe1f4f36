"""Reads DocRED and Re-DocRED, which contain relations between the entities in a document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.datasets.reader import DATASETS, accepted
from mutatis.reading import DataFile, Record, read_json

_NO_SPACE_BEFORE = frozenset(
    {".", ",", ";", ":", "!", "?", ")", "]", "%", "'s", "'", "n't", "'re", "'ve", "'ll", "'d", "’s"}
)
_NO_SPACE_AFTER = frozenset({"(", "[", "$", "£", "€"})


_Offsets: TypeAlias = Sequence[Sequence[tuple[int, int]]]
"""For each sentence of a document, where each token begins and ends in the continuous text."""


@DATASETS.register("docred", task="relation-extraction", tasks=("relation-extraction",))
def docred(file: DataFile) -> Iterator[Case]:
    """Read (Re-)DocRED JSON as one case per document and pair of related entities, with names from `rel_info.json`."""
    names = _names(file)
    for place, document in enumerate(file.documents("document"), start=1):
        yield from _cases(file, document, place, names)


def _names(file: DataFile) -> Mapping[str, str]:
    """Return relation names by id, from `rel_info.json` next to the data, if it exists."""
    path = file.path.parent / "rel_info.json"
    if not path.is_file():
        return {}
    names = read_json(path)
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        raise UsageError(f"{path}: expected a JSON object that maps relation ids to names")
    return names


def _cases(file: DataFile, document: Record, place: int, names: Mapping[str, str]) -> Iterator[Case]:
    """Yield a case for each pair of entities with a relation. The names of both entities are protected from edits."""
    text, offsets = _running(document)
    entities = [
        _mentions(document, number, mentions, text, offsets)
        for number, mentions in enumerate(document.need("vertexSet", list))
    ]
    relations: dict[tuple[int, int], list[str]] = {}
    for label in document.optional_objects("labels", "label"):
        ends = (label.need("h", int), label.need("t", int))
        for name, end in zip("ht", ends, strict=True):
            if not 0 <= end < len(entities):
                raise label.error(name, f"the number of an entity, 0 to {len(entities) - 1}")
        relations.setdefault(ends, []).append(label.text("r"))
    title = document.get("title", str) or str(place)
    for (head, tail), ids in relations.items():
        fields = {"text": text, "head": _longest(entities[head]), "tail": _longest(entities[tail])}
        protected = accepted([*entities[head], *entities[tail]])
        turn = Turn(
            fields=fields,
            expected=accepted(names.get(relation, relation) for relation in ids),
            annotations={"protected": {"entities": list(protected)}},
        )
        yield Case(id=file.id(f"{title}:{head}-{tail}"), turns=(turn,))


def _longest(mentions: Sequence[str]) -> str:
    return max(mentions, key=len)


def _running(document: Record) -> tuple[str, _Offsets]:
    """Join the tokens of all sentences into continuous text and return it with the position of each token."""
    text, offsets, glue = "", list[list[tuple[int, int]]](), True
    for number, sentence in enumerate(document.need("sents", list)):
        if not isinstance(sentence, list) or not all(isinstance(token, str) for token in sentence):
            raise document.error("sents", f"sentence {number} to be a list of tokens")
        offsets.append([])
        for token in sentence:
            text += token if glue or token in _NO_SPACE_BEFORE else f" {token}"
            offsets[-1].append((len(text) - len(token), len(text)))
            glue = token in _NO_SPACE_AFTER
    if not text.strip():
        raise document.error("sents", "at least one sentence with text")
    return text, offsets


def _mentions(document: Record, number: int, mentions: Any, text: str, offsets: _Offsets) -> tuple[str, ...]:
    """Return the mentions of an entity as they are written in the continuous text."""
    if not isinstance(mentions, list) or not mentions:
        raise document.error("vertexSet", f"entity {number} to be a list of mentions")
    texts = []
    for data in mentions:
        mention = Record.of(f"{document.where}, entity {number}", data)
        sentence, span = mention.need("sent_id", int), mention.need("pos", list)
        if not 0 <= sentence < len(offsets):
            raise mention.error("sent_id", f"the number of a sentence, 0 to {len(offsets) - 1}")
        tokens = offsets[sentence]
        if len(span) != 2 or not all(isinstance(end, int) for end in span) or not 0 <= span[0] < span[1] <= len(tokens):
            raise mention.error("pos", f"first and last token, within 0 to {len(tokens)} {json.dumps(span)}")
        texts.append(text[tokens[span[0]][0] : tokens[span[1] - 1][1]])
    return accepted(texts)
