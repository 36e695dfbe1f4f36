"""Learns a dictionary for each system from the answers to sources, before follow-ups are made."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mutatis.campaign.follow_up import FollowUp
from mutatis.core.dictionary import NO_ENTRIES, Dictionary, Exchange
from mutatis.core.languages import ENGLISH
from mutatis.core.search import Source, kinds, rank_of
from mutatis.core.transformation import looks_up
from mutatis.dictionary import LEARNT_BY, learn
from mutatis.languages import languages_with

MOST = 2000
"""Maximum number of sources that are asked first to learn from them."""

KEPT = 100
"""Number of exchanges kept for combination with other questions: those whose questions have the smallest hashes."""

MEMORY = "memory"
"""Capability of transformations whose messages depend on earlier ones."""

SHARE = 0.2
"""Maximum share of a budget for asking sources first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """Facts about a system's subject before a run: entries, and texts (folded) that must not become entries."""

    known: Dictionary = NO_ENTRIES
    wrong: frozenset[str] = frozenset()


NOTHING_KNOWN = Entries()


class Learner:
    """Chooses the sources to ask first, and learns from their answers.

    Args:
        known: per system, entries from the user or a baseline; they are used before learnt ones.
    """

    def __init__(self, known: Mapping[str, Entries]) -> None:
        self._known = known
        self._exchanges: dict[str, list[Exchange]] = defaultdict(list)
        self._opening: dict[str, dict[str, Exchange]] = defaultdict(dict)
        self._spoken: Counter[str] = Counter()
        self.dictionaries: dict[str, Dictionary] = {}

    def chosen(self, sources: Sequence[Source], limit: int | None, seed: int) -> list[Source]:
        """Return the sources to ask first: all or, if there are many, those that a run under a budget visits first."""
        most = MOST if limit is None else min(MOST, int(limit * SHARE))
        learnt_from = [source for source in sources if draws_from_dictionary(source)]
        if len(learnt_from) <= most:
            return learnt_from
        kept = {id(source) for source in sorted(learnt_from, key=lambda source: rank_of(source.case, seed))[:most]}
        return [source for source in learnt_from if id(source) in kept]

    def add(self, follow_up: FollowUp) -> None:
        """Record the answers to a source."""
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
        """Build the dictionaries from the recorded answers, read in the most common supported language."""
        read = [code for code, _ in self._spoken.most_common() if code in languages_with(*LEARNT_BY)]
        language = read[0] if read else ENGLISH[0]
        self.dictionaries = {
            system: replace(
                learn(exchanges, language)
                .without(self._entries(system).wrong)
                .with_entries(self._entries(system).known),
                exchanges=self._kept(system),
                language=language,
            )
            for system, exchanges in sorted(self._exchanges.items())
        }

    def _kept(self, system: str) -> tuple[Exchange, ...]:
        opening = self._opening[system]
        return tuple(opening[name] for name in sorted(opening)[:KEPT])

    def in_turn(self, system: str) -> list[Dictionary]:
        """Return the dictionaries of a system's subject in order: entries from before the run, then all entries."""
        known = self._entries(system).known
        return [known, self.dictionaries.get(system, known)]

    def _entries(self, system: str) -> Entries:
        return self._known.get(system, NOTHING_KNOWN)


def draws_from_dictionary(source: Source) -> bool:
    """Return True if a relation of a source draws on the dictionary."""
    return any(looks_up(relation.transformations) for relation in source.relations)


def needs_memory(source: Source) -> bool:
    """Return True if a relation of a source makes messages that only make sense to a system with memory."""
    return any(relation.capability == MEMORY and looks_up(relation.transformations) for relation in source.relations)


def learner_for(sources: Iterable[Source], known: Mapping[str, Entries]) -> Learner | None:
    """Return the learner for these sources, or None if no relation uses a dictionary."""
    wanted = any(draws_from_dictionary(kind.example) for kind in kinds(sources))
    return Learner(known) if wanted else None
