"""A source case reduced to the inputs that the context check uses: questions, annotated answers and material."""

from __future__ import annotations

from dataclasses import dataclass

from mutatis.core.cases import Case
from mutatis.core.errors import UsageError

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
