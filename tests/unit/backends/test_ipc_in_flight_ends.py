"""Ends of pipes that lie in a socket until somebody takes them, as the answer of multiprocessing's
fork server does."""

from types import SimpleNamespace
from typing import Any

import pytest

from hangtui.backends.ipc import in_flight_ends
from hangtui.backends.ipc.descriptors import DescriptorInfo
from hangtui.model import Certainty, NodeId

_MAIN = "from multiprocessing.forkserver import main; main(6, 8, ['rates'])"


def _sleeper(*, asks: bool) -> Any:
    peer = SimpleNamespace(asks_fork_server=lambda _: asks)
    return SimpleNamespace(peer=peer, pid=7, tid=7)


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> dict[int, list[str]]:
    known = {8: ["python", "worker.py"], 9: ["python", "-c", _MAIN]}
    monkeypatch.setattr("hangtui.backends.ipc.relatives.children", lambda _: list(known))
    monkeypatch.setattr(in_flight_ends, "raw_cmdline", lambda root: known[int(root.name)])
    return known


@pytest.mark.usefixtures("children")
def test_the_fork_server_is_the_child_that_was_started_as_one() -> None:
    assert in_flight_ends.fork_server(_sleeper(asks=True)) == 9


@pytest.mark.usefixtures("children")
def test_who_does_not_ask_it_waits_for_something_else() -> None:
    assert in_flight_ends.fork_server(_sleeper(asks=False)) is None


def test_of_two_fork_servers_neither_is_told(children: dict[int, list[str]]) -> None:
    children[10] = children[9]
    assert in_flight_ends.fork_server(_sleeper(asks=True)) is None


class _Descriptors:
    """Who has which sockets open, and how many descriptors lie in each."""

    def __init__(self, lying: dict[tuple[int, int], str]) -> None:
        self._lying = lying

    def open_in(self, pid: int) -> list[tuple[int, str]]:
        return [(fd, f"socket:[{fd}]") for one, fd in self._lying if one == pid] + [(1, "/dev/x")]

    def info(self, pid: int, fd: int) -> DescriptorInfo:
        return DescriptorInfo((("scm_fds", self._lying[pid, fd]),))


@pytest.mark.usefixtures("children")
def test_what_was_sent_and_not_taken_lies_in_the_socket_of_a_process_near_by() -> None:
    sleeper = _sleeper(asks=False)
    sleeper.peer.process = SimpleNamespace(ppid=3)
    lying = {(7, 4): "0", (8, 5): "1", (9, 6): "no number", (3, 8): "2", (20, 3): "1"}
    scene: Any = SimpleNamespace(descriptors=_Descriptors(lying))

    assert in_flight_ends.untaken(scene, sleeper) == {8: (5,), 3: (8,)}


def test_who_is_to_take_it_may_be_sent_the_end_that_nobody_has() -> None:
    held = []
    scene: Any = SimpleNamespace(hold_by_process=lambda *given: held.append(given))
    sleeper, node = _sleeper(asks=False), NodeId("pipe:7:0x1")
    in_flight_ends.hold_untaken(scene, sleeper, node, {7: (4,), 8: (5,)}, "writing")

    text = "may be sent its writing end: what it has not taken lies in its socket, fd 5"
    assert held == [(node, 8, sleeper, text, Certainty.INFERRED)]
