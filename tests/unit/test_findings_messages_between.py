"""Who waits for an answer, and who takes whatever message comes next."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Child,
    Complement,
    CouldWake,
    Finding,
    Nearness,
    NodeKind,
    Resource,
    Severity,
    Surroundings,
    Syscall,
    Thread,
    shared_id,
)
from hangtui.older_capture import named
from tests.unit.factories import capture, evidence, holds, lock, python_frame, stood, thread, waits

CLIENT, SERVER = 100, 200
CALL, READ, SERVE = (
    python_frame("Client.call", 30, "/app/client.py"),
    python_frame("Client.read_answers", 12, "/app/client.py"),
    python_frame("serve", 8, "/app/server.py"),
)
RECEIVES = Syscall("recvfrom", timed=False)


def channel(key: str, kind: NodeKind = NodeKind.SOCKET) -> Resource:
    return named(Resource(shared_id(kind, key), kind, f"Unix socket {key}", SERVER, 0))


def receiver(name: str, tid: int, pid: int, *, takes_next: bool | None) -> Thread:
    frame = SERVE if pid == SERVER else READ
    made = thread(name, tid, pid, python=[frame])
    return replace(made, syscall=RECEIVES, takes_next=takes_next)


def pair(*, ours: bool | None = False, theirs: bool | None = True, unflushed: int = 0) -> Capture:
    """The main threads of two processes that wait for data from each other."""
    one = receiver("MainThread", CLIENT, CLIENT, takes_next=ours)
    other = receiver("MainThread", SERVER, SERVER, takes_next=theirs)
    near, far = channel("near"), channel("far")
    far = replace(far, unflushed=((CLIENT, unflushed),) if unflushed else ())
    return capture(
        one,
        other,
        resources=[near, far],
        waits=[waits(one, near, operation="receive"), waits(other, far, operation="receive")],
        holds=[holds(near, other), holds(far, one)],
    )


def first(made: Capture) -> Finding:
    return findings.run(made)[0]


def test_the_one_that_asked_is_told_first() -> None:
    found = first(pair())
    assert found.title.startswith(
        "Deadlock: MainThread of process 100 waits at client.py:12 (Client.read_answers) for an "
        "answer from MainThread of process 200, which waits at server.py:8 (serve) for its next "
        "message"
    )
    assert found.advice[0].startswith("Look at what process 200 did with the last message before")


@pytest.mark.parametrize(("ours", "theirs"), [(False, False), (None, True), (True, True)])
def test_where_the_code_does_not_tell_them_apart_both_lines_are_told(
    ours: bool | None, theirs: bool | None
) -> None:
    found = first(pair(ours=ours, theirs=theirs))
    assert (
        "wait for each other at client.py:12 (Client.read_answers) and at server.py:8 (serve)"
        in found.title
    )


@pytest.mark.parametrize(
    ("count", "told"), [(1, "1 byte for it lies"), (12, "12 bytes for it lie")]
)
def test_what_lies_in_a_buffer_is_told(count: int, told: str) -> None:
    found = first(pair(unflushed=count))
    assert f"{told} in a buffer of process 100, which has not flushed" in found.title
    assert found.advice[0].startswith("Flush what is written before you wait")


def with_reader(*, waker: bool, takes_next: bool | None = False, ours: bool = True) -> Capture:
    """A client whose main thread waits for an event that its reader may set once data comes."""
    main = replace(
        thread("MainThread", CLIENT, CLIENT, python=[CALL]),
        syscall=Syscall("futex", timed=False),
        takes_next=takes_next,
    )
    reader = receiver("reader", 101, CLIENT, takes_next=ours)
    server = receiver("MainThread", SERVER, SERVER, takes_next=True)
    near, far = channel("near"), channel("far")
    done = replace(
        named(lock("Call.done (threading.Event)", 0xE, NodeKind.EVENT)), wakers_known=True
    )
    wakers = [
        CouldWake(
            done.id, reader.id, Complement.SET, Nearness.AHEAD,
            evidence("its code reaches slot.done.set()"), "slot.done.set", "client.py:20",
        )
    ]  # fmt: skip
    made = capture(
        main,
        reader,
        server,
        resources=[near, far, done],
        waits=[
            waits(main, done),
            waits(reader, near, operation="receive"),
            waits(server, far, operation="receive"),
        ],
        holds=[holds(near, server), holds(far, reader)],
    )
    made = replace(made, could_wake=tuple(wakers) if waker else ())
    return stood(made)


def test_a_call_is_told_by_its_own_line() -> None:
    found = first(with_reader(waker=True))
    assert (found.id, found.severity) == ("unanswered-call", Severity.ERROR)
    assert found.title == (
        "MainThread of process 100 waits at client.py:30 (Client.call) for Call.done, which only "
        "reader would bring: that and MainThread of process 200 at server.py:8 (serve) wait for "
        "each other's next message"
    )
    assert "comes to slot.done.set() (client.py:20)" in found.sentence
    assert not [one for one in findings.run(with_reader(waker=True)) if one.id == "deadlock"]


def test_a_call_is_a_note_while_another_thread_may_ask_for_more() -> None:
    made = with_reader(waker=True)
    ticks = replace(
        thread("ticker", 102, CLIENT, python=[CALL]), syscall=Syscall("clock_nanosleep", timed=True)
    )
    client, server = made.processes
    made = replace(made, processes=(replace(client, threads=(*client.threads, ticks)), server))
    found = next(one for one in findings.run(made) if one.id == "unanswered-call")
    assert found.severity is Severity.NOTE


def test_who_takes_the_next_item_is_no_call() -> None:
    found = findings.run(with_reader(waker=True, takes_next=True))
    assert "unanswered-call" not in [one.id for one in found]


def test_a_client_and_a_server_that_rest_are_no_deadlock() -> None:
    found = findings.run(with_reader(waker=False))
    assert not [one.title for one in found if one.severity is Severity.ERROR]


def test_a_reader_that_waits_for_an_answer_itself_is_in_a_deadlock() -> None:
    found = first(with_reader(waker=False, ours=False))
    assert (found.id, found.severity) == ("deadlock", Severity.ERROR)


def test_a_killed_child_that_may_have_been_asked_is_told() -> None:
    made = with_reader(waker=True)
    killed = Child(203, "python", "Z", exit_status=-9, called="page-1")
    here, *others = made.processes
    around = Surroundings(children=(killed,))
    found = first(replace(made, processes=(replace(here, around=around), *others)))
    assert found.title.endswith("and process 203 (page-1), its child, was ended by SIGKILL")
    assert "It may have been asked instead." in found.sentence
