"""What findings rest on: the rules of evidence, one of which each rule names as its ``GROUND``.

docs/safety.md has a section for each, with the same heading; the pages of findings link to it.
"""

from hangtui.dataclass import dataclass
from hangtui.model import Reason, Severity


@dataclass(frozen=True, slots=True)
class Ground:
    """One rule of evidence."""

    reason: Reason
    """What its findings carry."""
    title: str
    """Also the heading of its section."""
    says: str
    """What it takes, in a sentence."""
    worst: Severity
    """What it can support at most."""

    @property
    def anchor(self) -> str:
        """The fragment by which its section is found."""
        return self.title.lower().replace(" ", "-")


RING = Ground(
    Reason.RING,
    "A ring of waits",
    "Every link is recorded or proven, and every member stood still from the first reading to the "
    "last. If a link is inferred, or a wait ends by itself, it is a warning, but for an inferred "
    "hold of a lock that nobody else is left to release.",
    Severity.ERROR,
)
ENDED = Ground(
    Reason.ENDED,
    "Somebody who has ended",
    "The end itself was seen, not merely an absence: a record named an owner before and after the "
    "threads were listed without it, or the kernel shows that a process ended or was forked.",
    Severity.ERROR,
)
CRASH = Ground(
    Reason.CRASH,
    "A crash",
    "The kernel says which signal ended the program, and where; the reason is given with the "
    "evidence for it.",
    Severity.ERROR,
)
NOBODY = Ground(
    Reason.NOBODY,
    "Nobody else",
    "All who could act are known, were looked at, and were the same at the last look as at the "
    "first; each stood still in a wait that does not end by itself. It is an error only where "
    "several looks saw that for a second or more, and in a wait by which no program rests.",
    Severity.ERROR,
)
ONE_WAIT = Ground(
    Reason.ONE_WAIT,
    "One wait that lasts",
    "The kernel or the interpreter says what the thread waits for, and it stood still in that "
    "wait; whether somebody is about to end it is not claimed.",
    Severity.WARNING,
)
COUNTED = Ground(
    Reason.COUNTED,
    "What is counted",
    "A count of the kernel or of the interpreter was read twice, and the difference is what is "
    "reported.",
    Severity.WARNING,
)
REASSURANCE = Ground(
    Reason.REASSURANCE,
    "Reassurance",
    "There is positive evidence for each thread that is mentioned, the process was read as a "
    "whole, and nothing worse is said of it.",
    Severity.NOTE,
)
GROUNDS = (RING, ENDED, CRASH, NOBODY, ONE_WAIT, COUNTED, REASSURANCE)
