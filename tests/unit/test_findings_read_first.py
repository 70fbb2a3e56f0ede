"""A generator that a pool reads to its end, and that waits for what comes with the results."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import NodeKind, PythonFrame, Severity
from tests.unit.factories import capture, lock, python_frame, stood, thread, waits

QUEUE = python_frame("Queue.get", 171, "/usr/lib/python3.12/queue.py")
VERSES = python_frame("Songbook.verses", 14, "/app/songbook.py")
MAP = python_frame("Executor.map", 608, "/usr/lib/python3.12/concurrent/futures/_base.py")
LAZY = python_frame("result_iterator", 619, "/usr/lib/python3.12/concurrent/futures/_base.py")
FILL = python_frame("Songbook.fill", 23, "/app/songbook.py")
INSIDE = "Songbook.fill (songbook.py:26)"


@pytest.mark.parametrize(
    ("reader", "enders", "signals", "told"),
    [
        (MAP, (INSIDE,), (), True),
        (MAP, ("Songbook.taste (songbook.py:40)",), (), True),
        (LAZY, (INSIDE,), (), False),
        (MAP, (INSIDE,), ("SIGUSR1",), False),
        (MAP, (), (), False),
        (MAP, ("Organ.play (organ.py:9)",), (), False),  # which the organ is inside of
    ],
)
def test_a_generator_that_is_read_to_its_end_first(
    reader: PythonFrame, enders: tuple[str, ...], signals: tuple[str, ...], *, told: bool
) -> None:
    main = thread("MainThread", python=[QUEUE, VERSES, reader, FILL])
    organ = thread("organ", 101, python=[python_frame("Organ.play", 9, "/app/organ.py")])
    opened = lock("Songbook.open (queue.Queue)", 0x1, NodeKind.QUEUE)
    opened = replace(opened, enders=enders, wakers_known=True)
    wait = waits(main, opened, text="Queue.get: it waits for an item")
    made = stood(capture(main, organ, resources=[opened], waits=[wait]), *signals)
    found = [one for one in findings.run(made) if one.id == "waiting-for-others"]

    reads = "Executor.map reads all of Songbook.verses before it gives a result"
    assert any(reads in one.title for one in found) is told
    assert any(one.severity is not Severity.NOTE for one in found if reads in one.title) is told
