"""What the reading of one target may cost in sum, and the count of what it has cost.

A target decides how many frames, objects and symbols it has, and may forge them. So each walk
charges what it does here; a walk whose charge is refused keeps what it has found.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from hangtui.backends import precedence
from hangtui.dataclass import dataclass
from hangtui.model import Source

FEW = 8
"""Processes that may cost as much each as if each were looked at alone."""


class BudgetSpentError(Exception):
    """A bound of what one target may cost is reached; the message names it.

    It is no error of memory: whoever catches those goes on with the next object, and this is to
    end the walk.
    """


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds in sum over one target."""

    seconds: float
    """Time that its reading takes, without the time that others are read in."""
    frames: int
    """Python frames of all threads, and as many native ones; each thread may have *frames_each*
    besides."""
    frames_each: int
    objects: int
    """Entries of containers and members of chains that are walked over."""
    steps: int
    """Bytes of the programs that unwinding executes."""
    symbol_bytes: int
    """Bytes of symbol tables and of their names."""
    kept_bytes: int
    """Bytes of strings, code and unwind tables that are remembered."""
    pages: int
    """Pages of memory that are remembered at a time; older ones are read anew when needed."""
    fetched_bytes: int
    """Bytes of memory that are read."""
    map_bytes: int
    """Of the list of its mappings: 65,530 of them have some 6 MB."""


ASKED = Limits(
    seconds=30.0,
    frames=30_000,
    frames_each=50,
    objects=2_000_000,
    steps=4_000_000,
    symbol_bytes=160 << 20,
    kept_bytes=128 << 20,
    pages=16_384,
    fetched_bytes=2 << 30,
    map_bytes=64 << 20,
)
"""Of a process that was asked for by its PID, and of a core. Measured: an ordinary process needs
less than a hundredth of each, one with 18,000 tasks of asyncio 140,000 objects and 7 s, one with
3,000 threads of 24 frames 72,000 of its 180,000 frames and 8 s."""

MANY = Limits(
    seconds=4.0,
    frames=3_000,
    frames_each=20,
    objects=250_000,
    steps=500_000,
    symbol_bytes=64 << 20,
    kept_bytes=48 << 20,
    pages=4_096,
    fetched_bytes=256 << 20,
    map_bytes=16 << 20,
)
"""Of each where many are read at once: one hostile process must not hold up the list of all."""


SEVERAL = replace(MANY, objects=1_000_000)
"""Of each of many that were asked for, or belong to one that was. Measured: a driver of Ray Data
needs more than 250,000 objects."""


def limits_for(*, asked: bool, count: int) -> Limits:
    """The bounds of each of *count* processes; *asked*: they were asked for by PID."""
    if not asked:
        return MANY
    return ASKED if count <= FEW else SEVERAL


@dataclass(slots=True)
class _Account:
    """What was spent of one thing, and what is said once that is more than the bound."""

    bound: int
    missing: str
    source: Source
    sentence: str
    spent: int = 0


class Spending:
    """What one target has cost, held to its limits."""

    def __init__(self, limits: Limits = ASKED) -> None:
        self.limits = limits
        self.reached: dict[str, tuple[Source, str]] = {}
        """What is missing, each with its source and the sentence that names the bound."""
        self._seconds_left = limits.seconds
        self._deadline: float | None = None
        self._queued_s = precedence.queued_s()
        """How long we had waited for a processor when that was last looked at."""
        self._memory = _Account(
            limits.fetched_bytes,
            "memory",
            Source.PROCFS,
            f"{limits.fetched_bytes >> 20} MiB of its memory were read, and no more",
        )
        self._objects = _Account(
            limits.objects,
            "Python objects",
            Source.CPYTHON,
            f"{limits.objects:,} of its objects were looked at, and no more",
        )
        self._kept = _Account(
            limits.kept_bytes,
            "texts and tables",
            Source.CPYTHON,
            f"{limits.kept_bytes >> 20} MiB of its texts and tables were kept, and no more",
        )
        self._steps = _Account(
            limits.steps,
            "native frames",
            Source.UNWIND,
            f"{limits.steps:,} steps were made to unwind its stacks, and no more",
        )
        self._symbol_bytes = 0
        self._native_frames = 0
        self._python_frames = 0

    def reach(self, missing: str, source: Source, sentence: str) -> None:
        """Note that *missing* is not all there, and the bound that was reached."""
        self.reached.setdefault(missing, (source, sentence))

    def _refuse(self, missing: str, source: Source, sentence: str) -> BudgetSpentError:
        self.reach(missing, source, sentence)
        return BudgetSpentError(sentence)

    # -- time -----------------------------------------------------------------------------------

    @contextmanager
    def clock(self, least_s: float = 0.0) -> Iterator[None]:
        """Count the time that is spent within; *least_s*: so much is granted in any case."""
        if self._deadline is not None:
            yield
            return
        started = time.monotonic()
        self._deadline = started + max(self._seconds_left, least_s)
        try:
            yield
        finally:
            self._seconds_left -= time.monotonic() - started
            self._deadline = None

    def check(self) -> None:
        """Whether there is time left.

        Raises:
            BudgetSpentError: there is none.
        """
        if self._deadline is not None and time.monotonic() > self._deadline:
            if self._was_queued():
                return
            text = f"reading it took longer than {self.limits.seconds:g} s: the rest was not read"
            raise self._refuse("what takes longer to read", Source.PROCFS, text)

    def _was_queued(self) -> bool:
        """Put the time off that we waited for a processor, which is not the target's doing."""
        before, self._queued_s = self._queued_s, precedence.queued_s()
        if self._deadline is None or self._queued_s <= before:
            return False
        self._deadline += self._queued_s - before
        self._seconds_left += self._queued_s - before
        return time.monotonic() <= self._deadline

    def _charge(self, account: _Account, count: int) -> None:
        account.spent += count
        if account.spent > account.bound:
            raise self._refuse(account.missing, account.source, account.sentence)

    # -- counts ---------------------------------------------------------------------------------

    def fetch(self, size: int) -> None:
        """Charge bytes that are about to be read from memory.

        Raises:
            BudgetSpentError: they were too many, or there is no time left.
        """
        self._charge(self._memory, size)
        self.check()

    def objects(self, count: int) -> None:
        """Charge objects that are about to be looked at.

        Raises:
            BudgetSpentError: they were too many, or there is no time left.
        """
        # Asked for each object: as one function it takes half the time.
        account = self._objects
        account.spent += count
        if account.spent > account.bound:
            raise self._refuse(account.missing, account.source, account.sentence)
        if self._deadline is not None and time.monotonic() > self._deadline:
            self.check()

    def keep(self, size: int) -> None:
        """Charge bytes that will be remembered.

        Raises:
            BudgetSpentError: they were too many.
        """
        self._charge(self._kept, size)

    def steps(self, count: int) -> None:
        """Charge bytes of unwinding programs that are about to be executed.

        Raises:
            BudgetSpentError: they were too many, or there is no time left.
        """
        self._charge(self._steps, count)
        self.check()

    def native_frame(self, number: int) -> bool:
        """Whether a stack may have a frame of this *number*, the innermost's being 0."""
        if number < self.limits.frames_each:
            return True
        self._native_frames += 1
        if self._native_frames <= self.limits.frames:
            return True
        text = f"native frames were read up to {self.limits.frames:,} of all threads together"
        self.reach("native frames", Source.UNWIND, text)
        return False

    def frames_left(self, threads: int) -> int:
        """How many Python frames of this many threads may still be read."""
        return self.limits.frames + self.limits.frames_each * threads - self._python_frames

    def python_frames(self, count: int) -> None:
        """Charge Python frames that were read."""
        self._python_frames += count

    def symbols(self, size: int) -> bool:
        """Charge bytes of symbols that are about to be read, if so many may be."""
        if self._symbol_bytes + size > self.limits.symbol_bytes:
            bound = self.limits.symbol_bytes >> 20
            text = f"symbol tables were read up to {bound} MiB of all modules together"
            self.reach("symbols", Source.UNWIND, text)
            return False
        self._symbol_bytes += size
        return True
