"""Tests with a few questions whether a system uses earlier turns, before any verdicts rely on it.

A message that leaves out part of an earlier message is sent twice: after that message, and alone. If the first answer
states a fact that the second does not, the system used the earlier turn.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeAlias

from mutatis.core.dictionary import Dictionary, Exchange, Parameters, Turned, ranked
from mutatis.core.languages import is_english
from mutatis.transformations.talk_elsewhere import PROBES_ELSEWHERE
from mutatis.transformations.together import PROBES, facts_told

TRIES = 3
"""Maximum number of questions tried to find out whether a system understands a kind of message."""

Ask: TypeAlias = Callable[[Sequence[str]], Awaitable[Sequence[str]]]
"""Function that sends turns to a system and returns the replies, fewer than the turns if it did not answer all."""


async def with_understanding(dictionary: Dictionary, ask: Ask) -> Dictionary:
    """Return the dictionary with the kinds of context-dependent messages that the system was shown to understand."""
    seen = [way for way in PROBES if await _understands(way, dictionary, ask)]
    return replace(dictionary, understands=frozenset(seen))


async def _understands(way: Turned, dictionary: Dictionary, ask: Ask) -> bool:
    for exchange, choice in islice(_probes(way, dictionary), TRIES):
        turns = [choice[part] for part in ("before", "short") if part in choice]
        after, alone = await ask(turns), await ask(turns[-1:])
        if len(after) < len(turns) or not alone:
            continue
        short = choice["short"]
        known = facts_told(short, exchange.reply, dictionary) | facts_told(short, after[0], dictionary)
        if (facts_told(short, after[-1], dictionary) & known) - facts_told(short, alone[0], dictionary):
            return True
    return False


def _probes(way: Turned, dictionary: Dictionary) -> Iterator[tuple[Exchange, Parameters]]:
    """Yield questions of the run, each with a shortened wording and a suitable question to send before it."""
    probes = (PROBES if is_english(dictionary.language) else PROBES_ELSEWHERE).get(way)
    for exchange in dictionary.exchanges:
        for choice in ranked(exchange.question, probes(exchange.question, dictionary) if probes else ())[:1]:
            yield exchange, choice
