"""Finds all values in a text: numbers, amounts, quantities, durations, ages, dates, times, names and codes."""

from mutatis.text.values.numerals import Number, in_full, numbers, parse_score
from mutatis.text.values.others import moved, on_day, with_day
from mutatis.text.values.reading import mask_spans, named_values, values, whole_value
from mutatis.text.values.value import Value
from mutatis.text.values.vocabulary import vocabulary
from mutatis.text.values.written import Form

__all__ = [
    "Form",
    "Number",
    "Value",
    "in_full",
    "mask_spans",
    "moved",
    "named_values",
    "numbers",
    "on_day",
    "parse_score",
    "values",
    "vocabulary",
    "whole_value",
    "with_day",
]
