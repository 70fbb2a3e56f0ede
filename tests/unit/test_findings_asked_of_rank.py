"""An answer that is asked of another rank, which waits for the one who asks."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Finding, JobPlace, NodeKind, Surroundings, Thread
from tests.unit.factories import capture, python_frame, thread, waits
from tests.unit.test_findings_channels import channel

TORCH = "/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py"
SENT = python_frame("broadcast", 3151, TORCH)


def asked(size: int, *others: Thread) -> Finding:
    """Of a thread of rank 0 that waits for an answer of rank 1, with what rank 0 runs besides."""
    asker = thread("MainThread", 100, 100, python=[python_frame("announce", 48)])
    handler = thread("handler", 201, 200, python=[SENT, python_frame("load", 32)])
    here = channel(NodeKind.SOCKET, "TCP connection to 127.0.0.1:80")
    wait = replace(waits(asker, here), operation="receive", answering=(handler.id,))
    made = capture(asker, *others, handler, resources=[here], waits=[wait])
    ranks = tuple(
        replace(one, around=Surroundings(job=JobPlace(number, number, size)))
        for number, one in enumerate(made.processes)
    )
    found = findings.run(replace(made, processes=ranks))
    return next(one for one in found if one.id == "waiting-for-peer")


def test_each_of_two_ranks_waits_for_the_other() -> None:
    found = asked(2)

    assert ", for rank 0 (process 100) itself" in found.title
    assert "handler of rank 1 (process 200) is in broadcast at main.py:32 (load)" in found.sentence
    assert "each of the two waits for the other." in found.sentence


@pytest.mark.parametrize(
    ("size", "beside"),
    [(3, None), (2, thread("sender", 102, 100, python=[SENT, python_frame("send", 50)]))],
)
def test_another_rank_may_be_the_one_that_is_missing_or_it_takes_part_already(
    size: int, beside: Thread | None
) -> None:
    found = asked(size, *([beside] if beside else []))

    assert "itself" not in found.title
    assert "each of the two" not in found.sentence
