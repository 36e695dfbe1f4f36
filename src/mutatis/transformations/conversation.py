"""A decorator for transformations of dialogues in English."""

from functools import partial

from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation

conversation = partial(transformation, level="dialogue", languages=ENGLISH)
"""Decorator that registers a function as a transformation of English dialogues."""
