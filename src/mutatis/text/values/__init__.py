"""The one reader of values: numbers, amounts, quantities, durations, ages, dates, times, names and codes of a text."""

from mutatis.text.values.numerals import Number, in_full, numbers, parse_score
from mutatis.text.values.reading import named_values, values, whole_value
from mutatis.text.values.value import Form, Value, ValueKind
from mutatis.text.values.vocabulary import vocabulary

__all__ = [
    *("Form", "Number", "Value", "ValueKind"),
    *("in_full", "named_values", "numbers", "parse_score", "values", "vocabulary", "whole_value"),
    "Number",
    "in_full",
    "numbers",
    "parse_score",
    "named_values",
    "values",
    "whole_value",
    "Form",
    "Value",
    "ValueKind",
    "vocabulary",
]
