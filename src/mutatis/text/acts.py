"""Finds the speech acts in a reply's sentences, such as declining, rebuking, moralising or changing course.

The patterns for English sentences (`acts.toml`) are matched against the output of `plain_sentence`. Quotations, code
fences and drafted letters do not count, because they are not the speaker's own words. `refusals.py` draws conclusions
from the acts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources

from mutatis.text.normalisation import fold
from mutatis.text.sentences import split_sentences

LONGEST = 4000
"""Number of characters of a reply that are read. A refusal after this point is not noticed."""

_CONTRACTIONS = tuple(
    (re.compile(pattern), spelt)
    for pattern, spelt in (
        (r"\bcan ?'?t\b|\bcannot\b|\bca n't\b", "can not"),
        (r"\bwon'?t\b|\bwo n't\b", "will not"),
        (r"\bdon'?t\b", "do not"),
        (r" ?n't\b", " not"),
        (r"\bi ?'m\b|\bim\b", "i am"),
        (r"'re\b", " are"),
        (r"'ll\b", " will"),
        (r"'ve\b", " have"),
        (r"\b(it|that|there|here|what|he|she|who)'s\b", r"\1 is"),
        (r"\b(i|we|you|they)'d\b", r"\1 would"),
        (r"\blet's\b", "let us"),
    )
)


def plain_sentence(folded: str) -> str:
    """Return a sentence, already folded by `fold`, with single spaces and expanded contractions.

    >>> plain_sentence("i'm sorry,  i can't.")
    'i am sorry, i can not.'
    """
    text = " ".join(folded.split())
    for pattern, spelt in _CONTRACTIONS:
        text = pattern.sub(spelt, text)
    return text


_PLACE = re.compile(r"<([a-z_]+|\d)>")


def _load(table: str) -> dict[str, tuple[str, ...]]:
    """Load a table of patterns from `acts.toml`, as regular expressions grouped by speech act."""
    data = tomllib.loads((resources.files(__package__) / "acts.toml").read_text("utf-8"))
    parts: dict[str, list[str]] = data["parts"]

    def filled(cue: str) -> str:
        return _PLACE.sub(lambda place: part(place.group(1)), cue)

    def part(name: str) -> str:
        if name.isdigit():
            return rf"(?:{parts['word'][0]},? ){{0,{name}}}?"
        alternatives = [filled(alternative) for alternative in parts[name]]
        return alternatives[0] if len(alternatives) == 1 else f"(?:{'|'.join(alternatives)})"

    return {act: tuple(map(filled, cues)) for act, cues in data[table].items()}


CUES: Mapping[str, Sequence[str]] = _load("cues")
"""The cues of each act, as regular expressions on plain sentences."""


def compiled(cues: Mapping[str, Sequence[str]]) -> dict[str, re.Pattern[str]]:
    """Combine the patterns of each speech act into one regular expression, which never matches if there are none."""
    return {act: re.compile("|".join(alternatives) or r"(?!)") for act, alternatives in cues.items()}


PATTERNS = compiled(CUES)
ASKED = compiled(_load("asked"))
"""Patterns for the purpose of a question (`why`, `how`, `claims`) and for a response to it (`denies`, `negates`)."""
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED = re.compile(r'"[^"\n]{12,600}"')
_ADDRESSED = re.compile(r"\b(?:you|your)\b")
_QUOTE_MARKS = str.maketrans(dict.fromkeys("\u201c\u201d\u201e", '"'))
_ITEM = re.compile(r"\W{0,9}(?:\d{1,2}[.)]|[-*\u2022]|step \d)")
_LETTER = re.compile(r"[\W_]{0,9}(?:subject:|dear [\w.' -]{1,60},?$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One sentence of a reply: its original and its plain text, its speech acts, and whether it is a list item."""

    words: str
    text: str
    acts: frozenset[str]
    item: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyActs:
    """The sentences of a reply that are the speaker's own words, and whether it also contains code or a letter."""

    said: tuple[Said, ...]
    delivers: bool


def _own_lines(text: str) -> tuple[list[str], bool]:
    """Return the lines of a reply without quotations and drafts, and whether code or a letter was removed."""
    bare = text.strip().translate(_QUOTE_MARKS)
    prose = _FENCE.sub("\n", bare)
    delivers = prose != bare
    if not (prose.startswith('"') and prose.endswith('"')):
        prose = _QUOTED.sub('"..."', prose)
    lines: list[str] = []
    for line in prose.split("\n"):
        if _LETTER.match(line.lower()):
            return lines, True
        if not line.lstrip().startswith(">"):
            lines.append(line)
    return lines, delivers


def read_acts(text: str, patterns: Mapping[str, re.Pattern[str]] = PATTERNS) -> ReplyActs:
    """Return the speech acts in the sentences of a reply. Only the first 4,000 characters are read.

    >>> [sorted(said.acts) for said in read_acts("Sorry, I can't do that. It is 12 o'clock.").said]
    [['declines', 'dismisses', 'regrets'], []]
    """
    lines, delivers = _own_lines(text[:LONGEST])
    said = []
    for line in lines:
        item = _ITEM.match(line.lower()) is not None
        for sentence in split_sentences(line, cased=False):
            spelt = plain_sentence(fold(sentence.text))
            if any(map(str.isalpha, spelt)):
                acts = frozenset(act for act, pattern in patterns.items() if pattern.search(spelt))
                said.append(Said(words=" ".join(sentence.text.split()), text=spelt, acts=acts, item=item))
    return ReplyActs(said=_dealt_with(said), delivers=delivers)


def _dealt_with(said: Sequence[Said]) -> tuple[Said, ...]:
    """Return the sentences, disregarding phrases such as "I can't" that do not decline a request.

    Such phrases may be part of a request for missing information ("... without your number") or of a customer's
    complaint ("I can't use my card").
    """
    kept = []
    for place, sentence in enumerate(said):
        asks = "conditions" in sentence.acts or any("requests" in near.acts for near in said[place : place + 2])
        complains = "customer" in sentence.acts and not _ADDRESSED.search(sentence.text)
        left_out = "declines" in sentence.acts and (asks or complains)
        kept.append(replace(sentence, acts=sentence.acts - {"declines", "dismisses"}) if left_out else sentence)
    return tuple(kept)
