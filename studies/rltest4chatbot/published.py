"""The numbers that the thesis prints: Tables 4.2 to 4.7 and A.1 to A.9; and why a column of ours may be empty."""

from __future__ import annotations

from collections.abc import Mapping

Subject = tuple[str, str]
"""A tracker and a version of MultiWOZ."""

SUBJECTS: tuple[Subject, ...] = (("TRADE", "2.1"), ("TRADE", "2.2"), ("SimpleTOD", "2.1"), ("SimpleTOD", "2.2"))

SIZES: Mapping[Subject, tuple[int, int]] = {
    **{("TRADE", "2.1"): (315, 78), ("TRADE", "2.2"): (310, 77)},
    **{("SimpleTOD", "2.1"): (410, 102), ("SimpleTOD", "2.2"): (349, 86)},
}
"""Table 4.2: dialogues for training and for testing."""

SINGLE: Mapping[Subject, float] = {
    **{("TRADE", "2.1"): 7.51, ("TRADE", "2.2"): 7.14},
    **{("SimpleTOD", "2.1"): 7.79, ("SimpleTOD", "2.2"): 5.29},
}
"""Tables 4.3 and 4.4: failure rate of random single transformations."""

INERTIA: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "SimpleTOD": ((1.482, 1.601, 1.768, 1.65, 2.18, 1.49), (3.36, 3.35, 3.36, 3.36, 3.34, 3.35)),
    "TRADE": ((1.88, 1.57, 1.49, 1.66, 2.017, 2.057), (3.35, 3.35, 3.36, 3.37, 3.36, 3.36)),
}
"""Tables 4.5 and 4.6: of learning and of random search, k = 1 to 6; the thesis does not say on which version."""

DIALTEST: Mapping[str, tuple[float, float, float, float]] = {
    "TRADE": (23.5, 99.14, 33.33, 70.08),
    "SimpleTOD": (23.34, 98.21, 45.0, 71.76),
}
"""Table 4.7: failure and valid rate of learning, then of DialTest; its own header has the columns in another order."""

BY_K: Mapping[tuple[str, str, str], tuple[tuple[float, ...], tuple[float, ...]]] = {
    ("SimpleTOD", "2.1", "RL"): ((5.62, 12.5, 18.8, 11.41, 23.93, 23.34), (95.609, 96.26, 92.52, 93.98, 84.22, 98.21)),
    ("SimpleTOD", "2.2", "RL"): ((7.97, 14.34, 11.52, 14.62, 19.34, 28.94), (99.41, 98.45, 99.03, 88.58, 98.83, 80.35)),
    ("SimpleTOD", "2.1", "RS"): ((7.91, 13.59, 16.24, 22.92, 30.57, 33.12), (96.58, 80.18, 51.05, 51.05, 51.05, 51.05)),
    ("SimpleTOD", "2.2", "RS"): ((5.52, 11.19, 17.32, 23.46, 28.88, 35.01), (98.06, 81.23, 53.57, 53.57, 53.57, 53.57)),
    ("TRADE", "2.1", "RL"): ((8.2, 17.17, 16.34, 20.215, 20.215, 23.5), (96, 98.29, 99.35, 99.35, 99.35, 99.14)),
    ("TRADE", "2.2", "RL"): ((10.022, 14.49, 19.66, 18.06, 23.51, 30.05), (99.54, 92.29, 93.424, 89.115, 99.31, 98.86)),
}
"""Tables A.1 to A.9: failure rate and valid rate for k = 1 to 6. The thesis prints no random search on TRADE."""

TABLES_BY_K: Mapping[tuple[str, str, str], str] = {
    **{("SimpleTOD", "2.1", "RL"): "A.2", ("SimpleTOD", "2.2", "RL"): "A.3"},
    **{("SimpleTOD", "2.1", "RS"): "A.5", ("SimpleTOD", "2.2", "RS"): "A.6"},
    **{("TRADE", "2.1", "RL"): "A.8", ("TRADE", "2.2", "RL"): "A.9"},
}
"""A.1, A.4 and A.7 are the titles over pairs of these."""

FORMATS: Mapping[str, str] = {"2.1": "multiwoz21", "2.2": "multiwoz22"}
KINDS: Mapping[str, str] = {"TRADE": "trade", "SimpleTOD": "simpletod"}

NOT_RUN: Mapping[str, str] = {
    "2.2": "not run: no MultiWOZ 2.2 dialogues at hand; give --data multiwoz22:FOLDER",
    "SimpleTOD": "not run: no fine-tuned weights at hand; give --tracker simpletod:FOLDER",
    "TRADE": "not run: give --tracker trade:CHECKPOINT",
    "2.1": "not run: give --data multiwoz21:FILE",
}
"""Why there is no number of ours, the first of these that holds."""
