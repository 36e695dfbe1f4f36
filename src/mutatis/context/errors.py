"""Errors of the context check."""

from __future__ import annotations

from mutatis.core.errors import UnusableFollowUp


class ExtractionFailed(UnusableFollowUp):
    """A language model gave no usable knowledge of a dialogue. The seed is left out, counted and reported.

    It is not the fault of the system under test, so verdicts on the seed are INVALID rather than ERROR. MORTAR lost 97
    of its 500 dialogues this way, and tested with the rest. An unreachable helper is a SystemFailure.

    Attributes:
        dialogue: id of the seed.
        step: the extraction step that failed.
        attempts: how often it was asked.
    """

    def __init__(self, dialogue: str, step: str, attempts: int, reason: str) -> None:
        super().__init__(
            f"extraction failed for {dialogue!r} at step '{step}' after {attempts} attempts: {reason}; the dialogue "
            "is left out of the seeds (use the extractor 'offline', or another helper model)"
        )
        self.dialogue = dialogue
        self.step = step
        self.attempts = attempts
