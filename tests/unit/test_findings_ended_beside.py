"""Children that have ended are told beside those who wait at pipes of their siblings."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Capture, Certainty, Child, NodeKind, Surroundings
from tests.unit.factories import capture, holds, lock, only, python_frame, stood, thread, waits

PARENT, WORKER, KILLED = 100, 200, 201
SITE = "/venv/lib/python3.12/site-packages"


def pipes(*children: Child, ring: bool = True, kind: NodeKind = NodeKind.PIPE) -> Capture:
    """A parent that waits for what its worker writes, and the worker for what the parent does."""
    read = python_frame("pipe", 1699, f"{SITE}/spacy/language.py")
    parent = thread("MainThread", PARENT, PARENT, python=[read, python_frame("count", 25)])
    worker = thread("MainThread", WORKER, WORKER, python=[python_frame("apply", 9)])
    results, jobs = lock("pipe of results", 0x1, kind), lock("pipe of jobs", 0x2, kind)
    made = capture(
        *(parent, worker),
        resources=[results, jobs],
        waits=[
            replace(waits(parent, results), operation="read"),
            *([replace(waits(worker, jobs), operation="read")] if ring else []),
        ],
        holds=[
            holds(results, worker, Certainty.PROVEN),
            *([holds(jobs, parent, Certainty.PROVEN)] if ring else []),
        ],
    )
    around = Surroundings(children=(Child(WORKER, "python", "S"), *children))
    first, *others = stood(made).processes
    return replace(stood(made), processes=(replace(first, around=around), *others))


BY_KILL = Child(KILLED, "python", "Z", exit_status=-9)
FAILED = Child(KILLED + 1, "python", "Z", exit_status=1)


@pytest.mark.parametrize(
    ("children", "title", "sentence"),
    [
        ((), "", ""),
        ((BY_KILL,), "; process 201 was ended by SIGKILL", "process 201 (python) was ended by"),
        (
            (BY_KILL, FAILED),
            "; process 201, process 202 have ended",
            "202 (python) ended with status 1",
        ),
    ],
)
def test_a_ring_of_processes(children: tuple[Child, ...], title: str, sentence: str) -> None:
    found = only(pipes(*children))

    assert found.id == "deadlock"
    assert found.title.endswith(title or "(the pipe of results, the pipe of jobs)")
    assert ("Of process 100's children, process 201" in found.sentence) is bool(children)
    assert sentence in found.sentence


def test_what_a_sibling_of_the_dead_could_end() -> None:
    made = pipes(BY_KILL, ring=False)
    found = next(one for one in findings.run(made) if one.id == "waiting-in-library")

    assert "Of process 100's children, process 201 (python) was ended by SIGKILL." in found.sentence
