"""Answer parsers, which convert a system's answer into the value that measures compare.

They tolerate text around an answer (reasoning blocks, "Answer:", quotes, Markdown) but are strict about the answer
itself. A missing number, two labels, a score outside 0..1 or a refusal instead of a label is `Unparsable`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mutatis.core.calls import ToolCall
from mutatis.core.cases import Case
from mutatis.core.errors import UsageError, names_text, shortened
from mutatis.core.parsing import NotReadable, json_of
from mutatis.core.system import Finish, Response
from mutatis.core.task import Unparsable
from mutatis.prompting import unfenced
from mutatis.text.abstention import is_abstention
from mutatis.text.normalisation import fold
from mutatis.text.openers import without_reasoning
from mutatis.text.refusals import is_refusal
from mutatis.text.values import parse_score

UNKNOWN = "unknown"
"""The value that stands for every way of stating that the answer is unknown."""

NO_RELATION = "no relation"
"""The value that stands for every way of stating that two entities are not related."""

_SHOWN = 80
_LEAD = re.compile(
    r"^[\s*_\"'`#]*(?:(?:the\s+)?(?:final\s+|short\s+|correct\s+)?(?:answer|relation(?:ship)?)[*_\"'`]*\s*(?::|\bis\b:?)"
    r"|a:\s)[\s*_`]*",
    re.IGNORECASE,
)
"""Matches words and marks that may precede an answer, such as "The final answer is:"."""

_MARKS = ("**", "__", "`", '"', "'", "“", "‘", "*", "_")
"""Quotes and Markdown emphasis that may surround an answer, in the order in which they are removed."""

_CLOSING = {"“": "”", "‘": "’"}
"""Closing marks that differ from the opening ones."""

_NO_RELATION = re.compile(
    r"^\W*(?:(?:there (?:is|are|was)|they have|it (?:states|gives)|the text states) )?(?:no|none|without)(?: \w+)? "
    r"(?:relation|relationship|relations|connection|link)\b"
    r"|^\W*(?:none|n/?a|unrelated|not related|no[_-]relation|they are (?:unrelated|not related))\b\W*$"
)
"""Matches a statement that denies a relation."""


class Parser(Protocol):
    """Reads a value from an answer, and decides which values are uninformative (such as "unknown")."""

    def parse(self, response: Response, case: Case) -> Any:
        """Return the value of an answer. Raise `Unparsable` if the answer has no value."""

    def uninformative(self, value: Any) -> bool:
        """Return True if a value decides nothing, such as "unknown". By default, every value is a definite answer."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionParser:
    """A parser made of two functions. By default, every value is a definite answer."""

    parse: Callable[[Response, Case], Any]
    uninformative: Callable[[Any], bool] = lambda value: False


def answer_text(response: Response) -> str:
    """Return an answer's text without a reasoning block. Raise `Unparsable` for an empty or filtered answer."""
    if response.finish is Finish.FILTERED:
        raise Unparsable("the answer was withheld by a content filter")
    text = without_reasoning(response.text) or without_reasoning(response.said)
    if not text:
        raise Unparsable("empty answer")
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """A parser for measures that examine the reply itself. It accepts answers without a value."""

    parse: Callable[[Response, Case], Any]

    def __call__(self, response: Response, case: Case) -> Any:
        """Return the value of the answer, or None if it has no value. Raise `Unparsable` if it is empty or filtered."""
        answer_text(response)
        try:
            return self.parse(response, case)
        except Unparsable:
            return None


def unwrapped(text: str) -> str:
    """Remove a leading "The answer is:" and surrounding quotes or Markdown emphasis from an answer.

    >>> unwrapped('**Answer:** "in Paris"')
    'in Paris'
    """
    bare = _LEAD.sub("", text, count=1).strip()
    for opening in _MARKS:
        closing = _CLOSING.get(opening, opening)
        if bare.startswith(opening) and bare.endswith(closing):
            inner = bare[len(opening) : -len(closing)]
            if inner.strip() and closing not in inner:
                bare = inner.strip()
    return bare or text.strip()


def quoted(text: str) -> str:
    """Format an answer for a message: quoted, shortened, and on one line."""
    return repr(shortened(" ".join(text.split()), _SHOWN))


def text_parser(nothing: str, says_nothing: Callable[[str], bool]) -> Parser:
    """Return a parser for short texts. It replaces abstentions by `nothing`, and keeps any other text, even a refusal.

    `nothing` is uninformative.
    """

    def read_text(response: Response, case: Case) -> str:
        text = unwrapped(answer_text(response))
        return nothing if says_nothing(text) else text

    return FunctionParser(parse=read_text, uninformative=lambda value: bool(value == nothing))


def read_free_text(response: Response, case: Case) -> str:
    """Return the text of an answer without a reasoning block, followed by its tool calls written as code."""
    text = answer_text(response)
    return "\n".join([text, *map(str, response.calls)]) if response.calls and text != response.said else text


def is_silent(answer: str) -> bool:
    """Return True if an answer only admits ignorance or refuses."""
    return is_abstention(answer) or is_refusal(answer)


def states_no_relation(text: str) -> bool:
    """Return True if an answer states that two entities are not related, or that their relation is unknown.

    >>> [states_no_relation(t) for t in ("No relation.", "There is no clear relationship", "none", "no longer married")]
    [True, True, True, False]
    """
    return _NO_RELATION.search(fold(text[:_SHOWN])) is not None or is_abstention(text)


_SCALE = re.compile(
    r"\(?\b(?:on )?(?:a |the )?(?:scale |range |score |number )?(?:of |from |between |in )?"
    r"(?<![\d.])[01](?:\.0)?\s*(?:to|and|-|\.\.)\s*1(?:\.0+)?(?![\d.])(?: scale| range)?\)?"
)
"""Matches a mention of the scale itself, such as "on a scale from 0 to 1", which is not a score."""

_EXPONENT = re.compile(r"(?<![\d.])[-+]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})e[-+]?\d{1,3}\b")
"""Matches a number in scientific notation."""

_NAMED = re.compile(
    r"\b(?:score|rating|sentiment|value|number|answer)\b[\"'*_]*\s*(?:is|of|:|=|\bwould be)++[\s\"'*_:]*+(?=[-+]?\.?\d)"
)
"""Matches a word such as "score" up to the number that follows it."""

_ONE = r"(?:[01]?\.\d+|[01](?:\.\d+)?)"
_RANGE = re.compile(
    rf"^\W*(?:(?:between|from|either|about) )?{_ONE}\s*(?:-|to|or|and)\s*{_ONE}(?![\d%/]|\.\d|\s*(?:%|out))"
)
"""Matches two scores at the beginning of an answer, such as "0.6 to 0.8"."""


def read_score(response: Response, case: Case) -> float:
    """Return the number from 0 to 1 in an answer ("0.8", "80%", "8/10"), or else the probability of the positive class.

    A negative number, or a number on another scale, is out of range.
    """
    text = answer_text(response)
    score = _number(fold(unwrapped(text))[:20_000])
    if score is None:
        for label, chance in (response.probabilities or {}).items():
            if label.lower() in ("positive", "pos"):
                return chance
        why = "a refusal" if is_refusal(text) else "no number"
        raise Unparsable(f"found {why} in {quoted(text)}; expected a number from 0 to 1")
    if not 0 <= score <= 1:
        hint = " (scores from -1 to 1? give (score + 1) / 2)" if -1 <= score < 0 else ""
        raise Unparsable(f"the score {score:g} in {quoted(text)} is out of range; expected a number from 0 to 1{hint}")
    return score


def _number(text: str) -> float | None:
    without_scale = _SCALE.sub(" ", text)
    if _RANGE.match(without_scale):
        raise Unparsable(f"found two numbers in {quoted(text)}; expected one number from 0 to 1")
    plain = _EXPONENT.sub(lambda match: f"{float(match.group()):.12f}", without_scale)
    named = _NAMED.search(plain)
    return parse_score(plain[named.end() :] if named else plain)


def is_near_half(score: float) -> bool:
    """Return True if a score from 0 to 1 favours neither end."""
    return 0.4 <= score <= 0.6


_FEW = r"(?: (?!but\b)\w+){0,3}"
_NEGATION = re.compile(
    rf"(?:\bnot{_FEW}|n't{_FEW}|\bneither|\bnor|\brather than|\binstead of|\bno|\bexclud\w+|\bcannot be|\bnon"
    r"|\brules? out|\bwithout)[\s\-\"'*`]*+(?:an? |the )?[\"'*`]*+$"
)
"""Matches a negation at the end of a text, with at most three words after "not"."""

_NEAR = 60
"""Maximum number of characters before a label that are searched for a negation."""

_NAMED_LABEL = (
    r"\b(?:answer|label|class|classification|category|relation(?:ship)?|prediction|verdict|intent)\b"
    r"[\s\"'*`]*+(?:is|:|=){1,4}[\s\"'*`:]*+(?:an? )?[\"'*`]*+"
)
"""Matches a word such as "label" up to the label that follows it."""

_NEITHER = re.compile(r"\bneither\b")
_NOR = re.compile(r"\bnor\b")


class LabelParser:
    """Parser for one of several labels, with any text around it. Two different labels are ambiguous.

    If the task has no labels, the whole answer is the label.
    """

    def __init__(self, labels: Sequence[str], aliases: Mapping[str, str]) -> None:
        """Build a parser for `labels`. `aliases` maps other words to these labels."""
        self.labels = {_bare(label): label for label in labels}
        self.labels |= {_bare(alias): label for alias, label in aliases.items()}
        longest_first = sorted(self.labels, key=len, reverse=True)
        either = "|".join(re.escape(label) for label in longest_first)
        self.pattern = re.compile(rf"(?<!\w)(?:{either})(?!\w)")
        self.named = re.compile(rf"{_NAMED_LABEL}(?P<label>{either})[\"'*`]*\s*(?:[.,;!\n(]|$)")

    def parse(self, response: Response, case: Case) -> str:
        """Return the label in the answer. Raise `Unparsable` if there is not exactly one."""
        text = answer_text(response)
        if not self.labels:
            return _bare(unwrapped(_label_in(text)))
        lines = [_bare(unwrapped(line)) for line in text.splitlines() if line.strip()]
        for candidate in (_bare(unwrapped(text)), lines[0], lines[-1]):
            if candidate in self.labels:
                return self.labels[candidate]
        if is_refusal(text):
            raise Unparsable(f"the answer is a refusal: {quoted(text)}; expected one of: {self._expected()}")
        return self._found(text)

    def uninformative(self, value: Any) -> bool:
        """Return True if the label is "neutral", which decides nothing."""
        return bool(value == "neutral")

    def _found(self, text: str) -> str:
        """Return the only label in a text, leaving out negated ones. Raise `Unparsable` if it has none or several."""
        folded = fold(text[:20_000]).replace("_", " ")
        named = {self.labels[match.group("label")] for match in self.named.finditer(folded)}
        if len(named) == 1:  # "The label is positive" decides, whatever else the answer mentions
            return named.pop()
        mentioned = list(self.pattern.finditer(folded))
        matched = {
            self.labels[match.group()]
            for match in mentioned
            if not _NEGATION.search(folded, max(0, match.start() - _NEAR), match.start())
        }
        if len(matched) == 1 and not _says_neither(folded):
            return matched.pop()
        if len(matched) > 1:
            raise Unparsable(
                f"found {len(matched)} labels ({', '.join(sorted(matched))}) in {quoted(text)}; expected one label"
            )
        why = "only negated labels" if mentioned else "no label"
        is_number = text.strip() in map(str, range(len({*self.labels.values()}) + 1))
        advice = "; answer with the label's name, not its number" if is_number else ""
        raise Unparsable(f"found {why} in {quoted(text)}; expected one of: {self._expected()}{advice}")

    def _expected(self) -> str:
        return names_text(list(dict.fromkeys(self.labels.values())), 8)


_LABEL_KEYS = ("label", "class", "category", "prediction", "intent", "verdict", "answer")


def _label_in(text: str) -> str:
    """Return the label in a JSON object, under a usual key or as its only text, or else the text as it is.

    Other values of the object, such as a confidence, would make equal labels differ.
    """
    try:
        data = json_of(text)
    except NotReadable:
        return text
    if not isinstance(data, dict):
        return text
    texts = {name: value for name, value in data.items() if isinstance(value, str)}
    usual = next((texts[name] for name in _LABEL_KEYS if name in texts), None)
    return usual or (next(iter(texts.values())) if len(texts) == 1 else text)


def _says_neither(text: str) -> bool:
    """Return True if a text denies both labels in one sentence and does not call itself neutral.

    >>> _says_neither("it is neither positive nor negative"), _says_neither("neither positive nor negative: neutral")
    (True, False)
    """
    if "neutral" in text:
        return False
    matches = (_NEITHER.search(sentence) for sentence in text.split("."))
    return any(match and _NOR.search(match.string, match.end()) for match in matches)


def _bare(text: str) -> str:
    """Return a label in the form used for comparisons.

    Case and accents are folded, underscores become spaces, and surrounding punctuation and emphasis are removed.
    """
    return " ".join(fold(text).replace("_", " ").strip(" \t\r\n.,;:!?\"'`*()[]{}<>").split())


# The answers of task `extraction`: a JSON object or list.

_OPENING = re.compile(r"[\[{]")


def read_data(response: Response, case: Case) -> Any:
    """Return the object or list that an answer is or contains as JSON: alone, in a code fence, or among words.

    Raise `Unparsable` if it has neither.
    """
    if isinstance(response.data, dict | list):
        return response.data
    text = answer_text(response)
    for candidate in (unfenced(text), _embedded(text)):
        try:
            data = json_of(candidate)
        except NotReadable:
            continue
        if isinstance(data, dict | list):
            return data
    raise Unparsable(f"no JSON data in {quoted(text)}")


def _embedded(text: str) -> str:
    """Return the text from the first opening bracket to the last closing one, or "" if none is opened.

    >>> _embedded('Here it is: {"name": "Ann"}. Done.')
    '{"name": "Ann"}'
    """
    opening = _OPENING.search(text)
    end = max(text.rfind("}"), text.rfind("]")) + 1
    return "" if opening is None else text[opening.start() : end]


# The answers of task `tool-call`: calls as JSON data. An answer without calls counts, too.

_BEGIN, _END = "<tool_call>", "</tool_call>"
"""Tags around tool calls in the text of models that have no interface for calls (Hermes, Qwen)."""


def read_calls(response: Response, case: Case) -> list[dict[str, Any]]:
    """Return the tool calls of an answer in order, each with `name` and `arguments`.

    They may also be written as JSON in its text. Raise `Unparsable` for invalid JSON.
    """
    calls = response.calls or written_calls(answer_text(response))
    for call in calls:
        if call.malformed:
            raise Unparsable(f"the arguments of the call {call.name} are not a JSON object: {quoted(call.malformed)}")
    return [{"name": call.name, "arguments": dict(call.arguments)} for call in calls]


def _tagged(text: str) -> list[str]:
    """Return the texts between complete pairs of tool-call tags."""
    opened = [part.partition(_END) for part in text.split(_BEGIN)[1:]]
    return [inner for inner, closed, _ in opened if closed]


def written_calls(text: str) -> tuple[ToolCall, ...]:
    """Return the tool calls in a text that contains nothing else, or () for any other text.

    A call is JSON with `name` and `arguments`, either alone, in a code fence or in tags.

    >>> [str(call) for call in written_calls('<tool_call>{"name": "now", "arguments": {"zone": "CET"}}</tool_call>')]
    ['now(zone="CET")']
    >>> written_calls('The name is {"name": "Ada"}.')
    ()
    """
    calls: list[ToolCall] = []
    for candidate in _tagged(text) or [unfenced(text)]:
        try:
            data = json_of(candidate)
        except NotReadable:
            return ()
        for entry in data if isinstance(data, list) else [data]:
            entry = entry.get("function", entry) if isinstance(entry, dict) else entry
            if not isinstance(entry, dict) or not {"arguments", "parameters"} & entry.keys():
                return ()
            try:
                arguments = entry.get("arguments", entry.get("parameters"))
                calls.append(ToolCall.from_record({"name": entry.get("name"), "arguments": arguments}))
            except UsageError:
                return ()
    return tuple(calls)


LONGEST = 20_000
"""Number of characters at the end of an answer that are searched."""

_OBJECT = re.compile(r"\{[^{}]{1,2000}\}")


def values_under(keys: Collection[str], text: str) -> Iterator[str]:
    """Yield the strings and numbers under these keys in flat JSON objects, starting with the last object.

    >>> list(values_under(("score",), 'First {"score": 3}, after all {"Score": 4, "why": "it is clear"}.'))
    ['4', '3']
    """
    for written in reversed(_OBJECT.findall(text[-LONGEST:])):
        try:
            data = json_of(written)
        except NotReadable:
            continue
        values = {str(key).lower().replace(" ", "_"): value for key, value in data.items()}
        yield from (str(values[key]) for key in keys if isinstance(values.get(key), str | int | float))
