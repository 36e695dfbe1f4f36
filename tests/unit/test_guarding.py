"""What a user's code raises is told; what ends us goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from mutatis.core.errors import BudgetExceeded, ExtensionFailure, UnusableFollowUp, UsageError
from mutatis.core.task import Unparsable
from mutatis.guarding import Guarded, carried, is_shipped

THEIRS: dict[str, BaseException] = {
    "ValueError": ValueError("boom"),
    "SystemExit": SystemExit(0),
    "GeneratorExit": GeneratorExit(),
    "CancelledError": asyncio.CancelledError(),
    "StopIteration": StopIteration(),
    "own": type("Odd", (BaseException,), {})(),
    "AssertionError": AssertionError(),
    "MemoryError": MemoryError(),
}


@pytest.mark.parametrize("raised", THEIRS.values(), ids=THEIRS)
@pytest.mark.parametrize(("needed", "kind"), [(False, ExtensionFailure), (True, UsageError)])
def test_whatever_a_function_raises_is_told_with_its_place(raised: BaseException, needed: bool, kind: type) -> None:
    def function() -> None:
        raise raised

    says = r"^constraint 'fits' raised \w+.* \(test_guarding\.py, line \d+\)$"
    with pytest.raises(kind, match=says) as told, Guarded("constraint", "fits", needed=needed):
        function()
    assert told.value.__cause__ is raised


@pytest.mark.parametrize("raised", THEIRS.values(), ids=THEIRS)
async def test_whatever_a_coroutine_raises_is_told(raised: BaseException) -> None:
    async def coroutine() -> None:
        await asyncio.sleep(0)
        raise raised

    says = "transformation 'mine' raised"
    with pytest.raises(ExtensionFailure, match=says), Guarded("transformation", "mine", awaited=True):
        await coroutine()


@pytest.mark.parametrize(
    "raised", [KeyboardInterrupt(), UsageError("a"), BudgetExceeded("b"), UnusableFollowUp("c"), Unparsable("d")]
)
def test_an_interrupt_and_what_is_told_already_goes_on(raised: BaseException) -> None:
    with pytest.raises(type(raised)) as told, Guarded("parser", "mine", reports=Unparsable):
        raise raised
    assert told.value is raised


async def test_our_own_cancelling_goes_on() -> None:
    async def guarded() -> None:
        with Guarded("transformation", "mine", awaited=True):
            await asyncio.sleep(100)

    task = asyncio.create_task(guarded())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert task.cancelled()


def test_a_coroutine_whose_loop_has_gone_is_closed() -> None:
    async def guarded() -> None:
        with Guarded("transformation", "mine", awaited=True):
            await asyncio.get_running_loop().create_future()

    loop = asyncio.new_event_loop()
    task = loop.create_task(guarded())
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    coroutine = task.get_coro()
    assert coroutine is not None
    coroutine.close()  # as the garbage collector does; it would complain of a GeneratorExit that is ignored
    task._log_destroy_pending = False  # type: ignore[attr-defined]


@pytest.mark.parametrize("error", [StopIteration(3), GeneratorExit()])
async def test_a_future_brings_what_it_could_not_carry(error: BaseException) -> None:
    future = asyncio.get_running_loop().create_future()
    future.set_exception(carried(error))
    with pytest.raises(RuntimeError, match=type(error).__name__):
        await future


def test_what_is_shipped_is_told_from_what_is_not() -> None:
    mine: Callable[[], None] = lambda: None  # noqa: E731
    assert is_shipped(Guarded)
    assert is_shipped(Guarded("a", "b"))
    assert not is_shipped(mine)
