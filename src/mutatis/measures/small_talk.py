"""What a system says around its answers: greetings, thanks, closings, the note that comes with every reply.

A sentence is small talk where it comes with the replies to many questions, beside sentences that differ from question
to question. A reply of nothing else ("I did not understand you.") is left as it is: then it is the answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

from mutatis.measures.answer import LONGEST
from mutatis.text.sentences import sentences

QUESTIONS = 3
"""Questions with whose replies a sentence comes at least, and different sentences beside which it stands."""

SHARE = 0.15
"""The same as a share of the questions of a block: in a large one, three questions may well be about one thing."""

_NO_WORD = re.compile(r"\W+")


@lru_cache(maxsize=16384)
def reply_parts(reply: str) -> tuple[tuple[str, str], ...]:
    """Return the sentences of a reply, each as written and by its words alone."""
    written = (part.strip() for line in reply[:LONGEST].splitlines() for part in sentences(line))
    return tuple((part, words) for part in written if (words := _NO_WORD.sub(" ", part.lower()).strip()))


def small_talk(replies: Sequence[Iterable[str]]) -> frozenset[str]:
    """Return the sentences, by their words alone, that say nothing; `replies` are those to each question of a block.

    >>> asked = [["Sure. We open at 9."], ["Sure. It is 5 euros."], ["Sure. On Monday."], ["Sorry?"], ["Sorry?"]]
    >>> small_talk(asked)
    frozenset({'sure'})
    """
    asked_for: dict[str, set[int]] = defaultdict(set)
    for number, texts in enumerate(replies):
        for text in texts:
            for _, words in reply_parts(text):
                asked_for[words].add(number)
    least = max(QUESTIONS, SHARE * len(replies))
    common = {words for words, questions in asked_for.items() if len(questions) >= least}
    beside: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for text in (text for texts in replies for text in texts):
        rest = tuple(words for _, words in reply_parts(text) if words not in common)
        for _, words in reply_parts(text) if rest else ():
            beside[words].add(rest)
    return frozenset(words for words in common if len(beside[words]) >= QUESTIONS)


def without(reply: str, talk: frozenset[str]) -> str:
    """Return a reply without small talk; all of it where nothing else is there."""
    kept = [written for written, words in reply_parts(reply) if words not in talk]
    return " ".join(kept) or reply[:LONGEST].strip()
