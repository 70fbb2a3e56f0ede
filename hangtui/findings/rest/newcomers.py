"""Threads that were started while their process was watched."""

from hangtui.model import Capture, NodeId


def newcomers(capture: Capture) -> frozenset[NodeId]:
    """Those that not all captures saw which saw their process. Of a process that was seen once
    nothing is known."""
    looks = {one.thread: one.looks for one in capture.progress}
    most: dict[int, int] = {}
    for thread, seen in looks.items():
        most[thread.pid] = max(seen, most.get(thread.pid, 1))
    return frozenset(
        thread.id
        for thread in capture.threads()
        if looks.get(thread.id, 1) < most.get(thread.pid, 1)
    )
