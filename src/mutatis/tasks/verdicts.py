"""Reads a grader's preference between two answers: a letter, a name, JSON, "[[A]]" or a sentence.

A verdict is "A" (the answer shown first), "B" (the second) or "tie", whatever names the prompt uses. A reply that
prefers both answers, or refuses to compare them, is `Unparsable`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mutatis.core.cases import Case
from mutatis.core.system import Response
from mutatis.core.task import Unparsable
from mutatis.tasks.json_values import LONGEST, values_under
from mutatis.tasks.parsers import answer_text, quoted, unwrapped
from mutatis.text.normalisation import fold
from mutatis.text.refusals import is_refusal
from mutatis.text.sentences import sentences

FIRST, SECOND, TIE = "A", "B", "tie"

_KEYS = (
    *("verdict", "winner", "better", "better_answer", "best", "preferred", "preference", "choice", "decision"),
    *("selected", "selection", "judgement", "judgment", "result", "answer", "label"),
)
_BRACKETED = re.compile(r"\[\[([^\[\]]{1,60}+)\]\]")
"""Matches a verdict in double brackets, a form that many grading prompts ask for."""

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

The names are ignored if the prompt uses any of them for the other answer.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The names of the two answers and of a tie in a grader's reply, with patterns that recognise a preference."""

    verdicts: Mapping[str, str]
    tie: re.Pattern[str]
    whole: re.Pattern[str]
    compared: re.Pattern[str]
    prefers: tuple[tuple[re.Pattern[str], bool], ...]
    ties: re.Pattern[str]

    @classmethod
    def of(cls, first: str, second: str, tie: str) -> Names:
        """Build the names and patterns from the prompt's names for the first answer, the second answer and a tie."""
        of_prompt = {_bare(first): FIRST, _bare(second): SECOND}
        is_swapped = any(_NAMES_BY_PLACE.get(name, verdict) != verdict for name, verdict in of_prompt.items())
        verdicts = of_prompt if is_swapped else {**_NAMES_BY_PLACE, **of_prompt}
        either = "|".join(re.escape(name) for name in sorted(verdicts, key=len, reverse=True))
        # A letter that is also a word ("a better answer") is a name only behind "answer" or in a capital, which is
        # marked by `_marked` before the text is folded.
        name = (
            rf"(?:(?:the )?{_WHAT}[ \"'*(^]{{0,3}}(?P<n>{either})[\"'*)^]{{0,2}}"
            rf"|(?:the )?(?P<o>first|second) {_WHAT}|\^(?P<l>{either})\^)"
        )
        verb = r"(?:is|was|seems|looks|appears(?: to be)?|would be|wins|comes out)"
        forward = rf"{name}(?: {verb})? {_MORE}(?:an? |the )?{_BETTER}\b"
        return cls(
            verdicts=verdicts,
            tie=re.compile(rf"(?:it'?s |it is )?(?:{_TIE}|{re.escape(_bare(tie))})"),
            whole=re.compile(
                rf"(?:the )?(?:{_WHAT} ?)?\(?(?P<n>{either})\)?(?: (?:{_WHAT}|one|wins|is {_MORE}{_BETTER}))?"
            ),
            compared=re.compile(rf"(?P<left>{either}) ?(?P<sign>>{{1,3}}|<{{1,3}}|={{1,2}}) ?(?P<right>{either})"),
            prefers=(
                (re.compile(rf"(?<!not )(?<!neither ){forward}"), True),
                (re.compile(rf"{name} (?:wins|prevails|outperforms|beats|is preferred|should be preferred)\b"), True),
                (
                    re.compile(
                        rf"\b(?:i |we |would |i'd )*(?:prefer|choose|pick|select|favou?r|go with|vote for) {name}"
                    ),
                    True,
                ),
                (
                    re.compile(
                        rf"\b(?:verdict|winner|better|best|preferred|preference|choice|decision|judge?ment|answer)\b"
                        rf"(?: (?:answer|output|response|one|verdict))?\W{{0,4}}(?:is|would be|goes to|:|=)\W{{0,6}}"
                        rf"(?:{name}|(?P<q>{either})(?=[\W]*$|[.\n]))"
                    ),
                    True,
                ),
                (re.compile(rf"{name}(?: {verb})? {_MORE}{_WORSE}\b"), False),
            ),
            ties=re.compile(
                rf"\b(?:it(?:'s| is) a (?:tie|draw)|both (?:{_WHAT} )?are equally|equally (?:good|bad|helpful)"
                r"|(?:verdict|winner)\W{0,4}(?:is|:)\W{0,6}(?:a )?(?:tie|draw|neither|both)"
                rf"|neither (?:{_WHAT} |one )?is better|of equal quality)\b"
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictParser:
    """Parser for the better of two answers, as "A", "B" or "tie".

    The case's fields `label_a`, `label_b` and `tie` hold the names that the prompt uses for them.
    """

    def parse(self, response: Response, case: Case) -> str:
        """Return the verdict in a grader's reply."""
        text = answer_text(response)
        fields = case.turns[-1].fields
        names = Names.of(fields.get("label_a", FIRST), fields.get("label_b", SECOND), fields.get("tie", TIE))
        for candidate in _candidates(text):
            if (verdict := _short(candidate, names)) is not None:
                return verdict
        if is_refusal(text):
            raise Unparsable(f"the answer is a refusal: {quoted(text)}; expected {_expected(fields)}")
        return _in_words(text, names, fields)

    def uninformative(self, value: Any) -> bool:
        """Return True if neither answer was preferred."""
        return bool(value == TIE)


def _expected(fields: Mapping[str, str]) -> str:
    return f"{fields.get('label_a', FIRST)}, {fields.get('label_b', SECOND)} or {fields.get('tie', TIE)}"


def _bare(text: str) -> str:
    return " ".join(fold(text).replace("_", " ").strip(" \t\r\n.,;:!?\"'`*()[]{}<>#").split())


def _candidates(text: str) -> Iterable[str]:
    """Yield parts of a text that may be the verdict: a JSON value, "[[...]]", or a short text or line."""
    yield from values_under(_KEYS, text)
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
    plain = " ".join(sentence.replace("*", "").replace("`", "").split())
    verdicts = {TIE} if names.ties.search(plain) else set()
    for pattern, better in names.prefers:
        for match in pattern.finditer(plain):
            name = next(group for group in match.groupdict().values() if group is not None)
            verdict = names.verdicts.get(name) or _NAMES_BY_PLACE[name]
            verdicts.add(verdict if better else {FIRST: SECOND, SECOND: FIRST}[verdict])
    return verdicts
