"""Event loops that a package runs, for a call of the application, until one answer has come."""

from hangtui.analysis.places import application_index, package_of
from hangtui.findings.package_queries import hands_over
from hangtui.findings.words import Words
from hangtui.model import Thread


def calls_for_something(thread: Thread) -> bool:
    """Whether the application has called a package which is not there to serve: an event loop that
    runs below that, and has no task, runs until what was asked for has come."""
    stack = thread.python_stack or ()
    index = application_index(stack)
    inside = stack[:index] if index is not None else ()
    return index is not None and any(map(package_of, inside)) and not hands_over(stack, index)


def told_by_tasks(thread: Thread, words: Words) -> bool:
    """Whether it waits in an event loop, and not for what a package, which it has called, is to
    bring it by running a loop that has no task and hears its process's own children alone."""
    if thread.id not in words.looping:
        return False
    loops = [
        one for one in words.capture.event_loops if (one.pid, one.tid) == (thread.pid, thread.tid)
    ]
    heard = [one for one in words.capture.watched if one.thread == thread.id]
    peers = {pid for one in heard for pid in one.peers}
    children = {one.pid for one in words.capture.processes if one.ppid == thread.pid}
    asks = all(one.peers for one in heard) and bool(peers) and peers <= children
    return not asks or any(map(words.tasks_of, loops)) or not calls_for_something(thread)
