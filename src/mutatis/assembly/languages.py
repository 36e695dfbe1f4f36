"""Finds the language of each case in a block of data, as stated by the user or the data, or else detected.

A case that is clearly in a language other than the rest of the block keeps its own. Short texts take the language of
the block.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from mutatis.assembly.spool import Altered, shapes_of
from mutatis.core.cases import Case
from mutatis.core.languages import SEVERAL, UNKNOWN, language_name
from mutatis.core.search import Shape, shape_of
from mutatis.text.languages import commonest, is_no_language, language

SAMPLE = 400
"""Number of cases, spread evenly over a block of data, that are used to detect the language of the block."""

MOST = 2 / 3
"""Minimum share of a language among the cases with a clear language, for it to be the language of the block."""

SENTENCE = 8
"""Minimum number of words for a text to get its own language; a shorter one may be a foreign name or title."""

TINY = 60
"""Minimum number of characters in a block for its language to be detected.

A shorter block is typically a first try. It counts as English unless it clearly is in a different language.
"""

_FOREIGN_LETTER = re.compile(r"[^\W\d_\x00-\x7f]")
_ENDED = re.compile(r"[?!\u3002\uff1f\uff01][\"'\u201d\u300d)]*\s*\Z")
"""Matches the end of a question or exclamation, with closing quotes or brackets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockLanguage:
    """The most common language of a block of data, used for all cases that are not clearly in a different one."""

    usual: str
    note: str = ""

    @classmethod
    def of(cls, cases: Sequence[Case]) -> BlockLanguage:
        """Return the language of most cases in an evenly spaced sample of a block, or `UNKNOWN` if it is unclear.

        `note` reports the detected language, unless it is clearly English.
        """
        sampled = (cases[number] for number in _sampled(cases))
        sample = [case for case in sampled if not case.language]
        if not sample:
            return cls(usual=UNKNOWN)
        texts = [" \n".join(_texts(case)) for case in sample]
        code, share = commonest(texts)
        if code == "en" and share >= MOST:
            return cls(usual=code)
        about = f"language of {sample[0].id.partition('/')[0]}"
        remedy = 'name it: [data] language = "...", or mutatis.cases(..., language="...")'
        if share >= MOST:
            return cls(usual=code, note=f"{about}: {language_name(code)}; if that is wrong, {remedy}")
        is_tiny = sum(map(len, texts)) < TINY and not any(map(_FOREIGN_LETTER.search, texts))
        if not code and is_tiny and not is_no_language(texts):
            why = "too little text to recognise, so English is assumed; if that is wrong"
            return cls(usual="en", note=f"{about}: {why}, {remedy}")
        which = f"several, most often {language_name(code)}" if code else "not recognised"
        effect = "a case whose language is not clear is tested by relations for every language"
        return cls(usual=UNKNOWN, note=f"{about}: {which}; {effect}; {remedy}")

    def spoken(self, case: Case) -> Case:
        """Return the case with its language set. The language is detected if the case does not state it."""
        return case if case.language else replace(case, language=self._language(case))

    def _language(self, case: Case) -> str:
        weights: Counter[str] = Counter()
        whole: set[str] = set()
        for text in _texts(case):
            if code := language(text, self.usual):
                words = len(text.split())
                weights[code] += max(words, len(text) // SENTENCE)  # scripts without spaces are measured by characters
                if words >= SENTENCE or _ENDED.search(text):
                    whole.add(code)
        if len(whole) > 1:
            return SEVERAL
        return weights.most_common(1)[0][0] if weights else self.usual


def _sampled(cases: Sequence[Case]) -> range:
    """Return the numbers of at most `SAMPLE` cases, spread evenly over a block."""
    return range(0, len(cases), max(1, -(-len(cases) // SAMPLE)))


def _texts(case: Case) -> Iterator[str]:
    """Yield the questions of a case, turn by turn, without the accompanying material, which is never edited."""
    for turn in case.turns:
        yield from turn.fields.values()


def _detected_once(block: BlockLanguage, cases: int) -> Callable[[int, Case], Case]:
    """Return a function that sets the language of a case. It uses one byte of memory per case."""
    codes, known = [""], bytearray(cases)

    def with_language(number: int, case: Case) -> Case:
        if case.language:
            return case
        if not known[number]:  # the position of the code in `codes`, where 0 stands for a case not seen yet
            code = block.spoken(case).language
            if code not in codes:
                codes.append(code)
            known[number] = codes.index(code)
        return replace(case, language=codes[known[number]])

    return with_language


def _shapes(
    cases: Sequence[Case], block: BlockLanguage, with_language: Callable[[int, Case], Case]
) -> dict[Shape, tuple[Case, int]]:
    """Return one example case of each shape, with the number of cases of that shape.

    Detecting the language of every case would take too long here (0.1 ms each). The number of cases in unusual
    languages is therefore estimated from an evenly spaced sample.
    """
    examples = {}
    for case, number in shapes_of(cases).values():
        usual = case if case.language else replace(case, language=block.usual)
        examples[shape_of(usual)] = usual, number
    sample = [with_language(number, cases[number]) for number in _sampled(cases)]
    for shape, (case, number) in shapes_of(sample).items():
        examples.setdefault(shape, (case, round(number * len(cases) / len(sample))))
    return examples


def with_languages(cases: Sequence[Case], notes: list[str]) -> Sequence[Case]:
    """Return the cases of a block with their languages set. Cases stored in a file are not loaded into memory.

    If the detected language is not English, a note on it is added to `notes`.
    """
    if not cases:
        return cases
    block = BlockLanguage.of(cases)
    notes += [block.note] if block.note else []
    if isinstance(cases, list):
        return [block.spoken(case) for case in cases]
    with_language = _detected_once(block, len(cases))
    return Altered(cases, with_language, _shapes(cases, block, with_language))
