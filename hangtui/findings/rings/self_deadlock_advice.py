"""What to change where a thread or task waits for what it has itself."""

from hangtui.analysis.places import (
    application_index,
    function_of,
    library_frame,
    package_of,
    program_frame,
    short_path,
)
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.forks import forked_at, in_fork
from hangtui.findings.loops import terms_for
from hangtui.findings.rings.channel_advice import in_event_loop, self_advice
from hangtui.findings.stack_queries import runs_task
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeKind, Task, Thread

GIVES = {
    NodeKind.FUTURE: "which only it could set",
    NodeKind.CALL: "which its own event loop has to run",
    NodeKind.EVENT: "which its own event loop has to set",
    NodeKind.QUEUE: "which its own event loop has to fill",
    NodeKind.CONDITION: "which its own event loop has to notify",
}
"""How what nobody holds comes to whoever waits for it."""
_FROM_THREAD = "blockingCallFromThread"


def _of_its_end(thread: Actor) -> str:
    if isinstance(thread, Thread):
        return "A thread cannot wait for its own end: let another one join it."
    one = "greenlet" if thread.id.kind is NodeKind.GREENLET else "task"
    return (
        f"A {one} cannot wait for its own end: leave it out of those that it waits for, or have "
        f"another {one} wait for all."
    )


def advice(thread: Actor, hold: Edge | None, words: Words) -> str:
    """*hold*: what it has itself and waits for; None: it waits for its own end."""
    if hold is None:
        return _of_its_end(thread)
    lock, node = words.name(hold.source), words.graph.node(hold.source)
    again = words.native_function(thread) or function_that_waits(thread) or "the inner call"
    if words.is_channel(hold.source) and isinstance(thread, Thread):
        told = f"Have whoever was to write to {lock} do so on every path: where it fails, too."
        return told if is_eventfd(thread, words) else self_advice(thread, lock, words)
    if any(w.call == _FROM_THREAD for w in words.capture.waits if w.waiter == thread.id):
        return (
            f"Call the function itself instead of {_FROM_THREAD}(): this is the thread that runs "
            "the reactor already. What it returns may be a Deferred: give that a callback."
        )
    if words.is_future(hold.source):
        return (
            f"Do not wait in {again} for the task of the pool that called it: leave that one out "
            "of those that it waits for, or let a thread wait that is none of the pool's."
            if own_result(thread, hold)
            else f"Await the coroutine in {again} (make it async), or call result() from a thread "
            "that does not run the event loop."
        )
    if hold.source.kind is NodeKind.CALL:
        return (
            "Have the async method await the reference instead of calling ray.get: that blocks the "
            "event loop, which has to run the other call meanwhile."
        )
    if is_delivered(hold, words):
        return (
            f"Do not wait in {again}: it runs in the loop's own thread, where the call can be made "
            "at once or be given a callback; or move it into a thread that does not run the loop."
        )
    if isinstance(thread, Task):
        return _split(thread, lock, again, words)
    kind = node.kind if node else None
    forked = _of_a_fork(thread, hold, lock, again)
    return forked or _not_again(kind, lock, again, _package(thread))


def _of_a_fork(thread: Thread, hold: Edge, lock: str, again: str) -> str:
    """What to do where a fork has to do with it; empty: none has."""
    if in_fork(thread):
        return (
            f"Start the process after {lock} was released: a function that os.register_at_fork was "
            "given takes it before every fork."
        )
    if before_fork(thread, hold):
        return (
            f"Start the process when nobody has {lock}, or with spawn or forkserver instead of "
            f"fork; and do not use in {again} what has a lock or a thread in the parent."
        )
    return ""


def _not_again(kind: NodeKind | None, lock: str, again: str, package: str | None) -> str:
    """Advice for a thread that takes again, in the function *again* or in what that calls of
    *package*, what it has."""
    if kind is NodeKind.GIL:
        return "Release the GIL (PyEval_SaveThread) before it is taken again."
    if kind is NodeKind.FILE_LOCK:
        return (
            f"Do not lock it again in {again}: pass the open file on. A second descriptor of the "
            "file does not know that this process has locked it."
        )
    if kind is NodeKind.SEMAPHORE:
        return (
            f"Release {lock} before {again} acquires it again, acquire it once for all that is "
            "done with it, or give it as many units as one caller takes."
        )
    if kind in (NodeKind.LOCK, NodeKind.CONDITION) and package:
        return (
            f"Do not call {package} in {again} while {lock} is taken: {package} takes it there "
            "itself."
        )
    if kind in (NodeKind.LOCK, NodeKind.CONDITION):
        return (
            f"Make {lock} a threading.RLock, which its owner may take again, or split {again} so "
            f"that the part that is called under {lock} does not take it."
        )
    return f"Make {lock} recursive, or do not take it again in {again}."


def _split(task: Task, lock: str, again: str, words: Words) -> str:
    """Advice for a task that waits for what it has, in the words of its library."""
    terms = terms_for([task], words.capture)
    if terms.reentrant:
        return (
            f"Make {lock} a {terms.reentrant}, which its owner may take again, or split {again} so "
            f"that the part that is called under {lock} does not take it."
        )
    return (
        f"{terms.library} has no reentrant lock: split {again} so that the part that is awaited "
        f"under {lock} does not take it."
    )


def before_fork(thread: Actor, hold: Edge) -> bool:
    """Whether the line that took the lock ran in the parent: the frames from multiprocessing's
    fork on are copies of its own."""
    forked = forked_at(thread) if isinstance(thread, Thread) else None
    if forked is None:
        return False
    where = short_path(hold.evidence.where or "")
    # The innermost frame may wait at the very line at which it was taken.
    inside = [
        index
        for index, frame in enumerate(thread.python_stack or ())
        if hold.evidence.text.endswith(f" in {function_of(frame)}")
        and not (index == 0 and f"{frame.filename}:{frame.line}".endswith(f"/{where}"))
    ]
    return bool(inside) and min(inside) > forked


def is_eventfd(thread: Actor, words: Words) -> bool:
    """Whether it waits for what has no other end: whoever has it open can write to it."""
    return any(words.operation(wait) == "eventfd" for wait in words.graph.waits_of(thread.id))


def is_delivered(hold: Edge, words: Words) -> bool:
    """Whether it is something that comes to whoever waits, and that nobody holds."""
    node = words.graph.node(hold.source)
    return node is not None and node.kind in GIVES


def own_result(thread: Actor, hold: Edge) -> bool:
    """Whether it is the result of a task that it runs as a worker of a thread pool, where no event
    loop has called it."""
    if hold.source.kind is not NodeKind.FUTURE or not isinstance(thread, Thread):
        return False
    return runs_task(thread.python_stack or ()) and not in_event_loop(thread)


def function_that_waits(thread: Actor) -> str | None:
    """The innermost function of the program itself, if there is one."""
    stack = thread.python_stack or ()
    own = (frame for frame in stack if not library_frame(frame))
    frame = program_frame(stack) or next(own, stack[0] if stack else None)
    return function_of(frame) if frame else None


def _package(thread: Actor) -> str | None:
    """The package in which it takes the lock again, where that is none of the application's own
    lines."""
    stack = thread.python_stack or ()
    index = application_index(stack)
    return next(filter(None, map(package_of, stack[:index])), None) if index else None
