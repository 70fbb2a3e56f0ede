"""A process and its threads at one moment."""

import re
from enum import StrEnum

from hangtui.dataclass import dataclass
from hangtui.model.command_line import script_of
from hangtui.model.frame import FrameMark, NativeFrame, PythonFrame
from hangtui.model.node import NodeId, process_id, thread_id
from hangtui.model.pid import Pid
from hangtui.model.sleep import Sleep
from hangtui.model.surroundings import JobPlace, Surroundings
from hangtui.model.transfers import Transfers


class GilState(StrEnum):
    """A thread's relation to its interpreter's global lock."""

    HOLDS = "holds"
    WAITS = "waits"


@dataclass(frozen=True, slots=True)
class Syscall:
    """The system call a thread is blocked in."""

    name: str
    """``futex``, ``read``, ...; ``syscall 999`` where the number has no name here."""
    detail: str | None = None
    """The arguments that matter to a reader, in words."""
    only_time: bool = False
    """It could wait for more, but was given only a timeout: sleeping by ``select``, say."""
    fd: int | None = None
    """The file descriptor that it is about."""
    file: str | None = None
    """What that leads to, as the kernel names it: ``pipe:[4711]``, ``/dev/pts/3``."""
    timed: bool | None = None
    """Whether it was given a timeout; None: it takes none, or that is not known."""
    timeout_ms: int | None = None
    """The timeout; None: it has none, or it is not among the call's arguments."""
    signals: tuple[str, ...] = ()
    """The signals that it waits for, if it waits for any of a set: ``SIGTERM``."""
    sleep: Sleep | None = None
    """If it `sleeps`: for how long."""

    @property
    def sleeps(self) -> bool:
        """Whether it ends by the clock and by nothing else."""
        return self.only_time or self.name in ("nanosleep", "clock_nanosleep")

    @property
    def on_terminal(self) -> bool:
        """Whether its descriptor leads to a terminal."""
        return (self.file or "").startswith(("/dev/tty", "/dev/pts/"))

    @property
    def on_socket(self) -> bool:
        """Whether its descriptor leads to a socket."""
        return (self.file or "").startswith("socket")


@dataclass(frozen=True, slots=True)
class Thread:
    """One thread. Facts that no source delivered are None."""

    pid: Pid
    tid: Pid
    name: str
    """The Python thread name if known, else the kernel's (at most 15 bytes)."""
    state: str
    """The kernel's letter: R S D T t Z X I."""
    ns_tid: int | None = None
    """The TID inside the target's own PID namespace."""
    comm: str | None = None
    """The kernel's name of the thread."""
    syscall: Syscall | None = None
    wchan: str | None = None
    """The kernel function it sleeps in."""
    still: bool | None = None
    """It did not run between the first and the last reading of this capture, or, for a waiter of
    the GIL (which wakes every 5 ms), its holder did not and the GIL never changed hands."""
    still_ms: float | None = None
    """How long it was watched standing still, in milliseconds."""
    gil: GilState | None = None
    gil_kept_ms: float | None = None
    """How long it was watched keeping the GIL from a thread that waited for it all the while, in
    milliseconds; 0.0: it did not have it all the time, or nobody waited; None: it has none, or the
    interpreter (3.6) does not count the changes of hands."""
    collecting: bool | None = None
    """Whether its interpreter was collecting garbage while it held the GIL, by the interpreter's
    own record; None: it did not hold it, or that is not read (3.6, free-threaded)."""
    python_stack: tuple[PythonFrame, ...] | None = None
    """Innermost first. Empty: a thread without Python frames. None: not read."""
    native_stack: tuple[NativeFrame, ...] | None = None
    """Innermost first. None: not read."""
    native_complete: bool = True
    """Whether the native stack reaches the thread's start."""
    is_python: bool | None = None
    """Whether the interpreter knows this thread."""
    cpu_ns: int | None = None
    """Processor time it has used since it was started, in nanoseconds."""
    runs: int | None = None
    """How often it was given a processor since it was started."""
    moved: Transfers | None = None
    """What of these `transfers` came while it was watched; None: it did not run at first, or that
    was not read."""
    transfers: Transfers | None = None
    """What it has read and written since it was started; None: it did not run while it was watched,
    or that was not read."""
    busy: float | None = None
    """The share of one processor that it used while it was watched: 1.0 is all of it."""
    runnable: float | None = None
    """The share of that time in which it ran, or was ready to and waited for a processor."""
    bindings: int | None = None
    """A number that changes when a local variable of the application's innermost frames refers to
    something else, or one that the package's function which they called does not set any
    more; None: it was not read, as where no installed package waits for them."""
    only_sleeps: bool | None = None
    """Whether the application looks for nothing between one sleep of its and the next: it sleeps in
    a loop that does nothing else, or in none; None: it does not sleep, or its code was not read."""
    takes_next: bool | None = None
    """Whether it waits where a loop of the application begins its round, for what comes next, and
    has sent nothing before, in that round or before the loop, that could be answered; None: it does
    not wait, or its code was not read."""
    subscribes: bool = False
    """Whether it takes one message after the other in a loop, before which it has sent something:
    what comes may be an answer, or what it has asked to be told of."""
    answers: bool = False
    """The same, and it sends something in each round after what it took: it may have said once that
    it is there, and serve since."""
    asks: bool = False
    """Whether it waits in a loop of the application that has given something to others in this
    round before, or receives in none, and its function has: what it waits for may be the answer to
    that."""
    takes_from: str | None = None
    """What the program calls the Queue of multiprocessing of which it waits for an item:
    ``Depot.answers``; None: it waits for none, or no name is known."""
    calling: str | None = None
    """The method of an extension's object that its innermost Python frame has called, and that has
    not returned: ``mpi4py.MPI.Intracomm.allreduce``; None: none that is known of a library."""
    native_sampled: bool = False
    """It ran: its native stack is that of one moment, taken without a stop."""
    native_marks: tuple[FrameMark, ...] = ()
    """Of such a stack, frame by frame, outermost first and without the innermost; empty: not
    read."""

    @property
    def id(self) -> NodeId:
        """The node id."""
        # As `thread_id` has it; asked for often enough that a call matters.
        return thread_id(self.pid, self.tid)

    @property
    def asleep(self) -> bool:
        """Asleep in the kernel when it was looked at."""
        return self.state in ("S", "D", "I")

    @property
    def blocked(self) -> bool:
        """Asleep in the kernel, and it never ran while it was watched."""
        return self.state in ("S", "D") and self.still is True


@dataclass(frozen=True, slots=True)
class PythonInfo:
    """Which Python a process runs."""

    version: str
    implementation: str = "CPython"
    free_threaded: bool = False
    """It was built so that it can run without a GIL."""
    threads_ever: int | None = None
    """How many threads have run its code so far, those that have ended, too; None: not read."""
    ended: tuple[str, ...] = ()
    """The names of some threads that have ended, and whose objects something still refers to."""
    unstarted: tuple[str, ...] = ()
    """Those of some that were made, and that nobody has started."""
    not_begun: tuple[str, ...] = ()
    """Those of some that were started, and that have not begun to run."""
    called: str | None = None
    """What the program, or a library, has called the process when it was started in Python."""

    @property
    def title(self) -> str:
        """``CPython 3.13.5 free-threaded``."""
        name = f"{self.implementation} {self.version}"
        return f"{name} free-threaded" if self.free_threaded else name


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that an all-clear needs and that could not be read."""

    what: str
    """The facts in words: ``who holds locks of C code``."""
    reason: str
    """Why: ``its C library is musl``."""
    fix: str | None = None
    """What to type or to write, if that mends it."""


_ROLE = re.compile(r"\w{1,30}::[\w.:<>()-]{1,80}", re.ASCII)
"""The form of titles that programs give to their processes with setproctitle(3)."""


@dataclass(frozen=True, slots=True)
class Process:
    """One process. Facts that no source delivered are None."""

    pid: Pid
    ppid: Pid
    cmdline: tuple[str, ...]
    """Secrets in it are masked."""
    state: str
    """The kernel's letter for the main thread."""
    exe: str | None = None
    ns_pid: int | None = None
    python: PythonInfo | None = None
    container: str | None = None
    user: str | None = None
    cpu_percent: float | None = None
    rss_bytes: int | None = None
    tracer_pid: Pid | None = None
    """Who traces it; None: nobody."""
    stopped_for_ms: float | None = None
    """How long this capture kept it stopped, in milliseconds; 0.0: not at all."""
    threads: tuple[Thread, ...] = ()
    around: Surroundings | None = None
    steady: bool | None = None
    """Whether it had the same threads at the first look as at the last; None: it was not watched,
    or nothing in it can move."""
    incomplete: tuple[str, ...] = ()
    """What is known only in part, since a limit on its reading was reached, in words: ``Python
    frames``. A notice names each bound."""
    gaps: tuple[Gap, ...] = ()
    """What an all-clear needs and its readers could not give; `hangtui.analysis.coverage.gaps` has
    all of it."""

    @property
    def id(self) -> NodeId:
        """The node id."""
        return process_id(self.pid)

    @property
    def place(self) -> str:
        """``PID 7 inside docker:0123456789ab shop``; empty where it runs beside us."""
        inside = self.ns_pid not in (None, self.pid)
        words = [f"PID {self.ns_pid} inside"] if inside else []
        if self.container:
            words.append(self.container if inside else f"in {self.container}")
        elif inside:
            words.append("another PID namespace")
        return " ".join(words)

    @property
    def job(self) -> JobPlace | None:
        """Its place in a job of several processes; None: it has none, or that is not known."""
        return self.around.job if self.around else None

    @property
    def role(self) -> str | None:
        """What the process calls itself in its title: ``ray::Cart.reserve``, ``VLLM::Worker_TP1``;
        None: it has not set one of that form."""
        first = self.cmdline[0] if self.cmdline else ""
        return first if _ROLE.fullmatch(first) else None

    @property
    def title(self) -> str:
        """A short name: the script for a Python process, else the program."""
        words = [word.rsplit("/", 1)[-1] for word in self.cmdline]
        if not words:
            return f"[{self.pid}]"
        if script := script_of(self.cmdline):
            return script
        for index, word in enumerate(words[1:], 1):
            if word == "-m" and index + 1 < len(words):
                return words[index + 1]
            if word.endswith(".py"):
                return word
        return words[0]
