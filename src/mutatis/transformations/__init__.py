"""Input transformations. Every module of the package may fill `TRANSFORMATIONS`.

A transformation gets text (or a turn, or the order of a dialogue's rounds), a random generator and perhaps a helper,
and nothing else, so it knows neither relations nor tasks nor systems.
"""

from mutatis.core.registry import load_modules

load_modules(__name__)
