"""A package's own thread has called the program, which waits in that package again."""

from hangtui.analysis.waitgraph import build
from hangtui.findings.outside import waiting_in_library
from hangtui.findings.re_entered import short_by_its_own, told_by_its_own
from hangtui.model import NodeKind, Thread
from tests.unit.factories import capture, lock, python_frame, thread, waits

PARAMIKO = "/app/.venv/lib/python3.12/site-packages/paramiko/"


def called(*outer: str, tid: int = 101, inside: str = "paramiko/channel.py") -> Thread:
    """It waits in *inside* below the gate's line, which *outer* has called."""
    return thread(
        "Thread-1",
        tid,
        python=[
            python_frame("Channel.recv", 697, PARAMIKO.replace("paramiko/", inside)),
            python_frame("Gate.check", 16, "/app/gate.py"),
            *(python_frame("Transport.run", 2099, file) for file in outer),
            python_frame("Thread._bootstrap", 1030, "/usr/lib/python3.12/threading.py"),
        ],
    )


def test_it_may_wait_for_itself() -> None:
    assert told_by_its_own(called(f"{PARAMIKO}transport.py")) == (
        "paramiko has called Gate.check (gate.py:16) in the thread that runs Transport.run "
        "(transport.py:2099): if that thread is to bring it, it waits for itself"
    )


def test_the_same_for_a_title() -> None:
    assert short_by_its_own(called(f"{PARAMIKO}transport.py")) == (
        "; paramiko has called Gate.check in its own Transport.run"
    )
    assert short_by_its_own(called("/app/service.py")) == ""


def test_who_was_called_by_the_package_is_told_before_who_called_it() -> None:
    inside = called(f"{PARAMIKO}transport.py")
    main = thread(
        "MainThread",
        100,
        python=[
            python_frame("Channel.recv", 697, PARAMIKO + "channel.py"),
            python_frame("ask", 30, "/app/a.py"),
            python_frame("<module>", 40, "/app/a.py"),
        ],
    )
    ready = lock("Channel.ready", 1, NodeKind.QUEUE)
    got = [waits(one, ready, operation="get") for one in (main, inside)]
    made = capture(main, inside, resources=[ready], waits=got)
    found = waiting_in_library.check(made, build(made))

    assert [one.threads[0].name for one in found] == ["Thread-1", "MainThread"]
    assert "; paramiko has called Gate.check in its own Transport.run" in found[0].title


def test_a_thread_of_the_programs_or_of_another_package_does_not() -> None:
    assert told_by_its_own(called("/app/service.py")) == ""
    assert told_by_its_own(called(f"{PARAMIKO}transport.py", "/app/service.py")) == ""
    assert told_by_its_own(called(f"{PARAMIKO}transport.py", inside="redis/client.py")) == ""
    assert told_by_its_own(called(f"{PARAMIKO}transport.py", tid=100)) == ""
