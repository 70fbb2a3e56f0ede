"""The answer of multiprocessing's fork server: its pipe lies in a socket until that takes it."""

from types import SimpleNamespace
from typing import Any

import pytest

from hangtui.backends.ipc import in_flight_ends

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
