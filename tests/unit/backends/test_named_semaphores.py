"""Named semaphores that threads are inside of a ``with`` on, as extensions lay them out."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hangtui.backends.cpython import named_semaphores
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.named_semaphores import Entered, NamedSemaphores, UsedAsLock
from hangtui.backends.memory.damage import MemoryReadError

OBJECT, OTHER, WORD = 0x1000, 0x2000, 0x7F00
KINDS = {OBJECT: "posix_ipc.Semaphore", OTHER: "_thread.lock"}


class Memory:
    """What an object of posix_ipc has behind its head: a name, a mode, the address of a sem_t."""

    def __init__(self, left: int | None) -> None:
        self.left = left

    def u64(self, address: int) -> int:
        return {OBJECT + 16: 1, OBJECT + 24: 0o600, OBJECT + 32: WORD}[address]

    def u32(self, address: int) -> int:
        if address != WORD or self.left is None:
            raise MemoryReadError("nothing is there")
        return self.left


def entered(left: int | None, *managers: int, line: int | None = 6) -> list[Entered]:
    objects = SimpleNamespace(
        kind=KINDS.get, memory=Memory(left), layout=SimpleNamespace(header=16)
    )
    blocks = SimpleNamespace(
        of=lambda _: tuple(SimpleNamespace(manager=one, line=line) for one in managers)
    )
    frame = cast(Frame, SimpleNamespace(place="bank.py:9", line=9))
    reader = NamedSemaphores(cast(Any, objects), cast(Any, None), cast(Any, blocks))
    return reader.entered({7: (frame,)})


@pytest.mark.parametrize(("left", "free"), [(0, False), (2, True)])
def test_a_with_on_one_is_told(left: int, free: bool) -> None:
    assert entered(left, OTHER, OBJECT) == [Entered(7, WORD, free, "bank.py:6")]


def test_the_line_of_the_frame_where_the_block_has_none() -> None:
    assert entered(0, OBJECT, line=None)[0].where == "bank.py:9"


def test_what_cannot_be_read_is_left_out() -> None:
    assert entered(None, OBJECT) == []


def locks(names: tuple[str, ...], *, slots: dict[str, int], members: int = 0) -> list[UsedAsLock]:
    objects = SimpleNamespace(
        kind=KINDS.get,
        memory=Memory(0),
        layout=SimpleNamespace(header=16),
        named=lambda _: {"printer": members},
        attributes=lambda _: {},
    )
    frames = SimpleNamespace(variables=lambda _: slots)
    frame = cast(Frame, SimpleNamespace(code=SimpleNamespace(names=names), namespace=1))
    reader = NamedSemaphores(cast(Any, objects), cast(Any, frames), cast(Any, None))
    return reader.locks({7: (frame,)})


def test_what_a_function_takes_and_gives_back_is_a_lock() -> None:
    both = ("printer", "acquire", "release")
    assert locks(both, slots={"one": OBJECT, "other": OTHER}) == [UsedAsLock(WORD, free=False)]
    assert locks(both, slots={}, members=OBJECT) == [UsedAsLock(WORD, free=False)]


def test_what_it_only_takes_may_be_a_signal() -> None:
    assert locks(("acquire",), slots={"one": OBJECT}) == []
    assert locks(("acquire", "release"), slots={"other": OTHER}) == []


def test_what_is_known_of_each_extension_is_its_type_and_a_word() -> None:
    path = Path(named_semaphores.__file__).with_suffix(".json")
    for one in json.loads(path.read_text()).values():
        assert one.keys() == {"type", "word"}
        assert "." in one["type"]
        assert 0 <= one["word"] < 16
