"""Adds the slips of a hurried speaker or typist, or the errors of speech recognition, to a request.

Examples are false starts, corrections ("my kettle, I mean my card"), words that sound alike, missing punctuation and
repetition. The request stays the same. Based on LAUG's speech characteristics (disfluency and speech recognition).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from mutatis.core.languages import ENGLISH, SPACED, is_english
from mutatis.core.parameters import Share
from mutatis.core.transformation import transformation
from mutatis.languages import Language, listed, needing, word_list, word_set
from mutatis.text.normalisation import like, listed_words
from mutatis.text.sentences import END_MARKS
from mutatis.transformations.clear import in_fixed_term, is_name, listed_clear_words, quoted_spans
from mutatis.transformations.known import one_of
from mutatis.transformations.pieces import choose_edits, edited, is_free, segments, words

_NOUN = re.compile(
    r"(?<![\w'\u2019-])(?P<lead>the|my|your|our)\s+(?P<noun>[a-z]{3,})"
    r"(?=\s*[?.!,]|\s+(?:of|in|on|at|for|to|from|with|is|are|was|were)\b|\s*\Z)",
    re.IGNORECASE,
)
_NO_NOUN = listed_words(
    "first second third last same most best worst next other rest only end way former latter main new old whole"
)


@transformation(
    "false-start",
    capability="manner of speaking",
    says="the beginning repeated",
    languages=needing("function_words", "speech.restart"),
)
def false_start(text: str, rng: Random, written_in: str = "en") -> str:
    """Begin, break off and begin again, as people do when they speak or send a message too soon.

    >>> false_start("Why was my payment declined?", Random(1))
    'Why was - why was my payment declined?'
    >>> print(false_start("Wann hat das Museum geöffnet?", Random(4), "de"))
    Wann hat
    Sorry, zu früh abgeschickt. Wann hat das Museum geöffnet?
    """
    restarts = Language(written_in).ways("restart")
    if not Language(written_in).spaces:
        return _begun_twice(text, rng, written_in, restarts[0])
    matches, length = words(text), one_of((2, 3), rng)
    if len(matches) < length + 2:
        return text
    start, end = matches[0].start(), matches[length - 1].end()
    begun = text[start:end]
    if not _ONLY_WORDS.fullmatch(begun) or text[end : end + 1] != " ":
        return text
    restart = one_of(restarts, rng)
    if restart.rstrip().endswith(END_MARKS):  # the message was sent too early, and is sent again as a whole
        return f"{text[:end]}{restart}{text}"
    keeps_capital = is_name(text, *matches[0].span()) or begun.startswith(("I ", "I'", "I\u2019"))
    return f"{text[:end]}{restart}{begun if keeps_capital else begun[0].lower() + begun[1:]}{text[end:]}"


def _begun_twice(text: str, rng: Random, language: str, restart: str) -> str:
    """Return a text that breaks off after one or two words and begins again, for languages without spaces.

    A text that begins with a mark is left unchanged, and so is one whose repeated beginning would be one character.
    """
    matches, length = segments(text, language), one_of((1, 2), rng)
    if len(matches) < length + 3 or matches[0].start() > 0:
        return text
    begun = text[: matches[length - 1].end()]
    return f"{begun}{restart}{text}" if len(begun) > 1 and begun.isalpha() else text


class _Noun(NamedTuple):
    """A noun of a text that may be mixed up with others.

    `before` is the text before the noun, including its article. A correction repeats the article, `lead`, which may
    include a preposition. `confused_with` are the other nouns.
    """

    before: str
    lead: str
    start: int
    confused_with: Sequence[str]


@transformation(
    "correct-wording",
    capability="manner of speaking",
    says="a wrong word first, then corrected",
    languages=needing("speech.mixed_up", "speech.meant", "speech.patterns.before_value", also=ENGLISH),
)
def correct_wording(text: str, rng: Random, written_in: str = "en") -> str:
    """Use a wrong word first and correct it immediately: "my kettle, I mean my card".

    In English, the wrong word is any unrelated noun. In other languages, it is one that people confuse with the right
    one, so that its article fits.

    >>> correct_wording("When will my card arrive? I need the card.", Random(1))
    'When will my card arrive? I need the suitcase, no wait, the card.'
    >>> correct_wording("Who wrote Hamlet?", Random(1))
    'Who wrote Hamlet?'
    >>> correct_wording("Was kostet die Führung?", Random(4), "de")
    'Was kostet die Ausstellung, nein, die Führung?'
    """
    nouns = [*(_nouns_with_article(text) if is_english(written_in) else _nouns_mixed_up(text, written_in))]
    which_noun, which_wrong, which_correction = rng.random(), rng.random(), rng.random()
    if not nouns:
        return text
    noun = nouns[int(which_noun * len(nouns))]
    if not noun.confused_with:
        return text
    wrong = noun.confused_with[int(which_wrong * len(noun.confused_with))]
    corrections = Language(written_in).ways("meant")
    correction = corrections[int(which_correction * len(corrections))]
    # "I need the " + "suitcase" + ", no wait, " + "the " + "card."
    return f"{noun.before}{wrong}{correction}{noun.lead.lower()}{text[noun.start :]}"


def _nouns_with_article(text: str) -> Iterator[_Noun]:
    """Yield the English nouns after an article or a possessive, except those in names, quotations and fixed terms."""
    quoted, present = quoted_spans(text), {word.group().lower() for word in words(text)}
    unrelated = [word for word in word_list("neutral") if word not in present]
    for match in _NOUN.finditer(text):
        noun = match["noun"]
        looks_like_noun = noun.islower() and not noun.endswith(("ing", "ed", "est"))
        if (
            looks_like_noun
            and noun not in _NO_NOUN | word_set("function_words")
            and is_free(*match.span(), quoted)
            and not in_fixed_term(text, *match.span("noun"))
            and not is_name(text, *match.span("noun"))
        ):
            lead = f"{match['lead']} "
            yield _Noun(
                before=text[: match.start()] + lead, lead=lead, start=match.start("noun"), confused_with=unrelated
            )


def _nouns_mixed_up(text: str, language: str) -> Iterator[_Noun]:
    """Yield the nouns that people confuse with others, except those in names, quotations and fixed terms."""
    quoted = quoted_spans(text)
    for match in _any_of(language).finditer(text):
        if (
            is_free(*match.span(), quoted)
            and not in_fixed_term(text, *match.span(), language)
            and _stands_alone(text, match, language)
        ):
            others = [noun for noun in _mixed_up(language)[match.group()] if noun not in text]
            yield _Noun(
                before=text[: match.start()],
                lead=_lead(text, match, language),
                start=match.start(),
                confused_with=others,
            )


def _lead(text: str, noun: re.Match[str], language: str) -> str:
    """Return the preposition and article before a noun, or "" if it has none."""
    lead = Language(language).pattern("before_value").search(text, 0, noun.start())
    return lead.group() if lead else ""


def _stands_alone(text: str, noun: re.Match[str], language: str) -> bool:
    """Return True if a noun follows an article or a preposition and is not part of a longer word or name.

    The noun in a name such as "Platz 12" is rejected. In a language without spaces, the noun must be a whole word.
    """
    if Language(language).spaces:
        behind = text[noun.end() :].lstrip()[:1]
        return bool(_lead(text, noun, language)) and not (behind.isupper() or behind.isdigit())
    edges_of_words = {edge for word in segments(text, language) for edge in word.span()}
    return {*noun.span()} <= edges_of_words


@cache
def _mixed_up(language: str) -> Mapping[str, Sequence[str]]:
    """Return a mapping from each noun to the nouns that people confuse with it.

    Each line of the word list is one group. If it contains ">", the nouns before this sign are confused with the nouns
    after it.
    """
    confused: dict[str, list[str]] = {}
    for line in Language(language).ways("mixed_up"):
        right, _, wrong = line.partition(">")
        for noun in right.split():
            confused[noun] = [other for other in (wrong or right).split() if other != noun]
    return confused


@cache
def _any_of(language: str) -> re.Pattern[str]:
    """Return a pattern for the nouns that people confuse, longest first, since one noun may contain another."""
    nouns = "|".join(map(re.escape, sorted(_mixed_up(language), key=len, reverse=True)))
    whole_words = rf"(?<![\w'\u2019-])(?:{nouns})(?![\w'\u2019-])"
    return re.compile(whole_words if Language(language).spaces else nouns)


@cache
def _homophones(language: str) -> Mapping[str, str]:
    pairs = [line.split() for line in listed("homophones", language)]
    return {word: other for first, second in pairs for word, other in ((first, second), (second, first))}


@transformation(
    "homophones",
    capability="typing noise",
    says="{words} replaced by words that sound alike",
    languages=needing("homophones"),
)
def homophones(
    text: str, rng: Random, written_in: str = "en", *, share: Share = 0.5, protected: tuple[str, ...] = ()
) -> str:
    """Replace some of the words with words that sound alike, as speech recognition does.

    >>> homophones("Where is your new shop, and is it near here?", Random(1), share=1.0)
    "Wear is you're knew shop, and is it near hear?"
    >>> homophones("Booking no. 2026?", Random(1), share=1.0)
    'Booking no. 2026?'
    >>> homophones("Seit wann war das so?", Random(1), "de", share=1.0)
    'Seid wann wahr dass so?'
    """
    table = _homophones(written_in)
    matches = listed_clear_words(text, protected, table, written_in)
    heard = [word for word in matches if not _NUMBER_SIGN.match(text, word.start())]
    return edited(text, choose_edits(heard, rng, share, lambda word, _: like(word, table[word.lower()])))


_NUMBER_SIGN = re.compile(r"nos?\b\.? ?\d", re.IGNORECASE)
"""The abbreviation "no." for "number" ("booking no. 2026"), which is never heard as "know"."""
_ONLY_WORDS = re.compile(r"[\w'\u2019]+(?:\s[\w'\u2019]+)*")
_AROUND = re.compile(r"(?:(?<=\s)|\A)[\"\u201c(\u00bf\u00a1]+|[\"\u201d)]+(?=[\s,;:.!?]|\Z)")
"""Opening marks before a word, and closing quotation marks and brackets after one."""
_MARKS = re.compile(r"(?<=[^\W_])[,;:.!?\u060c\u061b\u061f]+(?=[\s\"\u201d)]|\Z)")
"""Marks after a word, in Latin or Arabic script. Marks inside words and numbers have a letter or digit after them."""
_WIDE_INSIDE = re.compile("[\uff0c\u3002\uff01\uff1f\uff1b,;!?]+(?=.)", re.DOTALL)
"""Marks before the end of a text without spaces, in full width (, 。 ! ? ;) or as on other keyboards."""
_WIDE_AT_END = re.compile("[\u3002\uff01\uff1f\uff1b!?.]+\\s*\\Z")


@transformation(
    "drop-punctuation",
    capability="typing noise",
    says="punctuation left out",
    languages=needing("values.writing", also=SPACED),
)
def drop_punctuation(text: str, written_in: str = "en") -> str:
    """Remove commas, full stops, question marks, quotation marks and brackets, except inside words.

    In a language without spaces, only the final mark is removed. Marks inside the text become spaces, except between
    two digits, and quotation marks and brackets are kept.

    >>> drop_punctuation("Hi, is it 3.50? (It's at www.shop.example.)")
    "Hi is it 3.50 It's at www.shop.example"
    >>> drop_punctuation("您好，门票多少钱？", "zh")
    '您好 门票多少钱'
    """
    if Language(written_in).spaces:
        # A closing bracket may hide a mark behind it: "example.)."
        return _MARKS.sub("", _AROUND.sub("", _MARKS.sub("", text)))
    bare = _WIDE_AT_END.sub("", text)
    return _WIDE_INSIDE.sub(lambda mark: mark.group() if _in_number(bare, mark) else " ", bare)


def _in_number(text: str, mark: re.Match[str]) -> bool:
    """Return True if a mark stands between two digits."""
    return text[mark.start() - 1 : mark.start()].isdigit() and text[mark.end() : mark.end() + 1].isdigit()
