"""Errors of the context check."""

from __future__ import annotations

from mutatis.core.errors import UnusableFollowUp


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
