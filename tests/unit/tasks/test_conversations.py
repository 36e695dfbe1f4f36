"""What systems are shown, and prompts of the user's own."""

from __future__ import annotations

import pytest

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.core.system import Response
from mutatis.tasks import TASKS, load_task, with_prompt

QA = Case(id="d/1", turns=(Turn(fields={"context": "Ann {question} left.", "question": "Who left?"}),))
TALK = Case(
    id="d/2",
    material={"title": "Tea", "story": "Ann drinks {story} tea."},
    turns=(
        Turn(fields={"question": "Who drinks?"}),
        Turn(fields={"question": "What?"}),
        Turn(fields={"question": "Why?"}),
    ),
)


def test_a_conversation_names_the_kind_of_answer_that_its_task_expects():
    calling = with_prompt(TASKS["tool-call"], prompt="{question}", fields=["question"])
    kinds = [task.converse(QA, 0, []).kind for task in (TASKS["question-answering"], calling)]
    assert kinds == ["text", "calls"]


def test_the_tasks_are_there_with_fields_kinds_and_variants():
    assert set(TASKS) >= {
        "question-answering",
        "inference",
        "sentiment",
        "relation-extraction",
        "classification",
        "dialogue",
    }
    assert TASKS["question-answering"].variants == (("context",), ("question",), ("context", "question"))
    assert TASKS["inference"].variants == (("premise",), ("hypothesis",), ("premise", "hypothesis"))
    assert TASKS["relation-extraction"].variants == (("text",),)
    assert TASKS["relation-extraction"].fields == ("text", "head", "tail")
    kinds = {name: TASKS[name].kind for name in ("question-answering", "inference", "sentiment", "dialogue")}
    assert kinds == {"question-answering": "text", "inference": "label", "sentiment": "number", "dialogue": "text"}


def test_fields_are_shown_between_tags_and_braces_in_the_data_are_harmless():
    shown = TASKS["question-answering"].converse(QA, 0, [])
    assert [message.role for message in shown.messages] == ["system", "user"]
    assert "<context>\nAnn {question} left.\n</context>" in shown.messages[1].content
    assert shown.messages[1].content.count("Who left?") == 1
    assert shown.fields == QA.turns[0].fields
    assert (shown.case_id, shown.turn, shown.history) == ("d/1", 0, ())


def test_a_dialogue_begins_with_its_story_and_goes_on_with_questions_and_answers():
    shown = TASKS["dialogue"].converse(TALK, 2, ["Ann", "tea"])
    assert [message.role for message in shown.messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert shown.messages[0].content.startswith("<title>\nTea\n</title>\n<story>\nAnn drinks {story} tea.\n</story>")
    assert [message.content for message in shown.messages[1:]] == ["Who drinks?", "Ann", "What?", "tea", "Why?"]
    assert shown.history == (({"question": "Who drinks?"}, "Ann"), ({"question": "What?"}, "tea"))
    assert shown.fields == {"title": "Tea", "story": "Ann drinks {story} tea.", "question": "Why?"}


def test_equal_beginnings_of_dialogues_give_equal_messages():
    early, late = (TASKS["dialogue"].converse(TALK, turn, ["Ann", "tea"]).messages for turn in (1, 2))
    assert late[: len(early)] == early


def test_a_given_reply_stands_for_the_systems_own_answer():
    first = Turn(fields={"question": "Who drinks?"}, reply="Bob")
    case = Case(id="d/3", turns=(first, *TALK.turns[1:]))
    shown = TASKS["dialogue"].converse(case, 1, ["Ann"])
    assert shown.messages[2].content == "Bob"
    assert shown.history[0][1] == "Bob"


def test_expected_answers_are_never_shown():
    case = Case(id="d/4", turns=(Turn(fields={"text": "fine"}, expected=("SECRET",), annotations={"note": "SECRET"}),))
    for task in ("sentiment", "classification"):
        assert "SECRET" not in str(TASKS[task].converse(case, 0, []))


def test_labels_are_listed_where_there_are_any():
    assert (
        "entailment, contradiction, neutral"
        in TASKS["inference"]
        .converse(Case(id="d/5", turns=(Turn(fields={"premise": "a", "hypothesis": "b"}),)), 0, [])
        .messages[0]
        .content
    )
    case = Case(id="d/6", turns=(Turn(fields={"title": "T", "body": "B"}),))
    bare = TASKS["classification"].converse(case, 0, []).messages
    assert "classes" not in bare[0].content
    named = with_prompt(TASKS["classification"], labels=["HQ", "LQ"], fields=["title", "body"])
    shown = named.converse(case, 0, []).messages
    assert "Possible classes: HQ, LQ" in shown[0].content
    assert "<title>\nT\n</title>\n<body>\nB\n</body>" in shown[1].content
    assert named.variants == (("title",), ("body",))
    assert named.parse(Response(text="lq"), case) == "LQ"


def test_a_prompt_of_the_users_own_is_filled_in_one_pass():
    task = with_prompt(TASKS["question-answering"], "Be brief.", 'Q: {question} T: {context} {"json": 1} {}')
    shown = task.converse(QA, 0, []).messages
    assert [message.content for message in shown] == [
        "Be brief.",
        'Q: Who left? T: Ann {question} left. {"json": 1} {}',
    ]


def test_an_empty_system_message_is_left_out():
    shown = with_prompt(TASKS["sentiment"], system_message="").converse(
        Case(id="d/7", turns=(Turn(fields={"text": "fine"}),)), 0, []
    )
    assert [message.role for message in shown.messages] == ["user"]


def test_variants_of_fields_that_are_not_shown_are_left_out():
    assert with_prompt(TASKS["question-answering"], "", "{question}").variants == (("question",),)


def test_a_prompt_that_shows_nothing_is_told():
    with pytest.raises(UsageError, match=r"add \{text\} to the prompt"):
        with_prompt(TASKS["sentiment"], "Rate it.", "How good is it?")


def test_an_unknown_placeholder_is_told_with_those_there_are():
    task = with_prompt(TASKS["question-answering"], "", "{question} {passage}")
    with pytest.raises(UsageError, match=r"placeholder \{passage\}; the case has: \{context\}, \{question\}"):
        task.converse(QA, 0, [])


def test_labels_of_a_task_without_labels_are_told():
    with pytest.raises(UsageError, match="has no labels"):
        with_prompt(TASKS["sentiment"], labels=["good"])


def test_a_task_is_one_prompt_file_and_the_name_of_a_parser(tmp_path):
    path = tmp_path / "toxicity.toml"
    path.write_text('fields = ["text"]\nkind = "number"\nparser = "score"\nprompt = "How toxic is {text}?"\n')
    task = load_task(path)
    case = Case(id="d/8", turns=(Turn(fields={"text": "this"}),))
    assert (task.name, task.variants) == ("toxicity", (("text",),))
    assert task.converse(case, 0, []).messages[0].content == "How toxic is this?"
    assert task.parse(Response(text="30%"), case) == 0.3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("fields = [", "not a TOML file"),
        ('kind = "text"', "needs the key 'fields'"),
        ('fields = ["a"]\nkind = "txt"\nparser = "score"\nprompt = "{a}"', "kind is 'txt'"),
        ('fields = ["a"]\nkind = "text"\nparser = "scor"\nprompt = "{a}"', "did you mean 'score'"),
        ('fields = ["a"]\nkind = "text"\nparser = "score"\npromt = "x"\nprompt = "{a}"', "did you mean 'prompt'"),
    ],
)
def test_a_faulty_prompt_file_is_told(tmp_path, text, says):
    path = tmp_path / "task.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=says):
        load_task(path)


def test_nothing_stands_around_a_chat_message():
    case = Case(id="d/9", turns=(Turn(fields={"message": "Hi {x}!"}, reply="Hello."), Turn(fields={"message": "Why?"})))
    shown = TASKS["chat"].converse(case, 1, ["", ""])
    assert [(message.role, message.content) for message in shown.messages] == [
        ("user", "Hi {x}!"),
        ("assistant", "Hello."),
        ("user", "Why?"),
    ]
    said = Response(text="<think>hm</think>The answer: it is late.")
    assert TASKS["chat"].parse(said, case) == "The answer: it is late."
    assert TASKS["chat"].uninformative("I don't know.")
    assert not TASKS["chat"].uninformative("It is late.")


def test_a_task_of_the_package_has_no_relations_of_another_task() -> None:
    assert {name: TASKS[name].like for name in TASKS if TASKS[name].like not in ("", name)} == {}
