"""What is around a process and can explain a hang by itself: children, signals, cgroup, streams."""

from dataclasses import field

from hangtui.dataclass import dataclass
from hangtui.model.pid import Pid


@dataclass(frozen=True, slots=True)
class Child:
    """A child process, captured or not."""

    pid: Pid
    name: str
    """The kernel's name of it, at most 15 bytes."""
    state: str
    """The kernel's letter; Z: it has ended and its parent has not fetched its status."""
    age_s: float | None = None
    """How long ago it was started, in seconds."""
    ended_s: float | None = None
    """Of one that has ended: how long ago it ran last, in seconds."""
    wchan: str | None = None
    """The kernel function that its main thread sleeps in."""
    syscall: str | None = None
    """The system call that its main thread is blocked in."""
    exit_status: int | None = None
    """Of one that has ended: how, as ``Popen.returncode`` has it; -9: by signal 9."""
    helper: str | None = None
    """What multiprocessing started it as, for itself: ``resource_tracker``, ``forkserver``."""
    called: str | None = None
    """The name that its parent has given it, as multiprocessing has that: ``branch north``."""


@dataclass(frozen=True, slots=True)
class GpuUse:
    """What one process uses of one NVIDIA GPU, and what that GPU does."""

    index: int
    """Its number, as ``nvidia-smi`` has it in the same place."""
    name: str
    path: str | None = None
    """Its device file: ``/dev/nvidia0``."""
    memory_bytes: int | None = None
    """How much of its memory the process has; None: not known."""
    busy: float | None = None
    """The share of the last second at most in which it ran code, whoever that belongs to: 1.0 is
    all of it; None: it does not say so."""
    own_busy: float | None = None
    """The same of code of this process alone, lately; None: it does not say so."""

    @property
    def title(self) -> str:
        """``GPU 0 (NVIDIA H200)``."""
        return f"GPU {self.index} ({self.name})" if self.name else f"GPU {self.index}"

    @property
    def told(self) -> str:
        """``GPU 0 (NVIDIA H200): 12.0 GiB of this process, busy 97 %``."""
        memory, facts = self.memory_bytes, []
        if memory is not None:
            size = f"{memory / 2**30:.1f} GiB" if memory >= 2**30 else f"{memory / 2**20:.0f} MiB"
            facts.append(f"{size} of this process")
        if self.busy is not None:
            own = "" if self.own_busy is None else f" ({self.own_busy * 100:.0f} % by this process)"
            facts.append(f"busy {self.busy * 100:.0f} %{own}" if self.busy else "idle (busy 0 %)")
        return f"{self.title}: {', '.join(facts) or 'what it does is not known'}"


@dataclass(frozen=True, slots=True)
class JobPlace:
    """The place of a process in a job of several, as its launcher has told it, or its group."""

    rank: int
    local_rank: int | None = None
    """That among the processes of its node."""
    size: int | None = None
    """How many ranks there are."""
    member: bool = field(default=False, compare=False)
    """Whether the process takes part in it, by a process group of its own; what it forks has a copy
    of that."""
    port: int | None = field(default=None, compare=False)
    """That at which its ranks meet, which tells two jobs of one size apart; None: not known."""


@dataclass(frozen=True, slots=True)
class RayUse:
    """What the scheduler of a node of Ray has given to one of its workers."""

    pid: Pid
    """Of the worker, as the scheduler sees it."""
    name: str
    """The class of its actor, or the function of its task."""
    what: str
    """``CPU: 1``, in Ray's words."""


@dataclass(frozen=True, slots=True)
class RayNode:
    """What the scheduler of a node of Ray wrote down about itself last."""

    age_s: float
    """How long ago, in seconds."""
    infeasible: int
    """Tasks and actors that ask for what no node of the cluster has."""
    waiting: int
    """Those that wait for what others have now."""
    demands: tuple[str, ...]
    """What is asked for and not placed, in Ray's words: ``{'GPU': 1.0}: 2+ pending tasks/actors``.
    On the head node alone."""
    refused: tuple[str, ...]
    """Those of *demands* that, as Ray's autoscaler says, no type of node can give."""
    nodes: int | None
    """How many nodes the cluster has. On the head node alone, as *used_up*."""
    used_up: tuple[str, ...]
    """Resources of the cluster of which nothing is free: ``2.0/2.0 CPU``."""
    uses: tuple[RayUse, ...] = ()
    """What its workers have of this node."""


@dataclass(frozen=True, slots=True)
class OpenKind:
    """How many descriptors of one kind a process has open."""

    name: str
    """``sockets``, ``ends of pipes``; of files where they are: ``in /var/tmp``."""
    count: int


@dataclass(frozen=True, slots=True)
class OpenFiles:
    """What a process has open that may open nothing more."""

    limit: int
    """RLIMIT_NOFILE, all of which are in use."""
    kinds: tuple[OpenKind, ...]
    """The most frequent first."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is around one process. Facts that could not be read are None."""

    children: tuple[Child, ...] | None = None
    age_s: float | None = None
    """How long ago the process itself was started, in seconds."""
    forked_from: Pid | None = None
    """PID of its parent if it is a copy of that: the same program with the same command line."""
    background: bool | None = None
    """Whether it has a terminal of which another process group has the foreground: the kernel stops
    it when it reads from there (SIGTTIN). None: not known."""
    tracer: str | None = None
    """The kernel's name of the process that traces it; None: nobody does, or it is hidden."""
    frozen: str | None = None
    """Path of the cgroup that the freezer holds it in; None: it is not frozen."""
    oom_kills: int | None = None
    """How many processes of its cgroup the kernel has killed for want of memory."""
    memory_limit_bytes: int | None = None
    """The limit of its cgroup, or the smallest of those around that; None: no limit, or hidden."""
    memory_used_bytes: int | None = None
    """What its cgroup uses now, with all of its processes and the file cache."""
    handles_signals: tuple[str, ...] | None = None
    """Signals that it handles, without those that every Python handles and those of crashes."""
    ending_signals: tuple[str, ...] = ()
    """Those of them whose handlers, as far as their code is known, at most write a line or end the
    program."""
    marking_signals: tuple[str, ...] = ()
    """Those whose handlers only set what somebody may look at."""
    forgotten: tuple[str, ...] = ()
    """Processes that its multiprocessing takes for alive, and that have ended: it ignores SIGCHLD,
    so that the kernel kept nothing of them: ``carrier (process 12)``."""
    failed: tuple[Child, ...] = ()
    """Children that did not end well, which its multiprocessing has collected, and whose objects
    something refers to."""
    blocked_signals: tuple[str, ...] | None = None
    """Signals that were sent to it, and that wait there, since it blocks them."""
    streams: tuple[str | None, ...] | None = None
    """What standard input, output and error lead to: ``pipe``, ``terminal``, a path; None in it:
    that stream is closed."""
    used_up: OpenFiles | None = None
    """What it has open, if all its file descriptors are in use; None: not so, or not known."""
    devices: tuple[str, ...] | None = None
    """Paths of graphics and compute devices that it has open: ``/dev/nvidia0``."""
    gpus: tuple[GpuUse, ...] | None = None
    """The NVIDIA GPUs that it uses: those that the driver lists it for, or, where its processes
    are not told, those that it has open. None: not asked, or there was no answer."""
    job: JobPlace | None = None
    """Its place in a job of several; what it forks and starts has the same. None: it has none."""
    ray_node: RayNode | None = None
    """If it is the scheduler of a node of Ray, what it wrote down about itself; else None."""
