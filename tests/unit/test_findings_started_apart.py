"""Processes that the fork server of multiprocessing has started."""

from dataclasses import replace

from hangtui.analysis.waitgraph import build
from hangtui.findings.manager_clients import family
from hangtui.findings.pool_workers import started_by
from hangtui.findings.words import words_of
from hangtui.model import Capture, Child, Process, Surroundings
from tests.unit.factories import capture, process, thread

PARENT, SERVER, WORKER, TRACKER = 100, 200, 300, 400


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
