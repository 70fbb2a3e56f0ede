"""Chains of coroutines: such as Cython has compiled, and such as went on while they were read."""

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


def test_of_coroutines_that_lead_back_to_one_of_them_no_frame_is_told() -> None:
    frames_of = {4096: "outer", 8192: "inner"}
    awaits = {"outer": 8192, "inner": 4096}
    memory = SimpleNamespace(spent=SimpleNamespace(objects=int))
    layout = SimpleNamespace(header=16, offsets={}, since=lambda *_: False)
    objects: Any = SimpleNamespace(memory=memory, layout=layout, kind=lambda _: "coroutine")
    frames: Any = SimpleNamespace(suspended=frames_of.__getitem__)
    coroutines: Any = Coroutines(objects, frames)
    coroutines._executes = lambda _: False
    coroutines._top = awaits.__getitem__

    assert coroutines.chain(4096).frames == ()
    awaits["inner"] = 0
    objects.kind = lambda address: "coroutine" if address else None
    assert coroutines.chain(4096).frames == ("inner", "outer")
