"""Greenlets as the library itself sees them: state, thread, parent, frames."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.greenlets.frames import SwitchedOut
from hangtui.backends.cpython.greenlets.layout import MAIN_STOP, GreenletLayout
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.dataclass import dataclass

_MAX_PARENTS = 100


class State(StrEnum):
    """Where a greenlet is in its life."""

    NEW = "new"
    """It was not switched to yet."""
    SUSPENDED = "suspended"
    CURRENT = "current"
    """It is the one whose frames are on its thread's stack."""
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class RawGreenlet:
    """One greenlet."""

    address: int
    state: State
    parent: int
    root: int
    """The main greenlet of its thread; 0: not known."""
    place: int
    """An address on the C stack of its thread; 0: not known."""
    top: int
    """Of a suspended one: its innermost frame object; 0: only C code runs in it."""
    dictionary: int
    """Its ``__dict__``; 0: it has none yet."""
    run: int
    """What it is to run, until it is started; 0: not known."""

    @property
    def main(self) -> bool:
        """Whether it is what a thread begins with."""
        return self.root == self.address


class GreenletObjects:
    """Reads greenlets of one interpreter."""

    def __init__(self, objects: Objects, frames: SwitchedOut, layout: GreenletLayout) -> None:
        self._memory = objects.memory
        self._frames = frames
        self._layout = layout

    def all(self, addresses: Iterable[int]) -> dict[int, RawGreenlet]:
        """Those at *addresses* that can be read."""
        found = {}
        for address in addresses:
            try:
                with foreign_data():
                    found[address] = self._read(address)
            except DamagedDataError:
                continue
        return found

    def _read(self, address: int) -> RawGreenlet:
        u64 = self._memory.u64
        self._memory.spent.objects(1)
        fields = self._layout.fields(address)
        start, stop = u64(fields.stack_start), u64(fields.stack_stop)
        main = stop == MAIN_STOP
        root = address if main else self._root(address)
        state = self._state(address, root, start, stop)
        return RawGreenlet(
            address,
            state,
            parent=0 if main else u64(fields.parent),
            root=root,
            place=start if main else stop,
            top=u64(fields.top_frame) if state is State.SUSPENDED else 0,
            dictionary=u64(fields.dictionary),
            run=u64(fields.run) if state is State.NEW else 0,
        )

    def _root(self, address: int) -> int:
        """The main greenlet of a greenlet's thread: what it names, or where its parents end."""
        fields = self._layout.fields(address)
        if fields.main:
            return self._memory.u64(fields.main)
        for _ in range(_MAX_PARENTS):
            fields = self._layout.fields(address)
            if self._memory.u64(fields.stack_stop) == MAIN_STOP:
                return address
            address = self._memory.u64(fields.parent)
            if not address:
                break
        return 0

    def _state(self, address: int, root: int, start: int, stop: int) -> State:
        u64 = self._memory.u64
        if not stop:
            return State.NEW
        if not start:
            return State.ENDED
        if self._layout.in_c:
            fields = self._layout.fields(address)
            away = u64(fields.top_frame) or u64(fields.saved)
            return State.SUSPENDED if away else State.CURRENT
        thread = u64(self._layout.fields(root).thread_state) if root else 0
        if not thread:
            return State.ENDED  # its thread has ended
        return State.CURRENT if u64(thread + 8) == address else State.SUSPENDED

    def frames(self, greenlet: RawGreenlet) -> tuple[Frame, ...]:
        """The frames of a suspended greenlet, innermost first, as far as they can be read."""
        found: list[Frame] = []
        try:
            with foreign_data():
                found.extend(self._frames.of(greenlet.top))
        except DamagedDataError:
            pass
        return tuple(found)


def threads_of(greenlets: Mapping[int, RawGreenlet], stacks: Mapping[range, int]) -> dict[int, int]:
    """TIDs by the main greenlets of threads; *stacks*: TIDs by the addresses of C stacks."""
    found: dict[int, int] = {}
    for greenlet in greenlets.values():
        if greenlet.root and greenlet.root not in found and greenlet.place:
            tid = next((tid for stack, tid in stacks.items() if greenlet.place in stack), None)
            if tid is not None:
                found[greenlet.root] = tid
    return found
