"""Whether somebody has given something to others in the round of a loop in which it waits."""

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from hangtui.backends.cpython import message_loops
from hangtui.backends.cpython.message_loops import MessageLoops, _Stands


def stands(*, loops: bool = False, sends: bool = False, again: bool = False) -> _Stands:
    return _Stands(loops, sends or again, again, calls=False, reads=True, given=False)


class _Known(MessageLoops):
    """Of each frame it is known how it stands."""

    def __init__(self, calls: str = "") -> None:
        """Nothing is read. *calls*: what the frames have called."""
        self._calls = calls

    def called_at(self, _frame: Any) -> str:
        return self._calls

    def _stands(self, frame: Any) -> _Stands:
        known: _Stands = frame
        return known


@pytest.mark.parametrize(
    ("own", "asks"),
    [
        ((stands(sends=True), stands(loops=True)), True),
        ((stands(), stands(loops=True, again=True)), True),
        ((stands(loops=True, again=True),), True),
        ((stands(loops=True, sends=True),), False),
        ((stands(loops=True), stands(sends=True)), False),
        ((stands(sends=True), stands()), False),
        ((), False),
    ],
)
def test_what_it_has_sent_before_counts_within_the_round(
    own: tuple[Any, ...], *, asks: bool
) -> None:
    assert _Known()._asks(own) is asks


@pytest.mark.parametrize(
    ("calls", "sends", "asks"),
    [("self.link.recvfrom", True, True), ("link.receive", False, False), ("jobs.get", True, False)],
)
def test_who_has_sent_and_receives_in_no_loop_may_wait_for_the_answer(
    calls: str, *, sends: bool, asks: bool
) -> None:
    own: tuple[Any, ...] = (stands(sends=sends), stands())
    assert _Known(calls)._asks(own) is asks


@pytest.mark.parametrize(
    ("own", "answers"),
    [
        ((stands(loops=True, sends=True)._replace(answers=True),), True),
        ((stands(), stands(loops=True)._replace(answers=True)), True),
        ((stands(loops=True, sends=True),), False),
        ((stands(loops=True), stands(loops=True)._replace(answers=True)), False),
        ((), False),
    ],
)
def test_what_it_sends_after_what_it_took_counts_in_the_innermost_loop(
    own: tuple[Any, ...], *, answers: bool
) -> None:
    assert _Known()._answers(own) is answers


class _Rounds(MessageLoops):
    """Of each frame it is known whether it stands in a loop, and does something else there."""

    def __init__(self) -> None:
        self.__dict__.update(
            _loops=SimpleNamespace(loop=lambda frame: frame.loop),
            _bytecode=SimpleNamespace(is_known=lambda code: code != "unknown"),
            _spent=SimpleNamespace(clock=nullcontext),
        )

    def _does_more(self, frame: Any, _loop: Any) -> bool:
        return bool(frame.more)


def frame(*, loops: bool = False, more: bool = False, code: str = "") -> Any:
    named = SimpleNamespace(filename="/srv/app/main.py", bare_name="main", key=code)
    known = code or named
    return SimpleNamespace(code=known, loop=SimpleNamespace(inside=loops), more=more)


@pytest.mark.parametrize(
    ("own", "part"),
    [
        ((frame(more=True), frame(loops=True)), True),
        ((frame(), frame(loops=True, more=True)), True),
        ((frame(), frame(loops=True), frame(more=True)), False),
        ((frame(more=True), frame()), False),
        ((frame(loops=True),), False),
        ((), False),
    ],
)
def test_a_wait_in_a_round_of_several_steps_is_a_part_of_it(
    monkeypatch: pytest.MonkeyPatch, own: tuple[Any, ...], *, part: bool
) -> None:
    for name in ("of_application", "before_application"):
        made = (lambda _: ()) if name == "before_application" else (lambda _: True)
        monkeypatch.setattr(message_loops, name, made)

    assert _Rounds().is_part(own) is part


def test_code_that_cannot_be_read_is_no_part_of_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(message_loops, "of_application", lambda _: True)
    monkeypatch.setattr(message_loops, "before_application", lambda _: ())

    assert not _Rounds().is_part((frame(more=True, loops=True, code="unknown"),))


@pytest.mark.parametrize(
    ("known", "called", "reads"),
    [
        (stands()._replace(reads=False, clear=False), "poll", True),
        (stands()._replace(reads=False, clear=False), "commit", False),
        (stands()._replace(reads=False), "poll", False),
        (stands()._replace(clear=False), "commit", True),
    ],
)
def test_where_the_code_does_not_tell_what_it_has_called_the_library_does(
    known: Any, called: str, *, reads: bool
) -> None:
    inside: Any = (SimpleNamespace(code=SimpleNamespace(bare_name=called)),)
    assert _Known()._reads_there(known, inside) is reads
    assert _Known()._reads_there(known, ()) is known.reads
