"""Asks a language model about every pair (`HelperMeasure`), or only about unclear ones (`Cascade`).

The question, the accepted answers and the answer are quoted verbatim between markers, as material to judge and never as
instructions.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mutatis.core.errors import AnswerCutOff, BudgetExceeded, OfflineMiss, SystemFailure
from mutatis.core.measure import Comparison, Measure, Similarity
from mutatis.core.system import Helper, is_constrained
from mutatis.measures.answer import as_text
from mutatis.measures.catalogue import add_measure
from mutatis.prompting import json_form, json_object, read_prompt, reject, render
from mutatis.text.visible import on_one_line

CRITERIA = Path(__file__).parent / "prompts" / "same.txt"
"""Prompt file with the default definition of "same"."""

ATTEMPTS = 3
"""Maximum number of attempts to obtain an answer in the required form from the helper model."""

FORM = json_form({"same": {"enum": [True, False, None]}, "reason": {"type": "string"}})
"""JSON schema for the answers of a helper model that supports constrained output."""

LONGEST_REASON = 200


class HelperMeasure:
    """The measure `helper`: 1 if a language model considers two answers the same, 0 if not.

    If the model answers `null`, the pair is undecided and yields no finding. `criteria` is a prompt file that contains
    an instruction and worked examples, separated by lines of three dashes.

    Raises:
        UsageError: `criteria` cannot be read. This is raised at once, before any answers are paid for.
    """

    name = "helper"
    asks = "one per pair of answers"

    def __init__(self, helper: Helper, *, criteria: Path = CRITERIA) -> None:
        self._helper = helper
        self._prompt = read_prompt(criteria)

    def most_asked(self, number: int) -> int:
        """Return the maximum number of questions to the helper model for a given number of pairs.

        The model is asked again about a pair if its answer does not have the required form.
        """
        return ATTEMPTS * number

    async def compare(self, comparisons: Sequence[Comparison]) -> list[Similarity]:
        """Ask the helper model about every pair. If it fails, the pair's similarity contains the error."""
        return list(await asyncio.gather(*map(self._ask, comparisons)))

    async def _ask(self, comparison: Comparison) -> Similarity:
        """Ask about one pair until the answer has the required form, or return an error after the last attempt.

        If the budget or the system fails, the error is returned at once.
        """
        prompt = render(self._prompt, _fields(comparison), {}, ("same", "reason"))
        reply: Any = None
        form: dict[str, Any] = {"form": FORM} if is_constrained(self._helper) else {}
        for attempt in range(ATTEMPTS):
            try:
                reply = await self._helper.complete(prompt, attempt=attempt, **form)
            except AnswerCutOff as error:
                reply = str(error)
                continue
            except (SystemFailure, OfflineMiss, BudgetExceeded) as error:
                return Similarity(score=0.5, error=str(error))
            data = json_object(reply) if isinstance(reply, str) else reply
            if isinstance(data, Mapping) and "same" in data and data["same"] in (True, False, None):
                return _similarity(data["same"], str(data.get("reason") or ""))
            reject(self._helper, prompt, "the helper did not say true, false or null", attempt=attempt, **form)
        shown = on_one_line(str(reply))[:60]
        return Similarity(
            score=0.5, error=f"the helper did not say true, false or null, asked {ATTEMPTS} times: {shown!r}"
        )


def _fields(comparison: Comparison) -> dict[str, str]:
    texts = [as_text(value) for value in comparison.reference]
    accepted = texts[0] if len(texts) == 1 else json.dumps(texts, ensure_ascii=False)
    return {"question": comparison.question, "accepted": accepted, "answer": as_text(comparison.answer)}


def _similarity(same: bool | None, reason: str) -> Similarity:
    stated = f"the helper: {on_one_line(reason)[:LONGEST_REASON]}" if reason.strip() else "the helper gives no reason"
    return Similarity(score=0.5 if same is None else float(same), reason=stated, open=same is None)


class Cascade:
    """An offline measure that asks a helper model about pairs scored between `low` and `high`.

    After `most` questions, the remaining pairs keep their offline score; None means no limit. An answer taken from the
    store counts as a question, so that repeating a run asks about the same pairs.
    """

    def __init__(
        self, first: Measure, helper: HelperMeasure, *, low: float, high: float, most: int | None = None
    ) -> None:
        self.name = f"{first.name}+{helper.name}"
        self.asked = 0
        self.asks = f"{'' if most is None else f'at most {most}, '}one per score from {low:g} to {high:g}"
        self._first = first
        self._helper = helper
        self._band = (low, high)
        self._most = most

    def most_asked(self, number: int) -> int:
        """Return the maximum number of questions to the helper model for a given number of pairs."""
        return self._helper.most_asked(number if self._most is None else min(number, self._most))

    async def compare(self, comparisons: Sequence[Comparison]) -> list[Similarity]:
        """Judge all pairs offline in a thread, then ask the helper model about the unclear ones.

        A pair is unclear if it is undecided, or if its score lies between `low` and `high`.
        """
        similarities = list(await asyncio.to_thread(self._first.compare, comparisons))  # type: ignore[arg-type]
        low, high = self._band
        unsure = [
            place for place, similarity in enumerate(similarities) if similarity.open or low <= similarity.score <= high
        ]
        chosen = unsure if self._most is None else unsure[: max(self._most - self.asked, 0)]
        self.asked += len(chosen)
        answers = await self._helper.compare([comparisons[place] for place in chosen])
        for place, answer in zip(chosen, answers, strict=True):
            similarities[place] = answer
        for place in unsure[len(chosen) :]:
            reason = f"{similarities[place].reason} (not asked: [judge] most = {self._most})".lstrip()
            similarities[place] = replace(similarities[place], reason=reason)
        return similarities


add_measure(
    "helper", None, summary="A language model says whether two answers are the same, by your criteria if you give any."
)
