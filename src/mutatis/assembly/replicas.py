"""Runs systems in Ray actors (`--engine ray`), several per system, on this machine or a cluster.

The driver does everything else: it creates follow-ups, judges answers, counts the questions against the budget, and
looks after rate limits and the store. The files are therefore byte for byte the same as with the local engine,
whichever worker answers first.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import Any, TypeVar

from mutatis.assembly.making import Making
from mutatis.core.errors import AccessDenied, MutatisError, Retryable, SystemFailure, UsageError
from mutatis.core.extras import require
from mutatis.core.system import Conversation, Response, System
from mutatis.secrets.environment import cleaned
from mutatis.secrets.masking import scrubbed
from mutatis.text.visible import named, visible

T = TypeVar("T")

CROSSING = (AccessDenied, Retryable, SystemFailure, UsageError)
"""Exceptions that callers of a system handle. They are passed to the driver unchanged."""


def offers(system: System) -> list[str]:
    """Return the names of the optional features that a system has."""
    parts = ("ask_many", "session", "token_ids", "free", "endpoint", "constrained", "sees_results")
    return [name for name in parts if getattr(system, name) not in (None, False)]


class Replica:
    """An actor that creates its own copy of a system on its machine."""

    def __init__(self, making: Making) -> None:
        self._system: Any = making.build()
        self._talks: dict[int, tuple[Any, Any]] = {}

    async def about(self) -> dict[str, Any]:
        """Return the information about the system that the driver needs."""
        system = self._system
        return {
            "label": system.label,
            "identity": dict(system.identity),
            "offers": offers(system),
            "classes": tuple(system.classes),
        }

    async def ask(self, conversation: Conversation) -> Response | MutatisError:
        """Return the answer to a conversation, or the error that occurred."""
        return await self._sendable(self._system.ask(conversation))

    async def ask_many(self, conversations: Sequence[Conversation]) -> Sequence[Response | MutatisError]:
        """Return an answer to each conversation or, in its place, the error that occurred."""
        answers = await self._sendable(self._system.ask_many(conversations))
        return [answers] * len(conversations) if isinstance(answers, MutatisError) else list(answers)

    async def open(self, talk: int) -> MutatisError | None:
        """Begin a dialogue with a system that keeps track of its own dialogues. Return the error if it fails."""
        session = self._system.session()
        begun = await self._sendable(session.__aenter__())
        if isinstance(begun, MutatisError):
            return begun
        self._talks[talk] = session, begun
        return None

    async def send(self, talk: int, conversation: Conversation) -> Response | MutatisError:
        """Return the answer to the next turn of a dialogue, or the error that occurred."""
        if talk not in self._talks:
            return Retryable("the worker that held the dialogue was lost")
        return await self._sendable(self._talks[talk][1].send(conversation))

    async def hang_up(self, talk: int) -> None:
        """End a dialogue with the system."""
        if (held := self._talks.pop(talk, None)) is not None:
            await held[0].__aexit__(None, None, None)

    async def token_ids(self, fields: Mapping[str, str]) -> Any:
        """Return the ids of the tokens that the system makes from the fields of a turn."""
        return self._system.token_ids(fields)

    async def _sendable(self, answering: Awaitable[T]) -> T | MutatisError:
        try:
            return await answering
        except CROSSING as error:
            kind = next(kind_of_error for kind_of_error in CROSSING if isinstance(error, kind_of_error))
            if kind is Retryable and isinstance(error, Retryable):
                return Retryable(str(error), after=error.after, kind=error.kind)
            return kind(str(error))
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            return SystemFailure(f"{visible(self._system.label)} failed: {named(error, cleaned)}")


@dataclass(slots=True, eq=False)
class _Worker:
    actor: Any
    busy: int = 0


@dataclass(slots=True, kw_only=True)
class Cluster:
    """A Ray cluster that was started or joined. If started here, it is shut down when its last system is closed.

    Attributes:
        ray: the imported library.
        workers: number of replicas of a system that does not set its own number.
        started_here: True if this program started the cluster.
        users: number of systems that use the cluster.
    """

    ray: Any
    workers: int
    started_here: bool
    users: int = 0
    names: Any = field(default_factory=itertools.count)

    def part(self, sharing: int) -> tuple[int, float]:
        """Return the number of replicas per system, and of processors per replica, for `sharing` systems in a cluster.

        >>> where = Cluster(ray=None, workers=4, started_here=True)
        >>> where.part(1), where.part(2), where.part(3), where.part(8)
        ((4, 1.0), (2, 1.0), (1, 1.0), (1, 0.5))
        """
        share = self.workers / max(1, sharing)
        return max(1, int(share)), min(1.0, int(100 * share) / 100)  # rounded down, so that all replicas fit

    def leave(self) -> None:
        """Record that a system was closed. After the last one, shut down the cluster if it was started here."""
        self.users -= 1
        if self.started_here and not self.users and self.ray.is_initialized():
            self.ray.shutdown()


def cluster(workers: int | None, address: str | None) -> Cluster:
    """Join the cluster at an address, or start one on this machine.

    A new cluster has `workers` workers, by default one per processor.

    Raises:
        UsageError: the address has no cluster, or Ray is not installed.
    """
    require("ray", "--engine ray", "ray")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would send figures about the run
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # or a system that reserves no GPU would see none
    os.environ.setdefault("RAY_worker_niceness", "0")  # with Ray's default of 15, other programs would slow them down
    import ray

    number = workers or os.cpu_count() or 1
    quiet = {"log_to_driver": False, "logging_level": "error"}
    started_here = not ray.is_initialized()  # otherwise, the caller has started one
    try:
        if started_here and address is None:  # "local", since Ray would otherwise join any cluster on this machine
            ray.init(address="local", num_cpus=number, include_dashboard=False, **quiet)
        elif started_here:
            ray.init(address=address, **quiet)
    except Exception as error:  # Ray raises a plain `Exception` if it cannot start in time on a busy machine
        if address is None:
            raise UsageError(f"Ray did not start: {named(error)}; try again, or leave out --engine ray") from None
        message = f"{scrubbed(address)}: {named(error, cleaned)}"
        raise UsageError(f"--ray-address {message}; leave out the option to use this machine") from None
    workers = workers or max(1, int(ray.cluster_resources().get("CPU", number)))
    return Cluster(ray=ray, workers=workers, started_here=started_here)


class Replicated(System):
    """A system under test that runs as several replicas. Each question goes to the least busy replica.

    It offers the same optional features as the replicas.
    """

    def __init__(self, where: Cluster, making: Making, *, replicas: int, num_cpus: float, num_gpus: float) -> None:
        """Create the actors and ask the first one for the information about the system.

        Raises:
            UsageError: the system cannot be created in a worker, or cannot be sent to it.
        """
        self._where, ray = where, where.ray
        self._errors = (ray.exceptions.RayActorError, ray.exceptions.WorkerCrashedError)
        kind = ray.remote(Replica).options(num_cpus=num_cpus, num_gpus=num_gpus, max_restarts=-1, max_concurrency=1000)
        try:
            self._workers = [_Worker(kind.remote(making)) for _ in range(replicas)]
            about = ray.get(self._workers[0].actor.about.remote())
        except ray.exceptions.RayActorError as error:
            raise UsageError(
                f"the system {making.type!r} cannot be created in a worker: {cleaned(_last_line(error))}"
            ) from None
        except (TypeError, AttributeError) as error:
            raise UsageError(
                f"the system cannot be sent to a worker: {named(error)}; define the system in a file and name that file"
            ) from None
        where.users += 1
        self.label: str = about["label"]
        self._identity: Mapping[str, Any] = about["identity"]
        self.classes: Sequence[str] = about["classes"]
        parts = about["offers"]
        # A system offers a part by having an attribute, so only those of the wrapped system are set.
        for name in ("ask_many", "session", "token_ids"):
            if name in parts:
                setattr(self, name, getattr(self, f"_{name}"))
        self.free = "free" in parts
        self.endpoint = True if "endpoint" in parts else None
        self.constrained = "constrained" in parts
        self.sees_results = "sees_results" in parts

    @property
    def identity(self) -> Mapping[str, Any]:
        """The identity of the system, which is the same for all replicas."""
        return self._identity

    async def ask(self, conversation: Conversation) -> Response:
        """Return the answer of one replica to a conversation."""
        response: Response = await self._call("ask", conversation)
        return response

    async def close(self) -> None:
        """Stop the actors, and leave the cluster."""
        for worker in self._workers:
            self._where.ray.kill(worker.actor)
        self._workers.clear()
        self._where.leave()

    async def _ask_many(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        share = -(-len(conversations) // len(self._workers))
        parts = [conversations[at : at + share] for at in range(0, len(conversations), share)]

        async def answers_of(part: Sequence[Conversation]) -> list[Response | SystemFailure]:
            try:
                answers: list[Response | SystemFailure] = await self._call("ask_many", part)
            except SystemFailure as lost:
                return [lost] * len(part)
            return answers

        return list(itertools.chain.from_iterable(await asyncio.gather(*map(answers_of, parts))))

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[Any]:
        worker, talk = self._freest(), next(self._where.names)
        await self._call("open", talk, worker=worker)
        try:
            yield SimpleNamespace(send=partial(self._call, "send", talk, worker=worker))
        finally:
            worker.actor.hang_up.remote(talk)

    def _token_ids(self, fields: Mapping[str, str]) -> Any:
        return self._where.ray.get(self._freest().actor.token_ids.remote(dict(fields)))

    def _freest(self) -> _Worker:
        return min(self._workers, key=lambda worker: worker.busy)

    async def _call(self, name: str, *arguments: Any, worker: _Worker | None = None) -> Any:
        """Call a method of a worker, by default of the least busy one. Raise the error that it returns."""
        worker = worker or self._freest()
        worker.busy += 1
        asked = getattr(worker.actor, name).remote(*arguments)
        try:
            answer = await asked
        except self._errors as error:
            raise Retryable(f"a worker of {self.label} was lost: {_last_line(error)}", kind="away") from error
        except asyncio.CancelledError:
            self._where.ray.cancel(asked)
            raise
        finally:
            worker.busy -= 1
        if isinstance(answer, MutatisError):
            raise answer
        return answer


def _last_line(error: Exception) -> str:
    return next((text for line in reversed(str(error).splitlines()) if (text := line.strip())), type(error).__name__)
