from __future__ import annotations

import pytest

from mutatis.core.cases import Case, Turn
from mutatis.core.system import Response
from mutatis.core.task import TASKS, Unparsable


def final(text: str) -> str:
    case = Case(id="d/1", turns=(Turn(fields={"question": "How many?"}),))
    return TASKS["word-problem"].parse(Response(text=text), case)


def choice(text: str, options: str = "A) tea\nB) green tea\nC) 12 cups") -> str:
    case = Case(id="d/1", turns=(Turn(fields={"question": "What?", "options": options}),))
    return TASKS["multiple-choice"].parse(Response(text=text), case)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("18", "18"),
        ("She has 16 - 3 = 13, and 13 - 4 = 9. The answer is 9.", "9"),
        ("9 * 2 = 18\n#### 18", "18"),
        (r"So we get \boxed{70,000}. That is a lot more than 3.", "70000"),
        (r"\boxed{\$18.50}", "18.5"),
        ("The answer is $1,250.00 in 12 months.", "1250"),
        ("**Answer:** 42 eggs", "42"),
        ("First 3, then 5, which leaves 8 eggs", "8"),
        ('{"working": "2+2", "answer": 4}', "4"),
        ("The final answer is -3.", "-3"),
        ("<think>maybe 5</think>The answer is .5", "0.5"),
        (r"\boxed{\frac{3}{4}}", "0.75"),
        (r"So $\boxed{\dfrac{1}{3}}$ of it.", "1/3"),
        (r"\boxed{1{,}200}", "1200"),
        (r"\boxed{\text{18 eggs}}", "18"),
        (r"\boxed{x = 12}", "12"),
        ("The answer is 3/4.", "0.75"),
        ("The answer is 6/2 = 3 eggs.", "3"),
        ("The answer is 2 * $9 = $18 a day, not 12.", "18"),
        ("There were 8, and so he eats 3/4 of them", "0.75"),
        ("He has 9 - 5 = 4, that is 12/3=4", "4"),
        ("The answer is 10/12/2020", "10"),
        (r"\boxed{12 \text{ cm}^2}", "12"),
        (r"\boxed{12\text{ cm}^{2}}", "12"),
        (r"\boxed{5 m^2}", "5"),
        (r"\boxed{18 \text{ (of 20)}}", "18"),
        (r"\boxed{6/2 = 3}", "3"),
        (r"\boxed{3\frac{1}{2}}", "3.5"),
        (r"\boxed{-\frac{1}{2}}", "-0.5"),
        (r"\boxed{-3 \frac{1}{2}}", "-3.5"),
        (r"\boxed{2^{10} = 1024}", "1024"),
        (r"\boxed{90^\circ}", "90"),
        (r"\boxed{\mathbf{7}}", "7"),
        ("The answer is 24/7.", "24/7"),
        ("We have 3 shops, open 24/7", "3"),
        ("The answer is minus five", "-5"),
        ("It is cold.\n**Minus five**", "-5"),
        ("The answer is five hours.", "5"),
        ('{"answer": "twelve"}', "12"),
        ("forty-two", "42"),
        ("The answer is twelve hundred.", "1200"),
    ],
)
def test_the_result_is_read_from_free_working(text, read):
    assert final(text) == read


@pytest.mark.parametrize(
    "text",
    [
        *("", "I cannot solve this.", "many", "No one knows.", "First, one finds that the answer is unknown"),
        *("We're open 24/7", r"\boxed{2^{10}}", r"It is $2^{10}$, so \boxed{2^{10}}", r"\boxed{3 \cdot 2 ^ 10}"),
    ],
)
def test_what_has_no_number_has_no_result(text):
    with pytest.raises(Unparsable):
        final(text)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("B", "green tea"),
        ("(c)", "12 cups"),
        ("C) 12 cups", "12 cups"),
        ("green tea", "green tea"),
        ("The answer is B.", "green tea"),
        ("It is hot and green.\nAnswer: B", "green tea"),
        (r"\boxed{A}", "tea"),
        ('{"choice": "C"}', "12 cups"),
        ("I would choose option C because there are 12 of them.", "12 cups"),
    ],
)
def test_an_option_is_known_by_name_or_text(text, read):
    assert choice(text) == read


def test_an_option_stays_itself_behind_another_letter():
    assert choice("A", "A) milk\nB) tea") == choice("2", "1) tea\n2) milk") == "milk"


@pytest.mark.parametrize("text", ["", "D", "I cannot answer this.", "Perhaps tea, perhaps 12 cups of something."])
def test_what_chooses_nothing_is_told(text):
    with pytest.raises(Unparsable):
        choice(text)
