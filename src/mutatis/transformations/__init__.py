"""Transformations of inputs. Every module of the package may add to `TRANSFORMATIONS`.

A transformation receives only a text (or a turn, or the order of turns in a dialogue), a random generator and perhaps a
helper. It is independent of relations, tasks and systems.
"""

from mutatis.core.registry import load_modules

load_modules(__name__)
