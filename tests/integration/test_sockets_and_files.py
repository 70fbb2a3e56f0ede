"""Processes that wait for each other at sockets and for file locks."""

import contextlib
import os
import re
import socket
from pathlib import Path

import pytest

from hangtui.backends.ipc.descriptors import Descriptors
from hangtui.backends.process.processes import children
from hangtui.model import Certainty, Severity, thread_id
from tests.integration.capturing import Diagnosis
from tests.integration.families import (
    LOCK,
    PROCESS,
    SOCKET,
    THREAD,
    diagnose,
    family,
    label,
    main_wait,
    pids,
    ring,
    settle,
    words,
)
from tests.integration.targets import FOLDER
from tests.waiting import until

# -- message queues --------------------------------------------------------------------------------


def test_who_sends_to_a_full_message_queue_is_told_by_its_name(some_python: Path) -> None:
    with family("between", some_python, "full_message_queue") as target:
        found = diagnose(target.pid)
    (wait,) = found.graph.waits_of(thread_id(target.pid, target.pid))
    name = f"POSIX message queue /hangtui-test-{target.pid}"
    assert label(found, wait.target).startswith(name)
    assert found.graph.holders_of(wait.target) == ()
    note = next(one.note for one in found.capture.resources if one.id == wait.target)
    assert note == "no other process that hangtui may look into has it open for receiving"


def test_who_else_has_a_message_queue_open_could_take_from_it(some_python: Path) -> None:
    with family("between", some_python, "message_queue_with_a_reader") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    (wait,) = found.graph.waits_of(thread_id(target.pid, target.pid))
    (hold,) = found.graph.holders_of(wait.target)
    assert (hold.target, hold.evidence.certainty) == (
        thread_id(child, child),
        Certainty.INFERRED,
    )


# -- changes of files ------------------------------------------------------------------------------


def test_who_waits_for_inotify_is_told_with_what_it_watches(some_python: Path) -> None:
    folder = (FOLDER / "native").stat()
    with family("between", some_python, "watches_files") as target:
        found = diagnose(target.pid)
    (wait,) = found.graph.waits_of(thread_id(target.pid, target.pid))
    assert label(found, wait.target) == "inotify watch of 1 file"
    note = next(one.note for one in found.capture.resources if one.id == wait.target)
    assert note is not None
    whose = f"by this or another process: inode {folder.st_ino} of"
    assert note.startswith(f"only a change of what inotify watches can, {whose}")
    assert note.endswith("names it): created; nothing tells it what had changed before")


# -- sockets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["tcp", "tcp6", "unix_pair", "unix_named"])
def test_both_ends_of_a_connection_wait_for_data(scenario: str, some_python: Path) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    assert ring(found) == [THREAD, SOCKET, THREAD, SOCKET]
    assert pids(found) == {target.pid, child}
    assert found.certainties() == {Certainty.CERTAIN}
    name = label(found, main_wait(found, target.pid).target)
    wanted = {
        "tcp": r"TCP connection to 127\.0\.0\.1:\d+ \(from 127\.0\.0\.1:\d+\)",
        "tcp6": r"TCP connection to \[::1\]:\d+ \(from \[::1\]:\d+\)",
        "unix_pair": rf"Unix socket to process {child} \(inode \d+\)",
        "unix_named": r"Unix socket @hangtui-test-\d+ \(inode \d+\)",
    }
    assert re.fullmatch(wanted[scenario], name)


def test_how_many_are_connected_to_where_a_thread_listens_among_other_things(
    some_python: Path,
) -> None:
    with family("hangs", some_python, "listens_and_is_woken") as target:
        (before,) = diagnose(target.pid).capture.listening
        host, _, port = before.name.removeprefix("TCP port ").partition(":")
        with socket.create_connection((host, int(port))):
            settle(target.pid)
            (after,) = diagnose(target.pid).capture.listening
    assert before.thread == thread_id(target.pid, target.pid)
    assert (before.clients, after.clients) == (0, 1)


@pytest.mark.parametrize("scenario", ["limited_receive", "limited_by_python"])
def test_a_socket_with_a_limit_gives_up(scenario: str, some_python: Path) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
    (wait,) = found.graph.waits_of(f"thread:{target.pid}:{target.pid}")
    assert wait.expires
    assert wait.evidence.certainty is Certainty.CERTAIN
    assert found.graph.cycles == ()
    assert [f for f in found.findings if f.severity is Severity.ERROR] == []


def test_without_sight_of_a_limit_it_is_no_more_than_possible(
    new_python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Descriptors, "has_timeout", lambda *_: None)
    with family("between", new_python, "limited_receive") as target:
        found = diagnose(target.pid)
    assert found.certainties() == {Certainty.CERTAIN, Certainty.INFERRED}
    assert found.finding("deadlock").severity is Severity.WARNING
    assert "whether it has a timeout (SO_RCVTIMEO) cannot be seen" in words(found)


@pytest.mark.parametrize("scenario", ["own_connection", "unix_own_connection"])
def test_a_connection_that_its_client_would_have_to_accept(
    scenario: str, some_python: Path
) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
    assert found.finding("self-deadlock").severity is Severity.ERROR
    assert "has not accepted the connection" in words(found, "self-deadlock")


def test_a_server_that_forks_is_to_accept_what_its_children_have_inherited(
    new_python: Path,
) -> None:
    with family("between", new_python, "full_clinic") as target:
        until(lambda: len(children(target.pid)) == 2)
        found = diagnose(target.pid)
    assert found.finding("deadlock").severity is Severity.ERROR
    assert "it lies in the queue of the listening socket that MainThread of" in words(found)
    assert "(full_clinic) for process" in words(found)


def test_the_process_at_the_other_end_is_named(new_python: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with family("between", new_python, "stranger", str(port)) as target:
            waiting = diagnose(target.pid)
            accepted, _ = listener.accept()
            with accepted:
                found = diagnose(target.pid)
    assert "Nobody has accepted the connection yet" in words(waiting, "waiting-for-peer")
    for one, said in ((waiting, "has not accepted the connection"), (found, "has the other end")):
        (hold,) = one.graph.holders_of(main_wait(one, target.pid).target)
        assert hold.target == f"process:{os.getpid()}"
        assert label(one, hold.target).startswith(f"process {os.getpid()} (")
        assert said in hold.evidence.text
        assert one.graph.cycles == ()


def test_who_has_too_many_who_knock_is_named(new_python: Path) -> None:
    with contextlib.ExitStack() as kept:
        listener = kept.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        port = listener.getsockname()[1]
        kept.enter_context(socket.create_connection(("127.0.0.1", port)))
        target = kept.enter_context(family("between", new_python, "knocks", str(port)))
        found = diagnose(target.pid)
    wait = main_wait(found, target.pid)
    (hold,) = found.graph.holders_of(wait.target)
    assert label(found, wait.target) == f"TCP port 127.0.0.1:{port}"
    assert hold.target == f"process:{os.getpid()}"
    assert hold.evidence.text.endswith("and has not accepted the connection")


def test_a_server_waits_for_anybody(some_python: Path) -> None:
    with family("between", some_python, "accept") as target:
        found = diagnose(target.pid)
    wait = main_wait(found, target.pid)
    assert re.fullmatch(r"TCP port 127\.0\.0\.1:\d+", label(found, wait.target))
    assert found.graph.holders_of(wait.target) == ()


# -- file locks ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["flock", "open_file_locks"])
def test_two_file_locks_in_opposite_order(scenario: str, some_python: Path) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
    assert ring(found) == [THREAD, LOCK, THREAD, LOCK]
    assert len(pids(found)) == 2
    assert found.certainties() == {Certainty.CERTAIN}
    assert found.finding("deadlock").severity is Severity.ERROR
    assert "Take the locks in one order everywhere" in words(found)


def test_a_file_that_the_waiting_thread_itself_has_locked(some_python: Path) -> None:
    with family("between", some_python, "own_flock") as target:
        found = diagnose(target.pid)

    finding = found.finding("self-deadlock")
    assert (finding.severity, finding.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert any("has the exclusive flock on it" in line for line in finding.evidence)


def test_a_thread_that_sleeps_may_give_its_file_back(some_python: Path) -> None:
    with family("between", some_python, "own_flock_that_a_thread_gives_back") as target:
        found = diagnose(target.pid)

    assert {one.severity for one in found.findings} == {Severity.NOTE}


def test_a_record_lock(some_python: Path) -> None:
    with family("between", some_python, "record_lock") as target:
        found = diagnose(target.pid)
    assert ring(found) == [THREAD, PROCESS, THREAD, LOCK]
    assert found.finding("deadlock").severity is Severity.ERROR


def test_a_lease_is_given_back_in_time(new_python: Path) -> None:
    # The kernel lets the one who waits look again and again, so that it never settles.
    with family("between", new_python, "lease", settled=False) as target:
        (child,) = children(target.pid)
        until(lambda: Path(f"/proc/{child}/wchan").read_text().startswith("__break_lease"))

        def caught_waiting() -> Diagnosis | None:
            found = diagnose(target.pid)
            return found if found.graph.wait_of(f"thread:{child}:{child}") else None

        found = until(caught_waiting)
    wait = main_wait(found, child)
    assert re.fullmatch(r"lease on /.*/tmp\w+", label(found, wait.target))
    assert wait.expires
    (hold,) = found.graph.holders_of(wait.target)
    assert hold.target == f"thread:{target.pid}:{target.pid}"
    assert found.graph.cycles == ()
    assert [f for f in found.findings if f.severity is not Severity.NOTE] == []


def test_a_record_lock_on_other_bytes_is_in_nobodys_way(some_python: Path) -> None:
    with family("between", some_python, "record_lock_elsewhere") as target:
        found = diagnose(target.pid)
        third, waiter = children(target.pid)
    (hold,) = found.graph.holders_of(main_wait(found, waiter).target)
    assert hold.target == f"thread:{third}:{third}"
    assert found.graph.cycles == ()


LISTENING = ["accept", "accept6", "accept_unix", "accept_by_select", "accept6_by_epoll"]


@pytest.mark.parametrize("scenario", [*LISTENING, "accept_unix_by_poll"])
def test_a_socket_that_listens_has_no_peer(scenario: str, some_python: Path) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
    wait = main_wait(found, target.pid)
    name = label(found, wait.target)
    assert name.startswith("Unix socket @" if "unix" in scenario else "TCP port")
    assert found.graph.holders_of(wait.target) == ()
    assert "it waits until somebody connects" in wait.evidence.text
    assert [f.id for f in found.findings] == ["idle"]


@pytest.mark.parametrize("scenario", ["udp", "udp6", "unix_datagrams"])
def test_who_waits_for_a_message_from_anybody_has_no_peer(scenario: str, some_python: Path) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
    name = label(found, main_wait(found, target.pid).target)
    assert re.fullmatch(r"UDP socket \(inode \d+\)|Unix socket @hangtui-test-\d+ .*", name)
    (finding,) = found.findings
    assert (finding.id, finding.severity) == ("idle", Severity.NOTE)
    assert re.search(
        r"is waiting at between.py:\d+ \(datagrams\) for somebody to send to", finding.sentence
    )


def test_who_takes_datagrams_has_what_a_sender_waits_for(some_python: Path) -> None:
    with family("between", some_python, "full_of_datagrams") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    assert ring(found) == [THREAD, SOCKET, THREAD, SOCKET]
    assert pids(found) == {target.pid, child}


@pytest.mark.parametrize(
    ("scenario", "called"),
    [
        ("idle_asyncio", "event loop's own wake-up socket"),
        ("idle_event_loop", "wake-up socket within process {pid}"),
    ],
)
def test_what_wakes_a_loop_up_is_told_as_such(
    scenario: str, called: str, some_python: Path
) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
    wait = main_wait(found, target.pid)
    name = label(found, wait.target)
    assert re.fullmatch(rf"{called.format(pid=target.pid)} \(inode \d+\)", name)
    assert found.graph.holders_of(wait.target) == ()
    assert [f for f in found.findings if f.severity is not Severity.NOTE] == []


def test_a_thread_that_waits_for_itself_at_its_own_pair(some_python: Path) -> None:
    with family("between", some_python, "own_pair") as target:
        found = diagnose(target.pid)
    assert ring(found) == [THREAD, SOCKET]
    finding = found.finding("self-deadlock")
    assert finding.severity is Severity.ERROR
    assert f"the socket pair within process {target.pid}" in finding.title


def test_a_thread_that_is_served_at_its_own_pair(some_python: Path) -> None:
    with family("between", some_python, "own_pair_that_a_thread_serves") as target:
        found = diagnose(target.pid)
    assert found.graph.cycles == ()
    assert [f for f in found.findings if f.severity is Severity.ERROR] == []


def test_a_thread_that_is_served_at_its_own_terminal(some_python: Path) -> None:
    with family("between", some_python, "own_terminal_that_a_thread_types_into") as target:
        found = diagnose(target.pid)
    wait = main_wait(found, target.pid)
    assert label(found, wait.target).startswith("output of terminal /dev/pts/")
    assert found.graph.holders_of(wait.target) == ()
    assert [f for f in found.findings if f.severity is not Severity.NOTE] == []


def test_two_threads_that_talk_over_a_pair(some_python: Path) -> None:
    with family("between", some_python, "talk_over_own_pair") as target:
        found = diagnose(target.pid)
    assert ring(found) == [THREAD, SOCKET, THREAD, SOCKET]
    finding = found.finding("deadlock")
    assert finding.severity is Severity.ERROR
    assert f"the socket pair within process {target.pid}" in finding.title


def test_what_was_decrypted_before_a_select(some_python: Path) -> None:
    with family("between", some_python, "select_before_tls") as target:
        found = diagnose(target.pid)
    finding = found.finding("deadlock")
    assert "a socket of TLS (ssl.SSLSocket)" in finding.sentence
    assert any("ask its pending()" in line for line in finding.advice)


def test_the_peers_that_a_thread_watches_along_with_what_wakes_it(some_python: Path) -> None:
    with family("between", some_python, "watches_a_peer") as target:
        capture = diagnose(target.pid).capture
    main = thread_id(target.pid, target.pid)
    seen = [one for one in capture.watched if one.thread == main]
    (watched,) = (one for one in seen if one.peers != (target.pid,))
    assert len(seen) == 2  # and what it wakes itself by
    assert watched.name.startswith("TCP connection to 127.0.0.1:")
    assert watched.traffic is not None
    assert watched.traffic.sent_last is True
    assert watched.traffic.received_s is None
    assert len(watched.peers) == 1
    assert [wait for wait in capture.waits if wait.waiter == main] == []
