"""Readers wait for those who can write to their pipe, writers of a full pipe for those who read."""

import stat
from collections.abc import Mapping, Sequence
from dataclasses import replace

from hangtui.backends.ipc import attention, in_flight_ends, own_ends, relatives
from hangtui.backends.ipc.channel_calls import OPENS, Access, Demand
from hangtui.backends.ipc.descriptors import Descriptors
from hangtui.backends.ipc.peer import Sleeper, TaskStream
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.linux import PATH_MAX
from hangtui.backends.procfs.syscalls import signed
from hangtui.model import Certainty, Evidence, NodeId, NodeKind, Source, Wait, clean

_PREFIX = "pipe:["
_STANDARD = ("stdin", "stdout", "stderr")
_END = "end"
"""How a task waits that wants no data, but that no more can come."""
_OPENING = ("wait_for_partner", "fifo_open")
"""Kernel functions in which a process waits for the other end of a FIFO to be opened."""
_O_ACCMODE = 3

_MOST_LOOKED_AT = 256
"""Of the descriptors by which one process has one pipe open."""
_MOST_NAMED = 8

Ends = dict[int, tuple[int, ...]]
"""By PID: the descriptors of an end of a pipe."""


def add(scene: Scene, sleeper: Sleeper, demand: Demand, link: str) -> bool:
    """Add the wait if *link* is a pipe or a FIFO."""
    named = link.startswith("/")
    if named:
        inode = _fifo(scene.descriptors, sleeper, demand.fd)
        if inode is None:
            return False
    elif link.startswith(_PREFIX):
        inode = int(link[len(_PREFIX) : -1])
    else:
        return False
    if not scene.descriptors.info(sleeper.pid, demand.fd).reads:
        # Who polls a writing end without asking for room waits for the readers to let go of it.
        demand = replace(demand, access=Access.WRITE)
    reading = demand.access is Access.READ
    own, other = ("reading", "writing") if reading else ("writing", "reading")
    ends = _ends(scene.descriptors, link, writers=reading)
    what = f"FIFO {clean(link)}" if named else f"pipe {inode}"
    state = "" if demand.polled else f", which is {'empty' if reading else 'full'}"
    text = f"{demand.said}, the {own} end of {what}{state}"
    server = None if named or ends or not reading else in_flight_ends.fork_server(sleeper)
    name, detail = (what, None) if named else _name(scene, sleeper, demand, ends, inode)
    note = _note(scene, sleeper, ends, other, named=named)
    sent = {} if named or ends or server else in_flight_ends.untaken(scene, sleeper)
    if sent:
        name, note = f"pipe {_sent(sleeper, sent)}", "that was sent over a socket and not taken yet"
    if server is not None:
        name, note = f"answering pipe of the forkserver, process {server}", None
    key = f"{inode:#x}/{demand.access}"
    node = scene.resource(NodeKind.PIPE, key, name, sleeper, note, detail)
    scene.wait(sleeper, node, text, demand.access.value, expires=demand.expires)
    scene.premises.saw(node, link, scene.descriptors.holders(link))
    if server is not None:
        in_flight_ends.hold(scene, sleeper, node, server)
    in_flight_ends.hold_untaken(scene, sleeper, node, sent, other)
    _hold(scene, sleeper, demand, node, ends, other, named=named)
    if not reading and not demand.polled and attention.unread(scene, ends):
        facts = scene.facts
        facts.resources[node] = replace(facts.resources[node], unread=True)
    return True


def add_of_task(
    scene: Scene, sleeper: Sleeper, stream: TaskStream, access: Access, link: str
) -> None:
    """Add the wait of a task, if *link* is a pipe whose other end only other processes have;
    *sleeper*: the thread that runs its event loop."""
    if not link.startswith(_PREFIX):
        return
    ends = ends_of(scene, link, access)
    if not ends or sleeper.pid in ends:
        return
    inode = int(link[len(_PREFIX) : -1])
    other = "writing" if access is Access.READ else "reading"
    demand = Demand(stream.fd, access, "poll", expires=stream.expires, polled=True)
    name, detail = _name(scene, sleeper, demand, ends, inode)
    note = _note(scene, sleeper, ends, other, named=False)
    node = scene.resource(NodeKind.PIPE, f"{inode:#x}/{access}", name, sleeper, note, detail)
    evidence = Evidence(Source.CPYTHON, Certainty.PROVEN, stream.text, stream.place)
    operation = stream.operation if stream.operation == _END else access.value
    scene.facts.waits.append(Wait(stream.task, node, evidence, stream.expires, operation))
    scene.premises.saw(node, link, scene.descriptors.holders(link))
    _hold(scene, sleeper, demand, node, ends, other, named=False)


def _hold(
    scene: Scene,
    sleeper: Sleeper,
    demand: Demand,
    node: NodeId,
    ends: Ends,
    other: str,
    *,
    named: bool,
) -> None:
    # So does an event loop that other threads or signal handlers wake up. Where there are neither,
    # that way on is none.
    if sleeper.pid in ends and demand.polled and (named or not never_wakes(scene, sleeper, demand)):
        return
    if set(ends) == {sleeper.pid}:
        if named or may_wake_itself(scene, sleeper):
            return
        text = f"has the {other} end open ({fd_names(ends[sleeper.pid])})"
        scene.hold_by_own_process(node, sleeper, text, idling=True, sure=Certainty.PROVEN)
        return
    weakest = scene.complete()
    handled = demand.access is Access.READ and sleeper.pid in ends
    # Anybody may open a FIFO by its name; and a signal handler of its own may write to its pipe.
    if named or (handled and relatives.catches_signals(sleeper.pid)):
        weakest = Certainty.INFERRED
    if demand.access is Access.READ:
        scene.add_unflushed(node, ends)
    for pid, fds in sorted(ends.items()):
        text = f"has the {other} end open ({fd_names(fds)})"
        sure = weakest
        if not any(scene.descriptors.info(pid, fd).lines for fd in fds):
            text = f"has it open ({fd_names(fds)}), whether for {other} cannot be seen"
            sure = Certainty.INFERRED
        # What multiprocessing passes through its pipes is put there by threads of its own.
        standard = demand.fd < 3 and own_ends.hold_in_hand(scene, sleeper, node, pid, fds, text)
        if not standard:
            scene.hold_by_process(node, pid, sleeper, text, sure)


def never_wakes(scene: Scene, sleeper: Sleeper, demand: Demand) -> bool:
    """Whether what a select or poll waits for can come from nobody: the process has no other
    thread, and handles no signal."""
    single = len(sleeper.peer.process.threads) == 1 and demand.call in ("select", "poll")
    return single and scene.alone(sleeper) and not may_wake_itself(scene, sleeper)


def may_wake_itself(scene: Scene, sleeper: Sleeper) -> bool:
    """Whether a signal handler may be what is to end a wait for its own process."""
    return scene.alone(sleeper) and relatives.catches_signals(sleeper.pid)


def ends_of(scene: Scene, link: str, access: Access) -> Ends:
    """Who has the end of a pipe open that one who wants this of it waits for."""
    return _ends(scene.descriptors, link, writers=access is Access.READ)


def writers_elsewhere(
    scene: Scene, sleeper: Sleeper, fd: int, link: str
) -> tuple[str, tuple[int, ...]] | None:
    """What a pipe is called from which a thread would read along with other things, and the PIDs of
    those who may write into it; None: it is none, or its own process has that end, too."""
    if not link.startswith(_PREFIX) or not scene.descriptors.info(sleeper.pid, fd).reads:
        return None
    ends = ends_of(scene, link, Access.READ)
    if not ends or sleeper.pid in ends:
        return None
    demand = Demand(fd, Access.READ, "poll", expires=False, polled=True)
    return _name(scene, sleeper, demand, ends, int(link[len(_PREFIX) : -1]))[0], tuple(sorted(ends))


def _ends(descriptors: Descriptors, link: str, *, writers: bool) -> Ends:
    found: Ends = {}
    for pid, fds in descriptors.holders(link).items():
        infos = ((fd, descriptors.info(pid, fd)) for fd in fds[:_MOST_LOOKED_AT])
        able = tuple(fd for fd, info in infos if (info.writes if writers else info.reads))
        if able:
            found[pid] = able
        elif len(fds) > _MOST_LOOKED_AT:
            descriptors.uncounted.add(pid)
    return found


def _name(
    scene: Scene, sleeper: Sleeper, demand: Demand, ends: Ends, inode: int
) -> tuple[str, str | None]:
    """What a person calls it, by the standard stream that it is, else by those it joins; and what
    is added in brackets."""
    if demand.fd < 3:
        return _standard(scene, demand.fd, sleeper.pid)
    for pid, fds in ends.items():
        standard = [fd for fd in fds if fd < 3]
        if standard and pid != sleeper.pid:
            return _standard(scene, standard[0], pid)
    if demand.polled and sleeper.pid in ends and not never_wakes(scene, sleeper, demand):
        # Its threads or signal handlers wake it up: so do event loops, and pools of processes.
        return f"wake-up pipe within process {sleeper.pid}", f"inode {inode}"
    others = [pid for pid in ends if pid != sleeper.pid]
    reads, own = demand.access is Access.READ, f"process {sleeper.pid}"
    if others:
        other = f"process {others[0]}" if len(others) == 1 else f"one of {len(others)} processes"
        between = f"from {other} to {own}" if reads else f"from {own} to {other}"
    elif ends:
        between = f"within {own}"
    else:  # it lies in a socket, on its way to somebody, or in a process that may not be read
        between = f"of {own} whose other end nobody has open"
    return f"pipe {between}", f"inode {inode}"


def _sent(sleeper: Sleeper, sockets: Mapping[int, tuple[int, ...]]) -> str:
    """What a pipe is called whose other end nobody has open, where somebody has yet to take what
    was sent over these *sockets*."""
    taker = next((pid for pid in sockets if pid != sleeper.pid), None)
    if taker is None:
        return "whose other end is on its way to somebody"
    kin = "its child, " if taker in relatives.children(sleeper.pid) else ""
    return f"whose other end is on its way to {kin}process {taker}"


def _standard(scene: Scene, fd: int, pid: int) -> tuple[str, str | None]:
    process = scene.facts.resources[scene.process(pid)]
    return f"{_STANDARD[fd]} pipe of {process.name}", process.detail


def _note(scene: Scene, sleeper: Sleeper, ends: Ends, other: str, *, named: bool) -> str | None:
    if not ends:
        seen = f"no process that hangtui may look into has its {other} end open"
        unseen = scene.uncounted(sleeper.pid)
        return f"{seen}, unless one with very many open files has it: {unseen}" if unseen else seen
    hindered = [scene.facts.resources[scene.process(pid)].note for pid in ends]
    notes = [note for note in hindered if note]
    if named and set(ends) == {sleeper.pid}:
        notes.append(f"only process {sleeper.pid} itself has its {other} end open")
    if named:
        notes.append("any process may open it by its name")
    return "; ".join(notes) or None


def fd_names(fds: Sequence[int]) -> str:
    """``fd 1 and 2``, with the names of standard streams."""
    names = [f"{fd}, its {_STANDARD[fd]}" if fd < 3 else str(fd) for fd in fds[:_MOST_NAMED]]
    more = f" and {len(fds) - _MOST_NAMED} more" if len(fds) > _MOST_NAMED else ""
    return f"fd {' and '.join(names)}{more}"


def _fifo(descriptors: Descriptors, sleeper: Sleeper, fd: int) -> int | None:
    """The inode number if the descriptor is a named pipe.

    Not asked of a thread in state D: the file may be on a server that does not answer us either.
    """
    if sleeper.thread is None or sleeper.thread.state == "D":
        return None
    mode, _, inode = descriptors.status(sleeper.pid, fd) or (0, 0, 0)
    return inode if stat.S_ISFIFO(mode) else None


def add_opening(scene: Scene, sleeper: Sleeper) -> bool:
    """Add the wait of a thread that opens a FIFO whose other end nobody has open."""
    call, arguments = sleeper.where.call, sleeper.where.arguments
    if call not in OPENS:
        return False
    if sleeper.thread is None or not (sleeper.thread.wchan or "").startswith(_OPENING):
        return False
    at = 1 if call == "openat" else 0
    path = clean(sleeper.peer.memory.c_string(arguments[at], PATH_MAX))
    writing = signed(arguments[at + 1]) & _O_ACCMODE
    other = "reading" if writing else "writing"
    node = scene.resource(
        NodeKind.PIPE, f"{path}/open", f"FIFO {path}", sleeper, f"nobody has it open for {other}"
    )
    text = f"open(2) of the FIFO {path}: it waits until somebody opens it for {other}"
    scene.wait(sleeper, node, text, "open")
    for pid, known in _named_to(scene, sleeper, path):
        scene.hold_by_process(node, pid, sleeper, known, Certainty.INFERRED)
    return True


def _named_to(scene: Scene, sleeper: Sleeper, path: str) -> list[tuple[int, str]]:
    """Who is to open the other end of a FIFO, by what processes were started with: the children
    whose command lines name it, or the parent of one whose own does; and how that is known."""
    own = sleeper.peer.process
    others = [peer.process for peer in scene.peers.values() if peer.pid != own.pid]
    found = [
        (one.pid, "was started with the name of this FIFO, and may open it")
        for one in others
        if one.ppid == own.pid and path in one.cmdline
    ]
    if path in own.cmdline:
        told = f"has started process {own.pid} with the name of this FIFO, and may open it"
        found += [(one.pid, told) for one in others if one.pid == own.ppid]
    return found[:_MOST_NAMED]
