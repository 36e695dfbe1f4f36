"""Declares edits of conversations whose words are English."""

from functools import partial

from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation

conversation = partial(transformation, level="dialogue", languages=ENGLISH)
"""Registers the decorated function as a transformation of the dialogue, for English."""
