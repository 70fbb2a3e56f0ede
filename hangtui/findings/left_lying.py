"""What lies unread in a process, and nobody in it is to read."""

from hangtui.findings.thresholds import STILL_S
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
