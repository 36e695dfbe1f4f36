"""Chooses the words of a sentence that answer a question, using hand-written rules.

Their figures are weights, found by random search on 816 questions of SQuAD and CoQA.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mutatis.systems.builtin.language import (
    Question,
    QuestionKind,
    Word,
    carries_content,
    holds_negation,
    lower_stem,
    opposed,
    shipped_words,
    tagged_words,
)
from mutatis.text.values import vocabulary

_MONTHS = frozenset(name.lower() for name in (*vocabulary().months, *vocabulary().weekdays))
_TIME_WORDS = _MONTHS | shipped_words("other_times")
_NUMBER_WORDS = (vocabulary().number_words.keys() - {"zero"}) | shipped_words("more_number_words")
_PLACE_BEFORE = shipped_words("place_before")
_COLOURS = shipped_words("colours")
_YEAR = re.compile(r"1[0-9]{3}s?|20[0-9]{2}s?|[1-9][0-9]{2}")
"""Matches a year from 100 to 2099, or a decade such as 1920s."""

_LONGEST = 12
_ONLY = {QuestionKind.TIME: ("time",), QuestionKind.NUMBER: ("number",)}
"""Kinds of questions that only one kind of span can answer. Without a matching span, the answer is "unknown"."""


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """A possible answer in a sentence: its kind, and the words from `first` up to but excluding `last`."""

    first: int
    last: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A sentence, or an answer in it, and how well the sentence fits the question (from about 0 to 1)."""

    text: str
    score: float


def choose(question: Question, passages: Sequence[Passage]) -> Passage:
    """Return the best answer found in the passages, which are ordered from best to worst."""
    if question.asked is QuestionKind.POLAR:
        return _polar(question, passages)
    if question.asked is QuestionKind.CHOICE and question.choices:
        return _alternative(question.choices, passages)
    best, best_score = Passage(text="", score=0.0), -math.inf
    for passage in passages:
        sentence = tagged_words(passage.text)
        for span in _spans(passage.text, question.asked):
            score = 6.8 * passage.score + _fitness(question, sentence, span)
            if score > best_score:
                support = passage.score if span.kind in _ONLY.get(question.asked, (span.kind,)) else 0.0
                text = passage.text[sentence[span.first].start : sentence[span.last - 1].end]
                best, best_score = Passage(text=text, score=support), score
    return best


def _polar(question: Question, passages: Sequence[Passage]) -> Passage:
    top = passages[0]
    stems = frozenset(word.stem for word in tagged_words(top.text))
    negative = holds_negation(top.text) != question.negated
    if opposed(question.stems, stems):
        negative = not negative
    if question.stems and len(question.stems & stems) / len(question.stems) < 0.2 and top.score < 0.35:
        negative = True
    return Passage(text="no" if negative else "yes", score=top.score)


def _alternative(choices: tuple[str, str], passages: Sequence[Passage]) -> Passage:
    for passage in passages:
        lowered = {word.text.lower() for word in tagged_words(passage.text)}
        for choice in choices:
            if choice in lowered:
                return Passage(text=choice, score=passage.score)
    return Passage(text=choices[0], score=passages[0].score)


@lru_cache(maxsize=4_000)
def _spans(sentence: str, asked: QuestionKind) -> tuple[AnswerSpan, ...]:
    """Return the spans of a sentence that may answer a question of this kind: noun phrases, and others by the kind."""
    words_read = tagged_words(sentence)
    spans = [*_noun_phrases(words_read)]
    if asked is QuestionKind.TIME:
        spans += _times(words_read)
    elif asked is QuestionKind.NUMBER:
        spans += _numbers(words_read)
    elif asked in (QuestionKind.REASON, QuestionKind.MANNER, QuestionKind.ACTION):
        spans += _clauses(words_read, asked)
    elif asked is QuestionKind.PLACE:
        spans += [
            AnswerSpan(span.first, span.last, "place")
            for span in spans
            if _before(words_read, span.first) in _PLACE_BEFORE
        ]
    return tuple(dict.fromkeys(spans))


def _before(words_read: Sequence[Word], place: int) -> str:
    while place and words_read[place - 1].tag in ("DT", "PRP$"):
        place -= 1
    return words_read[place - 1].text.lower() if place else ""


def _runs(words_read: Sequence[Word], joins: Callable[[int, int], bool]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each stretch of words that belong together.

    `joins(start, place)` is true if the word at `place` continues the stretch that begins at `start`.
    """
    place = 0
    while place < len(words_read):
        last = place
        while last < len(words_read) and joins(place, last):
            last += 1
        if last > place:
            yield place, last
        place = max(last, place + 1)


def _noun_phrases(words_read: Sequence[Word]) -> Iterator[AnswerSpan]:
    """Yield noun chunks without their articles, with and without a following "of", "and" or "for" and its chunk.

    "The king of Spain" has the chunks "king" and "Spain", so it yields "king", "king of Spain" and "Spain".
    """

    def joins(first: int, place: int) -> bool:
        word = words_read[place]
        return _joins(words_read, first, place) or (word.chunk == "NP" and (place == first or not word.begins))

    chunks: list[tuple[int, int]] = []
    for first, last in _runs(words_read, joins):
        while first < last - 1 and (words_read[first].tag in ("DT", "PDT") or _is_object(words_read, first)):
            first += 1
        chunks.append((first, last))
    for position, (first, last) in enumerate(chunks):
        yield AnswerSpan(first, last, "noun")
        if position + 1 < len(chunks):
            after, end = chunks[position + 1]
            between = [word.text.lower() for word in words_read[last:after] if word.tag != "DT"]
            if between in (["of"], ["and"], ["for"]) and end - first <= _LONGEST:
                yield AnswerSpan(first, end, "noun")


def _is_object(words_read: Sequence[Word], place: int) -> bool:
    """Return True if a pronoun is an object followed by another object ("sent her a kite")."""
    return words_read[place].tag.startswith("PRP") and words_read[place + 1].tag in ("DT", "CD")


def _joins(words_read: Sequence[Word], first: int, place: int) -> bool:
    """Return True if a word continues the name or number before it ("October 1973", "St. Mary 's Church")."""
    if place == first:
        return words_read[place].tag in ("CD", "NNP", "NNPS")
    before = words_read[place - 1]
    if words_read[place].text in ("'s", "’s"):
        return place + 1 < len(words_read) and words_read[place + 1].tag.startswith(("NN", "JJ"))
    return (
        before.tag.startswith("NNP") and words_read[place].tag in ("CD", "NNP", "NNPS") and not words_read[place].begins
    )


def _times(words_read: Sequence[Word]) -> Iterator[AnswerSpan]:
    def joins(first: int, place: int) -> bool:
        return _is_time(words_read[place]) or (place > first and words_read[place].text in (",", "of", "th"))

    for first, last in _runs(words_read, joins):
        while not _is_time(words_read[last - 1]):
            last -= 1
        yield AnswerSpan(first, last, "time")


def _is_time(word: Word) -> bool:
    lowered = word.text.lower()
    return lowered in _TIME_WORDS or word.text[0].isdigit() or (lowered in _NUMBER_WORDS and lowered != "one")


def _numbers(words_read: Sequence[Word]) -> Iterator[AnswerSpan]:
    def joins(first: int, place: int) -> bool:
        return _is_number(words_read[place]) or (place == first and words_read[place].text in "$€£")

    for first, last in _runs(words_read, joins):
        if last == first + 1 and words_read[first].text in "$€£":
            continue
        yield AnswerSpan(first, last, "number")
        if last < len(words_read) and (words_read[last].tag.startswith("NN") or words_read[last].text == "%"):
            yield AnswerSpan(first, last + 1, "number")


def _is_number(word: Word) -> bool:
    return word.text[0].isdigit() or word.text.lower() in _NUMBER_WORDS or word.tag == "CD"


_REASONS = shipped_words("reasons")
_MANNERS = shipped_words("manners")


def _clauses(words_read: Sequence[Word], asked: QuestionKind) -> Iterator[AnswerSpan]:
    """Yield clauses that give a reason, a manner or an action, up to the next punctuation mark.

    Depending on the question, they follow a word such as "because" or "by", or begin with a verb.
    """
    openers = {QuestionKind.REASON: _REASONS, QuestionKind.MANNER: _MANNERS}.get(asked, frozenset())
    for place, word in enumerate(words_read[:-1]):
        opens = word.text.lower() in openers
        if not opens and not (asked is QuestionKind.ACTION and word.tag.startswith("VB") and word.begins):
            continue
        first = place if asked is QuestionKind.ACTION or word.text.lower() in ("to", "by") else place + 1
        last = first + 1
        while last < len(words_read) and last - first < _LONGEST and words_read[last].text not in ".;,!?":
            last += 1
        yield AnswerSpan(first, last, "clause")


def _fitness(question: Question, sentence: Sequence[Word], span: AnswerSpan) -> float:
    """Return how well a span of a sentence fits the question."""
    inside = sentence[span.first : span.last]
    content = [word for word in inside if carries_content(word)]
    if not content:
        return -2.0
    repeated = sum(word.stem in question.stems for word in content) / len(content)
    # An answer does not repeat the question.
    score = -0.6 * repeated + _kind_fits(question, sentence, span, inside)
    matched = [place for place, word in enumerate(sentence) if word.stem in question.stems and carries_content(word)]
    matched = [place for place in matched if not span.first <= place < span.last]
    if matched:
        distances = [span.first - place if place < span.first else place - span.last + 1 for place in matched]
        # How close the span is to the nearest word of the question, and on average to all of its words.
        score += 1.1 / (1.0 + 0.6 * min(distances)) + 0.25 / (1.0 + 0.1 * (sum(distances) / len(distances)))
        # How many of the question's words come before the span.
        after = sum(place < span.first for place in matched) / len(matched)
        if question.asked in (QuestionKind.THING, QuestionKind.ACTION, QuestionKind.PLACE, QuestionKind.TIME):
            score += 0.2 * after
    # Long answers, and those of a single word, are less likely.
    return score - 0.01 * max(0, len(inside) - 7) - (0.3 if len(content) == 1 else 0)


def _kind_fits(question: Question, sentence: Sequence[Word], span: AnswerSpan, inside: Sequence[Word]) -> float:
    """Return a bonus if a span, whose words are `inside`, is of the kind that a question asks for, or a penalty."""
    if all(word.tag in ("PRP", "WP", "EX", "WDT", "PRP$", "DT") for word in inside):  # pronouns and articles only
        return -1.0
    names = sum(word.tag.startswith("NNP") for word in inside) / len(inside)
    has_time = any(map(_is_time, inside))
    following = sentence[span.last] if span.last < len(sentence) else None
    match question.asked:
        case QuestionKind.PERSON:
            return _person_fits(names, inside, before=_before(sentence, span.first)) - 0.5 * has_time
        case QuestionKind.TIME:
            has_year = any(_YEAR.fullmatch(word.text) for word in inside)
            has_month = any(word.text.lower() in _MONTHS for word in inside)
            bonus = 1.0 + 0.3 * has_year + 0.2 * has_month if span.kind == "time" else -0.5
            return bonus - 0.4 * (question.head == "year" and not has_year)
        case QuestionKind.NUMBER:
            counts = following is not None and following.stem in question.stems  # "how many boats": 3 boats
            return (1.0 if span.kind == "number" else -0.5) + 0.6 * counts
        case QuestionKind.PLACE:
            return 0.95 * (span.kind == "place") + 0.5 * names - 0.6 * has_time
        case QuestionKind.REASON | QuestionKind.MANNER | QuestionKind.ACTION:
            return 2.3 * (span.kind == "clause")
    # Any other question asks for a thing, which its head names. The head may follow the span, or be part of it.
    if question.head in ("color", "colour"):
        return 1.5 if any(word.text.lower() in _COLOURS for word in inside) else -0.3
    if not question.head:
        return 0.25 * names
    is_followed = following is not None and following.text.lower() == question.head
    is_inside = lower_stem(question.head) in [word.stem for word in inside]
    return 0.7 * is_followed + is_inside + 0.25 * names


def _person_fits(names: float, inside: Sequence[Word], *, before: str) -> float:
    """Return how much a span looks like a person. `names` is its share of names, and `before` the word before it."""
    bonus = 1.0 if names > 0.3 and not any(word.text[0].isdigit() for word in inside) else 0.0
    if before == "by":
        return bonus + 0.4
    return bonus - 0.3 if before in _PLACE_BEFORE or before == "of" else bonus
