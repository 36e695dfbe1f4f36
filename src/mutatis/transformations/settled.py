"""Questions about a text whose answers are certain, and limits in other words or turned round.

The questions are about the text's own sentences, or two in one.

Based on QAAskeR (Chen, Jin, Xie 2021: from an answer to a statement, and from that to a yes-no and a wh-question) and
QAQA (Shen et al. 2022: a redundant clause in the question, two tests in one). Those methods use a system's own answers
or other questions of a data set. Here the text itself provides the sentences, so the correct answer is certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from random import Random
from typing import Literal

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.languages import Language, language_tables, needing
from mutatis.text.normalisation import like
from mutatis.text.segments import content_word_stems
from mutatis.text.values import moved, values
from mutatis.transformations.clear import quoted_spans
from mutatis.transformations.exchange import exchangeable_numbers
from mutatis.transformations.formats import in_other_forms
from mutatis.transformations.interruptions import refers_back
from mutatis.transformations.known import at_least_one, inside, knowing, needed, one_of, telling_sentences
from mutatis.transformations.passages import drawn_sentence, stock
from mutatis.transformations.pieces import Edit, edited, is_free

about_text = partial(transformation, level="turn", capability="questions about the text")
"""Decorator that registers an edit of a question about a text."""


def _statements(turn: Turn, language: str = "en") -> list[str]:
    """Return the sentences of the turn's context that make sense on their own.

    Raises:
        UnusableFollowUp: the turn has no context or no question.
    """
    context, _ = needed(turn, "context", "question")
    return telling_sentences(context, language)


def _asked(turn: Turn, wording: str, sentence: str, language: str, answer: Literal["yes", "no"]) -> Turn:
    """Return the turn with a question about a sentence, in a wording of the language, and with the answer to expect."""
    folder = Language(language)
    [asked] = folder.ways(wording)
    return knowing(turn, {"question": asked.format(sentence)}, *folder.ways(answer))


_ASKS_IF_SAID = ("function_words", "speech.does_text_say")
"""Lists of a language for asking if the text contains a sentence."""

_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*(?![\w'\u2019-])")
"""Capitalised words inside an English sentence: "Ann Lee" in "built for Ann Lee"."""


@about_text(
    "hearsay-question",
    capability="added text",
    says="a fact from the text put before the question",
    languages=needing("speech.heard"),
)
def hearsay_question(turn: Turn, rng: Random, written_in: str = "en") -> Turn:
    """Mention a sentence from the context before the question, as something that the user has read.

    >>> turn = Turn(fields={"context": "The tower was built by the river.", "question": "Where is it?"})
    >>> hearsay_question(turn, Random(1)).fields["question"]
    'I have read that the tower was built by the river. Where is it?'
    """
    context, question = needed(turn, "context", "question")
    folder = Language(written_in)
    if _may_refer_to_added(question, folder):
        raise UnusableFollowUp("the question has a word that could refer to the added sentence")
    sentence = drawn_sentence(context, rng, written_in)
    if not is_english(written_in):  # the readings in English are of any sentence
        sentence = one_of(_least_similar(question, telling_sentences(context, written_in), written_in), rng)
    [heard] = folder.ways("heard")
    hearsay = heard.format(sentence if heard.endswith("{}") else inside(sentence))
    return replace(turn, fields={**turn.fields, "question": f"{hearsay}{folder.gap}{question}"})


def _least_similar(question: str, statements: Sequence[str], language: str) -> list[str]:
    """Return the sentences that share the fewest words with a question, since people would not quote the answer."""
    stems = content_word_stems(question, language)
    shared = {statement: len(stems & content_word_stems(statement, language)) for statement in statements}
    return [statement for statement in statements if shared[statement] == min(shared.values())]


def _may_refer_to_added(question: str, folder: Language) -> bool:
    """Return True if a question refers back to something. Return False for languages without a pattern."""
    if is_english(folder.code) or not folder.has("speech.patterns.points_back"):
        return False  # the English follow-ups were read without this
    return refers_back(question, folder.code)


@about_text("ask-also", says="another question asked as well", languages=needing("passages", "speech.in_addition"))
def ask_also(turn: Turn, rng: Random, written_in: str = "en") -> Turn:
    """Append one of the package's own passages to the context, and append a question about it to the question.

    >>> turn = Turn(fields={"context": "Ann left.", "question": "Who left?"})
    >>> ask_also(turn, Random(1)).fields["question"]
    'Who left? And in addition: who repairs the clocks of Quillon?'
    """
    context, question = needed(turn, "context", "question")
    known = stock(written_in)
    passage = one_of(known, rng)
    [also] = Language(written_in).ways("in_addition")
    fields = {
        "context": f"{context.rstrip()}\n\n{passage.text}",
        "question": f"{question.rstrip()}{also}{passage.question}",
    }
    return replace(turn, fields={**turn.fields, **fields})


@about_text(
    "ask-whether-told",
    says="asked whether the text contains one of its sentences",
    languages=needing(*_ASKS_IF_SAID, "speech.yes"),
)
@as_a_whole
def ask_whether_told(turn: Turn, rng: Random, written_in: str = "en") -> Turn:
    """Ask whether the text contains one of its own sentences.

    >>> turn = Turn(fields={"context": "The tower was built by the river.", "question": "Where is it?"})
    >>> made = ask_whether_told(turn, Random(1))
    >>> made.fields["question"], made.annotations["expects"]
    ('Does the text say this? "The tower was built by the river."', ['yes'])
    """
    context, _ = needed(turn, "context", "question")
    return _asked(turn, "does_text_say", drawn_sentence(context, rng, written_in), written_in, "yes")


@about_text(
    "ask-whether-changed",
    says="asked whether the text contains a sentence with a different number",
    languages=needing(*_ASKS_IF_SAID, "values", "speech.no"),
)
@as_a_whole
def ask_whether_changed(turn: Turn, rng: Random, written_in: str = "en") -> Turn:
    """Ask whether the text contains one of its sentences with a number replaced by a larger one.

    >>> turn = Turn(fields={"context": "The tower was built in 1920 by Ann.", "question": "Where is it?"})
    >>> made = ask_whether_changed(turn, Random(1))
    >>> made.fields["question"], made.annotations["expects"]
    ('Does the text say this? "The tower was built in 1927 by Ann."', ['no'])
    """
    candidates = [each for each in _statements(turn, written_in) if exchangeable_numbers(each, written_in)]
    sentence = one_of(at_least_one(candidates, "the text has no sentence with a number that could be replaced"), rng)
    places = exchangeable_numbers(sentence, written_in)
    place = one_of(places, rng)
    changed = edited(sentence, [(*place.span(), moved(place.group(), 2 + int(rng.random() * 7), written_in))])
    if changed in turn.fields["context"]:
        raise UnusableFollowUp("the text also contains the changed sentence")
    return _asked(turn, "does_text_say", changed, written_in, "no")


@about_text(
    "ask-whether-wrong",
    capability="negation and opposites",
    says="asked whether one of its sentences is wrong",
    languages=needing("function_words", "speech.is_wrong", "speech.no"),
)
@as_a_whole
def ask_whether_wrong(turn: Turn, rng: Random, written_in: str = "en") -> Turn:
    """Ask whether one of the text's own sentences is wrong.

    >>> turn = Turn(fields={"context": "The tower was built by the river.", "question": "Where is it?"})
    >>> made = ask_whether_wrong(turn, Random(1))
    >>> made.fields["question"], made.annotations["expects"]
    ('Going by the text, is this wrong? "The tower was built by the river."', ['no'])
    """
    context, _ = needed(turn, "context", "question")
    return _asked(turn, "is_wrong", drawn_sentence(context, rng, written_in), written_in, "no")


LIMITED = ("values", "limits.alike", "limits.turned")
"""Lists of a language that contain the wordings of limits."""

_ASKS_IF_RIGHT = ("function_words", "speech.is_right", "speech.yes", "speech.no")
"""Lists of a language for asking if a sentence is true."""


def _asked_if_right(
    turn: Turn, statements: Sequence[str], rng: Random, language: str, answer: Literal["yes", "no"]
) -> Turn:
    """Return the turn with a new question, if one of several sentences is true, and with the answer to expect.

    Raises:
        UnusableFollowUp: `statements` is empty.
    """
    at_least_one(statements, "the text has no sentence that could be used in the question")
    return _asked(turn, "is_right", one_of(statements, rng), language, answer)


@about_text(
    "ask-whether-limited",
    capability="limits",
    says="asked whether a reversed limit of the text is right",
    languages=needing(*_ASKS_IF_RIGHT, *LIMITED),
)
@as_a_whole
def ask_whether_limited(turn: Turn, rng: Random, written_in: str = "en") -> Turn:
    """Ask whether a sentence of the text is still true with a limit reversed: "at most" for "at least".

    >>> turn = Turn(fields={"context": "Each group has at least 10 people.", "question": "Who comes?"})
    >>> made = ask_whether_limited(turn, Random(1))
    >>> made.fields["question"], made.annotations["expects"]
    ('Going by the text, is this right? "Each group has at most 10 people."', ['no'])
    """
    turned = chain.from_iterable(turned_limits(statement, written_in) for statement in _statements(turn, written_in))
    new = [text for text in turned if text not in turn.fields["context"]]
    return _asked_if_right(turn, new, rng, written_in, "no")


@about_text(
    "ask-in-another-order",
    capability="lists",
    says="asked whether a sentence with a reordered list is right",
    languages=needing(*_ASKS_IF_RIGHT, "speech.patterns.listed", "speech.patterns.in_order"),
)
@as_a_whole
def ask_in_another_order(turn: Turn, rng: Random, written_in: str = "en") -> Turn:
    """Ask whether a sentence of the text is still true if the items of its list are reordered.

    >>> turn = Turn(fields={"context": "He lived in France, Italy and Spain for years.", "question": "Who?"})
    >>> made = ask_in_another_order(turn, Random(1))
    >>> made.fields["question"], made.annotations["expects"]
    ('Going by the text, is this right? "He lived in Italy, Spain and France for years."', ['yes'])
    """
    statements = _statements(turn, written_in)
    reordered = chain.from_iterable(reordered_items(statement, rng, written_in) for statement in statements)
    return _asked_if_right(turn, [*reordered], rng, written_in, "yes")


_STYLES: Mapping[str, tuple[str, ...]] = {
    "form": ("calendar", "clock", "thousands", "currency", "words"),
    "unit": ("quantity",),
}
"""Styles of writing a value in a different form or in another unit."""

_USUAL = 2
"""The highest level of the forms that are written."""


@about_text(
    "ask-in-another-form",
    capability="formats",
    says="asked whether a sentence is right with a value in another {kind}",
    languages=needing(*_ASKS_IF_RIGHT, "values", "speech.patterns.counted_thing", also=ENGLISH),
)
@as_a_whole
def ask_in_another_form(
    turn: Turn, rng: Random, written_in: str = "en", *, kind: Literal["form", "unit"] = "form"
) -> Turn:
    """Ask whether a sentence of the text is still true with a value in a different form or unit.

    >>> turn = Turn(fields={"context": "The path to the tower is 3 km.", "question": "Who?"})
    >>> made = ask_in_another_form(turn, Random(1), kind="unit")
    >>> made.fields["question"], made.annotations["expects"]
    ('Going by the text, is this right? "The path to the tower is 3,000 m."', ['yes'])
    """
    rewritten: list[str] = []
    for statement in _statements(turn, written_in):
        texts = [in_other_forms(statement, rng, _USUAL, style, written_in) for style in _STYLES[kind]]
        rewritten += [text for text in texts if text != statement]
    return _asked_if_right(turn, rewritten, rng, written_in, "yes")


@about_text(
    "fill-gap",
    says="asked for the words in a gap of the text",
    languages=needing("values", "function_words", "speech.words_in_gap"),
)
@as_a_whole
def fill_gap(turn: Turn, rng: Random, written_in: str = "en") -> Turn:
    """Ask for the words from the text that fill the gap in one of its sentences: a number or a name.

    >>> turn = Turn(fields={"context": "The tower was built for Ann Lee.", "question": "Where is it?"})
    >>> made = fill_gap(turn, Random(1))
    >>> made.fields["question"], made.annotations["expects"]
    ('Which words of the text belong in the gap? "The tower was built for ____."', ['Ann Lee'])
    """
    gaps = [(statement, gap) for statement in _statements(turn, written_in) for gap in _gaps(statement, written_in)]
    at_least_one(gaps, "the text has no sentence with a name or a number that could be left out")
    sentence, place = one_of(gaps, rng)
    shown = edited(sentence, [(*place.span(), "____")])
    [asked] = Language(written_in).ways("words_in_gap")
    return knowing(turn, {"question": asked.format(shown)}, place.group())


@about_text("ask-which", says="asked which of two names the text has", languages=ENGLISH)
def ask_which(turn: Turn, rng: Random) -> Turn:
    """Ask which of two names the text mentions: one that it does mention, or an invented one from the package.

    >>> turn = Turn(fields={"context": "The tower was built for Ann Lee.", "question": "Where is it?"})
    >>> made = ask_which(turn, Random(1))
    >>> made.fields["question"], made.annotations["expects"]
    ('Which of the two does the text mention: Nettlefold Inn or Ann Lee?', ['Ann Lee'])
    """
    names = [name.group() for sentence in _statements(turn) for name in _NAME.finditer(sentence)]
    foreign = [passage.entity for passage in stock() if passage.entity not in turn.fields["context"]]
    if not names or not foreign:
        raise UnusableFollowUp("the text has no name that could be the answer")
    answer, other = one_of(names, rng), one_of(foreign, rng)
    first, second = (answer, other) if rng.random() < 0.5 else (other, answer)
    return knowing(turn, {"question": f"Which of the two does the text mention: {first} or {second}?"}, answer)


def _gaps(sentence: str, language: str) -> list[re.Match[str]]:
    """Return the numbers, and in English also the names, that occur only once in a sentence."""
    matches = exchangeable_numbers(sentence, language)
    matches += _NAME.finditer(sentence) if is_english(language) else []  # elsewhere a capital is no sign of a name
    return [place for place in matches if sentence.count(place.group()) == 1]


_JOINT = re.compile(r"(,? [a-z\u00df-\u00ff]+ |, |\u3001)")
"""Matches the text between two names in a list."""


def reordered_items(text: str, rng: Random, language: str) -> list[str]:
    """Return one copy of a text for each list of names in it, with that list reordered.

    Return [] if the order may matter.

    >>> reordered_items("He lived in France, Italy and Spain.", Random(1), "en")
    ['He lived in Italy, Spain and France.']
    """
    folder = Language(language)
    if folder.pattern("in_order").search(text):
        return []
    made = []
    for match in folder.pattern("listed").finditer(text):
        parts = _JOINT.split(match["list"])
        names, joints = parts[::2], [*parts[1::2], ""]
        if len(set(names)) == len(names):
            by = 1 + int(rng.random() * (len(names) - 1))
            moved = "".join(name + joint for name, joint in zip([*names[by:], *names[:by]], joints, strict=True))
            made.append(text[: match.start("list")] + moved + text[match.end("list") :])
    return made


# A limit in other words, or turned round

_NO_LIMITS = frozenset({"code", "name"})
"""Kinds of values that cannot have a limit."""


@cache
def _wordings(language: str, kind: Literal["alike", "turned"]) -> Mapping[str, Sequence[str]]:
    """Return a mapping from each wording of a limit to others with the same meaning, or to the opposite's wording."""
    limits = language_tables("limits", language)
    if kind == "turned":
        return {words: (other,) for words, other in limits["turned"].items()}
    return {words: [other for other in group if other != words] for group in limits["alike"] for words in group}


def _worded(text: str, language: str, kind: Literal["alike", "turned"]) -> Iterator[tuple[int, int, Sequence[str]]]:
    """Yield the position of each wording of a limit right before a value, with its possible replacements."""
    folder, quoted, low = Language(language), quoted_spans(text), text.lower()
    known = _wordings(language, kind)
    for value in values(text, language):
        if value.kind in _NO_LIMITS or not is_free(value.start, value.end, quoted):
            continue
        end = len(low[: value.start].rstrip())
        for words in sorted(known, key=len, reverse=True):
            start = end - len(words)
            apart = not folder.spaces or start <= 0 or not low[start - 1].isalnum()
            if start >= 0 and low[start:end] == words and apart:
                yield start, end, known[words]
                break


def turned_limits(text: str, language: str) -> list[str]:
    """Return copies of a text with one of its limits reversed: a minimum becomes a maximum.

    >>> turned_limits("Groups have at least 10 people and at most 30 people.", "en")[0]
    'Groups have at most 10 people and at most 30 people.'
    >>> turned_limits("Der Turm ist mehr als 500 Jahre alt.", "de")
    ['Der Turm ist weniger als 500 Jahre alt.']
    """
    limits = _worded(text, language, "turned")
    return [edited(text, [(start, end, like(text[start:end], new))]) for start, end, (new,) in limits]


@transformation(
    "limit-in-other-words",
    capability="limits",
    says="a limit in other words",
    languages=needing(*LIMITED),
)
@as_a_whole
def limit_in_other_words(text: str, rng: Random, written_in: str = "en") -> str:
    """Reword every limit ("at most" for "no more than"). Texts without a limit are left unchanged.

    >>> limit_in_other_words("Is there a room for at most 80 euros?", Random(1))
    'Is there a room for no more than 80 euros?'
    """
    edits: list[Edit] = [
        (start, end, like(text[start:end], one_of(others, rng)))
        for start, end, others in _worded(text, written_in, "alike")
    ]
    return edited(text, edits)
