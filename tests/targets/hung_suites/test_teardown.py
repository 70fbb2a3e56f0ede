"""A fixture waits, when it is taken down, for a task of a queue that nobody reports as done."""

import queue

import pytest


@pytest.fixture
def jobs():
    made = queue.Queue()
    made.put(1)
    yield made
    made.join()


def test_before():
    pass


def test_jobs(jobs):
    assert jobs.get() == 1


def test_after():
    pass
