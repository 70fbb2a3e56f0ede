"""What threads wait for and hold: resources, waits and holds, by node id."""

from enum import StrEnum

from hangtui.dataclass import dataclass
from hangtui.model.evidence import Evidence
from hangtui.model.node import NodeId, NodeKind
from hangtui.model.pid import Pid
from hangtui.model.sockets import Ends, Traffic


class NoHolder(StrEnum):
    """Why nobody is known to have what is taken."""

    UNTOLD = "untold"
    """It is locked, and nothing tells by whom."""
    ALONE = "alone"
    """Processes can share it, and the one that waits is the only one that does."""
    GONE = "gone"
    """It is taken, and neither a thread or task, nor anything that is kept to be called, comes to
    give it back."""
    PASSING = "passing"
    """The same, but tasks of its loop went on while that was looked at, and one of them may have
    taken it before the wait began: not so if that was seen before. Who waits first gets it first.
    """
    AGAIN = "again"
    """As `GONE`, and who waits takes it in a loop that gives nothing back: all of it may be taken
    by that very one."""
    MISSED = "missed"
    """It was given back, and who waits for it was not told so, nor is he to be."""
    UNRUN = "unrun"
    """It is a result or an event of a call that lies in an event loop which no thread runs."""
    UNARMED = "unarmed"
    """It is a timer of the kernel that was given an interval, and no first time: it is not armed,
    and never expires."""
    TAKER_ENDED = "taker-ended"
    """All processes that share it are known, and none of them has it: its taker has ended."""


@dataclass(frozen=True, slots=True)
class Unbegun:
    """A coroutine that was made and that nobody has begun: nobody awaits it, no task runs it. Or a
    generator that nobody goes on with."""

    function: str
    place: str | None
    """``file:line`` where it begins, or is suspended."""
    kept: str
    """The variable that has it: ``loading of main``."""
    begun: bool = False
    """It is a generator that has begun, and is suspended there: whoever has it goes over it no
    further."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A task that has ended with an exception, and whose code would have ended a wait."""

    name: str
    """``task drain (drainer)``."""
    error: str
    """The exception's type: ``OSError``."""
    place: str | None
    """``file:line`` where it was raised below the application's last line."""
    function: str | None
    """The function of that line."""


@dataclass(frozen=True, slots=True)
class OwnQueue:
    """A queue in which a request lies, whose answer is waited for by a thread or task that would
    take it from there itself. An inference."""

    name: str
    """As the code that takes from it spells it: ``self.inbox``."""
    taken_in: str
    """The function, further out on that stack, and its line: ``Actor.run (actor.py:50)``."""


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that a thread or task can wait for or hold."""

    id: NodeId
    kind: NodeKind
    label: str
    """What a person calls it: ``Account.lock (threading.Lock)``, ``rwlock in libcuda.so``."""
    pid: Pid
    address: int
    module: str | None = None
    """Path of the native module whose lock this is, where it has one."""
    note: str | None = None
    """What is known of it beyond its owner: ``held by 2 readers, which glibc does not record``."""
    orphaned: bool = False
    """Its owner was seen to have ended with it: the lock named an owner before and after the
    threads of the process were listed without that one. A holder that is merely in no list is not
    known, and may be alive."""
    name: str | None = None
    """*label* without what is in brackets: ``Account.lock``, ``pipe from process 1 to process 2``;
    None: an object that no variable refers to."""
    detail: str | None = None
    """What *label* has in brackets where that is no type: ``inode 4711``."""
    type_name: str | None = None
    """The type of an object of Python, with its module: ``threading.Lock``; None: it is none, or
    its type is not known."""
    unread: bool = False
    """Of a full pipe: of those that could read from it, none did so, or asked whether it could."""
    unaccepted: bool = False
    """Of a connection: its other end stands in the queue of who listens there, who has not accepted
    it."""
    decrypted_by_reader: bool = False
    """Of a connection: who waits there asks about it in poll or select, and reads from it by an
    object that decrypts (`ssl.SSLSocket`): what that has decrypted, and nobody has read, is not
    asked about."""
    no_holder: NoHolder | None = None
    """None: somebody has it, it is free, or that is not known."""
    sharers: tuple[Pid, ...] = ()
    """Of a lock or semaphore in shared memory that is taken: PIDs of all processes that have it
    mapped; empty: that is not known for sure."""
    wakers_known: bool = False
    """All threads and tasks of its process were looked at: who is not in ``Capture.could_wake``
    for it does not refer to it within the bounds of that look. False: nobody looked, or not to the
    end."""
    unbegun: Unbegun | None = None
    """A coroutine whose code would end the wait for it, and that nobody has begun."""
    ended: tuple[Ended, ...] = ()
    """Tasks whose code refers to it and would have ended the wait for it, and that have ended with
    an exception."""
    enders: tuple[str, ...] = ()
    """Functions of the program whose code would end waits for it, each with its line, if none of
    these threads and tasks is known to come to one: ``fetch (crawl.py:19)``."""
    ending_code: tuple[str, ...] = ()
    """The same, whoever is known to come to one."""
    named_by: tuple[NodeId, ...] = ()
    """Threads and tasks whose code comes to call what has the name of one of *enders*, on what it
    takes out of something by then, an item of a loop, say: that may be the one which would."""
    givers: tuple[NodeId, ...] = ()
    """Of a lock of Python: threads and tasks that do not wait for it themselves, and whose code
    comes to release it. They need not be who took it, nor be about to release this hold of it."""
    timer_s: float | None = None
    """In how many seconds a timer of an event loop calls what would end waits for it."""
    signals: tuple[str, ...] = ()
    """``SIGUSR1``: signals whose handlers in Python would end waits for it."""
    enders_loop: bool = False
    """Of a queue: each of these takes items from it in a loop, as a thread or task does that is
    there for nothing else: it would be in there, were it run."""
    called_back: tuple[str, ...] = ()
    """The same of functions of installed packages which these call themselves, once something has
    come: ``discord's Client._handle_ready (client.py:372)``."""
    alike: tuple[str, ...] = ()
    """Functions of the program that do, to an attribute of the same name, what would end waits for
    it, of what they take out of something from which nothing leads to this one:
    ``Client.dispatch (client.py:32)``. Empty also where others are known who would."""
    own_queue: OwnQueue | None = None
    """Where an item leads to it that who waits for it would have to take."""
    kept: tuple[str, ...] = ()
    """Of a channel: the variables by which the task that waits at it has all of its other ends that
    are open itself: ``send of collect (crawl.py:15)``."""
    unshared: bool = False
    """Variables of frames that were searched are all that refers to it; of a stream, to what its
    other end is written to by."""
    bare: bool = False
    """Nothing but the wait for it refers to it, not even a variable: ``await Future()``."""
    package: str | None = None
    """The installed package that it belongs to, with its version: ``SQLAlchemy 2.0.36``; None: it
    belongs to none, or that is not known."""
    lends: str | None = None
    """Of a pool or limiter: what it lends out, in its library's words: ``connection``."""
    noted_ended: tuple[str, ...] = ()
    """Where the object whose attribute it is still has threads that have ended:
    ``ReaderWriterLock._readers has thread export``."""
    release: str | None = None
    """How it is given back, in its library's words."""
    size: int | None = None
    """Of a pool or limiter: how many it can lend out at most; of a barrier: how many have to arrive
    there. None: unlimited, or not known."""
    out: int | None = None
    """How many of these are lent out, by its own count."""
    failed: int | None = None
    """Of a pool: how often it could not make what it lends, by its own count."""
    accounted: int | None = None
    """Of how many of these something shows who has them."""
    on_behalf: tuple[str, ...] = ()
    """For what it was lent out that is no task and no thread, by its own record, each with its type
    and a variable that refers to it: ``Session (alice)``."""
    kept_in: tuple[str, ...] = ()
    """What leads to things that are lent out, and that no frame refers to: global variables,
    ``open_reports (main.py)``, others to which several threads or tasks refer,
    ``shared by several: failed (main.py)``, or what threads keep for themselves,
    ``thread-locals of jobs_0``."""
    waiting: int | None = None
    """How many wait for one, or at the barrier, by its own count."""
    age_s: float | None = None
    """Of a file that is a lock by being there: how many seconds ago it was written last."""
    unflushed: tuple[tuple[Pid, int], ...] = ()
    """Of a pipe or connection: who has written to it, into a buffer of its own which it has not
    flushed: its PID, and how many bytes."""
    ends: Ends | None = None
    """Of a TCP connection, or of what a library waits for beside one: a future, an event, a queue
    into which it puts what comes there."""
    traffic: Traffic | None = None
    """Of a connection; None: it is none, or the kernel does not tell."""

    @property
    def exhausted(self) -> bool:
        """Whether all that it can lend out is lent out, by its own count."""
        return self.size is not None and self.out is not None and self.out >= self.size > 0

    @property
    def type_module(self) -> str | None:
        """The module of its type: ``threading``; None: it has none."""
        return self.type_name.rpartition(".")[0] or None if self.type_name else None


def label_of(name: str, detail: str | None) -> str:
    """``Account.lock (threading.Lock)``; *detail*: what stands in brackets, if anything."""
    return f"{name} ({detail})" if detail else name


def object_label(name: str | None, type_name: str, address: int) -> str:
    """``Account.lock (threading.Lock)``, ``threading.Lock at 0x7f00``."""
    return label_of(name, type_name) if name else f"{type_name} at {address:#x}"


@dataclass(frozen=True, slots=True)
class Wait:
    """A thread or task cannot go on until *target* lets it."""

    waiter: NodeId
    """Node id of the waiting thread or task."""
    target: NodeId
    """Node id of a resource, a thread (join), a process (waitpid) or a task (await)."""
    evidence: Evidence
    expires: bool = False
    """The wait has a timeout: it will give up by itself."""
    operation: str | None = None
    """How it wants the resource, where that matters: ``write`` or ``read`` for a rwlock."""
    call: str | None = None
    """The method of Python's standard library that waits: ``Queue.get``, ``Event.wait``."""
    lasting: bool = False
    """At the last reading it was the same wait as at the first, although its thread may have woken
    up in between: what it waits for comes once, and stays."""
    turn: int | None = None
    """A number that tells this wait from others of the same waiter for the same target, such as for
    the next answer of one actor; None: there is none."""
    together: bool = False
    """It ends only with all other waits of the same waiter: children that have to end."""
    calls: tuple[NodeId, ...] = ()
    """Of a wait for an actor's answer: the very calls of its methods. Where some of them are known
    to run, the capture has a wait for each of these instead."""
    answering: tuple[NodeId, ...] = ()
    """Of a connection to another captured process: the threads there that have its other end in
    hand, as their frames show."""
    unlimited: bool = False
    """It wakes up by the clock, only to ask again: its library was given no timeout, as a variable
    of that name says."""
    only_new: bool = False
    """It ends by what comes from now on, not by what is there already: of a descriptor that is
    registered with epoll edge-triggered."""
    asks: str | None = None
    """What is to run elsewhere for its sake, as its code spells it: ``self.other.add()``."""

    @property
    def method(self) -> str | None:
        """*call* without its class: ``get``."""
        return self.call.rpartition(".")[2] if self.call else None


@dataclass(frozen=True, slots=True)
class Hold:
    """A thread or task owns a resource."""

    resource: NodeId
    holder: NodeId
    """Node id of a thread or task; one that is not in the capture is not known: it may have ended
    or have been started since (see ``Resource.orphaned``)."""
    evidence: Evidence
    function: str | None = None
    """The function that has it, where that was seen in a frame."""
    renewed: bool = False
    """Whether the holder, where it is met there again, has given it back and taken it anew
    meanwhile, as its code shows: of one that sleeps in a function of the application."""
