"""A ring in which what was put into a queue of ``multiprocessing`` cannot be pickled."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Certainty, NodeKind
from tests.unit.factories import capture, holds, lock, python_frame, stood, thread, waits

QUEUES = "/usr/lib/python3.12/multiprocessing/queues.py"


@pytest.mark.parametrize("pickles", [True, False])
def test_the_thread_that_writes_and_waits_for_a_lock_of_the_one_who_waits_is_told(
    *, pickles: bool
) -> None:
    main = thread("MainThread", python=[python_frame("price", 35)])
    outer = [python_frame("Queue._feed", 239, QUEUES)] if pickles else []
    feeder = thread("QueueFeederThread", 101, python=[python_frame("__getstate__", 11), *outer])
    worker = thread("MainThread", 200, 200, python=[python_frame("appraise", 17)])
    there = lock("pipe from process 100 to process 200", 1, NodeKind.PIPE)
    back = lock("pipe from process 200 to process 100", 2, NodeKind.PIPE)
    book = lock("Book.lock", 3)
    made = capture(
        *(main, feeder, worker),
        resources=[there, back, book],
        waits=[
            waits(main, back, operation="read"),
            waits(worker, there, operation="read"),
            waits(feeder, book),
        ],
        holds=[holds(back, worker), holds(there, main), holds(book, main, Certainty.PROVEN)],
    )
    child = replace(made.processes[1], ppid=100)
    found = findings.run(stood(replace(made, processes=(made.processes[0], child))))
    ring = next(one for one in found if one.id == "deadlock")

    told = "; QueueFeederThread is to write what was put, and waits at main.py:11 (__getstate__)"
    assert (told in ring.title) is pickles
    assert any(one.startswith("Give Book.lock back before") for one in ring.advice) is pickles
