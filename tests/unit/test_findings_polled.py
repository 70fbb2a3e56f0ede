"""Loops that sleep and look for something in between, in words."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.findings.looked import looked_there
from hangtui.model import (
    Capture,
    Changer,
    EventLoop,
    Finding,
    Looking,
    LoopState,
    NodeId,
    Polled,
    Progress,
    Severity,
    Sleep,
    Syscall,
    Task,
    TaskState,
)
from tests.unit.factories import capture, python_frame, thread, told_of_wait

NAPS = Syscall("clock_nanosleep", sleep=Sleep(0.1, 0.05))
MAIN = replace(
    thread("MainThread", 100, python=[python_frame("App.boot", 16)], syscall=NAPS, still=False),
    runs=40,
)
SERVER = replace(
    thread("server", 101, python=[python_frame("Server.run", 9)], syscall=NAPS, still=False),
    runs=40,
)
READY = Polled(MAIN.id, ("self.server.ready",), "main.py:16")
INBOX = Polled(SERVER.id, ("self.inbox",), "main.py:9")
BY_SERVER = Changer(SERVER.id, "Server.run (main.py:10)")
BY_MAIN = Changer(MAIN.id, "App.boot (main.py:17)")


def seen(node: NodeId, stayed_s: float) -> Progress:
    return Progress(node, 5, stayed_s, 0.0, 0.0, same_stack=True, same_line=True, wakes=20)


def polling(*polled: Polled, stayed_s: float = 2.0) -> Finding:
    looks = tuple(seen(one.id, stayed_s) for one in (MAIN, SERVER))
    made = replace(capture(MAIN, SERVER), polled=polled, progress=looks)
    return next(one for one in findings.run(made) if one.id == "quiet")


def test_what_it_looks_at_is_told_and_who_comes_to_change_it() -> None:
    found = polling(replace(READY, changers=(BY_SERVER,)))

    assert found.severity is Severity.NOTE
    assert "MainThread sleeps at main.py:16 (App.boot), by polling self.server.ready" in found.title
    assert found.sentence.endswith(
        " The program changes that in Server.run (main.py:10), to which server comes."
    )


def test_functions_that_nobody_runs_are_told_as_such() -> None:
    found = polling(replace(READY, written=("Server.open (main.py:30)",)))

    assert found.severity is Severity.NOTE
    assert found.sentence.endswith(
        " The program changes that in Server.open (main.py:30), which nobody runs."
    )


def test_who_is_inside_of_such_a_function_in_another_process_is_told_with_what_it_does() -> None:
    found = between_processes(replace(READY, written=("Server.run (main.py:10)",)))

    assert (
        " The program changes that in Server.run (main.py:10), which server of process 301 is "
        "inside of: another process, whose memory is its own, unless that lies in shared memory. "
        "Now server of process 301 sleeps at main.py:9 (Server.run)"
    ) in found.sentence


def test_functions_that_only_the_one_that_looks_runs_are_told_as_such() -> None:
    own = ("App.boot (main.py:14)",)
    found = polling(replace(READY, past=own, written=("Server.open (main.py:30)",)))

    assert polling(replace(READY, past=own)).sentence.endswith(
        " The program changes that in App.boot (main.py:14), which nobody else is seen to run."
    )
    assert found.sentence.endswith(
        " The program changes that in Server.open (main.py:30) and App.boot (main.py:14), "
        "which nobody else is seen to run."
    )


@pytest.mark.parametrize(
    ("is_there", "is_so", "does"), [(True, "there", "deletes"), (False, "not there", "makes")]
)
def test_a_file_that_it_asks_for_is_named(is_there: bool, is_so: str, does: str) -> None:
    looks = ("os.path.exists()",)
    found = polling(replace(READY, looks_at=looks, file="/tmp/x/lock", is_there=is_there))

    assert f"by polling os.path.exists() of /tmp/x/lock, which is {is_so}" in found.title
    assert found.sentence.endswith(
        f" It goes on once somebody {does} that file; who should is not known."
    )


MARK = Polled(
    MAIN.id, ("path.exists()",), "main.py:16", file="/x/READY", is_there=False,
    makers=("Server.run (main.py:10)",),
)  # fmt: skip
OTHER = replace(
    thread("server", 301, 301, python=[python_frame("Server.run", 9)], syscall=NAPS, still=False),
    runs=40,
)
BACK = replace(MARK, waiter=OTHER.id, file="/x/DONE", makers=("App.boot (main.py:17)",))


def between_processes(*polled: Polled) -> Finding:
    looks = tuple(seen(one.id, 2.0) for one in (MAIN, OTHER))
    made = replace(capture(MAIN, OTHER), polled=polled, progress=looks)
    return next(one for one in findings.run(made) if one.id == "quiet")


def test_functions_that_make_the_file_are_told_and_who_is_inside_of_them() -> None:
    found = between_processes(MARK)

    assert found.severity is Severity.NOTE
    assert " By its name, the program makes that file in Server.run (main.py:10)" in found.sentence
    assert ", inside of which is server of process" in found.sentence
    alone = replace(MARK, makers=("publish (main.py:90)",))
    assert "which no other thread is inside of." in between_processes(alone).sentence


def test_two_processes_that_ask_for_each_others_files_may_never_go_on() -> None:
    found = between_processes(MARK, BACK)

    assert found.severity is Severity.WARNING
    assert told_of_wait(found).endswith(" itself, who would change that: a possible deadlock")


def test_who_is_inside_of_what_makes_the_file_itself_may_wait_for_another_one() -> None:
    both = ("Server.run (main.py:10)", "App.boot (main.py:17)")
    found = between_processes(replace(MARK, makers=both), BACK)

    assert found.severity is Severity.NOTE


def test_those_that_look_at_what_only_the_other_comes_to_change_may_never_go_on() -> None:
    found = polling(replace(READY, changers=(BY_SERVER,)), replace(INBOX, changers=(BY_MAIN,)))

    assert found.severity is Severity.WARNING
    assert told_of_wait(found).endswith(
        "; server polls self.inbox itself, who would change that: a possible deadlock"
    )


@pytest.mark.parametrize(
    ("polled", "stayed_s"),
    [
        ((replace(READY, changers=(BY_SERVER,)), INBOX), 2.0),
        ((replace(READY, changers=(BY_SERVER,)),), 2.0),
        (
            (
                replace(READY, changers=(BY_SERVER,)),
                replace(INBOX, changers=(BY_MAIN,), written=("stop (main.py:40)",)),
            ),
            2.0,
        ),
        ((replace(READY, changers=(BY_SERVER,)), replace(INBOX, changers=(BY_MAIN,))), 0.4),
        ((), 2.0),
    ],
)
def test_if_somebody_else_may_change_it_or_for_a_moment_it_is_no_warning(
    polled: tuple[Polled, ...], stayed_s: float
) -> None:
    found = polling(*polled, stayed_s=stayed_s)

    assert found.severity is Severity.NOTE
    assert "deadlock" not in found.title


def waiting_task(total_s: float, polled: Polled | None) -> Capture:
    """A task beside the first one sleeps, by its loop's only timer."""
    select = python_frame("select", 5, "/usr/lib/python3.12/selectors.py")
    main = replace(
        thread("MainThread", 100, python=[select], syscall=Syscall("epoll_wait")), runs=9
    )
    stack = (python_frame("sleep", 600, "/usr/lib/python3.12/asyncio/tasks.py"),
             python_frame("dine", 14))  # fmt: skip
    task = Task(100, 0x70, "Task-2", "dine", TaskState.WAITING, 0x60, 100, stack,
                "sleep (0.0 s left)", sleep=Sleep(total_s, 0.0))  # fmt: skip
    loop = EventLoop(100, 0x60, "asyncio", LoopState.IDLE, 100, None, 1, 0, 0)
    told = () if polled is None else (replace(polled, waiter=task.id),)
    return replace(capture(main), tasks=(task,), event_loops=(loop,), polled=told)


@pytest.mark.parametrize(
    ("total_s", "looks", "rests"), [(0.05, True, False), (5.0, True, True), (0.05, False, True)]
)
def test_a_task_that_looks_for_something_again_and_again_does_not_rest(
    total_s: float, looks: bool, rests: bool
) -> None:
    found = findings.run(waiting_task(total_s, READY if looks else None))

    assert ("idle" in [one.id for one in found]) is rests


def test_one_look_at_who_only_looks_calls_it_neither_busy_nor_awake() -> None:
    awake = replace(MAIN, state="R", syscall=None, runs=40, still=False)
    made = replace(
        capture(awake),
        polled=(replace(READY, values=("False",)),),
        looking=(Looking(MAIN.id, endless=True, alters=False),),
    )
    (found,) = findings.run(made)

    assert (found.id, found.severity) == ("quiet", Severity.NOTE)
    assert found.title == (
        "MainThread waits at main.py:16 (App.boot), by polling self.server.ready (False); "
        "process 100 only looks whether it may go on"
    )
    assert found.sentence.startswith(
        "Those of its Python threads that ran only looked whether they may go on"
    )


def test_what_an_own_loop_polls_is_told_with_how_long() -> None:
    found = polling(replace(READY, values=("False",)))

    assert found.severity is Severity.NOTE
    assert told_of_wait(found).endswith("by polling self.server.ready (False) for 2 s or more")


def test_a_loop_is_placed_where_it_stands_in_another_function() -> None:
    loop = python_frame("follow", 40, "/app/jobs.py")
    inner = python_frame("rest", 12, "/app/jobs.py")
    polled = Polled(MAIN.id, ("job.done",), "jobs.py:40")

    assert looked_there(polled, (inner, loop), inner) == "job.done at jobs.py:40 (follow)"
    assert looked_there(polled, (loop,), loop) == "job.done"
    assert looked_there(polled, (inner,), inner) == "job.done"
