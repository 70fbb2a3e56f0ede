"""What lies unread in a process whose threads are all at rest: it may be a request that nobody in
it takes."""

from hangtui.findings.english import counted
from hangtui.findings.left_lying import left_lying
from hangtui.findings.rest.rests import Rests
from hangtui.findings.words import Words
from hangtui.model import Process


def told_lying(process: Process, rests: Rests, words: Words) -> str:
    """``; 70 bytes lie unread in its own connection ...``, where that is all that is wrong."""
    lying = left_lying(process, words.capture) if rests.all_of(process) else 0
    if not lying:
        return ""
    count = counted(lying, "byte")
    return f"; {count} lie unread in its own connection, and none of its threads reads them"
