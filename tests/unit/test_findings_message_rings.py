"""Who waits at its end of a ring of messages in shared memory, which both ends record."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Child,
    Finding,
    MessageSenders,
    Progress,
    RingEnd,
    Severity,
    Surroundings,
    Syscall,
    Thread,
)
from tests.unit.factories import capture, python_frame, thread

FILE = "/venv/lib/python3.12/site-packages/vllm/distributed/device_communicators/shm_broadcast.py"
WRITER, FIRST, SECOND = 100, 201, 202
POLLS = Syscall("poll", timed=True)


def main(pid: int, *frames: str, own: str) -> Thread:
    stack = [*(python_frame(f"MessageQueue.{name}", 9, FILE) for name in frames)]
    made = thread("MainThread", pid, pid, python=[*stack, python_frame(own, pid)])
    return replace(made, pid=pid, syscall=POLLS)


def ring(untaken: int, *, late: bool = True, slept: float = 2.0) -> Capture:
    """A writer with room for four messages, and two readers, the second of which is elsewhere."""
    writer = main(WRITER, "acquire_write", "enqueue", own="publish")
    reader = main(FIRST, "acquire_read", "dequeue", own="follow")
    made = capture(writer, reader, main(SECOND, own="approve"))
    ends = [RingEnd(WRITER, "psm", True, untaken, places=4), RingEnd(FIRST, "psm", False, 0)]
    ends += [RingEnd(SECOND, "psm", False, untaken)] if late else []
    progress = tuple(
        Progress(
            one.id, 5, 2.0, slept if one.pid == SECOND else 0.0, 0.1,
            common=tuple(frame.function for frame in one.python_stack or ()),
            same_line=True, asks=True, returned=one.pid == WRITER,
        )
        for one in made.threads()
    )  # fmt: skip
    return replace(made, ring_ends=tuple(ends), progress=progress)


def told(made: Capture, pid: int) -> Finding:
    found = (one for one in findings.run(made) if one.id == "waiting-in-library")
    return next(one for one in found if one.threads[0].pid == pid)


@pytest.mark.parametrize(("slept", "severity"), [(2.0, Severity.WARNING), (0.0, Severity.NOTE)])
def test_a_writer_waits_for_the_reader_that_has_not_taken(slept: float, severity: Severity) -> None:
    finding = told(ring(4, slept=slept), WRITER)

    assert finding.severity is severity
    assert "for room in its ring of 4 messages" in finding.title
    assert "from which process 202 has not taken" in finding.title
    assert "Process 202 has not taken what lies there." in finding.sentence
    assert "main.py:202 (approve)" in finding.sentence
    assert "main.py:201 (follow)" not in finding.sentence


def test_a_reader_that_was_not_captured_is_not_guessed() -> None:
    assert (
        "Which reader has not taken these was not captured"
        in told(ring(4, late=False), 100).sentence
    )


@pytest.mark.parametrize("spins", [False, True])
def test_a_reader_that_has_ended_is_told(*, spins: bool) -> None:
    made = ring(4, late=False)
    writer = made.processes[0]
    gone = Child(SECOND, "python3", "Z", exit_status=-9, called="layers-1")
    threads = tuple(replace(one, state="R") if spins else one for one in writer.threads)
    around = Surroundings(children=(gone,))
    writer = replace(writer, threads=threads, around=around)
    finding = told(replace(made, processes=(writer, *made.processes[1:])), WRITER)
    assert finding.severity is Severity.WARNING
    assert finding.title.endswith(", and process 202 (layers-1), its child, was ended by SIGKILL")
    assert "Process 201 has taken all. Of process 100's children," in finding.sentence


@pytest.mark.parametrize(
    ("readers", "there", "says"),
    [
        (3, 2, "1 reader more was not captured, or never started. Now MainThread"),
        (2, 2, "All of them are there."),
        (2, 0, "None of them is seen to have come."),
    ],
)
def test_a_writer_waits_until_every_reader_is_there(readers: int, there: int, says: str) -> None:
    pids = (FIRST, SECOND)[:there]
    ends = [main(pid, "wait_until_ready", own="follow") for pid in pids]
    made = capture(main(WRITER, "wait_until_ready", own="open_ring"), *ends)
    rings = [RingEnd(WRITER, "psm", True, 0, places=4, readers=readers)]
    rings += [RingEnd(pid, "psm", False, 0, places=4, readers=readers) for pid in pids]
    progress = tuple(
        Progress(one.id, 5, 2.0, 2.0, 0.1, common=("wait_until_ready",), same_line=True, asks=True)
        for one in made.threads()
    )
    made = replace(made, ring_ends=tuple(rings), progress=progress)
    finding = told(made, WRITER)

    assert f"until all {readers} readers of its ring of messages have come" in finding.title
    assert (finding.severity is Severity.NOTE) is (there == readers)
    assert says in finding.sentence
    if there:
        assert told(made, FIRST).severity is Severity.NOTE
        assert "Now MainThread of process 100 waits" in told(made, FIRST).sentence


def test_a_ring_with_room_is_not_waited_for() -> None:
    assert "room in its ring" not in told(ring(3), WRITER).title


def test_a_reader_waits_for_who_writes() -> None:
    finding = told(ring(4), FIRST)

    assert finding.severity is Severity.NOTE
    assert "for a message in its ring" in finding.title
    assert "Process 100 writes there. Now MainThread" in finding.sentence
    assert "The program sends" not in finding.sentence


def test_what_would_send_there_is_told_where_the_writer_waits_for_a_message_itself() -> None:
    senders = MessageSenders(WRITER, ("Worker.copy (main.py:25)",))
    finding = told(replace(ring(4), message_senders=(senders,)), FIRST)

    assert finding.sentence.endswith(
        " The program sends there in Worker.copy (main.py:25), which no thread is inside of."
    )
