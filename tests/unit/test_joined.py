"""Captures of several processes and machines as one."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.joined import joined
from hangtui.model import Capture, Growth, NodeKind, Resource, shared_id
from tests.unit.factories import capture, holds, python_frame, thread, waits

_LOCKS = [
    Resource(shared_id(NodeKind.FILE_LOCK, name), NodeKind.FILE_LOCK, f"the lock {name}", 0, 0)
    for name in ("8:1:17", "8:1:18")
]


def _of(pid: int, host: str, takes: int) -> Capture:
    """A process that has one lock of a file and waits for the other."""
    main = thread("MainThread", pid, pid, python=[python_frame("write", 5)])
    made = capture(
        main,
        resources=_LOCKS,
        waits=[waits(main, _LOCKS[1 - takes])],
        holds=[holds(_LOCKS[takes], main)],
    )
    return replace(made, host=host, growth=(Growth(pid, 3, 1.0, 9),), pending=("native stacks",))


@pytest.mark.parametrize(("other", "rings"), [("here", 1), ("there", 0), ("a host: 1", 0)])
def test_what_is_shared_is_shared_on_one_machine_only(other: str, rings: int) -> None:
    both = joined([_of(100, "here", 0), _of(200, other, 1)])

    assert len(build(both).cycles) == rings
    assert ("deadlock" in [one.id for one in findings.run(both)]) == bool(rings)
    assert all(one.target.valid and one.waiter.valid for one in both.waits)
    assert both.host == ", ".join(dict.fromkeys(["here", other]))


def test_nothing_that_is_known_of_one_is_lost() -> None:
    both = joined([_of(100, "here", 0), _of(200, "there", 1)])

    assert [one.pid for one in both.growth] == [100, 200]
    assert [one.pid for one in both.processes] == [100, 200]
    assert both.pending == ("native stacks",)
    assert [one.id.host for one in both.resources] == ["", "", "there", "there"]
