"""Waits for a result inside of a callback of an event loop that the waiting thread runs itself."""

from hangtui.analysis.places import line_and_function
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.stack_queries import index_of, kind_of
from hangtui.findings.words import Words
from hangtui.model import NodeKind, PythonFrame, Thread

INSIDE = ", inside of a callback of the event loop that it runs itself"
ADVICE = (
    "Do not wait for a result in the thread of the event loop that may have to bring it: await it "
    "there (asyncio.wrap_future), or leave the rest to its add_done_callback()."
)


def own_loop(thread: Thread, wait: Edge, words: Words) -> PythonFrame | None:
    """The frame that runs an event loop of which the wait for a future is in a callback: every
    loop that is like asyncio's, be it of another library, calls its callbacks by a Handle."""
    if kind_of(wait, words) is not NodeKind.FUTURE:
        return None
    called = index_of(thread, {"_run"}, "/asyncio/events.py")
    if called is None:
        return None
    runs = index_of(thread, {"run_forever", "run_until_complete"}, start=called)
    return (thread.python_stack or ())[runs] if runs is not None else None


def told_loop(frame: PythonFrame) -> str:
    """What that means, as a sentence without its end."""
    return (
        "It waits inside of a callback of the event loop that it runs itself at "
        f"{line_and_function(frame)}, and what that loop is still to run comes only after it"
    )
