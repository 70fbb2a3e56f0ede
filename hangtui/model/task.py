"""Tasks of asyncio and trio, greenlets, and the event loops, runners and hubs that run them."""

import re
from enum import StrEnum

from hangtui.dataclass import dataclass
from hangtui.model.frame import PythonFrame
from hangtui.model.node import NodeId, NodeKind, resource_id
from hangtui.model.pid import Pid
from hangtui.model.sleep import Sleep
from hangtui.model.sockets import Ends


class TaskState(StrEnum):
    """What a task that is not done yet does."""

    WAITING = "waiting"
    """It awaits something that is not done."""
    READY = "ready"
    """It waits for its turn in the event loop."""
    RUNNING = "running"
    """Its frames are on the stack of the loop's thread."""


_NUMBERED = "Task-"
_NO_WORD = re.compile(r"\W")
FIRST_TASK = f"{_NUMBERED}1"
"""asyncio numbers all tasks of a process (3.8 on; asyncio/tasks.py)."""


class _Identified:
    """Remembers its node id: rules ask for those of thousands of tasks again and again."""

    __slots__ = ("_id",)
    _id: NodeId

    @property
    def id(self) -> NodeId:
        """The node id."""
        try:
            return self._id
        except AttributeError:
            self._id = self._made_id()
            return self._id

    def _made_id(self) -> NodeId:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Task(_Identified):
    """A task of asyncio or trio, or a greenlet, that is not done."""

    pid: Pid
    address: int
    name: str
    """``Task-7``, or what the program calls it; the coroutine's name up to 3.7."""
    coroutine: str | None
    """The function whose coroutine it runs; None: not read."""
    state: TaskState
    loop: int
    """Address of its event loop; 0: none, it is `by_hand`."""
    loop_tid: Pid | None = None
    """The thread that runs the loop; None: none does, or it cannot be told."""
    python_stack: tuple[PythonFrame, ...] | None = None
    """Its coroutine and those that it awaits, innermost first. None: not read."""
    awaits: str | None = None
    """What it awaits, in words."""
    kind: NodeKind = NodeKind.TASK
    """A task or a greenlet."""
    still: bool | None = None
    """Whether all that is known of it was read while nothing ran in the thread of its loop. None:
    that was not watched on its own; what is known of the thread tells."""

    cancels: int = 0
    """How often it was asked to be cancelled, and goes on; 0 also where that is not recorded, as
    before CPython 3.11. Of trio 1 if a cancel scope that it is in was cancelled."""
    cancelled_by: str | None = None
    """``gevent.killall``: what somebody has called that killed this greenlet, and waits for its end
    there. None: nobody is known to do so."""
    cancelled_at: str | None = None
    """``main.py:22``, with its folder: where it entered a cancel scope of anyio that was cancelled
    since, or has run out, though the task goes on, for it is shielded. None: none was."""
    sleeps_for_ever: bool | None = None
    """Whether its code does nothing any more but sleep, again and again. None: it was not looked
    at, as of all but greenlets, or cannot be read."""
    only_sleeps: bool | None = None
    """Whether its code sleeps in a loop that does nothing else, or in none. None: it was not looked
    at, as of all but the first task of a process, or cannot be read."""

    goes_round: bool = False
    """Whether it sleeps in a loop of the application that its code does not leave: nothing that
    comes would have it go on to something else. False: it does not, or that cannot be read."""
    is_part: bool = False
    """Whether it waits in a loop of the application that does something else in its round as well:
    it is not there to stay in that wait. False: it does not, or that cannot be read."""
    takes_next: bool | None = None
    """Whether it waits where a loop of the application begins its round, as `Thread.takes_next`
    says. None: it does not wait, or its code was not read, as that of greenlets."""
    subscribes: bool = False
    """Whether it takes one message after the other in a loop, before which it has sent something:
    what comes may be an answer, or what it has asked to be told of."""

    answers: str = ""
    """``10.0.0.1:40112``, or ``?``: where the request of a server came from that it has in hand,
    and that waits for an answer. Empty: it has none, or, as of most servers, functions on its
    stack tell so."""
    ends: Ends | None = None
    """Of the TCP connection for which it waits: what comes there, or room in it. None: it waits for
    something else, or that was not read."""
    sends: bool = False
    """Of these, that is room: its peer has to read what it has sent."""
    sleep: Sleep | None = None
    """If it awaits a sleep of asyncio, or is in one of its hub: which. None: it does not, or that
    was not looked at, as of many tasks."""

    def _made_id(self) -> NodeId:
        return resource_id(self.kind, self.pid, self.address)

    @property
    def by_hand(self) -> bool:
        """Whether the program itself switches to it: a greenlet of a thread without a hub."""
        return self.kind is NodeKind.GREENLET and not self.loop

    @property
    def awaits_data(self) -> bool:
        """Whether it is known to await data, as of a stream."""
        return (self.awaits or "").startswith("data ")

    @property
    def is_entry(self) -> bool:
        """Whether it is what the program gave to ``asyncio.run``: its sleeps may lie between looks
        for whatever it waits for, as those of a main thread may."""
        return self.name == FIRST_TASK

    @property
    def function(self) -> str | None:
        """The coroutine's function without its class or module."""
        return self.coroutine.rpartition(".")[2] if self.coroutine else None

    @property
    def is_called_by_function(self) -> bool:
        """Whether its name repeats the function, as trio and anyio call each task: ``shop.serve``.
        That tells it from no other one."""
        return self.name != self.function == self.name.rpartition(".")[2]

    @property
    def has_own_name(self) -> bool:
        """Whether the program gave it a name that tells more than its function and a number; the
        names of trio's and anyio's tasks do not."""
        if self.kind is not NodeKind.TASK or self.function is None:
            return False
        numbered = self.name.startswith(_NUMBERED) and self.name[len(_NUMBERED) :].isdecimal()
        of_trio = self.name.startswith("#")
        repeats = f"_{self.function}_" in f"_{_NO_WORD.sub('_', self.name)}_"
        return not (numbered or of_trio or repeats)

    @property
    def label(self) -> str:
        """What a person calls it: ``task refresh (Task-7)``."""
        if self.function in (None, self.name):
            return f"{self.kind.value} {self.name}"
        name = f"at {self.address:#x}" if self.is_called_by_function else self.name
        return f"{self.kind.value} {self.function} ({name})"


class LoopState(StrEnum):
    """What the thread of an event loop does."""

    IDLE = "idle"
    """It waits in its selector for events, timers or other threads."""
    BUSY = "busy"
    """It is inside a task or a callback."""
    STOPPED = "stopped"
    """No thread runs it."""


@dataclass(frozen=True, slots=True)
class EventLoop:
    """An event loop of asyncio, a runner of trio, or what is that for greenlets, a hub. Counts that
    could not be read are None."""

    pid: Pid
    address: int
    type_name: str
    state: LoopState
    tid: Pid | None = None
    """The thread that runs it."""
    task: NodeId | None = None
    """Node id of the task that it is inside of."""
    timers: int | None = None
    """Pending timers."""
    watched: int | None = None
    """File descriptors that it waits for, without the one that other threads wake it by."""
    signal_handlers: int | None = None
    """Signals that the program handles in it."""
    library: str = "asyncio"
    """The package whose loop it is, as it is imported."""
    accepting: int | None = None
    """Of what it watches, the sockets at which somebody may connect to its servers."""
    stopped_clock: str | None = None
    """The package that has stopped the clock by which its timers would come due, as those of tests
    do: none of them does."""
    buffered: int | None = None
    """Of what it watches, streams at which no task waits: what comes there is kept, and has nothing
    done."""
    upkeep: int | None = None
    """Of its timers, those by which a library only looks after connections that rest."""
    due_s: float | None = None
    """In how many seconds the first of its other timers comes due; None: there is none, or that is
    not known."""
    listeners: tuple[str, ...] = ()
    """``aiozmq's _ZmqLooplessTransportImpl``: the objects of packages that it calls when something
    comes, without a transport of its own."""
    dropped: int = 0
    """Files that it holds to be watched and that the kernel watches no more: they are not among
    those that it is said to wait for."""
    owes: tuple[str, ...] = ()
    """``the request of 127.0.0.1:40112, which Till.paid (till.py:14) is to answer``: what a server
    of it was asked for, and no task has in hand."""
    protocols: tuple[str, ...] | None = None
    """``Line``, ``Protocol``: the classes, with their bases, of the objects to which it gives what
    comes over connections that are open. None: they are not known."""

    @property
    def ending_timers(self) -> int | None:
        """Its timers but those: what they call may end a wait."""
        return None if self.timers is None else self.timers - (self.upkeep or 0)
