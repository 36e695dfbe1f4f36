"""The budget and spending of a run, and the question counts and prices of each system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pydantic

from mutatis.core.errors import BudgetExceeded
from mutatis.core.system import Response
from mutatis.options import Options
from mutatis.query.circuit import Circuit, gist

REASONS = 20
"""Maximum number of failure reasons that are counted separately."""


class Spending:
    """State shared by all systems and helpers of a run: its budget, and the circuits of their endpoints."""

    def __init__(self, max_queries: int | None = None, max_money: float | None = None) -> None:
        self.max_queries = max_queries
        self.max_money = max_money
        self.money = 0.0
        """Amount spent so far. If `max_money` is given, all prices of a run are in the same currency."""
        self.paid = 0
        self.asked = 0
        self.here: set[str] = set()
        """Keys of the questions asked by this run whose answers must not come from a different run."""
        self._known: set[str] = set()
        self._circuits: dict[str, Circuit] = {}

    def count(self, key: str, questions: int) -> None:
        """Count questions towards the budget of the run.

        Each question counts once. Stored answers count, too, so that a repeated run asks the same questions.

        Raises:
            BudgetExceeded: the questions would exceed the budget. They are then not counted.
        """
        if self.max_queries is None or key in self._known:
            return
        if self.asked + questions > self.max_queries:
            raise self._exceeded
        self._known.add(key)
        self.asked += questions

    def discount(self, key: str, questions: int) -> None:
        """Undo the count of a question that got no answer. A run that repeats the question counts it again."""
        if key in self._known:
            self._known.remove(key)
            self.asked -= questions

    @property
    def _exceeded(self) -> BudgetExceeded:
        return BudgetExceeded(f"the budget of {self.max_queries} queries is spent; raise max_queries to continue")

    def pay(self, questions: int = 1) -> None:
        """Count questions that are about to be asked.

        A negative number undoes the count of questions that were not asked after all. The cost of a question is known
        only once it is answered, so `max_money` may be exceeded, but by no more than the cost of the questions in
        flight.

        Raises:
            BudgetExceeded: the questions would exceed the budget.
        """
        if self.money_is_spent and questions > 0:
            raise BudgetExceeded(f"the budget of {self.max_money:g} is spent; raise max_money to continue")
        if self.max_queries is not None and self.paid + questions > self.max_queries and questions > 0:
            raise self._exceeded
        self.paid += questions

    @property
    def money_is_spent(self) -> bool:
        """True if the run has spent all of `max_money`."""
        return self.max_money is not None and self.money >= self.max_money

    def circuit(self, endpoint: str | None) -> Circuit:
        """Return the circuit that tracks an endpoint. A system without an endpoint gets a new one."""
        return Circuit() if endpoint is None else self._circuits.setdefault(endpoint, Circuit())


class Prices(Options):
    """The table `prices = {prompt = 0.15, completion = 0.60}`: the price of a million tokens.

    Attributes:
        prompt: the price of a million tokens that are sent.
        completion: the price of a million tokens that are received.
        currency: the currency of both prices.
    """

    prompt: float = pydantic.Field(ge=0)
    completion: float = pydantic.Field(ge=0)
    currency: str = "USD"


@dataclass(slots=True)
class AnswerTotals:
    """Totals over several answers: their number, duration in seconds, and tokens."""

    number: int = 0
    seconds: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def add(self, responses: Sequence[Response]) -> None:
        """Add answers to the totals."""
        self.number += len(responses)
        for response in responses:
            self.seconds += response.latency
            self.prompt_tokens += response.prompt_tokens
            self.completion_tokens += response.completion_tokens


@dataclass(slots=True)
class Counts:
    """Counts of the questions to one system, and of their outcomes.

    Attributes:
        answered: number of questions that ended, whatever the outcome.
        oldest, newest: times of the oldest and the newest stored answer.
        current: whether the system gave any answer for this run: to the run itself, to the run it continues, or to a
            simultaneous one.
        unusable: number of answers that arrived but could not be used by the caller.
        reasons: number of occurrences of each reason, for failures as well as unusable answers.
        answers: number, seconds and tokens of the answers, paid or stored.
        trouble: the last temporary failure if no answer has followed it, otherwise "".
        masked: number of answers that contained the value of an environment variable, which was removed.
    """

    logical: int = 0
    answered: int = 0
    retries: int = 0
    paid: int = 0
    errors: int = 0
    stored: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    oldest: float | None = None
    newest: float | None = None
    current: bool = False
    unusable: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    answers: AnswerTotals = field(default_factory=AnswerTotals)
    trouble: str = ""
    masked: int = 0

    @property
    def unanswered(self) -> int:
        """Number of paid questions that produced no answer: failures, retries, and questions in flight."""
        return self.paid - (self.answers.number - self.stored)

    def failed(self, reason: str) -> None:
        """Count a reason for failure, without the texts that it quotes.

        At most `REASONS` reasons are counted separately.
        """
        reason = gist(reason)
        if reason not in self.reasons and len(self.reasons) >= REASONS:
            reason = "other reasons"
        self.reasons[reason] = self.reasons.get(reason, 0) + 1

    def serve(self, responses: Sequence[Response]) -> None:
        """Count answers that were read from the store."""
        self.stored += len(responses)
        times = [response.asked_at for response in responses]
        self.oldest = min(times) if self.oldest is None else min(self.oldest, *times)
        self.newest = max(times) if self.newest is None else max(self.newest, *times)
        self.answers.add(responses)
