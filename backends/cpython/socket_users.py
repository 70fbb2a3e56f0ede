"""Which threads of a process have a socket or a pipe in hand: whose frames lead to its object."""

from collections.abc import Collection, Iterator

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.bytecode import Bytecode
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.liveness import live
from hangtui.backends.cpython.open_files import OpenFiles
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.referents import ITEM, KEY
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, foreign_data

_STEPS = 3
"""From a variable to the socket: ``self``, its connection, the socket."""
_GIVEN = ("_args", ITEM)
"""From a `threading.Thread` to what it was started with."""
_MAX_FRAMES = 80
_MOST_THREADS = 256
"""Beyond so many, nobody asks which sockets decrypt."""
_READS_TLS = "/ssl.py"
_TLS = "SSLSocket"
"""Of the module ``ssl``, and of those that stand for it under a scheduler of greenlets."""


class SocketUsers:
    """Finds them in one process."""

    def __init__(self, python: PythonReader) -> None:
        self._python = python
        self._objects = python.objects
        self._containers = Containers(python.objects, python.codes)
        self._files = OpenFiles(python.objects, self._containers)
        self._bytecode = Bytecode(self._objects.layout.version, self._objects.memory.spent)
        self._ways: dict[tuple[int, bool], dict[int, bool]] = {}
        """By TID and *kept*: there are as many questions as connections, of the same frames."""
        self._decrypt: set[int] = set()
        """Descriptors of sockets of TLS, as far as frames were looked through."""
        self._live: dict[tuple[int, int], frozenset[str]] = {}
        """By code and instruction, where many threads stand in the same function."""

    def of(
        self, descriptors: Collection[int], among: Collection[int], *, kept: bool = False
    ) -> frozenset[int] | None:
        """The TIDs of threads that have one of *descriptors*; None: of one *among* these it is not
        known, which runs no Python or was not read. Never raises.

        *kept*: also by variables that are not used any more, of files that are no sockets.
        """
        python, spent = self._python, self._objects.memory.spent
        if python.unknown_states or not python.stacks.keys() >= {*python.threads, *among}:
            return None
        found: dict[int, bool] = {}
        try:
            with foreign_data(), spent.clock():
                for tid in python.stacks:
                    ways = self._ways_of(tid, kept=kept)
                    itself = [ways[fd] for fd in descriptors if fd in ways]
                    if itself:
                        found[tid] = any(itself)
        except (BudgetSpentError, DamagedDataError):
            return None
        # Who accepts connections may keep them in a list, and each is in another thread's hands.
        direct = any(found.values())
        return frozenset(tid for tid, itself in found.items() if itself or not direct)

    def decrypts(self, descriptor: int, tid: int) -> bool:
        """Whether the thread's frames lead to a socket of TLS of this descriptor, from which it is
        not reading just now: that asks about its descriptor, too, once nothing is left. Never
        raises."""
        spent, stack = self._objects.memory.spent, self._python.stacks.get(tid, ())
        known = (tid, True) in self._ways or len(self._ways) < _MOST_THREADS
        if not stack or not known or stack[0].code.filename.endswith(_READS_TLS):
            return False
        try:
            with foreign_data(), spent.clock():
                self._ways_of(tid, kept=True)
        except (BudgetSpentError, DamagedDataError):
            return False
        return descriptor in self._decrypt

    def _ways_of(self, tid: int, *, kept: bool) -> dict[int, bool]:
        """The descriptors that a thread's frames lead to, and whether one is to be had by names
        alone, or is an item of something."""
        known = self._ways.get((tid, kept))
        if known is None:
            known = {}
            for frame in self._python.stacks[tid][:_MAX_FRAMES]:
                for fd, itself in self._in(frame, kept=kept):
                    known[fd] = itself or known.get(fd, False)
            self._ways[tid, kept] = known
        return known

    def _in(self, frame: Frame, *, kept: bool) -> Iterator[tuple[int, bool]]:
        """The descriptors that a frame's variables lead to, and whether by names alone: not by an
        item of a list or a set, but for what a thread was started with."""
        variables = self._python.frames.variables(frame)
        at = (frame.code.address, frame.instruction)
        if at not in self._live:
            self._live[at] = live(self._bytecode, frame.code, frame.instruction)
        matter = self._live[at]
        used = {value for name, value in variables.items() if name in matter}
        for value in dict.fromkeys(variables.values()) if kept else used:
            for way, address in self._python.references.walk(value, _STEPS):
                found = self._files.descriptor(address)
                if found is not None and _TLS in self._containers.classes(address):
                    self._decrypt.add(found[0])
                if found is not None and (value in used or found[1]):
                    names = way[len(_GIVEN) :] if way[: len(_GIVEN)] == _GIVEN else way
                    yield found[0], not {ITEM, KEY} & {*names}
