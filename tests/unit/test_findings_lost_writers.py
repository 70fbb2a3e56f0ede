"""Children that have ended, beside who waits for what they may have been to write."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.lost_writers import writers_gone
from hangtui.findings.words import words_of
from hangtui.model import Child, NodeKind, Surroundings, process_id
from tests.unit.factories import capture, holds, lock, python_frame, thread, waits


@pytest.mark.parametrize(
    ("kind", "holder", "said"),
    [
        (NodeKind.PIPE, 100, True),
        (NodeKind.PIPE, 300, True),  # a child of that child, which lives on
        (NodeKind.SOCKET, 7, True),
        (NodeKind.SOCKET, 300, False),
    ],
)
def test_a_child_that_was_to_write_has_ended(kind: NodeKind, holder: int, *, said: bool) -> None:
    main = thread("MainThread", 100, 100, python=[python_frame("compile_all", 25)])
    reader = thread("reader", 101, 100, python=[python_frame("read_results", 9)])
    pipe = lock("the pipe", 0x2, kind)
    made = capture(
        *(main, reader),
        resources=[pipe],
        waits=[waits(reader, pipe)],
        holds=[holds(pipe, process_id(holder))],
    )
    around = Surroundings(children=(Child(7, "python", "Z", exit_status=-9),))
    made = replace(made, processes=tuple(replace(one, around=around) for one in made.processes))

    told = writers_gone([main.id, reader.id], words_of(made, build(made)))

    ended = " Of process 100's children, process 7 (python) was ended by SIGKILL."
    assert told == (ended if said else "")
