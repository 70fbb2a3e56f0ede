"""What lies unread in a process whose threads are all at rest: it may be a request that nobody in
it takes."""

from hangtui.findings.english import counted
from hangtui.findings.rest.rests import Rests
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import Capture, Process


def left_lying(process: Process, capture: Capture) -> int:
    """How many bytes have lain in one connection of its for over a second, which no thread and no
    event loop of its is to read, without having been told to leave them."""
    found = [
        one.traffic.unread
        for one in capture.unattended
        if one.pid == process.pid
        and one.paused is None
        and (one.traffic.received_s or 0.0) >= STILL_S
    ]
    return max(found, default=0)


def told_lying(process: Process, rests: Rests, words: Words) -> str:
    """``; 70 bytes lie unread in its own connection ...``, where that is all that is wrong."""
    lying = left_lying(process, words.capture) if rests.all_of(process) else 0
    if not lying:
        return ""
    count = counted(lying, "byte")
    return f"; {count} lie unread in its own connection, and none of its threads reads them"
