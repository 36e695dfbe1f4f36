"""Reads the verdict of a grader: a score on a scale, a pass or fail, or a preference between two answers.

A score is converted to its position on the scale, from 0 (lowest) to 1 (highest), so that a tolerance means the same on
every scale. A preference is "A" (the answer shown first), "B" (the second) or "tie", whatever names the prompt uses. A
reply that prefers both answers, or refuses to compare them, is `Unparsable`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from mutatis.core.cases import Case
from mutatis.core.system import Response
from mutatis.core.task import Unparsable
from mutatis.tasks.parsers import LONGEST, answer_text, quoted, unwrapped, values_under
from mutatis.text.normalisation import fold
from mutatis.text.refusals import is_refusal
from mutatis.text.sentences import sentences
from mutatis.text.values import in_full, vocabulary

SCALE = (1.0, 10.0)
"""The lowest and highest score of the default scale."""

_SCORE_KEYS = ("score", "rating", "grade", "points", "overall", "overall_score", "total", "value", "mark", "result")
_NUMBER = r"[-+]?\d{1,9}(?:[.,]\d{1,9})?"
_ENDS = re.compile(rf"({_NUMBER})\s*(?:to|-|–|\.\.|and|,|bis)\s*({_NUMBER})")
"""Matches the two ends of a scale, such as "1 to 5"."""

_GIVEN = re.compile(
    rf"(?<![\d.,-])({_NUMBER})(?:\s*(?:/|out of|of|von)\s*({_NUMBER}))?(?:\s*(?:points?|stars?|%))?(?!\d|\.\d)"
)
"""Matches a score, which may be followed by its maximum ("7/10") and by "points" or "%"."""

_NAMED = re.compile(
    r"\b(?:(score|rating|grade|points|mark|overall)|verdict|answer)\b[\s\"'*_:]*+(?:is|of|=|would be)?[\s\"'*_:(\[]*+"
    rf"(?={_NUMBER})"
)
"""Matches a word such as "score" up to the number that follows it."""

_BRACKETED = re.compile(r"\[\[([^\[\]]{1,60}+)\]\]")
"""Matches a verdict in double brackets, a form that many grading prompts ask for."""

_LISTED = re.compile(r"(?m)^[ \t>*#-]{0,8}(\d{1,2})[.)][*_]{0,2}[ \t]++(?=\S)")
"""Matches the number of a list item at the beginning of a line."""

_WORDED = re.compile(rf"\b({'|'.join(vocabulary().ones[:11])})\b")
_HALF = re.compile(r"(?<![\d.,])(\d{1,9}) and a half\b")
_VERDICT = re.compile(
    r"\A(?:pass ?(?:/|or) ?fail\b[\s*_:=-]*+|(?:the|this) (?:answer|response|output|reply|text) (?:has )?)"
)
"""Matches words that may precede "pass" or "fail" in a verdict."""

_PASSES = {
    **dict.fromkeys(("pass", "passed", "passes", "true", "yes"), 1.0),
    **dict.fromkeys(("fail", "failed", "fails", "false", "no"), 0.0),
}
"""Words for the ends of a scale from 0 to 1, because graders on this scale may also answer "pass" or "fail"."""

_AROUND = " .!*`\"'()[]"
_PASS_KEYS = ("pass", "passed", "passes")
_WORDS = {word: str(number) for number, word in enumerate(vocabulary().ones[:11])}


def ends_of(scale: str) -> tuple[float, float]:
    """Return the lowest and the highest score of a scale, by default 1 and 10.

    Raises:
        Unparsable: the scale does not name two numbers, the lower one first. A wrong guess would change every score.

    >>> ends_of("1 to 5"), ends_of("0-100"), ends_of("")
    ((1.0, 5.0), (0.0, 100.0), (1.0, 10.0))
    """
    if not scale.strip():
        return SCALE
    match = _ENDS.search(scale)
    low, high = (_value(match[1]), _value(match[2])) if match else (0.0, 0.0)
    if low >= high:
        raise Unparsable(
            f'the scale {quoted(scale)} cannot be read; expected the lowest and the highest score, such as "1 to 10"'
        )
    return low, high


def _value(text: str) -> float:
    return float(text.replace(",", "."))


class Points(float):
    """A score's place on its scale, from 0 (lowest) to 1 (highest), that is written as the score itself.

    >>> points = Points.on_scale(4, low=1, high=5)
    >>> points + 0, f"{points:g}"
    (0.75, '4')
    """

    score: float

    @classmethod
    def on_scale(cls, score: float, *, low: float, high: float) -> Points:
        """Return the place of a score on a scale."""
        points = cls(round((score - low) / (high - low), 9))
        points.score = score
        return points

    def __format__(self, spec: str) -> str:
        return format(self.score, spec)


def read_points(response: Response, case: Case) -> float:
    """Return the place of a score on the case's `scale`: 0 for its lowest score, 1 for its highest."""
    text = answer_text(response)
    low, high = ends_of(case.turns[-1].fields.get("scale", ""))
    expected = f"expected a number from {low:g} to {high:g}"
    if (low, high) == (0.0, 1.0) and (passed := _passed(text)) is not None:
        return passed
    for candidate in (*_score_candidates(_without_list_numbers(text)), *_score_candidates(text)):
        if (score := _score(candidate, high)) is None:
            continue
        if not low <= score <= high:
            raise Unparsable(f"the score {score:g} in {quoted(text)} is out of range; {expected}")
        return Points.on_scale(score, low=low, high=high)
    why = "a refusal" if is_refusal(text) else "no number"
    raise Unparsable(f"{why} in {quoted(text)}; {expected}")


def _without_list_numbers(text: str) -> str:
    """Remove the numbers of list items from a text.

    Numbers at the beginning of a line are removed if there are several. A single one is removed only if it is 1 and
    does not begin the text.
    """
    listed = list(_LISTED.finditer(text))
    if len(listed) > 1 or any(match[1] == "1" and match.start() for match in listed):
        return _LISTED.sub("", text) or text
    return text


def _score_candidates(text: str) -> Iterator[str]:
    """Yield parts of a text that may contain the score, most reliable first."""
    yield from values_under(_SCORE_KEYS, text)
    yield from map(str.strip, _BRACKETED.findall(text[-LONGEST:])[-1:])
    lines = [line for line in text.splitlines() if line.strip()]
    yield from (unwrapped(line) for line in (lines[-1], lines[0]) if len(line) <= 40)
    named = list(_NAMED.finditer(fold(text[-LONGEST:])))
    yield from (fold(text[-LONGEST:])[match.end() : match.end() + 40] for match in reversed(named))
    yield in_full(text[-2_000:])


def _passed(text: str) -> float | None:
    """Return the score of a grader that answers pass or fail, or None if it gave a number or neither word."""
    if any(_score(value, 1.0) is not None for value in values_under(_SCORE_KEYS, text)) or _names_a_score(text):
        return None
    lines = [unwrapped(line) for line in text.splitlines() if line.strip()]
    said = (fold(value).strip(_AROUND) for value in (*values_under(_PASS_KEYS, text), *lines[-1:], *lines[:1]))
    bare = (_VERDICT.sub("", words).strip(_AROUND) for words in said)
    return next((_PASSES[word] for word in bare if word in _PASSES), None)


def _names_a_score(text: str) -> bool:
    """Return True if a text has a number from 0 to 1 after the word "score" or a synonym."""
    plain = fold(text[-LONGEST:])
    scores = (_GIVEN.match(plain, named.end()) for named in _NAMED.finditer(plain) if named[1])
    return any(match and 0 <= _value(match[1]) <= 1 and (match[2] is None or _value(match[2]) == 1) for match in scores)


def _score(text: str, high: float) -> float | None:
    """Return the first score in a text. Return None if it has no number, or only numbers on other scales."""
    plain = _HALF.sub(r"\1.5", _WORDED.sub(lambda match: _WORDS[match[1]], fold(text)))
    for match in _GIVEN.finditer(plain):
        if match[2] is None or _value(match[2]) == high:  # "3/4" is not the score 3 on a scale to 5
            return _value(match[1])
    return None


FIRST, SECOND, TIE = "A", "B", "tie"

_PREFERENCE_KEYS = tuple(
    "verdict winner better better_answer best preferred preference choice decision selected selection judgement "
    "judgment result answer label".split()
)
_WHAT = r"(?:answers?|outputs?|responses?|assistants?|models?|options?|candidates?|repl(?:y|ies)|completions?|systems?)"
"""Matches nouns for the two answers."""

_TIE = (
    r"tie|tied|a tie|draw|a draw|equal|equals|same|both|neither|no (?:preference|difference|winner)|c|0"
    r"|(?:both |they )?(?:are |is )?"
    r"(?:equally (?:good|bad|well|helpful)|of equal quality|equal in quality|the same|comparable)"
)
"""Matches words for a tie."""

_MORE = (
    r"(?:much |far |clearly |slightly |somewhat |significantly |marginally |definitely |overall |still |also |the "
    r"|a bit )*"
)
"""Matches adverbs before a comparison."""

_DEGREE = (
    r"(?:accurate|helpful|complete|correct|useful|relevant|appropriate|suitable|precise|concise|detailed|faithful"
    r"|informative)"
)
_BETTER = rf"(?:better|best|preferable|superior|stronger|winner|preferred|more {_DEGREE})"
_WORSE = rf"(?:worse|worst|inferior|weaker|less {_DEGREE})"
_NAMES_BY_PLACE: Mapping[str, str] = {
    **dict.fromkeys(("a", "1", "first", "one"), FIRST),
    **dict.fromkeys(("b", "2", "second", "two"), SECOND),
}
"""The answer meant by each name that graders commonly use.

The names are ignored if the prompt uses any such name for the other answer.
"""


class Names:
    """The names of the two answers and of a tie in a grader's reply, with patterns that recognise a preference."""

    def __init__(self, first: str, second: str, tie: str) -> None:
        """Build the patterns from the prompt's names for the first answer, the second answer and a tie."""
        of_prompt = {_bare(first): FIRST, _bare(second): SECOND}
        is_swapped = any(_NAMES_BY_PLACE.get(name, verdict) != verdict for name, verdict in of_prompt.items())
        self.verdicts: Mapping[str, str] = of_prompt if is_swapped else {**_NAMES_BY_PLACE, **of_prompt}
        either = "|".join(re.escape(name) for name in sorted(self.verdicts, key=len, reverse=True))
        # A letter that is also a word ("a better answer") is a name only behind "answer" or in a capital, which is
        # marked by `_marked` before the text is folded.
        name = (
            rf"(?:(?:the )?{_WHAT}[ \"'*(^]{{0,3}}(?P<n>{either})[\"'*)^]{{0,2}}"
            rf"|(?:the )?(?P<o>first|second) {_WHAT}|\^(?P<l>{either})\^)"
        )
        verb = r"(?:is|was|seems|looks|appears(?: to be)?|would be|wins|comes out)"
        choosing = r"(?:prefer|choose|pick|select|favou?r|go with|vote for)"
        deciding = r"(?:verdict|winner|better|best|preferred|preference|choice|decision|judge?ment|answer)"
        self.tie = re.compile(rf"(?:it'?s |it is )?(?:{_TIE}|{re.escape(_bare(tie))})")
        self.whole = re.compile(
            rf"(?:the )?(?:{_WHAT} ?)?\(?(?P<n>{either})\)?(?: (?:{_WHAT}|one|wins|is {_MORE}{_BETTER}))?"
        )
        # "A > B"
        self.compared = re.compile(rf"(?P<left>{either}) ?(?P<sign>>{{1,3}}|<{{1,3}}|={{1,2}}) ?(?P<right>{either})")
        self.prefers = (
            # "Answer A is much better"
            re.compile(rf"(?<!not )(?<!neither ){name}(?: {verb})? {_MORE}(?:an? |the )?{_BETTER}\b"),
            # "Answer A wins"
            re.compile(rf"{name} (?:wins|prevails|outperforms|beats|is preferred|should be preferred)\b"),
            # "I would choose answer A"
            re.compile(rf"\b(?:i |we |would |i'd )*{choosing} {name}"),
            # "The better answer is A"
            re.compile(
                rf"\b{deciding}\b(?: (?:answer|output|response|one|verdict))?\W{{0,4}}"
                rf"(?:is|would be|goes to|:|=)\W{{0,6}}(?:{name}|(?P<q>{either})(?=[\W]*$|[.\n]))"
            ),
        )
        self.rejects = re.compile(rf"{name}(?: {verb})? {_MORE}{_WORSE}\b")  # "answer A is slightly worse"
        self.ties = re.compile(
            rf"\b(?:it(?:'s| is) a (?:tie|draw)|both (?:{_WHAT} )?are equally|equally (?:good|bad|helpful)"
            r"|(?:verdict|winner)\W{0,4}(?:is|:)\W{0,6}(?:a )?(?:tie|draw|neither|both)"
            rf"|neither (?:{_WHAT} |one )?is better|of equal quality)\b"
        )


def read_verdict(response: Response, case: Case) -> str:
    """Return the better of two answers, as "A", "B" or "tie".

    The case's fields `label_a`, `label_b` and `tie` hold the names that the prompt uses for them.
    """
    text = answer_text(response)
    fields = case.turns[-1].fields
    names = Names(fields.get("label_a", FIRST), fields.get("label_b", SECOND), fields.get("tie", TIE))
    for candidate in _preference_candidates(text):
        if (verdict := _short(candidate, names)) is not None:
            return verdict
    if is_refusal(text):
        raise Unparsable(f"the answer is a refusal: {quoted(text)}; expected {_expected(fields)}")
    return _in_words(text, names, fields)


def _expected(fields: Mapping[str, str]) -> str:
    return f"{fields.get('label_a', FIRST)}, {fields.get('label_b', SECOND)} or {fields.get('tie', TIE)}"


def _bare(text: str) -> str:
    return " ".join(fold(text).replace("_", " ").strip(" \t\r\n.,;:!?\"'`*()[]{}<>#").split())


def _preference_candidates(text: str) -> Iterable[str]:
    """Yield parts of a text that may be the verdict: a JSON value, "[[...]]", or a short text or line."""
    yield from values_under(_PREFERENCE_KEYS, text)
    yield from map(str.strip, _BRACKETED.findall(text[-LONGEST:])[-1:])
    lines = [line for line in text.splitlines() if line.strip()]
    yield from (unwrapped(line) for line in (text, lines[0], lines[-1]) if len(line) <= 200)


def _short(text: str, names: Names) -> str | None:
    """Return the verdict in a text that contains nothing else, or None for any other text."""
    bare = _bare(text)
    if bare in names.verdicts:
        return names.verdicts[bare]
    if (match := names.whole.fullmatch(bare)) is not None:
        return names.verdicts[match["n"]]
    if (match := names.compared.fullmatch(bare)) is not None:
        left, right = names.verdicts[match["left"]], names.verdicts[match["right"]]
        return None if left == right else TIE if "=" in match["sign"] else left if ">" in match["sign"] else right
    return TIE if names.tie.fullmatch(bare) else None


def _marked(text: str) -> str:
    """Mark single capitals and digits in a text as names of answers, since a lower-case "a" may be a word."""
    return re.sub(r"(?<![\w^])([A-Z]|\d)(?![\w^'])(?! \w{1,20} (?:is|was) an?\b)", r"^\1^", text)


def _in_words(text: str, names: Names, fields: Mapping[str, str]) -> str:
    """Return the verdict stated in sentences. If several differ, the last counts, because reasons come first."""
    verdict_sets = []
    for sentence in sentences(text[-LONGEST:]) or [text[-LONGEST:]]:
        if verdicts_said := _preferred(fold(_marked(sentence)), names):
            verdict_sets.append(verdicts_said)
    if not verdict_sets:
        raise Unparsable(f"found no verdict in {quoted(text)}; expected {_expected(fields)}")
    if len(verdict_sets[-1]) > 1:
        raise Unparsable(f"both answers are preferred in {quoted(text)}; expected {_expected(fields)}")
    return verdict_sets[-1].pop()


def _preferred(sentence: str, names: Names) -> set[str]:
    """Return the verdicts stated in a sentence."""
    plain = " ".join(sentence.replace("*", "").replace("`", "").split())
    verdicts = {TIE} if names.ties.search(plain) else set()
    verdicts |= {_named(match, names) for pattern in names.prefers for match in pattern.finditer(plain)}
    rejected = {_named(match, names) for match in names.rejects.finditer(plain)}
    return verdicts | {SECOND if verdict == FIRST else FIRST for verdict in rejected}


def _named(match: re.Match[str], names: Names) -> str:
    """Return the answer that a match of a preference names."""
    name = next(group for group in match.groupdict().values() if group is not None)
    return names.verdicts.get(name) or _NAMES_BY_PLACE[name]
