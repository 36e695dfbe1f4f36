"""Encoders that work at the same time share one limit of the BLAS, and leave none behind."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from mutatis.text.blas import SharedLimit, shared_limit

threadpoolctl = pytest.importorskip("threadpoolctl", reason="the semantic extra is not installed")


def aside(work, *arguments, **options):
    """Do something in a thread that ends: to threadpoolctl a limit belongs to its thread as long as that lives."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work, *arguments, **options).result()


@pytest.fixture
def blas():
    """numpy's, with two threads whatever this machine has."""
    assert np.ones((2, 2)).sum() == 4  # its library is loaded
    controller = threadpoolctl.ThreadpoolController().select(user_api="blas")
    limiter = aside(controller.limit, limits=2)
    yield controller
    aside(limiter.restore_original_limits)


def threads_of(blas):
    return {library["num_threads"] for library in blas.info()}


def test_the_limit_is_lifted_by_the_last_of_two_that_overlap(blas):
    shared = SharedLimit(blas)
    assert shared.threads == 2
    first, second = shared.held(), shared.held()
    first.__enter__()
    second.__enter__()
    assert threads_of(blas) == {1}
    first.__exit__(None, None, None)
    assert threads_of(blas) == {1}, "the second still works"
    second.__exit__(None, None, None)
    assert threads_of(blas) == {2}


def test_who_leaves_last_need_not_have_come_first(blas):
    shared = SharedLimit(blas)
    entered, leave = threading.Event(), threading.Event()

    def first():
        with shared.held():
            entered.set()
            leave.wait()

    with ThreadPoolExecutor(1) as thread:  # a pool's thread, which lives on
        done = thread.submit(first)
        entered.wait()
        with shared.held():
            leave.set()
            done.result()
            assert threads_of(blas) == {1}
        assert threads_of(blas) == {2}


def test_a_failure_lifts_it_too(blas):
    shared = SharedLimit(blas)
    with pytest.raises(ValueError, match="no text"), shared.held():
        raise ValueError("no text")
    assert threads_of(blas) == {2}


def test_many_threads_leave_what_was_there(blas):
    shared = SharedLimit(blas)
    begin = threading.Barrier(8)

    def work():
        begin.wait()
        for _ in range(50):
            with shared.held():
                assert threads_of(blas) == {1}

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert threads_of(blas) == {2}


def test_a_process_has_one():
    assert shared_limit() is shared_limit()
