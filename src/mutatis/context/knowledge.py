"""A seed dialogue for the context check, and knowledge about it: what each question contains, needs and adds."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from mutatis.context.words import contains
from mutatis.core.cases import Case
from mutatis.core.errors import UnusableFollowUp, UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One piece of information that a question takes from its context.

    Attributes:
        parts: its words as stems, or the single key of an entity or relation.
        label: text shown to the user.
        name: whether it is a proper name or an entity, without which the question cannot be understood.
    """

    parts: tuple[str, ...]
    label: str
    name: bool = False

    def met(self, words: Collection[str], *, exact: bool = False) -> bool:
        """Return True if `words` meets this need: it contains the need's last part or at least half of its parts.

        If `exact` is true, `words` must contain all parts.

        >>> Need(parts=("frank", "zappa"), label="Frank Zappa", name=True).met({"zappa"})
        True
        """
        if exact:
            return all(part in words for part in self.parts)
        if contains(words, self.parts[-1]):
            return True
        return sum(contains(words, part) for part in self.parts) * 2 >= len(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """What every turn of a seed says, needs and adds to the context. Each list has one entry per turn.

    Attributes:
        start: words available before the first turn (title and section).
        said: words contained in the question (G_q).
        full: words that join the context once the turn is understood. They come from the question, including what it
            implies, and from the answer.
        wanted: everything that the decontextualised question adds, wherever it comes from (G_q* without G_q).
        resolved: whether the question can be understood on its own (the semantic check).
        floor: share of the needs that must be met, not counting names; 1 requires all needs.
        exact: whether parts are keys to be matched exactly, rather than word stems.
    """

    start: frozenset[str]
    said: tuple[frozenset[str], ...]
    full: tuple[frozenset[str], ...]
    wanted: tuple[tuple[Need, ...], ...]
    resolved: tuple[bool, ...]
    floor: float = 1.0
    exact: bool = False

    def needed(self) -> tuple[tuple[Need, ...], ...]:
        """Return, for each turn, the needs (G_q* without G_q) that the seed's own context actually meets."""
        words = set(self.start)
        kept = []
        for needs, full in zip(self.wanted, self.full, strict=True):
            kept.append(tuple(need for need in needs if need.met(words, exact=self.exact)))
            words |= full
        return tuple(kept)

    def satisfied(self, needs: Iterable[Need], words: Collection[str]) -> tuple[bool, tuple[str, ...]]:
        """Return whether a context of `words` meets enough of `needs`, together with the labels of the unmet needs."""
        is_met = [(need, need.met(words, exact=self.exact)) for need in needs]
        missing = [need for need, met in is_met if not met]
        plain = [met for need, met in is_met if not need.name]  # without names, all of which must be met
        enough = not plain or sum(plain) / len(plain) >= self.floor
        return enough and not any(need.name for need in missing), tuple(need.label for need in missing)


class ExtractionFailed(UnusableFollowUp):
    """Raised if no usable knowledge can be extracted from a dialogue. The seed is left out, counted and reported.

    The system under test is not to blame, so verdicts on the seed are INVALID rather than ERROR. If the helper model
    cannot be reached, SystemFailure is raised instead.

    Attributes:
        dialogue: id of the seed.
        step: name of the extraction step that failed.
        attempts: number of times that the helper model was tried.
    """

    def __init__(self, dialogue: str, step: str, attempts: int, reason: str) -> None:
        super().__init__(
            f"extraction failed for {dialogue!r} at step '{step}' after {attempts} attempts: {reason}; the dialogue "
            "is left out of the seeds (use the extractor 'offline', or another helper model)"
        )
        self.dialogue = dialogue
        self.step = step
        self.attempts = attempts


STORY_LIMIT = 60_000
"""Maximum length of a story in characters. This is about ten thousand words, far more than in public data sets."""
TEXT_LIMIT = 4_000
"""Maximum length in characters of one question, answer, title or section."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """The text of one seed dialogue. `answers` and `rewrites` have one entry per question, "" if missing."""

    id: str
    questions: tuple[str, ...]
    answers: tuple[str, ...]
    rewrites: tuple[str, ...] = ()
    title: str = ""
    section: str = ""
    story: str = ""

    @classmethod
    def from_case(cls, case: Case) -> Dialogue:
        """Create a dialogue from a source case.

        Texts longer than TEXT_LIMIT and stories longer than STORY_LIMIT are truncated.
        """
        for place, turn in enumerate(case.turns):
            if "question" not in turn.fields:
                raise UsageError(
                    f"the context check needs a field 'question' in every turn; turn {place} of {case.id!r} has "
                    f"{', '.join(sorted(turn.fields)) or 'no fields'}; name the column of the question with fields in "
                    "[data]"
                )
        return cls(
            id=case.id,
            questions=tuple(turn.fields["question"][:TEXT_LIMIT] for turn in case.turns),
            answers=tuple(turn.expected[0][:TEXT_LIMIT] if turn.expected else "" for turn in case.turns),
            rewrites=tuple(str(turn.annotations.get("rewrite") or "")[:TEXT_LIMIT] for turn in case.turns),
            title=case.material.get("title", "")[:TEXT_LIMIT],
            section=case.material.get("section", "")[:TEXT_LIMIT],
            story=case.material.get("story", "")[:STORY_LIMIT],
        )

    def __len__(self) -> int:
        return len(self.questions)


def origins(source: Case, follow_up: Case) -> tuple[int, ...]:
    """Return the index of the seed turn behind each follow-up turn.

    Raise UsageError if the follow-up refers to a turn that the seed does not have.
    """
    order = tuple(follow_up.origin(turn) for turn in range(len(follow_up.turns)))
    wrong = [turn for turn in order if not 0 <= turn < len(source.turns)]
    if wrong:
        raise UsageError(
            f"follow-up {follow_up.id!r} claims that a turn came from turn {wrong[0]} of {source.id!r}, which has "
            f"{len(source.turns)} turns (0 to {len(source.turns) - 1}); rebuild the follow-up from its source"
        )
    return order
