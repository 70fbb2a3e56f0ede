"""A task that waits with a lock which another one waits for; and requests of the same process."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.rest.kept_from import short_kept
from hangtui.findings.telling_tasks import requested
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Certainty,
    Ends,
    EventLoop,
    LoopState,
    NodeKind,
    PythonFrame,
    Resource,
    Task,
    TaskState,
    Watched,
)
from tests.unit.factories import PID, capture, holds, lock, python_frame, thread, waits

LOOP = 0x10


def task(function: str, number: int, *outside: PythonFrame) -> Task:
    frames = (python_frame(function, 10 + number, "/app/bot.py", entry=None), *outside)
    return Task(
        PID, 0x100 + number, f"Task-{number}", function, TaskState.WAITING, LOOP, PID,
        python_stack=frames,
    )  # fmt: skip


def loop() -> EventLoop:
    return EventLoop(PID, LOOP, "asyncio.Loop", LoopState.IDLE, PID, timers=1, watched=1)


def joined(certainty: Certainty = Certainty.PROVEN, *, known: bool = True) -> Capture:
    """A task waits for an answer with the lock that who would bring it waits for."""
    join, listen = task("join", 1), task("on_probe", 2)
    turn = lock("Bot.turn (asyncio.Lock)", 0xA)
    made = lock("an asyncio.Future", 0xB, NodeKind.FUTURE)
    answer = replace(made, wakers_known=known)
    base = capture(
        thread("MainThread"),
        resources=[turn, answer],
        waits=[waits(join.id, answer), waits(listen.id, turn, Certainty.PROVEN)],
        holds=[holds(turn, join.id, certainty)],
    )
    return replace(base, tasks=(join, listen), event_loops=(loop(),))


def test_who_waits_for_a_lock_of_one_to_whom_nobody_comes_is_in_the_title() -> None:
    for made, says in (
        (joined(), "; task on_probe waits for Bot.turn, which task join holds"),
        (joined(known=False), ""),
        (joined(Certainty.INFERRED), ""),
    ):
        words = words_of(made, build(made))
        assert short_kept(made.tasks[0].id, words) == says
        assert short_kept(made.tasks[1].id, words) == ""


@pytest.mark.parametrize("own", [True, False])
def test_a_request_that_hears_its_own_process_is_not_asked_by_others(own: bool) -> None:
    server = python_frame(
        "RequestHandler._handle_request", 9, "/x/site-packages/aiohttp/web_protocol.py"
    )
    serves = task("handle", 1, server)
    ends = Ends("127.0.0.1:80", "127.0.0.1:9")
    line = Resource(
        lock("x", 0xC, NodeKind.SOCKET).id, NodeKind.SOCKET, "a TCP connection", PID, 0xC, ends=ends
    )
    main = thread("MainThread")
    base = capture(main, resources=[line], waits=[waits(serves.id, line)])
    seen = Watched(main.id, "a TCP connection", peers=(PID if own else 7,), ends=ends)
    made = replace(base, tasks=(serves,), event_loops=(loop(),), watched=(seen,))

    found = requested([serves], words_of(made, build(made)))

    assert (serves.id in found) is not own
