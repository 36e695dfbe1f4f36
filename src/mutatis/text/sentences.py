"""Splits a text into sentences and the white space between them, so that nothing is lost.

It uses rules instead of a model. Abbreviations and initials do not end a sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mutatis.languages import languages_with
from mutatis.text.values import vocabulary

_SHORTENED = (
    "mr mrs ms dr prof sr jr st mt vs etc inc ltd co corp no vol fig e.g i.e cf al gen col lt sgt capt rev hon gov sen "
    "rep pres approx dept est u.s u.k a.m p.m b.c a.d nr str bzw usw inkl zzgl evtl ggf z.b d.h u.a mio mrd ee uu"
)
_SHORT_MONTHS = {name for name in vocabulary().month_numbers if len(name) <= 4} - {"may", "june", "july"}
_ABBREVIATIONS = frozenset(_SHORTENED.split()) | _SHORT_MONTHS
_DOTTED = [vocabulary(code) for code in languages_with("values") if vocabulary(code).ordinal(5) == "5."]
_MONTHS = "|".join(name for known in _DOTTED for name in (*known.months, *known.words("calendar", "short_months")))
_DAY_OF_MONTH = re.compile(rf"(?<!\s)\s++(?:{_MONTHS}|Jahrhunderts?)\b")
"""Matches what follows a day or a German century if its full stop does not end the sentence: "5. März"."""

# Runs of stops and of spaces are entered at their beginning only: from every place in them a search is quadratic.
_BOUNDARY = re.compile(
    r"(?:(?<![.!?\u2026\u061f])[.!?\u2026\u061f]++[\"')\]\u201d\u2019]*+(\s++)"
    r"|[\u3002\uff01\uff1f]++[\u300d\u300f]?(\s*+)|(?<!\s)(\s*\n\s*\n\s*+))"
)
_LAST_WORD = re.compile(r"([^\s(\[\"']+)$")
_NUMBERED = re.compile(r"[A-Z]?\d|[IVXLC]{2,}\b|of\b")
"""Matches what follows "no." and a space if it is short for "number". In "Sorry, no. See our page." it is not."""
_BEFORE_NUMBERS = ("no", "max", "min")
"""Words that are short for another one only before a number: "max. 8 kg" for "maximum 8 kg"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence and the white space after it. Joining the text and space of all sentences restores the original."""

    text: str
    space: str
    start: int

    @property
    def end(self) -> int:
        """The offset just after the sentence's text."""
        return self.start + len(self.text)


def _ends_sentence(text: str, start: int, match: re.Match[str], cased: bool) -> bool:
    """Return True unless the boundary is a full stop inside the sentence that begins at `start`.

    Such a full stop is followed by a lower-case letter (if `cased`), or ends a day ("5. März"), an abbreviation or an
    initial. `match` is a boundary; its first group is the white space after the marks.
    """
    if match.group(1) is None or text[match.start()] != ".":
        return True
    if cased and match.end() < len(text) and text[match.end()].islower():
        return False
    before = _LAST_WORD.search(text, max(start, match.start() - 40), match.start())
    if before is None:
        return True
    word = before.group(1).lower()
    if word.isdigit() and len(word) <= 2 and _DAY_OF_MONTH.match(text, match.start(1)):
        return False
    if word in _BEFORE_NUMBERS:  # "No. 5" is a number, and "No." a sentence
        return _NUMBERED.match(text, match.end()) is None
    return not (word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word != "i"))


def split_sentences(text: str, *, cased: bool = True) -> list[Sentence]:
    """Return the sentences of a text with the white space after each.

    White space at the beginning of the text is returned as a sentence without text. If `cased` is True, a lower-case
    letter after a full stop continues the sentence. Use False for lower-case text.

    >>> [s.text for s in split_sentences("Dr. Who came. He left!")]
    ['Dr. Who came.', 'He left!']
    """
    result: list[Sentence] = []
    start = len(text) - len(text.lstrip())
    if start:
        result.append(Sentence(text="", space=text[:start], start=0))
    for match in _BOUNDARY.finditer(text, start):
        if not _ends_sentence(text, start, match, cased):
            continue
        space = next(group for group in match.groups() if group is not None)  # one group: its space
        end = match.end() - len(space)
        if end > start:
            result.append(Sentence(text=text[start:end], space=space, start=start))
            start = match.end()
    if start < len(text):  # the last sentence has no boundary after it
        last = text[start:]
        last_text = last.rstrip()
        result.append(Sentence(text=last_text, space=last[len(last_text) :], start=start))
    return result


QUESTION_MARKS = ("?", "\uff1f", "\u061f")
END_MARKS = (".", "!", "\u3002", "\uff01", *QUESTION_MARKS)
"""Marks that end a sentence, including full-width ones."""


def ends_in_question(text: str) -> bool:
    """Return True if a text ends with a question mark of any script, with or without blanks after it.

    >>> [ends_in_question(text) for text in ("Is it open? ", "几点？", "Is it open? Thanks!")]
    [True, True, False]
    """
    return text.rstrip().endswith(QUESTION_MARKS)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, without the white space between them.

    >>> sentences("It cost $3.5 million. Who paid? J. Smith did.")
    ['It cost $3.5 million.', 'Who paid?', 'J. Smith did.']
    """
    return [sentence.text for sentence in split_sentences(text) if sentence.text]
