import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.text.values import in_full, numbers, parse_score


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1993", [(1993, "year")]),
        ("twelve", [(12, "count")]),
        ("1,200", [(1200, "count")]),
        ("3.5 million", [(3_500_000, "count")]),
        ("3,500,000", [(3_500_000, "count")]),
        ("50 %", [(0.5, "percent")]),
        ("fifty per cent", [(0.5, "percent")]),
        ("half", [(0.5, "count")]),
        ("three hundred and five", [(305, "count")]),
        ("two hundred thousand", [(200_000, "count")]),
        ("World War II", [(2, "ordinal")]),
        ("Henry the Eighth", [(8, "ordinal")]),
        ("twenty-first century", [(21, "ordinal")]),
        ("the 1990s", [(1990, "decade")]),
        ("June 12, 1996", [(12, "day"), (1996, "year")]),
        ("5 km", [(5000, "length")]),
        ("two hours", [(7200, "time")]),
        ("$5", [(5, "dollar")]),
        ("5 dollars", [(5, "dollar")]),
        ("-5 degrees", [(-5, "degrees")]),
        ("1,2,3", [(1, "count"), (2, "count"), (3, "count")]),
        ("25 or 26", [(25, "count"), (26, "count")]),
        ("one of the best", []),
        ("A1 motorway", []),
        ("no number", []),
        ("", []),
    ],
)
def test_numbers(text: str, expected: list[tuple[float, str]]) -> None:
    assert [(number.value, number.kind) for number in numbers(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.73", 0.73),
        ("-0.8", -0.8),
        (".8", 0.8),
        ("80%", 0.8),
        ("80 percent", 0.8),
        ("8/10", 0.8),
        ("I give it 4 out of 5.", 0.8),
        ("Sentiment: 1", 1.0),
        ("0,8", 0.8),
        ("3/0", None),
        ("positive", None),
        ("", None),
    ],
)
def test_parse_score(text: str, expected: float | None) -> None:
    assert parse_score(text) == expected


@given(st.integers(min_value=0, max_value=10**12))
def test_separators_do_not_change_the_value(value: int) -> None:
    assert numbers(f"{value:,}")[0].value == numbers(str(value))[0].value == value


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_any_text_is_read_without_error(text: str) -> None:
    numbers(text)
    parse_score(text)


def test_absurdly_long_digits_are_no_error() -> None:
    assert numbers("9" * 5000) == ()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("11 . 5 million", "11.5 million"),
        ("11. 5 million", "11.5 million"),
        ("2. 5 %", "2.5 %"),
        ("10 , 000 men", "10,000 men"),
        ("1979-80", "1979-1980"),
        ("the 1979 -- 80 season", "the 1979-1980 season"),
        ("1979\u201380", "1979-1980"),
        ("1999/00", "1999-2000"),
        # what only looks like it
        ("It began in 1990. 20 came.", "It began in 1990. 20 came."),
        ("See page 3. 5 men came.", "See page 3. 5 men came."),
        ("100, 200 or 300", "100, 200 or 300"),
        ("2009-10-05", "2009-10-05"),
        ("1980-79", "1980-79"),
        ("1979-1980", "1979-1980"),
        ("call 0800-1979-80", "call 0800-1979-80"),
    ],
)
def test_numbers_in_full(text: str, wanted: str) -> None:
    assert in_full(text) == wanted
    assert in_full(wanted) == wanted


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("1\u00bd days", 129600.0, "time"),
        ("2 \u00be cups", 2.75, "cups"),
        ("\u00bd a cup", 0.5, "count"),
        ("2,000\u00bd points", 2000.5, "count"),
        ("a 3/4 violin", 0.75, "count"),
        ("2 1/2 hours", 9000.0, "time"),
    ],
)
def test_a_fraction_is_one_number(text, value, kind):
    [number] = numbers(text)
    assert (number.value, number.kind) == (value, kind)
