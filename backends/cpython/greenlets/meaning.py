"""What a greenlet's wait for a lock is for: a condition, a queue, the end of a thread."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from hangtui.backends.cpython.awaited import self_of
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.greenlets.awaited import Awaited
from hangtui.backends.cpython.greenlets.eventlet_tpool import Tpool
from hangtui.backends.cpython.greenlets.executors import GreenletExecutors
from hangtui.backends.cpython.greenlets.locks import GreenletLocks
from hangtui.backends.cpython.greenlets.members import Members
from hangtui.backends.cpython.greenlets.threadpools import ThreadPools
from hangtui.backends.cpython.notifications import Notifications
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import Certainty, NodeKind

_OWN = ("/gevent/", "/eventlet/")
_JOINS = ("_wait_for_tstate_lock", "join")
_CHILDREN = ("_wait", "wait"), "/gevent/subprocess.py"
"""Functions of its ``Popen`` that wait for the child, and their file."""


class Meaning:
    """Recognises it by the frames; *stacks*: those of all greenlets, by address; *threads*: those
    of threads, by TID; *module*: gives the globals of an imported module."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        locks: GreenletLocks,
        members: Members,
        stacks: Mapping[int, tuple[Frame, ...]],
        threads: Mapping[int, tuple[Frame, ...]],
        module: Callable[[str], Mapping[str, int]],
    ) -> None:
        self._objects = objects
        self._frames = frames
        self._greenlets = stacks
        self._notifications = Notifications(objects, frames, locks, stacks)
        self._executors = GreenletExecutors(objects, frames, members, stacks)
        self._pools = ThreadPools(objects, frames, members, threads)
        self._tpool = Tpool(objects, frames, members, threads, module)

    def of(self, awaited: Awaited, frames: tuple[Frame, ...]) -> Awaited:
        """*awaited*, or what it is a part of. Never raises."""
        if awaited.kind not in (NodeKind.LOCK, NodeKind.EVENT):
            return awaited
        whole, frames = frames, _without_own(frames)
        try:
            with foreign_data():
                if awaited.lock is None:
                    return self._of_child(awaited, whole) or self._of_pool(awaited, whole)
                return self._joined(awaited, frames) or self._notified(awaited, frames) or awaited
        except DamagedDataError:
            return awaited

    def _of_child(self, awaited: Awaited, frames: tuple[Frame, ...]) -> Awaited | None:
        """The end of a child, of which a callback of its ``Popen`` tells."""
        names, file = _CHILDREN
        for frame in frames:
            child = next((one for name in names if (one := self._self_of(frame, name, file))), 0)
            attributes = self._objects.attributes(child) if child else {}
            if attributes.get("result") == awaited.address:
                number = attributes.get("pid", 0)
                if self._objects.kind(number) != "int":
                    return None
                pid = self._objects.integer(number)
                text, proof = f"process {pid} to end", "Popen.wait: it waits for its child"
                return replace(awaited, text=text, proof=proof, kind=None, process=pid)
        return None

    def _self_of(self, frame: Frame, name: str, file: str) -> int:
        return self_of(self._frames, frame, name, file) or 0

    def _of_pool(self, awaited: Awaited, frames: tuple[Frame, ...]) -> Awaited:
        """The result of what a thread of a pool does, or is to do."""
        work = self._pools.of(awaited.address, frames) or self._tpool.of(awaited.address)
        if work is None:
            return awaited
        return replace(
            awaited,
            text="{}",
            kind=NodeKind.FUTURE,
            name=f"result of {work.call}",
            threads=work.owners,
            note=None,
            operation=None,
        )

    def _joined(self, awaited: Awaited, frames: tuple[Frame, ...]) -> Awaited | None:
        """``Thread.join`` up to 3.12: the thread's end releases a lock that only it has."""
        if not frames:
            return None
        found = (self_of(self._frames, frames[0], name, "threading.py") for name in _JOINS)
        thread = next(filter(None, found), 0)
        attributes = self._objects.attributes(thread) if thread else {}
        if attributes.get("_tstate_lock") != awaited.address:
            return None
        ident = attributes.get("_ident", 0)
        if self._objects.kind(ident) != "int":
            return None
        greenlet = self._objects.integer(ident)
        if greenlet not in self._greenlets:
            raise MemoryReadError("no greenlet of that thread")
        text = "Thread.join: it waits for what only the thread's end releases"
        record, sure = awaited.record, Certainty.PROVEN
        return Awaited("{}", text, NodeKind.GREENLET, greenlet, record, certainty=sure)

    def _notified(self, awaited: Awaited, frames: tuple[Frame, ...]) -> Awaited | None:
        found = self._notifications.awaited(frames, awaited.lock)
        if found is None:
            return None
        owners = found.owners
        if found.kind is NodeKind.FUTURE:
            owners = self._executors.of(found.address) or owners
        return replace(
            awaited,
            text=_WORDS.get(found.kind, "{}"),
            proof=found.text,
            kind=found.kind,
            address=found.address,
            type_name=found.type_name,
            lock=found.lock,
            owners=owners,
            certainty=found.certainty,
            note=(found.note or "").replace("thread", "greenlet") or None,
            operation=None,
            call=found.call,
        )


_WORDS = {
    NodeKind.CONDITION: "a notify() of {}",
    NodeKind.EVENT: "{} to be set",
    NodeKind.SEMAPHORE: "a unit of {}",
    NodeKind.BARRIER: "the other parties of {}",
}


def _without_own(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Without the frames in which gevent or eventlet itself waits."""
    for at, frame in enumerate(frames):
        if not any(own in frame.code.filename for own in _OWN):
            return frames[at:]
    return ()
