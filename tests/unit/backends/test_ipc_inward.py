"""Who could wake a thread through what it has open: all of them are known, or it is left out."""

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from hangtui.backends.facts import Facts
from hangtui.backends.ipc.channel_calls import Access, Demand
from hangtui.backends.ipc.descriptors import Descriptors
from hangtui.backends.ipc.inward import Inwards
from hangtui.backends.ipc.peer import Peer, Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.sockets import Sockets
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.model import Inward, Process, Thread
from tests.unit.backends.fakes import LiteralMemory

PID = os.getpid()
THREAD = Thread(PID, PID, "MainThread", "S", still=True)


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


class Looked:
    """What is known of this very process, as if it slept at some of its descriptors."""

    def __init__(self, *fds: int, call: str = "poll") -> None:
        where = BlockedThread(call, (fds[0], 0, 0, 0, 0, 0), 0, 0)
        process = Process(PID, 1, ("worker",), "S", threads=(THREAD,))
        peer = Peer(
            process, LiteralMemory((0x1000, b"")), {PID: where}, frozenset(), lambda _: None
        )
        self.facts = Facts()
        scene = Scene({PID: peer}, self.facts)
        sleeper = Sleeper(peer, PID, where)
        self.inwards = Inwards(scene, Sockets(scene))
        if call == "accept4":
            self.inwards.add_accepting(sleeper)
        else:
            demands = [Demand(fd, Access.READ, call, polled=True) for fd in fds]
            self.inwards.add(sleeper, demands)
        self.processes = {PID: process}
        scene.descriptors.close()

    @property
    def found(self) -> list[Inward]:
        return self.facts.inward


def a_pipe(opened: ExitStack) -> tuple[int, int]:
    reading, writing = os.pipe()
    opened.callback(os.close, reading)
    return reading, writing


def test_its_own_pipes_pairs_and_eventfds_wake_it_alone(opened: ExitStack) -> None:
    reading, writing = a_pipe(opened)
    opened.callback(os.close, writing)
    one, other = (opened.enter_context(end) for end in socket.socketpair())
    event = os.eventfd(0)
    opened.callback(os.close, event)

    (found,) = Looked(reading, one.fileno(), event).found
    assert found == Inward(THREAD.id, (PID,))
    assert other.fileno() != one.fileno()


def test_a_connection_to_itself_is_its_own(opened: ExitStack) -> None:
    server = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
    client = opened.enter_context(socket.create_connection(server.getsockname()))
    accepted = opened.enter_context(server.accept()[0])

    (found,) = Looked(client.fileno(), accepted.fileno()).found
    assert found.ends == (PID,)


@pytest.mark.parametrize("call", ["poll", "accept4"])
def test_who_may_connect_is_told(opened: ExitStack, call: str) -> None:
    server = opened.enter_context(socket.create_server(("127.0.0.1", 0)))

    (found,) = Looked(server.fileno(), call=call).found
    assert found == Inward(THREAD.id, (), (f"TCP port 127.0.0.1:{server.getsockname()[1]}",))


def test_what_nobody_has_the_other_end_of_is_not_known(opened: ExitStack) -> None:
    reading, writing = a_pipe(opened)
    os.close(writing)

    assert not Looked(reading).found


def test_a_file_is_nobodys(opened: ExitStack) -> None:
    reading, writing = a_pipe(opened)
    opened.callback(os.close, writing)
    file = os.open("/dev/null", os.O_RDONLY)
    opened.callback(os.close, file)

    assert not Looked(reading, file).found


def test_whoever_has_got_an_end_since_is_somebody_new(opened: ExitStack) -> None:
    reading, writing = a_pipe(opened)
    opened.callback(os.close, writing)
    looked = Looked(reading)
    looked.inwards.confirm(looked.facts, looked.processes, Descriptors())
    assert looked.found

    child = os.fork()
    if not child:
        os.read(reading, 1)
        os._exit(0)
    try:
        looked.inwards.confirm(looked.facts, looked.processes, Descriptors())
    finally:
        os.write(writing, b"x")
        os.waitpid(child, 0)
    assert not looked.found
