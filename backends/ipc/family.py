"""Parents wait for their children to end: wait4, waitid, and process descriptors; or, right after
vfork, for them to start their program.

What is waited for is the process. That it ends with its main thread is a fact of its own, added
for every awaited process (see ``ends``).
"""

import os
from collections.abc import Iterable, Mapping

from hangtui.backends.ipc import relatives
from hangtui.backends.ipc.channel_calls import Demand
from hangtui.backends.ipc.offspring import MOST_CHILDREN
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.procfs import life
from hangtui.backends.procfs.syscalls import signed

_P_ALL, _P_PID, _P_PGID, _P_PIDFD = range(4)
_WNOHANG = 1
_PIDFD = "anon_inode:[pidfd]"
_PIPE = "pipe:["
_CLONE_VFORK = 0x4000
"""linux/sched.h; the first word of what clone3 gets holds its flags as well."""
_MOST_CHILDREN = 256
"""Ways out of one wait that are told. A server has a child for each processor, and seldom more."""


def add(scene: Scene, sleeper: Sleeper) -> bool:
    """Add the wait if it is one for a child."""
    call, arguments = sleeper.where.call, sleeper.where.arguments
    if call == "wait4" and not signed(arguments[2]) & _WNOHANG:
        wanted = signed(arguments[0])
        if wanted > 0:
            _add_child(scene, sleeper, wanted, "waitpid")
        else:
            own_group = relatives.group(sleeper.pid)
            _add_any(scene, sleeper, {-1: None, 0: own_group}.get(wanted, -wanted), "waitpid")
        return True
    if call == "waitid" and not signed(arguments[3]) & _WNOHANG:
        _add_waitid(scene, sleeper, signed(arguments[0]), signed(arguments[1]))
        return True
    return _is_vfork(sleeper) and _add_vfork(scene, sleeper)


def _add_waitid(scene: Scene, sleeper: Sleeper, kind: int, wanted: int) -> None:
    if kind == _P_PID:
        _add_child(scene, sleeper, wanted, "waitid")
    elif kind == _P_PIDFD:
        pid = _behind(scene, sleeper, wanted)
        if pid is not None:
            _add_one(scene, sleeper, pid, "waitid")
    else:
        own_group = relatives.group(sleeper.pid)
        group = (wanted or own_group) if kind == _P_PGID else None
        _add_any(scene, sleeper, group, "waitid")


def add_descriptor(scene: Scene, sleeper: Sleeper, demand: Demand, link: str) -> bool:
    """Add the wait if *link* is a process descriptor, which becomes readable when it ends, or a
    pipe of which ``multiprocessing`` keeps the other end in a child for nothing else."""
    pid = awaited(scene, sleeper, demand.fd, link)
    if pid is not None:
        _add_one(scene, sleeper, pid, demand.call, expires=demand.expires)
    return pid is not None or link == _PIDFD


def awaited(scene: Scene, sleeper: Sleeper, fd: int, link: str) -> int | None:
    """The process whose end such a descriptor tells of; None: it is none, or which is not known."""
    if link == _PIDFD:
        return _behind(scene, sleeper, fd)
    if link.startswith(_PIPE):
        number = sleeper.peer.sentinels().get(fd, 0)
        return _child(scene, sleeper, number) or _of_fork_server(sleeper, number)
    return None


def _is_vfork(sleeper: Sleeper) -> bool:
    call, first = sleeper.where.call, (*sleeper.where.arguments, 0)[0]
    if call == "clone3":
        first = sleeper.peer.memory.u64(first)
    cloned = call in ("clone", "clone3")
    return call == "vfork" or (cloned and bool(first & _CLONE_VFORK))


def _add_vfork(scene: Scene, sleeper: Sleeper) -> bool:
    """Add the wait for the thread's newest child: since then it has not come out of that call."""
    children = relatives.own_children(sleeper.pid, sleeper.tid)
    if len(children) > MOST_CHILDREN:
        raise ValueError(f"it has {len(children)} child processes, more than are looked at")
    living = [pid for pid in children if not life.ended(pid)]
    if not living:
        return False
    pid = max(living, key=lambda one: life.started(one) or 0)
    text = f"vfork(2) of {scene.name(pid)}: it waits until that child starts its program or ends"
    scene.wait(sleeper, scene.process(pid), text, "start")
    return True


def _behind(scene: Scene, sleeper: Sleeper, fd: int) -> int | None:
    """The process that a process descriptor stands for: ``Pid`` is in our own namespace."""
    values = scene.descriptors.info(sleeper.pid, fd).values("Pid")
    return int(values[0]) if values and int(values[0]) > 0 else None


def _add_child(scene: Scene, sleeper: Sleeper, number: int, call: str) -> None:
    """Add the wait for the child that the target calls *number*, unless it is none any more."""
    pid = _child(scene, sleeper, number)
    if pid is not None:
        _add_one(scene, sleeper, pid, call)


def _child(scene: Scene, sleeper: Sleeper, number: int) -> int | None:
    """The child that the target calls *number*; None: it is none any more: it may have ended
    meanwhile, and another process have got its number."""
    pid: int | None = number
    if not relatives.same_namespace(sleeper.pid, os.getpid()):
        # In a PID namespace it has another number here.
        pid = scene.offspring.by_number(sleeper.pid).get(number)
    return pid if pid and relatives.parent(pid) == sleeper.pid else None


def _of_fork_server(sleeper: Sleeper, number: int) -> int | None:
    """The same of one that the target had multiprocessing's fork server start, whose child it is:
    that one writes into the pipe once it has ended."""
    around = sleeper.peer.process.around
    servers = [one.pid for one in (around.children if around else None) or () if one.helper]
    if not number or not servers or not relatives.same_namespace(sleeper.pid, os.getpid()):
        return None
    return number if relatives.parent(number) in servers else None


def _add_one(scene: Scene, sleeper: Sleeper, pid: int, call: str, *, expires: bool = False) -> None:
    text = f"{call}(2) for {scene.name(pid)}: it waits until that child process ends"
    scene.wait(sleeper, scene.process(pid), text, "end", expires=expires)


def _add_any(scene: Scene, sleeper: Sleeper, group: int | None, call: str) -> None:
    """Any one of the children wakes it: these are ways out, of which one is enough."""
    living = list(_living(scene.offspring.living(sleeper.pid), group))
    if len(living) > _MOST_CHILDREN:
        message = f"threads that wait for any of {len(living)} child processes are not followed"
        scene.notice(f"{message}: that is more than {_MOST_CHILDREN}", pid=sleeper.pid)
        return
    for pid in living:
        text = f"{call}(2) for any child: {scene.name(pid)} is one of {len(living)}"
        scene.wait(sleeper, scene.process(pid), text, "any child")


def _living(children: Mapping[int, int | None], group: int | None) -> Iterable[int]:
    for pid, its_group in children.items():
        if group in (None, its_group):
            yield pid
