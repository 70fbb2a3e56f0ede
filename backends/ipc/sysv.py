"""System V semaphores: the kernel remembers who operated on one last, and no more than that."""

import ctypes
import os
import struct
from dataclasses import replace

from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.procfs import life
from hangtui.backends.procfs.files import PROC
from hangtui.backends.procfs.syscalls import signed
from hangtui.model import Certainty, NodeKind

_GETPID, _GETVAL = 11, 12
"""linux/sem.h: commands of semctl(2) that change nothing."""
_OPERATION = struct.Struct("<Hhh")
"""struct sembuf."""
_MAX_OPERATIONS = 32
_WAITS = ("semop", "semtimedop")
_TAKEN = (
    "process {}, which changed it last, to 0, has ended: it may have taken it and not given it "
    "back; any process may release it"
)


def add(scene: Scene, sleeper: Sleeper) -> bool:
    """Add the wait if it is one for a semaphore of a set."""
    call, arguments = sleeper.where.call, sleeper.where.arguments
    if call not in _WAITS:
        return False
    expires = call == "semtimedop" and arguments[3] != 0
    identifier = signed(arguments[0])
    count = min(arguments[2], _MAX_OPERATIONS)
    raw = sleeper.peer.memory.read(arguments[1], _OPERATION.size * count)
    # An operation that adds never waits; of the others any one may be what it waits for.
    waiting = [(index, amount) for index, amount, _ in _OPERATION.iter_unpack(raw) if amount <= 0]
    if len(waiting) != 1:
        return True
    index, amount = waiting[0]
    label = f"System V semaphore {identifier}[{index}]"
    key = f"{identifier:#x}/{index}"
    node = scene.resource(NodeKind.SEMAPHORE, key, label, sleeper)
    goal = f"to take {-amount} from" if amount else "for the end of"
    text = f"semop(2): it waits {goal} semaphore {index} of set {identifier}"
    scene.wait(sleeper, node, text, "acquire", expires=expires)
    last, value = _last_user(sleeper.pid, identifier, index)
    gone = last is None or life.ended(last)
    if last and gone and amount and value == 0:
        # Whoever gives units leaves more than none: the last one took one, or set it to 0.
        found = scene.facts.resources[node]
        scene.facts.resources[node] = replace(found, note=_TAKEN.format(last))
    if last and last != sleeper.pid and not gone and not _waits(scene, last, identifier):
        text = "was the last one to operate on it"
        scene.hold_by_process(node, last, sleeper, text, Certainty.INFERRED)
    return True


def _waits(scene: Scene, pid: int, identifier: int) -> bool:
    """Whether a thread of a captured process waits for the set itself: then it has not got what it
    waits for, whatever it did last."""
    peer = scene.peers.get(pid)
    return peer is not None and any(
        where.call in _WAITS and signed(where.arguments[0]) == identifier
        for where in peer.asleep.values()
    )


def _last_user(pid: int, identifier: int, index: int) -> tuple[int | None, int | None]:
    """Who operated on it last, and its value since then; None where it is out of our reach."""
    try:
        ours, theirs = (os.readlink(f"{PROC}/{who}/ns/ipc") for who in ("self", pid))
    except OSError:
        return None, None
    if ours != theirs:
        return None, None
    semctl = ctypes.CDLL(None, use_errno=True).semctl
    found, value = semctl(identifier, index, _GETPID), semctl(identifier, index, _GETVAL)
    again = semctl(identifier, index, _GETPID)
    if found <= 0 or again != found:
        return None, None
    return found, value if value >= 0 else None
