"""Timers of the kernel that were given an interval, and no first time: they never expire."""

from hangtui.findings.on_the_way import onward
from hangtui.findings.words import Words
from hangtui.model import NodeId, NoHolder


def never_expires(first: NodeId, words: Words) -> bool:
    """Whether one, or who alone could end its wait, reads a timerfd that is not armed, though it
    has an interval: a first time of zero disarms it, which is hardly what that was meant for."""
    for node in {first, *onward(first, words).told}:
        wait = words.graph.wait_of(node)
        if wait is None or wait.expires or words.operation(wait) != "timer":
            continue
        resource = words.resource(wait.target)
        if resource is not None and resource.no_holder is NoHolder.UNARMED:
            return True
    return False
