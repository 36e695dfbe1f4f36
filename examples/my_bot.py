"""A system under test that is one Python function: the sentence that shares most words with the question.

mutatis run --system function:my_bot.py:answer --data squad2:FILE --relations tag:robustness --set system.input=fields
"""

import re
from collections.abc import Mapping


def answer(fields: Mapping[str, str]) -> str:
    """Answer with a sentence of the context, or with "unknown" where no sentence shares a word."""
    asked = set(re.findall(r"\w+", fields["question"].lower()))
    sentences = re.split(r"(?<=[.!?])\s+", fields["context"])
    best = max(sentences, key=lambda sentence: len(asked & set(re.findall(r"\w+", sentence.lower()))))
    return best if asked & set(re.findall(r"\w+", best.lower())) else "unknown"
