"""`mutatis.cases`: what is in memory becomes the cases that a JSONL file of it would give, or one line says why not."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import datasets
import numpy
import pandas
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mutatis
from mutatis import Case, Turn, UsageError, cases, read_cases
from mutatis.testing import ScriptedSystem

ROOT = Path(__file__).parents[3]
REVIEWS = {"text": ["fine", "dull", "odd"], "label": ["pos", "neg", "odd"]}
LABELS = datasets.Features({"text": datasets.Value("string"), "label": datasets.ClassLabel(names=["neg", "pos"])})


def seen(made: list[Case]) -> list[tuple[str, dict[str, str], tuple[str, ...]]]:
    return [(case.id, dict(turn.fields), turn.expected) for case in made for turn in case.turns]


# Texts


@pytest.mark.parametrize(
    "texts",
    [
        ["fine", "dull"],
        ("fine", "dull"),
        (text for text in ("fine", "dull")),
        {"fine": 1, "dull": 2}.keys(),
        numpy.array(["fine", "dull"]),
        pandas.Series(["fine", "dull"], index=[7, 3]),
        polars.Series(["fine", "dull"]),
        datasets.Dataset.from_dict({"review": ["fine", "dull"]})["review"],
    ],
    ids=lambda texts: type(texts).__name__,
)
def test_texts_are_the_one_field_of_the_task(texts: Any) -> None:
    made = cases(texts, task="sentiment")
    assert seen(made) == [("data/1", {"text": "fine"}, ()), ("data/2", {"text": "dull"}, ())]
    assert [case.task for case in made] == ["sentiment"] * 2
    assert all(type(turn.fields["text"]) is str for case in made for turn in case.turns)


@pytest.mark.parametrize(("task", "field"), [("classification", "text"), ("dialogue", "question")])
def test_the_field_is_called_as_the_task_calls_it(task: str, field: str) -> None:
    assert seen(cases(["Why?"], task=task)) == [("data/1", {field: "Why?"}, ())]


def test_no_more_is_read_than_the_limit() -> None:
    numbers = count(1)
    made = cases((f"number {n}" for n in numbers), task="sentiment", limit=3, name="n")
    assert [case.id for case in made] == ["n/1", "n/2", "n/3"]
    assert next(numbers) == 4


# Records and cases


def test_records_by_hand() -> None:
    records = [
        {"id": "a", "text": "fine", "label": 1},
        {"id": 7, "text": "dull", "answers": ["0", "no"], "rating": 3},
        {"text": "odd", "label": None, "id": None},
        {"text": "so so", "label": True},
    ]
    assert seen(cases(records, task="sentiment", name="r")) == [
        ("r/a", {"text": "fine"}, ("1",)),
        ("r/7", {"text": "dull"}, ("0", "no")),
        ("r/3", {"text": "odd"}, ()),
        ("r/4", {"text": "so so"}, ("yes",)),
    ]


def test_classification_asks_about_every_text_where_there_is_no_text_field() -> None:
    made = cases([{"id": 1, "title": "Tea", "body": "Is hot.", "score": 3, "label": "HQ"}], task="classification")
    assert seen(made) == [("data/1", {"title": "Tea", "body": "Is hot."}, ("HQ",))]


def test_names_are_mapped_and_need_no_task_then() -> None:
    records = [{"Review": "fine", "Stars": 5, "n": "x"}]
    [case] = cases(records, fields={"text": "Review", "expected": "Stars", "id": "n"})
    assert (seen([case]), case.task) == ([("data/x", {"text": "fine"}, ("5",))], "")


def test_the_answer_to_be_graded_is_not_the_expected_one() -> None:
    record = {"instruction": "Name a metal.", "answer": "Iron.", "rubric": "Is it true?"}
    [plain, labelled] = cases([record, {**record, "label": "9"}], task="rubric-score")
    assert (plain.turns[0].expected, labelled.turns[0].expected) == ((), ("9",))
    assert plain.turns[0].fields == record


def test_dialogues_in_both_forms() -> None:
    turns = [{"question": "Who?", "answer": "Ann"}, {"question": "Why?", "reply": "Late."}]
    [case] = cases([{"id": "d", "story": "Ann left.", "turns": turns}], task="dialogue")
    assert case == Case(
        id="data/d",
        task="dialogue",
        material={"story": "Ann left."},
        turns=(
            Turn(fields={"question": "Who?"}, expected=("Ann",), annotations={"answerable": True}),
            Turn(fields={"question": "Why?"}, reply="Late."),
        ),
    )
    assert cases([{**case.to_record(), "id": "d"}]) == [case]


def test_cases_pass_through_and_the_task_is_for_those_without_one() -> None:
    tasked = Case(id="x/1", turns=(Turn(fields={"text": "fine"}),), task="classification")
    none = Case(id="x/2", turns=(Turn(fields={"text": "dull"}),))
    made = cases([tasked, none, {"text": "odd"}], task="sentiment")
    assert made[0] is tasked
    assert [(case.id, case.task) for case in made] == [
        ("x/1", "classification"),
        ("x/2", "sentiment"),
        ("data/3", "sentiment"),
    ]
    assert cases([tasked, none]) == [tasked, none]


def test_what_is_given_is_not_changed_and_not_shared() -> None:
    annotations = {"topic": ["film"]}
    record = {"turns": [{"question": "Who?", "annotations": annotations}]}
    [case] = cases([record])
    annotations["topic"].append("music")
    assert case.turns[0].annotations == {"topic": ["film"]}
    assert record == {"turns": [{"question": "Who?", "annotations": annotations}]}


def test_a_dictionary_of_columns_is_its_records() -> None:
    records = [dict(zip(REVIEWS, row, strict=True)) for row in zip(*REVIEWS.values(), strict=True)]
    assert cases(REVIEWS, task="sentiment") == cases(records, task="sentiment")
    arrays = {name: numpy.array(column) for name, column in REVIEWS.items()}
    assert cases(arrays, task="sentiment") == cases(records, task="sentiment")
    dialogue = [{"question": "Who?"}]
    assert len(cases({"turns": [dialogue, dialogue], "story": ["a", "b"]}, task="dialogue")) == 2


# The same as JSONL

TEXTS = st.text(max_size=6)
FULL = st.one_of(st.none(), TEXTS, st.sampled_from(["fine", "unknown", "CANNOTANSWER"]))
ANSWERS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
    st.lists(TEXTS, max_size=3),
    st.fixed_dictionaries({"text": st.lists(TEXTS, max_size=2)}),
)
FACTS = {
    "answer": ANSWERS,
    "expected": ANSWERS,
    "reply": FULL,
    "rewrite": FULL,
    "answerable": st.none() | st.booleans(),
    "annotations": st.none() | st.dictionaries(TEXTS, ANSWERS, max_size=2),
}
OWN_FACTS = {name: FACTS[name] for name in ("reply", "annotations")} | {"expected": st.none() | st.lists(TEXTS)}
FIELDS = {"text": "a", "head": "b", "tail": "c", "premise": "d", "hypothesis": "e", "context": "f", "question": "g"}
IDS = {"id": st.one_of(st.none(), st.integers(), TEXTS)}


def record_of(names: Mapping[str, str]) -> st.SearchStrategy[dict[str, Any]]:
    sound = st.fixed_dictionaries(
        {name: st.just(text) for name, text in names.items()},
        optional={**IDS, "answers": ANSWERS, "label": ANSWERS, "expected": ANSWERS, "answerable": FACTS["answerable"]},
    )
    return sound | st.fixed_dictionaries({}, optional={**dict.fromkeys(names, FULL), **IDS, "label": ANSWERS})


FLAT = record_of(FIELDS) | record_of({"title": "h", "n": "i"})
TURNS = st.lists(st.fixed_dictionaries({"question": st.just("Who?")}, optional=FACTS), max_size=3)
OWN_TURNS = st.lists(
    st.fixed_dictionaries({"fields": st.just({"question": "Who?"})}, optional=OWN_FACTS), min_size=1, max_size=2
)
DIALOGUE = st.fixed_dictionaries({"turns": TURNS}, optional={**IDS, "story": FULL})
OWN = st.fixed_dictionaries(
    {"turns": OWN_TURNS}, optional={**IDS, "material": st.none() | st.dictionaries(TEXTS, TEXTS, max_size=1)}
)
OPTIONS = st.fixed_dictionaries(
    {
        "task": st.sampled_from(
            ["sentiment", "classification", "inference", "question-answering", "relation-extraction", "dialogue"]
        )
    },
    optional={
        "limit": st.integers(1, 3),
        "fields": st.sampled_from([{"text": "title"}, {"id": "n", "text": "title"}, {"note": "text", "on": "head"}]),
    },
)


def outcome(read: Any, *place: Any, **options: Any) -> list[Case] | str:
    try:
        made: list[Case] = read(*place, name="data", **options)
    except UsageError as error:
        return str(error)
    return made


@settings(max_examples=400, deadline=None)
@given(records=st.lists(FLAT | DIALOGUE | OWN, min_size=1, max_size=3), options=OPTIONS)
def test_records_are_read_as_the_lines_of_a_file(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, Any]], options: dict[str, Any]
) -> None:
    path = tmp_path_factory.getbasetemp() / "records.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in records), "utf-8")
    expected = outcome(read_cases, "jsonl", path, **options)
    if isinstance(expected, str):
        expected = re.sub(f"{re.escape(str(path))}: line ([0-9])", r"cases: record \1", expected)
        expected = expected.replace(f"{path}:", "cases:")
    told = outcome(cases, iter(records), **options)
    if isinstance(told, str) and "unknown column of cases" in told:  # told here only: dialogues know no mapping
        assert not {name for record in records for name in record} >= set(options["fields"].values())
    else:
        assert told == expected


# Frames


def test_a_pandas_frame_without_its_empty_cells() -> None:
    frame = pandas.DataFrame(
        {
            "id": [10, 11, None, 13],
            "text": ["fine", "dull", "odd", "so so"],
            "label": [1, None, 0, 1],
            "note": ["a", None, float("nan"), pandas.NA],
        }
    )
    before = frame.copy()
    assert seen(cases(frame, task="sentiment")) == [
        ("data/10", {"text": "fine"}, ("1",)),
        ("data/11", {"text": "dull"}, ()),
        ("data/3", {"text": "odd"}, ("0",)),
        ("data/13", {"text": "so so"}, ("1",)),
    ]
    assert seen(cases(frame, task="classification", fields={"text": "note", "title": "text"}, limit=1)) == [
        ("data/10", {"text": "a", "title": "fine"}, ("1",))
    ]
    pandas.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([1, 0], [("1",), ("0",)]),
        ([1.0, 2.5], [("1.0",), ("2.5",)]),
        ([2.5, None], [("2.5",), ()]),
        ([True, False], [("yes",), ("no",)]),
        (pandas.Categorical(["b", None]), [("b",), ()]),
        (pandas.array([3, None], dtype="Int64"), [("3",), ()]),
        (pandas.array([True, None], dtype="boolean"), [("yes",), ()]),
        (numpy.array([4, 5], dtype="int8"), [("4",), ("5",)]),
        ([numpy.array(["a", "b"]), ["c"]], [("a", "b"), ("c",)]),
    ],
    ids=str,
)
def test_labels_of_pandas(labels: Any, expected: list[tuple[str, ...]]) -> None:
    frame = pandas.DataFrame({"text": ["fine", "dull"], "label": labels}, index=[9, 9])
    assert [case.turns[0].expected for case in cases(frame, task="sentiment")] == expected


def test_scalars_of_numpy_become_plain_values() -> None:
    record = {"id": numpy.int64(4), "text": numpy.str_("fine"), "label": numpy.float32(0.5)}
    assert seen(cases([record], task="sentiment")) == [("data/4", {"text": "fine"}, ("0.5",))]
    [case] = cases([{"turns": [{"question": "Who?", "annotations": {"place": numpy.int64(3)}}]}])
    assert json.dumps(case.to_record()["turns"][0]["annotations"]) == '{"place": 3}'
    for several in (numpy.array(["a", "b"]), pandas.Series(["a", "b"]), polars.Series(["a", "b"]), ("a", "b")):
        assert seen(cases([{"text": "fine", "answers": several}], task="sentiment"))[0][2] == ("a", "b")


def test_a_polars_frame_with_nulls_and_lists() -> None:
    frame = polars.DataFrame(
        {
            "id": [1, None, 3],
            "text": ["fine", "dull", "odd"],
            "answers": [["a", "b"], None, []],
            "rest": [1.5, float("nan"), None],
        }
    )
    assert seen(cases(frame, task="sentiment")) == [
        ("data/1", {"text": "fine"}, ("a", "b")),
        ("data/2", {"text": "dull"}, ()),
        ("data/3", {"text": "odd"}, ("unknown",)),
    ]


def test_dialogues_of_frames_whose_turns_were_filled_up_with_nulls() -> None:
    turns = [[{"question": "Who?", "answer": "Ann"}, {"question": "Why?", "rewrite": "Why did Ann?"}]]
    filled = [[{"question": None, "answer": None, "rewrite": None} | turn for turn in turns[0]]]
    expected = cases([{"turns": turns[0]}], task="dialogue")
    assert expected[0].turns[1].annotations == {"rewrite": "Why did Ann?"}
    for frame in (pandas.DataFrame({"turns": filled}), polars.DataFrame({"turns": filled})):
        assert cases(frame, task="dialogue") == expected
    assert cases(datasets.Dataset.from_list([{"turns": turns[0]}]), task="dialogue") == expected


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame, datasets.Dataset.from_dict])
def test_frames_and_datasets_are_the_records_that_they_hold(make: Any) -> None:
    assert cases(make(REVIEWS), task="sentiment") == cases(REVIEWS, task="sentiment")
    mapped = cases(make(REVIEWS), fields={"text": "label", "expected": "text"}, limit=2)
    assert seen(mapped) == [("data/1", {"text": "pos"}, ("fine",)), ("data/2", {"text": "neg"}, ("dull",))]


# Hugging Face datasets


class Feature:
    """A class label, as `datasets.ClassLabel` is."""

    def int2str(self, number: int) -> str:
        return ["neg", "pos"][number]


class Listed:
    """A list of something, as `datasets.List` is."""

    feature = Feature()


class Rows:
    """A dataset that somebody wrote by hand: rows and features, nothing else."""

    def __init__(self, rows: list[dict[str, Any]], features: dict[str, Any] | None) -> None:
        self.rows, self.features = rows, features

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)


def test_class_labels_of_anything_with_features_become_names() -> None:
    rows = [
        {"text": "fine", "label": 1, "answers": None},
        {"text": "dull", "label": -1, "answers": [0, 1]},
        {"text": "odd", "label": None, "answers": []},
    ]
    features = {"text": object(), "label": Feature(), "answers": Listed()}
    assert seen(cases(Rows(rows, features), task="sentiment", fields={"text": "text", "expected": "label"})) == [
        ("data/1", {"text": "fine"}, ("pos",)),
        ("data/2", {"text": "dull"}, ()),
        ("data/3", {"text": "odd"}, ()),
    ]
    answers = {"text": "text", "expected": "answers"}
    for listed in (Listed(), [Feature()]):
        made = cases(Rows(rows, {**features, "answers": listed}), fields=answers)
        assert [case.turns[0].expected for case in made] == [(), ("neg", "pos"), ("unknown",)]
    assert cases(Rows(rows, None), fields=answers, limit=1)[0].turns[0].expected == ()


@pytest.mark.parametrize("kind", [None, "numpy", "pandas", "arrow"])
@pytest.mark.parametrize("streamed", [False, True])
def test_real_datasets_in_every_format(kind: str | None, streamed: bool) -> None:
    data: Any = datasets.Dataset.from_dict({"text": ["fine", "dull", "odd"], "label": [1, 0, -1]}, features=LABELS)
    data = (data.to_iterable_dataset() if streamed else data).with_format(kind)
    assert [case.turns[0].expected for case in cases(data, task="sentiment")] == [("pos",), ("neg",), ()]
    assert len(cases(data, task="sentiment", limit=2)) == 2


def test_slices_and_lists_of_labels_of_real_datasets() -> None:
    data = datasets.Dataset.from_dict({"text": ["fine", "dull"], "label": [1, 0]}, features=LABELS)
    assert [case.turns[0].expected for case in cases(data[:2], task="sentiment")] == [("1",), ("0",)]
    several = datasets.Features({"text": LABELS["text"], "answers": datasets.List(LABELS["label"])})
    data = datasets.Dataset.from_dict({"text": ["fine"], "answers": [[1, 0]]}, features=several)
    assert cases(data, task="sentiment")[0].turns[0].expected == ("pos", "neg")


def test_squad_as_hugging_face_has_it() -> None:
    answers = [{"text": ["Ann"], "answer_start": [0]}, {"text": [], "answer_start": []}]
    data = datasets.Dataset.from_dict(
        {"id": ["a", "b"], "context": ["c"] * 2, "question": ["q"] * 2, "answers": answers}
    )
    made = cases(data, task="question-answering", name="squad")
    assert [(case.id, case.turns[0].expected) for case in made] == [("squad/a", ("Ann",)), ("squad/b", ("unknown",))]


# Mistakes

TWO = pandas.DataFrame([["a", "b"]], columns=["text", "text"])
BAD: list[tuple[Any, dict[str, Any], str]] = [
    ("fine", {}, r'cases: "fine" \(str\) is a single text; expected a list of texts, .*mutatis.read_cases'),
    (Path("a.csv"), {}, "is a single text; expected a list"),
    (b"fine", {}, "is a single text"),
    (5, {}, r"cases: expected a list of texts, .*, found 5 \(int\)"),
    (None, {}, "expected a list of texts"),
    (Case(id="a/1", turns=()), {}, "expected a list of texts"),
    ({"fine", "dull"}, {}, "a set has no order"),
    ([], {}, "cases: the data is empty; expected at least one text, record or case"),
    ({}, {}, "the data is empty"),
    (iter(()), {}, "the data is empty"),
    ({"text": []}, {}, "the data is empty"),
    (pandas.DataFrame({"text": []}), {}, "the data is empty"),
    (
        {"text": "fine", "label": 1},
        {},
        r'cases: {"text": "fine", "label": 1} \(dict\) is a single record; expected a list',
    ),
    ({"text": ["fine"], "label": 1}, {}, "is a single record; expected a list"),
    ({"turns": [{"question": "Who?"}]}, {}, "is a single record; expected a list"),
    ({"text": ["fine"], "label": [1, 2]}, {}, "the columns have different lengths: text 1, label 2"),
    (
        datasets.DatasetDict(train=datasets.Dataset.from_dict(REVIEWS), test=datasets.Dataset.from_dict(REVIEWS)),
        {},
        r"a dictionary of data sets \(train, test\); choose one of them, for example: data\['train'\]",
    ),
    ({"train": pandas.DataFrame(REVIEWS)}, {}, r"choose one of them, for example: data\['train'\]"),
    (polars.DataFrame(REVIEWS).lazy(), {}, r"LazyFrame is not computed yet; pass the result of its collect\(\)"),
    (TWO, {}, "two columns are called 'text'"),
    (pandas.DataFrame([["fine"]]), {}, "cases: record 1: the field names are 0; expected strings"),
    (["fine", 3], {}, r"cases: record 2: expected a text, a record \(a dictionary\) or a Case, found 3 \(int\)"),
    ([["fine"]], {}, r"found \[\"fine\"\] \(list\)"),
    (pandas.Series(["fine", None]), {}, "cases: record 2: expected a text"),
    (polars.Series(["fine", None]), {}, "cases: record 2: expected a text"),
    (["fine", " "], {}, "cases: record 2: field 'text' expected text, found \" \""),
    ([{"text": "fine"}, {"text": 3}], {}, "cases: record 2: field 'text' expected text, found 3"),
    ([{"review": "fine"}], {}, "field 'text' of task 'sentiment' is missing; it has: review; map it .* with fields"),
    (
        pandas.DataFrame({"text": ["a", None]}),
        {},
        "cases: record 2: field 'text' of task .* is missing; it has: nothing",
    ),
    ([{"n": 3}], {"task": "classification"}, "cases: record 1: no text to ask about; it has: n"),
    ([{"text": "a", "label": {"x": 1}}], {}, "cases: record 1: field 'label' expected text, a number or a list"),
    ([{"id": 1.5, "text": "a"}], {}, "cases: record 1: field 'id' expected an identifier .*, found 1.5"),
    ([{"id": 1, "text": "a"}, {"id": "1", "text": "b"}], {}, "cases: case 2 has the same id as case 1, 'data/1'"),
    ([{"turns": [{"qestion": "a"}]}], {}, "unknown key in cases: record 1, turn 1: 'qestion'; did you mean 'question'"),
    ([Case(id="a/1", turns=())], {}, "cases: case 'a/1' has no turns"),
    ([["fine"]], {"task": "classification"}, r"found \[\"fine\"\] \(list\)"),
    ([["fine", 3]], {"task": None}, r"expected a text, a record .* found \[\"fine\", 3\] \(list\)"),
    (
        [{"text": "a"}],
        {"task": None},
        r"without a task, it is unclear which fields to ask about; it has: text; pass task",
    ),
    (["fine"], {"task": "sentimnt"}, "unknown task 'sentimnt'; did you mean 'sentiment'"),
    (
        ["fine"],
        {"task": "question-answering"},
        r"task 'question-answering' needs 2 fields \(context, question\); give records: {\"context\": \"...\", ",
    ),
    (pandas.DataFrame(REVIEWS), {"fields": {"text": "txt"}}, "field 'txt' is missing; .*, it has: text, label"),
    (
        REVIEWS,
        {"fields": {"text": "text", "expected": "lable"}},
        "unknown column of cases: 'lable'; did you mean 'label'",
    ),
    ([{"turns": [{"question": "Who?"}]}], {"fields": {"question": "text"}}, "unknown column of cases: 'text'"),
    (
        [{"context": "a", "question": "b"}],
        {"task": "chat"},
        r'it has: context, question; they are those of task = "question-answering": pass that, or map it to one of '
        r'them with fields = {message = "context"}$',
    ),
    (
        [{"context": "a"}],
        {"task": "chat"},
        r'it has: context; map it to one of them with fields = {message = "context"}$',
    ),
    (["fine"], {"limit": 0}, "cases: limit is 0; expected 1 or more"),
    (["fine"], {"name": "a/b"}, "cases: name is 'a/b'; expected a name without '/'"),
    (["fine"], {"fields": ["text"]}, r"cases: fields is \['text'\]; expected a table"),
]


@pytest.mark.parametrize(("data", "options", "says"), BAD, ids=[says[:40] for _, _, says in BAD])
def test_what_cannot_be_read_is_told_on_one_line(data: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says) as caught:
        cases(data, **{"task": "sentiment", **options})
    assert "\n" not in str(caught.value)


# As users meet it


def test_the_example_of_the_page_is_true() -> None:
    [example] = re.findall(r"```pycon\n(.*?)```", (ROOT / "docs" / "data.md").read_text("utf-8"), re.DOTALL)
    told: list[str] = []
    test = doctest.DocTestParser().get_doctest(example, {}, "data.md", None, None)
    done = doctest.DocTestRunner().run(test, out=told.append)
    assert (done.failed, done.attempted > 5) == (0, True), "".join(told)


def test_a_run_takes_them() -> None:
    system = ScriptedSystem({"*": "0.5"})
    run = mutatis.run(system, cases(["fine", "dull"], task="sentiment"), ["upper-case"], task="sentiment")
    assert [(row.relation, row.satisfied) for row in run.summary] == [("upper-case", 2)]


def test_nothing_needs_to_be_installed_for_it_or_imported_before() -> None:
    code = """
import sys
sys.modules.update(dict.fromkeys(["pandas", "polars", "datasets", "pyarrow"]))
import mutatis
print([case.id for case in mutatis.cases({"text": ["fine", "dull"]}, task="sentiment")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("['data/1', 'data/2']\n", "")


def test_plain_texts_without_a_task_are_messages_and_lists_of_them_dialogues():
    single, dialogue = cases(["Do you ship to Norway?", ["Hi!", "Where is my parcel?"]], name="shop")
    assert (single.id, single.task) == ("shop/1", "chat")
    assert [dict(turn.fields) for turn in single.turns] == [{"message": "Do you ship to Norway?"}]
    assert (dialogue.id, dialogue.task) == ("shop/2", "chat")
    assert [dict(turn.fields) for turn in dialogue.turns] == [{"message": "Hi!"}, {"message": "Where is my parcel?"}]


def test_the_turns_of_a_record_may_be_texts_or_messages():
    records = [{"id": "a", "turns": ["Hi!", {"message": "Where?", "reply": "Here.", "expected": "there"}]}]
    for task in (None, "chat"):
        [case] = cases(records, task=task)
        assert case.task == "chat"
        assert [dict(turn.fields) for turn in case.turns] == [{"message": "Hi!"}, {"message": "Where?"}]
        assert (case.turns[1].reply, case.turns[1].expected) == ("Here.", ("there",))
    [asked] = cases([["Who left?", "Why?"]], task="dialogue")
    assert [dict(turn.fields) for turn in asked.turns] == [{"question": "Who left?"}, {"question": "Why?"}]
