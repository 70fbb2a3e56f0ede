"""Rings of a library's own threads that read for others."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Finding, NodeKind, Thread
from tests.unit.factories import capture, holds, lock, python_frame, thread, waits

SITE = "/venv/lib/python3.12/site-packages/execnet/gateway_base.py"


def reader(pid: int) -> Thread:
    read = replace(python_frame("Popen2IO.read", 534, SITE), package="execnet 2.1.2")
    return thread("receiver", pid + 1, pid, python=[read])


def waiting(pid: int, line: int, package: str = "execnet") -> Thread:
    file = SITE.replace("execnet", package)
    receive = replace(python_frame("Channel.receive", 929, file), package=f"{package} 2.1.2")
    return thread("MainThread", pid, pid, python=[receive, python_frame("ask", line)])


def ring(*apps: Thread, readers: tuple[Thread, ...] = (reader(100), reader(200))) -> Finding:
    one, other = lock("near", 0x1, NodeKind.PIPE, 100), lock("other", 0x2, NodeKind.PIPE, 200)
    first, second = readers
    made = capture(
        *apps,
        *readers,
        resources=[one, other],
        waits=[waits(first, one, operation="read"), waits(second, other, operation="read")],
        holds=[holds(one, second), holds(other, first)],
    )
    return next(found for found in findings.run(made) if found.id == "deadlock")


def test_who_waits_for_what_they_would_read_is_told_first() -> None:
    found = ring(waiting(100, 13), waiting(200, 7))

    assert found.title == (
        "Deadlock: MainThread of process 100 and MainThread of process 200 wait for each other at "
        "main.py:13 (ask) and at main.py:7 (ask), in execnet (near, other)"
    )
    assert "What comes to them is read by threads of execnet: receiver of process" in found.sentence
    assert [one.name for one in found.threads[:2]] == ["MainThread", "MainThread"]
    assert found.where is not None
    assert found.where.line == 13


@pytest.mark.parametrize(
    ("apps", "package"),
    [
        ((waiting(100, 13),), "execnet"),
        ((waiting(100, 13), waiting(200, 7, "other")), "execnet"),
        ((waiting(100, 13), replace(waiting(200, 7), still=False)), "execnet"),
    ],
)
def test_if_not_all_of_them_have_one_who_waits_there_the_readers_are_told(
    apps: tuple[Thread, ...], package: str
) -> None:
    found = ring(*apps)

    assert "What comes to them" not in found.sentence
    assert f", in {package} (" not in found.title


def test_readers_of_the_application_are_told_themselves() -> None:
    own = thread("receiver", 101, 100, python=[python_frame("read_all", 3)])
    found = ring(waiting(100, 13), waiting(200, 7), readers=(own, reader(200)))

    assert "What comes to them" not in found.sentence
