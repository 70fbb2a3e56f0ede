"""A worker of a pool is killed with its task: the result never comes."""

import multiprocessing
import os
import signal


def render(number):
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_before():
    pass


def test_render():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(render, range(3), chunksize=1) == [0, 1, 2]


def test_after():
    pass
