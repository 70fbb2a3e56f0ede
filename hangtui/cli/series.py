"""Several captures in a row, so that standing still can be told from moving slowly."""

import math
import time
from dataclasses import replace

from hangtui.analysis.growth import growing
from hangtui.analysis.progress import of_the_same, with_progress
from hangtui.analysis.turnover import turnovers
from hangtui.cli import targets
from hangtui.dataclass import dataclass
from hangtui.model import LOOKS_THAT_TELL, Capture, TargetError
from hangtui.provider import CaptureRequest, NativeMode


@dataclass(frozen=True, slots=True)
class Looks:
    """How often to look at most, and for how long."""

    count: int = 5
    seconds: float = 2.0
    follow: bool = True
    """Look at the processes as well that those which were asked for wait for, and at those that run
    Python which they started: who starts workers is at rest while these hang."""


def take(request: CaptureRequest, looks: Looks, taken: Capture | None = None) -> Capture:
    """The last of several captures, with what its threads did over all of them.

    It takes *looks.seconds* and the time of one capture. Where there is so much to look at, or the
    machine so busy, that one capture takes longer than the time between two of them, there are
    fewer, but as many as tell who polls: then it takes as long as these, and the seconds.

    *taken*: the first one, if it was taken already.

    Raises:
        TargetError: none of the processes could be read.
    """
    request = replace(request, follow=looks.follow and bool(request.pids))
    captures = [taken or targets.live(request)]
    if looks.follow and request.pids and not request.children:
        request = replace(request, pids=(*request.pids, *targets.workers(captures[0])))
    # Where nobody runs, native stacks do not change: the last look has them.
    runs = any(thread.native_sampled for thread in captures[0].threads())
    quick = request if runs else replace(request, native=NativeMode.NONE)
    started, last = time.monotonic(), max(2, looks.count) - 1
    number = 0
    while number < last:
        number = next_look(number, last, looks.seconds, time.monotonic() - started, len(captures))
        due = started + looks.seconds * number / last
        time.sleep(max(0.0, due - time.monotonic()))
        try:
            captures.append(targets.live(request if number == last else quick))
        except TargetError:
            break  # it ended meanwhile: what was seen of it counts
    same = of_the_same(captures)
    grown, replaced = tuple(growing(same)), tuple(turnovers(same))
    return replace(with_progress(captures), growth=grown, turnovers=replaced)


def next_look(number: int, last: int, seconds: float, passed: float, taken: int) -> int:
    """Which look comes after look *number*, if *passed* seconds have gone by and *taken* ones were
    taken: those whose time has passed meanwhile are left out, unless they are among the last that
    it takes to tell who polls; the *last* one never is."""
    due = passed * last / seconds if seconds else float(number)
    needed = last - max(0, LOOKS_THAT_TELL - taken - 1)
    return max(number + 1, min(needed, math.ceil(due)))
