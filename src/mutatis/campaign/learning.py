"""Learns facts about the subject of each system from its answers to sources, before follow-ups are made.

The facts of a system are kept in its dictionary. They include whether it uses earlier turns, which a few questions test
before any verdicts rely on it: a message that leaves out part of an earlier message is sent twice, after that message
and alone. If the first answer states a fact that the second does not, the system used the earlier turn.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeAlias

from mutatis.campaign.follow_up import FollowUp
from mutatis.core.dictionary import NO_ENTRIES, Dictionary, Exchange, Parameters, Turned, ranked
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.search import Source, kinds, rank_of
from mutatis.core.transformation import looks_up
from mutatis.dictionary import LEARNT_BY, learn
from mutatis.languages import languages_with
from mutatis.text.by_folder import reads
from mutatis.transformations.together import PROBES, facts_told

MOST = 2000
"""Maximum number of sources to ask first, in order to learn from their answers."""

KEPT = 100
"""Number of exchanges kept for combination with other questions. The smallest question hashes are chosen."""

MEMORY = "memory"
"""Capability required by transformations whose messages depend on earlier messages."""

SHARE = 0.2
"""Maximum share of a budget that may be spent on asking sources first."""

TRIES = 3
"""Maximum number of questions tried to find out whether a system understands a kind of message."""

Ask: TypeAlias = Callable[[Sequence[str]], Awaitable[Sequence[str]]]
"""Function that sends turns to a system and returns the replies, fewer than the turns if it did not answer all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """Facts about the subject of a system that are given before a run.

    Attributes:
        known: dictionary entries.
        wrong: case-folded texts that must not become entries.
    """

    known: Dictionary = NO_ENTRIES
    wrong: frozenset[str] = frozenset()


class Learner:
    """Chooses the sources to send first, and learns dictionaries from the answers.

    Args:
        known: for each system, the entries from the user or a baseline. They are used before any learnt entries.
    """

    def __init__(self, known: Mapping[str, Entries]) -> None:
        self._known = known
        self._exchanges: dict[str, list[Exchange]] = defaultdict(list)
        self._opening: dict[str, dict[str, Exchange]] = defaultdict(dict)
        self._spoken: Counter[str] = Counter()
        self.dictionaries: dict[str, Dictionary] = {}

    def chosen(self, sources: Sequence[Source], limit: int | None, seed: int) -> list[Source]:
        """Return the sources to send first: all, or the ones that a run with a budget visits first."""
        most = MOST if limit is None else min(MOST, int(limit * SHARE))
        learnt_from = [source for source in sources if draws_from_dictionary(source)]
        if len(learnt_from) <= most:
            return learnt_from
        kept = {id(source) for source in sorted(learnt_from, key=lambda source: rank_of(source.case, seed))[:most]}
        return [source for source in learnt_from if id(source) in kept]

    def add(self, follow_up: FollowUp) -> None:
        """Record the answers to a source, as exchanges to learn from."""
        self._spoken[follow_up.source.language] += 1
        for answers in follow_up.answers:
            if answers.repeat:
                continue
            for observation in answers.source.values():
                if observation.response is not None:
                    exchange = Exchange(question=observation.asked.text, reply=observation.response.text)
                    self._exchanges[answers.system].append(exchange)
                    if not observation.history:
                        self._opening[answers.system].setdefault(exchange.name, exchange)

    def finish(self) -> None:
        """Build the dictionaries from the recorded answers, in the most common language that is supported."""
        read = [code for code, _ in self._spoken.most_common() if code in languages_with(*LEARNT_BY)]
        language = read[0] if read else ENGLISH[0]
        self.dictionaries = {}
        for system, exchanges in sorted(self._exchanges.items()):
            before, opening = self._entries(system), self._opening[system]
            learnt = learn(exchanges, language).without(before.wrong).with_entries(before.known)
            kept = tuple(opening[name] for name in sorted(opening)[:KEPT])
            self.dictionaries[system] = replace(learnt, exchanges=kept, language=language)

    def in_turn(self, system: str) -> list[Dictionary]:
        """Return the dictionaries to try for a system: first only the entries given before the run, then all."""
        known = self._entries(system).known
        return [known, self.dictionaries.get(system, known)]

    def _entries(self, system: str) -> Entries:
        return self._known.get(system, Entries())


def draws_from_dictionary(source: Source) -> bool:
    """Return True if any relation of a source uses the dictionary."""
    return any(looks_up(relation.transformations) for relation in source.relations)


def needs_memory(source: Source) -> bool:
    """Return True if any relation of a source produces messages that only make sense to a system with memory."""
    return any(relation.capability == MEMORY and looks_up(relation.transformations) for relation in source.relations)


def learner_for(sources: Iterable[Source], known: Mapping[str, Entries]) -> Learner | None:
    """Return a learner for these sources, or None if no relation uses a dictionary."""
    wanted = any(draws_from_dictionary(kind.example) for kind in kinds(sources))
    return Learner(known) if wanted else None


async def with_understanding(dictionary: Dictionary, ask: Ask) -> Dictionary:
    """Return the dictionary with the kinds of context-dependent messages that the system was shown to understand."""
    understood = [kind for kind in PROBES if await _is_understood(kind, dictionary, ask)]
    return replace(dictionary, understands=frozenset(understood))


async def _is_understood(kind: Turned, dictionary: Dictionary, ask: Ask) -> bool:
    """Return True if the reply to a shortened message states a fact only when the message before it is sent, too.

    The fact must be known to be about the shortened message: it is in the reply to the full question, or in the reply
    to the earlier message.
    """
    for exchange, message in islice(_probes(kind, dictionary), TRIES):
        short = message["short"]
        turns = [message["before"], short] if "before" in message else [short]
        replies, alone = await ask(turns), await ask([short])
        if len(replies) < len(turns) or not alone:
            continue
        known = facts_told(short, exchange.reply, dictionary) | facts_told(short, replies[0], dictionary)
        told_in_context = facts_told(short, replies[-1], dictionary) & known
        if told_in_context - facts_told(short, alone[0], dictionary):
            return True
    return False


def _probes(kind: Turned, dictionary: Dictionary) -> Iterator[tuple[Exchange, Parameters]]:
    """Yield questions of the run, each with a shortened wording and a suitable question to send before it."""
    if not (is_english(dictionary.language) or reads(dictionary.language)):
        return  # the folder of the language has no such wordings
    for exchange in dictionary.exchanges:
        best = ranked(exchange.question, PROBES[kind](exchange.question, dictionary))[:1]
        yield from ((exchange, message) for message in best)
