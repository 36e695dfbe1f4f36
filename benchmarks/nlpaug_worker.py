"""Follow-ups per CPU second of one augmenter of nlpaug; `transformations.py --nlpaug PYTHON` runs it in that Python.

Reads one JSON object from standard input: name of the augmenter, texts, seconds. Writes the rate, or why there is none.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any


def augmenters() -> dict[str, Callable[[], Any]]:
    """Return the augmenters by the names that the benchmark gives them: with nlpaug's own shares, without its caps.

    Its shares are 0.3 of the letters of 0.3 of the words, about our tenth of the letters, and 0.3 of the words.
    """
    import nlpaug.augmenter.char as nac  # type: ignore[import-not-found]
    import nlpaug.augmenter.word as naw  # type: ignore[import-not-found]

    letters = {"aug_char_max": None, "aug_word_max": None}
    words = {"aug_max": None}
    return {
        "RandomCharAug substitute": lambda: nac.RandomCharAug(action="substitute", **letters),
        "RandomCharAug insert": lambda: nac.RandomCharAug(action="insert", **letters),
        "RandomCharAug delete": lambda: nac.RandomCharAug(action="delete", **letters),
        "RandomCharAug swap": lambda: nac.RandomCharAug(action="swap", **letters),
        "KeyboardAug": lambda: nac.KeyboardAug(**letters),
        "OcrAug": lambda: nac.OcrAug(**letters),
        "SpellingAug": lambda: naw.SpellingAug(**words),
        "SplitAug": lambda: naw.SplitAug(**words),
        "RandomWordAug delete": lambda: naw.RandomWordAug(action="delete", **words),
        "SynonymAug wordnet": lambda: naw.SynonymAug(aug_src="wordnet", **words),
        "AntonymAug": lambda: naw.AntonymAug(**words),
    }


def rate(make: Callable[[str], Any], texts: list[str], seconds: float) -> float:
    """Return follow-ups per CPU second."""
    for text in texts[:10]:
        make(text)
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for text in texts[done % len(texts) :][:10]:
            make(text)
            done += 1
    return done / spent


def main() -> None:
    """Measure one augmenter."""
    wanted = json.load(sys.stdin)
    random.seed(7)
    try:
        augmenter = augmenters()[wanted["name"]]()
        print(json.dumps([rate(augmenter.augment, texts, wanted["seconds"]) for texts in wanted["texts"]]))
    except (LookupError, OSError, ImportError, ModuleNotFoundError) as error:
        told = [line.strip() for line in str(error).splitlines() if line.strip(" *")]
        print(json.dumps(told[0] if told else type(error).__name__))


if __name__ == "__main__":
    main()
