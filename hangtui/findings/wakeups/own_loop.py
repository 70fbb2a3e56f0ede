"""Waits inside of a callback of an event loop that the waiting thread runs itself."""

from hangtui.analysis.places import line_and_function
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.doing import doing
from hangtui.findings.english import clauses
from hangtui.findings.stack_queries import at, below_application, index_of, kind_of, own_frame
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import NodeKind, PythonFrame, Task, TaskState, Thread

INSIDE = ", inside of a callback of the event loop that it runs itself"
ADVICE = (
    "Do not wait for a result in the thread of the event loop that may have to bring it: await it "
    "there (asyncio.wrap_future), or leave the rest to its add_done_callback()."
)


def own_loop(thread: Thread, wait: Edge, words: Words) -> PythonFrame | None:
    """The frame that runs an event loop in a callback of which the wait is: every loop that is like
    asyncio's, be it of another library, calls its callbacks by a Handle. A wait for what is no
    future is one of that kind only if the application has tasks in that loop, which it cannot run
    meanwhile: one of them may be what is to end it."""
    if kind_of(wait, words) is not NodeKind.FUTURE and not _kept(thread, words):
        return None
    called = index_of(thread, {"_run"}, "/asyncio/events.py")
    if called is None:
        return None
    runs = index_of(thread, {"run_forever", "run_until_complete"}, start=called)
    return (thread.python_stack or ())[runs] if runs is not None else None


def told_loop(thread: Thread, wait: Edge, words: Words) -> str:
    """What that means, as a sentence with a blank before it; empty: it is in none."""
    frame = own_loop(thread, wait, words)
    if frame is None:
        return ""
    kept = [doing(task, words) for task in _kept(thread, words)]
    meanwhile = f": {clauses(kept[:NAMES_LISTED], len(kept))}" if kept else ""
    return (
        " It waits inside of a callback of the event loop that it runs itself at "
        f"{line_and_function(frame)}, and what that loop is still to run comes only after it"
        f"{meanwhile}."
    )


def advice(thread: Thread, wait: Edge, words: Words) -> str:
    """How to mend it."""
    if kind_of(wait, words) is NodeKind.FUTURE:
        return ADVICE
    return (
        f"Await an asynchronous version of the call{at(own_frame(thread))}, or move it into a "
        "thread (asyncio.to_thread), so that the loop can run what is to end it."
    )


def _kept(thread: Thread, words: Words) -> list[Task]:
    """The application's tasks that the loop of *thread* cannot run until it is done, first those
    that are ready to go on."""
    place = thread.pid, thread.tid
    loops = (one for one in words.capture.event_loops if (one.pid, one.tid) == place)
    tasks = [task for loop in loops for task in words.tasks_of(loop) if task.id != loop.task]
    found = [task for task in tasks if below_application(task)]
    return sorted(found, key=lambda task: task.state is not TaskState.READY)
