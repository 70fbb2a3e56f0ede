"""Who has called what kills greenlets, and waits for their end there."""

from types import SimpleNamespace
from typing import Any

import pytest

from hangtui.backends.cpython.greenlets.kills import killed
from hangtui.model import NodeKind, TaskState


def frame(name: str, *, own: bool) -> Any:
    code = SimpleNamespace(bare_name=name)
    return SimpleNamespace(code=code, installed=not own, in_library=False, own=own)


def unit(*frames: Any, state: TaskState = TaskState.WAITING) -> Any:
    awaited = (
        SimpleNamespace(kind=NodeKind.GREENLET, address=0x70),
        SimpleNamespace(kind=NodeKind.EVENT, address=0x80),
    )
    return SimpleNamespace(frames=frames, waits=awaited, state=state)


class _Calls:
    def __init__(self, call: str) -> None:
        self._call = call

    def called_at(self, _frame: Any) -> str:
        return self._call


@pytest.mark.parametrize(
    ("one", "call", "found"),
    [
        (unit(frame("take_in", own=True)), "gevent.killall", {0x70: "gevent.killall"}),
        (unit(frame("take_in", own=True)), "gevent.joinall", {}),
        (unit(frame("take_in", own=True)), "", {}),
        (unit(frame("killall", own=False), frame("main", own=True)), "", {0x70: "killall"}),
        (unit(frame("take_in", own=True), state=TaskState.READY), "group.kill", {}),
        (unit(), "gevent.killall", {}),
    ],
)
def test_who_kills_waits_for_the_end_of_those(
    monkeypatch: pytest.MonkeyPatch, one: Any, call: str, found: dict[int, str]
) -> None:
    kills = "hangtui.backends.cpython.greenlets.kills.of_application"
    monkeypatch.setattr(kills, lambda frame: frame.own)
    calls: Any = _Calls(call)

    assert killed([one], calls) == found
