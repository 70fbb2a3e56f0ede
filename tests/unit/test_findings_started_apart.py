"""Processes that the fork server of multiprocessing has started."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.manager_clients import family
from hangtui.findings.pool_workers import stands_in, started_by
from hangtui.findings.words import words_of
from hangtui.model import Capture, Child, Process, Surroundings
from tests.unit.factories import capture, process, python_frame, thread

PARENT, SERVER, WORKER, TRACKER = 100, 200, 300, 400
POOL = "/usr/lib/python3.12/multiprocessing/pool.py"


def _captured(*, server: bool) -> Capture:
    children = (
        Child(SERVER, "python", "S", helper="forkserver"),
        Child(TRACKER, "python", "S", helper="resource_tracker"),
    )
    parent = replace(_process(PARENT, 1), around=Surroundings(children=children))
    starter = replace(
        _process(SERVER, PARENT), around=Surroundings(children=(Child(WORKER, "python", "S"),))
    )
    worker = _process(WORKER, SERVER)
    return capture(processes=(parent, *((starter,) if server else ()), worker))


def _process(pid: int, ppid: int) -> Process:
    return replace(process(pid, thread("MainThread", pid, pid)), ppid=ppid)


def test_they_may_ask_a_manager_of_their_family() -> None:
    made = _captured(server=True)
    found = family(PARENT, words_of(made, build(made)))
    assert {PARENT, SERVER, WORKER} <= found
    assert TRACKER not in found


def test_a_fork_server_that_was_not_looked_into_stands_for_them() -> None:
    made = _captured(server=False)
    assert SERVER in family(PARENT, words_of(made, build(made)))


def test_they_are_workers_of_who_has_the_server() -> None:
    assert [one.pid for one in started_by(PARENT, _captured(server=False))] == [WORKER]


@pytest.mark.parametrize(("watches", "forked"), [(True, True), (False, True), (True, False)])
def test_one_that_the_pool_of_its_parent_forked_later_stands_in(
    *, watches: bool, forked: bool
) -> None:
    repopulates = python_frame("Pool._handle_workers", 516, POOL)
    begun = python_frame("Pool.__init__", 215, POOL)
    watcher = thread("watcher", 101, PARENT, python=[repopulates if watches else begun])
    parent = replace(process(PARENT, thread("MainThread", PARENT, PARENT), watcher), ppid=1)
    stack = [python_frame("worker", 114, POOL), repopulates if forked else begun]
    worker = process(WORKER, thread("watcher", WORKER, WORKER, python=stack))
    worker = replace(worker, ppid=PARENT)
    made = capture(processes=(parent, worker))
    assert stands_in(worker, words_of(made, build(made))) is (watches and forked)
