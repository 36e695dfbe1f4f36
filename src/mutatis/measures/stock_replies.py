"""Finds stock replies in any language: replies that several questions get instead of their own answers.

A normal answer such as "Yes, we do" may also answer several questions, but is then given to most wordings of each. The
answer to one question may also be what the system says when it misreads others; it still answers its question. A stock
reply occurs among other replies that only its question gets, and shows that the system did not understand. No
word list is needed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from statistics import median_high
from weakref import WeakKeyDictionary

from mutatis.core.measure import NOT_UNDERSTOOD, SOURCE_IS_ODD, Comparison, Repertoire, ReplyBlock, Similarity
from mutatis.measures.answer import LONGEST, as_text
from mutatis.measures.similarities import different
from mutatis.text.normalisation import normalise
from mutatis.text.openers import without_courtesies

QUESTIONS = 4
"""Minimum number of different questions that get a stock reply instead of their own answers.

Two or three questions may well be about the same thing.
"""

INSTEAD = 0.8
"""Minimum proportion of the questions with a stock reply that also have an answer of their own."""

OWN = 0.2
"""Minimum proportion of a question's replies that no other question gets for them to be its own answer."""

FIXED = 0.6
"""How uniform the answers of a system must be for it to count as a system with fixed texts.

It is the median, over questions, of the most common text's proportion of the question's own answers. If a system
rewords its answers, its stock replies are found by their missing facts instead (`Placing`).
"""


def stock_replies(asked: Sequence[str], replies: Sequence[Sequence[Hashable]], *, fixed: bool) -> dict[Hashable, int]:
    """Return the stock replies to the questions of a block, each with the number of questions that get it.

    An example is "Sorry?" in reply to four questions that also get answers of their own.

    Args:
        asked: the words of each question. Questions with the same words count as one.
        replies: the replies to each question, with repetitions; first the reply to its plain wording.
        fixed: whether to look for stock replies only if the system has a fixed text for each answer.
    """
    said: dict[str, Counter[Hashable]] = defaultdict(Counter)
    for words, texts in zip(asked, replies, strict=True):
        said[words].update(texts)
    breadth = Counter(text for texts in said.values() for text in texts)
    own_answers = {
        words: Counter({text: number for text, number in texts.items() if breadth[text] == 1})
        for words, texts in said.items()
    }
    answered = {words for words in said if own_answers[words].total() >= max(1, OWN * said[words].total())}
    plain = {words: texts[0] for words, texts in zip(asked, replies, strict=True) if texts}
    at_home = Counter(text for words, text in plain.items() if said[words][text] >= OWN * said[words].total())
    places: dict[Hashable, int] = {}
    for text, questions in breadth.items():
        if at_home[text] == 1:  # the answer to one question, and a misreading of others
            continue
        instead = [words for words in answered if text in said[words]]
        if len(instead) < max(QUESTIONS, INSTEAD * questions):
            continue
        shares_of_commonest = [max(own_answers[words].values()) / own_answers[words].total() for words in instead]
        if not fixed or median_high(shares_of_commonest) >= FIXED:
            places[text] = len(instead)
    return places


_BLOCKS: WeakKeyDictionary[ReplyBlock, dict[Hashable, int]] = WeakKeyDictionary()


def _words(text: str) -> str:
    return normalise(without_courtesies(text[:LONGEST]))


def _stock_replies_of(block: ReplyBlock) -> dict[Hashable, int]:
    if block not in _BLOCKS:
        asked = [normalise(next((reply.message for reply in question.same), "")) for question in block.questions]
        replies = [[_words(reply.text) for reply in question.same] for question in block.questions]
        _BLOCKS[block] = stock_replies(asked, replies, fixed=True)
    return _BLOCKS[block]


def in_place_of_answers(text: str, repertoire: Repertoire | None) -> int:
    """Return the number of a block's questions that get a reply instead of their own answers.

    Only the words of the replies are compared.
    """
    return 0 if repertoire is None else _stock_replies_of(repertoire.block).get(_words(text), 0)


def stock_reply(comparison: Comparison) -> Similarity | None:
    """Judge pairs of a stock reply and an ordinary reply."""
    reference, answer = (as_text(value) for value in (comparison.reference[0], comparison.answer))
    odd, odd_after = (in_place_of_answers(text, comparison.repertoire) for text in (reference, answer))
    if bool(odd) is bool(odd_after):
        return None
    reason = f"{odd or odd_after} different questions get that reply in place of their own answers"
    if odd:
        return different(f"the source's answer is the odd one out: {reason}", SOURCE_IS_ODD)
    return different(f"this answer is a stock reply: {reason}", NOT_UNDERSTOOD)
