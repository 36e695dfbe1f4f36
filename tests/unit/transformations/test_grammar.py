"""Contractions (relation families, MRG2) and negation."""

import pytest

from mutatis.transformations.grammar import contract, expand_contractions, negation_auxiliary

LEVELS = (
    {"don't": "do not", "doesn't": "does not", "didn't": "did not"},
    {"can't": "cannot", "couldn't": "could not"},
    {"won't": "will not", "wouldn't": "would not"},
    {
        "shan't": "shall not",
        "shalln't": "shall not",
        "shouldn't": "should not",
        "isn't": "is not",
        "wasn't": "was not",
        "aren't": "are not",
        "weren't": "were not",
    },
)


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_levels_are_nested_sets(level: int) -> None:
    for number, table in enumerate(LEVELS, start=1):
        for short, long in table.items():
            for written in (short, short.replace("'", "’")):
                expected = long if number <= level else written
                assert expand_contractions(f"I {written}.", level=level) == f"I {expected}."


def test_letter_case() -> None:
    assert expand_contractions("Don't. DON'T. Can’t. Won't.") == "Do not. DO NOT. Cannot. Will not."


@pytest.mark.parametrize(
    "text",
    [
        "dont cant wont shant",
        "I can't've known",
        "don'ts",
        "xdon't",
        "mustn't ain't needn't",
        "re-don't",
        "the wont of",
    ],
)
def test_left_alone(text: str) -> None:
    assert expand_contractions(text) == text


def test_corpora_that_write_the_two_parts_apart() -> None:
    assert expand_contractions("i do n't , ca n't and wo n't .") == "i do not , cannot and will not ."


def test_quotation_marks_are_no_apostrophes() -> None:
    assert expand_contractions("He said 'don't' and ‘isn’t’.") == "He said 'do not' and ‘is not’."


def test_contract_is_the_reverse() -> None:
    assert (
        contract("I do not. It is not. We cannot, can not. They will not!")
        == "I don't. It isn't. We can't, can't. They won't!"
    )
    assert contract("I do not. I will not.", level=1) == "I don't. I will not."
    assert contract("Do not go; shall not.") == "Don't go; shan't."
    assert contract("It is not only good.") == "It is not only good."
    assert contract("What I do. Not that.") == "What I do. Not that."
    for table in LEVELS:
        for short in table:
            if short != "shalln't":
                assert contract(expand_contractions(f"I {short} x")) == f"I {short} x"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The film is good.", "The film is not good."),
        ("The film is not good.", "The film is good."),
        ("The film is never dull.", "The film is dull."),
        ("She didn’t mind.", "She did mind."),
        ("They cannot swim.", "They can swim."),
        ("They can swim.", "They cannot swim."),
        ("it 's a charming film .", "it 's a charming film ."),
        ("It's a charming film.", "It's not a charming film."),
        ("It's been a joy.", "It's been a joy."),
        ("John's car is red.", "John's car is not red."),
        ("He has written a book.", "He has not written a book."),
        ("He has a book.", "He has a book."),
        ("He does his work.", "He does his work."),
        ("Who is the king?", "Who isn't the king?"),
        ("What did he do?", "What didn't he do?"),
        ("In May the will was read.", "In May the will was not read."),
        ("There is no doubt.", "There is no doubt."),
        ("Birds sing.", "Birds sing."),
        ("If it is late, it is dark.", "If it is late, it is dark."),
        ("he does n't mind .", "he does mind ."),
        ("they ca n't swim .", "they can swim ."),
        ("I ACT WHEN HE IS ILL. THIS IS IT.", "I ACT WHEN HE IS ILL. THIS IS NOT IT."),
        ("He was ill. She was not.", "He was not ill. She was."),
    ],
)
def test_negation(text: str, expected: str) -> None:
    assert negation_auxiliary(text) == expected


@pytest.mark.parametrize(
    "question", ["How much is the lamp?", "How long does it take?", "Well, how many of them were there?"]
)
def test_a_question_of_degree_has_no_negation(question: str) -> None:
    """ "How much doesn't it cost?" is nothing that anybody asks."""
    assert negation_auxiliary(question) == question
