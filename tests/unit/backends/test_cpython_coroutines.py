"""Coroutines that Cython has compiled, whose objects have no frame."""

from types import SimpleNamespace
from typing import Any

from hangtui.backends.cpython.aio.coroutines import Coroutines


def test_a_compiled_coroutine_has_no_frames_and_nothing_behind_it() -> None:
    memory = SimpleNamespace(spent=SimpleNamespace(objects=int))
    layout = SimpleNamespace(header=16, offsets={}, since=lambda *_: False)
    objects: Any = SimpleNamespace(
        memory=memory,
        layout=layout,
        kind=lambda address: "_cython_3_1_2.coroutine" if address else None,
        basic_size=lambda _: 16,
    )
    frames: Any = SimpleNamespace()
    chain = Coroutines(objects, frames).chain(4096)

    assert chain.compiled
    assert (chain.frames, chain.awaited, chain.running, chain.behind) == ((), 0, 0, 0)
