"""What threads and processes did over several captures: how they moved, what they used."""

from hangtui.dataclass import dataclass
from hangtui.model.frame import FrameMark
from hangtui.model.node import NodeId
from hangtui.model.pid import Pid
from hangtui.model.transfers import Transfers

LOOKS_THAT_TELL = 4
"""How often one that ran in between must be seen on the same lines: who comes back to them all the
time is met there by chance, too."""

_OWN_FRAMES = 3
"""Functions below a call whose values have to be the same as well: that is where a wait keeps what
it waits for. CUDA 13.0: in the third one below cuStreamSynchronize."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A line that a thread was seen on, or a native function that it was seen in."""

    place: str
    """``file:line (function)``, ``function (module)``."""
    function: str
    looks: int
    """In how many of the captures."""


@dataclass(frozen=True, slots=True)
class Progress:
    """One thread over several captures."""

    thread: NodeId
    """Its node id."""
    looks: int
    """How many captures saw it."""
    lasted_s: float
    """Seconds from the first of them to the last."""
    unchanged_s: float
    """Seconds that it has not run for, up to the last capture; 0.0: it ran before the last one."""
    cpu_s: float | None
    """Processor time it used meanwhile, in seconds."""
    visits: tuple[Visit, ...] = ()
    """The innermost lines that it was seen on, most often first."""
    common: tuple[str, ...] = ()
    """Functions that were on its stack in every capture, outermost first."""
    collecting: int = 0
    """In how many of the captures it was collecting garbage."""
    wakes: int | None = None
    """How often it was given a processor meanwhile."""
    same_stack: bool = False
    """Whether every capture saw it asleep on the same lines: what wakes up only to wait again."""
    same_line: bool = False
    """Whether every capture saw it below the same lines of the application, asleep or with hardly
    any processor time used: what a library does there meanwhile, such as to ask again, does not
    count."""
    gil_kept_ms: float | None = None
    """For how long it kept the GIL, summed over these captures; None: it did not in one of them."""
    asks: bool = False
    """Whether that library was always inside of a function that is there to wait: ``acquire``."""
    returned: bool = False
    """Whether it surely came back to where it was seen: a local variable of the application's
    frames changed in between, or a wait ended that the clock could not have ended."""
    same_wait: bool = False
    """Whether it is known of its wait that it was one and the same in every capture, although it
    may have woken up to look: for the answer of an actor, which comes once, or for the others of a
    group; or of all tasks of its event loop."""
    looked: bool = False
    """Whether one of these captures met it asleep in a loop that only sleeps and looks at
    something."""
    natives: tuple[Visit, ...] = ()
    """The innermost functions of somebody's C code that it was seen in while it ran, most often
    first: of the captures in which its native stack was sampled."""

    transfers: Transfers | None = None
    """What it has read and written between the first of these captures and the last that saw it
    busy; None: fewer than two of them did."""
    same_frames: tuple[FrameMark, ...] = ()
    """Its outermost native frames, outermost first, that every capture sampled with the same values
    in them; empty: not that often sampled, or some value changed."""

    @property
    def ran(self) -> bool:
        """Whether it ran between the first of these captures and the last."""
        return self.unchanged_s < self.lasted_s

    @property
    def waited_s(self) -> float:
        """Seconds for which it was surely in one wait: it did not run, or only asked again."""
        polls = self.same_stack and not self.returned and self.looks >= LOOKS_THAT_TELL
        polls = polls or self.same_wait
        return self.lasted_s if polls else self.unchanged_s

    @property
    def stayed_s(self) -> float:
        """Seconds for which it surely did not leave the application's line that it is below."""
        stayed = self.same_line and not self.returned and self.looks >= LOOKS_THAT_TELL
        stayed = stayed or self.same_wait
        return self.lasted_s if stayed else self.unchanged_s

    def stays_in(self, address: int) -> bool:
        """Whether it surely stayed in one call, that of the native frame at *address*: it was there
        in every capture, and below that no value changed in its callers, nor in the first of its
        own functions. Who comes back to the same call does so with other values."""
        frames = [one.address for one in self.same_frames]
        return address in frames and len(frames) - frames.index(address) > _OWN_FRAMES

    @property
    def busy(self) -> float | None:
        """The share of one processor that it used: 1.0 is all of it."""
        if self.cpu_s is None or not self.lasted_s:
            return None
        return self.cpu_s / self.lasted_s


@dataclass(frozen=True, slots=True)
class Stay:
    """A task that several captures saw in one and the same wait, whatever its event loop did."""

    task: NodeId
    """Its node id."""
    lasted_s: float
    """Seconds from the first of these captures to the last; more than 0."""
    sure: bool = True
    """It is known to be the same task; False: one of its name at its place in memory."""


@dataclass(frozen=True, slots=True)
class Unheld:
    """A lock or semaphore that is taken, and that none of several captures saw in anybody's hands,
    while tasks waited for it in each."""

    resource: NodeId
    """Its node id."""
    lasted_s: float
    """Seconds from the first of these captures to the last; more than 0."""


@dataclass(frozen=True, slots=True)
class Arrivals:
    """A connection over which data came while several captures saw somebody wait for it."""

    resource: NodeId
    """Its node id."""
    data_bytes: int
    """How much; more than 0."""
    times: int
    """Between how many of these captures some came: at so many different moments at least."""
    lasted_s: float
    """Seconds from the first of them to the last."""


@dataclass(frozen=True, slots=True)
class Handover:
    """A lock that had different holders in several captures."""

    resource: NodeId
    """Its node id."""
    looks: int
    """In how many of the captures it had a holder that is known."""
    holders: int
    """How many different ones."""


@dataclass(frozen=True, slots=True)
class Growth:
    """A process whose resident memory grew from every one of several captures to the next."""

    pid: Pid
    looks: int
    """How many captures saw it."""
    lasted_s: float
    """Seconds from the first of them to the last; more than 0."""
    grown_bytes: int

    @property
    def rate(self) -> float:
        """Bytes a second."""
        return self.grown_bytes / self.lasted_s
