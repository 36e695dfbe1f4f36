"""Reads texts with labels or results: SST-2, intents, Stack Overflow's question quality, SNLI's pairs and GSM8K."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.datasets.reader import DATASETS, DataOptions
from mutatis.reading import DataFile, Record, find, json_lines, read_lines, read_table, read_text, shown

_SENTIMENTS = {"0": "negative", "1": "positive"}


@DATASETS.register("sst2", task="sentiment", tasks=("sentiment", "classification"))
def sst2(file: DataFile) -> Iterator[Case]:
    """Read SST-2 TSV: `label<TAB>sentence`, or the GLUE form with the header `sentence<TAB>label`."""
    columns: list[str] = []
    for place, (number, line) in enumerate(read_lines(file.path, file.encoding)):
        cells = [cell.strip() for cell in line.split("\t")]
        if place == 0:
            columns = [cell.lower() for cell in cells]
            if "sentence" in columns:
                continue
            columns = ["label", "sentence"]
        if len(cells) != len(columns):
            raise UsageError(
                f"{file.path}: line {number}: expected {len(columns)} cells separated by tabs ({', '.join(columns)}), "
                f"found {len(cells)}: {shown(line)}"
            )
        record = dict(zip(columns, cells, strict=True))
        label = record.get("label", "-1")  # the mark of unlabelled records in GLUE
        if label not in _SENTIMENTS and label != "-1":
            raise UsageError(f"{file.path}: line {number}: label is {label!r}; expected 0 (negative) or 1 (positive)")
        if not record["sentence"]:
            raise UsageError(f"{file.path}: line {number}: the sentence is empty")
        answer = _SENTIMENTS.get(label, "") if file.task == "classification" else label
        turn = Turn(fields={"text": record["sentence"]}, expected=() if label == "-1" else (answer,))
        yield Case(id=file.id(record.get("index") or number), turns=(turn,))


_TASKS = ("classification",)


@DATASETS.register("banking77", task="classification", tasks=_TASKS)
def banking77(file: DataFile) -> Iterator[Case]:
    """Read Banking77 CSV with the columns `text` and `category`."""
    records = read_table(file.path, encoding=file.encoding, wanted=("text", "category"))
    for place, record in enumerate(records, start=1):
        yield _intent_case(file, place, record.text("text"), record.text("category"), record.where)


class ClincOptions(DataOptions):
    """Options for reading CLINC150.

    Attributes:
        split: the split to read, or several joined by "+" ("test+oos_test").
    """

    split: str = "test"


@DATASETS.register("clinc150", task="classification", tasks=_TASKS, options=ClincOptions)
def clinc150(file: DataFile, options: ClincOptions) -> Iterator[Case]:
    """Read CLINC150 JSON. Option `split`: one split, or several joined by "+" ("test+oos_test"); default "test"."""
    data = file.json()
    if not isinstance(data, dict):
        raise UsageError(f"{file.path}: expected a JSON object that maps splits to lists of pairs, found {shown(data)}")
    for split in options.split.split("+"):
        if split not in data:
            raise UsageError(f"{file.path}: no split {split!r}; the splits are: {', '.join(data)}")
        if not isinstance(data[split], list):
            raise UsageError(f"{file.path}: split {split!r}: expected a list of pairs, found {shown(data[split])}")
        for place, pair in enumerate(data[split], start=1):
            where = f"split {split!r}, record {place}"
            if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(item, str) for item in pair):
                raise UsageError(f"{file.path}: {where}: expected a text and its intent, found {shown(pair)}")
            yield _intent_case(file, f"{split}-{place}", pair[0], pair[1], where)


@DATASETS.register("intents", task="classification", tasks=_TASKS)
def intents(file: DataFile) -> Iterator[Case]:
    """Read a folder with `seq.in` (one text per line) and `label` (the intents), the usual form of ATIS and SNIPS."""
    if not file.path.is_dir():
        raise UsageError(f"{file.path}: expected a folder with the files seq.in and label")
    texts, labels = (
        read_text(find(file.path / name), file.encoding).rstrip("\n").split("\n") for name in ("seq.in", "label")
    )
    if len(texts) != len(labels):
        raise UsageError(
            f"{file.path}: seq.in has {len(texts)} lines, but label has {len(labels)}; expected the same number"
        )
    for place, (text, label) in enumerate(zip(texts, labels, strict=True), start=1):
        yield _intent_case(file, place, text, label, f"line {place}")


def _intent_case(file: DataFile, record: object, text: str, label: str, where: str) -> Case:
    if not text.strip() or not label.strip():
        raise UsageError(f"{file.path}: {where}: the {'text' if not text.strip() else 'label'} is empty")
    return Case(id=file.id(record), turns=(Turn(fields={"text": text.strip()}, expected=(label.strip(),)),))


_QUALITY_COLUMNS = ("Id", "Title", "Body", "Y")
_BLOCKS = frozenset({"p", "div", "pre", "br", "li", "ul", "ol", "blockquote", "hr", "table", "tr", "h1", "h2", "h3"})
_BLANK_LINES = re.compile(r"\n\s*\n\s*")


class _Text(HTMLParser):
    """An HTML parser that collects the text, with a line break at the beginning and end of each block."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]] = ()) -> None:
        """Start a new line before a block, and after it."""
        if tag in _BLOCKS:
            self.pieces.append("\n")

    handle_endtag = handle_starttag

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
    for record in read_table(file.path, encoding=file.encoding, wanted=_QUALITY_COLUMNS):
        fields = {"title": record.text("Title"), "body": record.get("Body", str, "")}
        if not options.html:
            fields["body"] = html_to_text(fields["body"])
        if options.lower:
            fields = {name: text.lower() for name, text in fields.items()}
        yield Case(id=file.id(record.id("Id")), turns=(Turn(fields=fields, expected=(record.text("Y"),)),))


_PAIR_LABELS = {"0": "entailment", "1": "neutral", "2": "contradiction"}
_NO_GOLD = frozenset({"-", "-1", "3", ""})
_PAIR_NAMES = {
    "premise": ("premise", "sentence1"),
    "hypothesis": ("hypothesis", "sentence2"),
    "label": ("label", "gold_label"),
}


@DATASETS.register("snli", task="inference", tasks=("inference",))
def snli(file: DataFile) -> Iterator[Case]:
    """Read SNLI as JSONL or TSV (premise, hypothesis, and a label as a name or 0 to 2), with unlabelled pairs."""
    if ".jsonl" in file.path.suffixes or ".json" in file.path.suffixes:
        for number, data in json_lines(file.path, file.encoding):
            yield _pair_case(file, file.record(f"line {number}", data), number)
        return
    for place, record in enumerate(read_table(file.path, delimiter="\t", encoding=file.encoding), start=1):
        yield _pair_case(file, record, place)


def _pair_case(file: DataFile, record: Record, place: int) -> Case:
    names = {ours: next((name for name in usual if name in record.data), "") for ours, usual in _PAIR_NAMES.items()}
    for ours in ("premise", "hypothesis"):
        if not names[ours]:
            raise UsageError(f"{record.where}: no field {' or '.join(_PAIR_NAMES[ours])}; {record.has}")
    label = str(record.data.get(names["label"], "")).strip().lower()
    gold = _PAIR_LABELS.get(label, label)
    if gold not in _PAIR_LABELS.values() and label not in _NO_GOLD:
        known = ", ".join(sorted(_PAIR_LABELS.values()))
        raise record.error(names["label"], f"one of {known}, 0, 1, 2, or - for no gold label")
    turn = Turn(
        fields={ours: record.text(names[ours]) for ours in ("premise", "hypothesis")},
        expected=() if label in _NO_GOLD else (gold,),
    )
    id_field = next((name for name in ("pairID", "index", "id") if name in record.data), None)
    return Case(id=file.id(record.id(id_field) if id_field else place), turns=(turn,))


@DATASETS.register("gsm8k", task="word-problem", tasks=("word-problem",))
def gsm8k(file: DataFile) -> Iterator[Case]:
    """Read GSM8K (Cobbe et al. 2021) JSONL. Each answer is a worked solution whose last line is "#### RESULT"."""
    for number, data in json_lines(file.path, file.encoding):
        record = file.record(f"line {number}", data)
        solution = record.text("answer")
        result = solution.rpartition("####")[2].strip().replace(",", "")
        if "####" not in solution or not result:
            raise record.error("answer", 'a worked solution that ends with "#### RESULT"')
        turn = Turn(
            fields={"question": record.text("question")}, expected=(result,), annotations={"solution": solution}
        )
        yield Case(id=file.id(number), turns=(turn,))
