"""What rules ask of a thread: which functions are on its stack, and where the program itself is."""

from collections.abc import Container, Iterable, Iterator, Sequence

from hangtui.analysis.frame_classifier import base_name
from hangtui.analysis.latest import of_stack
from hangtui.analysis.places import (
    application_index,
    function_of,
    innermost_foreign,
    is_expression,
    library_frame,
    line_and_function,
    line_of,
    native_name,
    package_of,
    program_frame,
)
from hangtui.analysis.states import COLLECTORS, ThreadState, state_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.awaited_signals import for_signals
from hangtui.findings.database_sessions import goes_on
from hangtui.findings.databases import sleeps_in_sqlite
from hangtui.findings.english import stillness
from hangtui.findings.handled import after_error
from hangtui.findings.looked import looked_there, polled_by
from hangtui.findings.thresholds import SOON_S
from hangtui.findings.watching import watching
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeKind, Process, PythonFrame, Sleep, Thread

MULTIPROCESSING = ("multiprocessing", "multiprocess")
"""The standard library's package, and pathos's copy of it."""
POOL_FILES = tuple(f"/{name}/pool.py" for name in MULTIPROCESSING)
_AT_REST = "TtZX"
"""States of threads that do nothing before somebody else lets them, or ever again: proc(5)."""
_SOCKETS = ("/socket.py", "/ssl.py")
_HELD = frozenset({NodeKind.LOCK, NodeKind.RLOCK, NodeKind.IMPORT_LOCK, NodeKind.MUTEX})
"""Of which at most one thread or task is the owner."""
_STARTS = frozenset({"<module>", "_bootstrap", "_bootstrap_inner"})


_STOPPED = "T"
RUNS = (ThreadState.RUN, ThreadState.NATIVE, ThreadState.GC)
"""The kernel's letter of a thread that goes on after SIGCONT."""


def name_of(frame: PythonFrame) -> str:
    """The function's name without its class: ``wait`` of ``Condition.wait``."""
    return frame.function.rpartition(".")[2]


@of_stack
def _functions(stack: Sequence[PythonFrame]) -> frozenset[str]:
    """The names of all functions on it, without their classes."""
    return frozenset(map(name_of, stack))


def index_of(thread: Thread, functions: Iterable[str], *files: str, start: int = 0) -> int | None:
    """The innermost Python frame that runs one of *functions* in a file with one of these ends."""
    stack = thread.python_stack or ()
    if _functions(stack).isdisjoint(functions):
        return None
    for index, frame in enumerate(stack):
        if (
            frame.function.rpartition(".")[2] in functions  # few frames get further
            and index >= start
            and (not files or frame.filename.endswith(files))
        ):
            return index
    return None


def own_frame(thread: Thread, start: int = 0) -> PythonFrame | None:
    """The innermost frame from *start* on that is the program's own."""
    return program_frame((thread.python_stack or ())[start:])


def told(frame: PythonFrame | None) -> str:
    """``main.py:12 (serve)``; nothing for no frame."""
    return line_and_function(frame) if frame else ""


def at(frame: PythonFrame | None) -> str:
    """`` at main.py:12 (serve)``; nothing for no frame."""
    return f" at {told(frame)}" if frame else ""


def below_application(actor: Actor) -> bool:
    """Whether it stands below a line of the application."""
    return application_index(actor.python_stack or ()) is not None


def block_left(actor: Actor) -> str:
    """``, at the end of its TaskGroup,``, of one that the end of a block of the application has
    called, to wait there: of a ``with`` or ``async with``, of a library's object; empty: none."""
    stack = actor.python_stack or ()
    index = application_index(stack)
    kind, _, name = stack[index - 1].function.rpartition(".") if index else ("", "", "")
    exits = name in ("__aexit__", "__exit__")
    return f", at the end of its {kind.rpartition('.')[2]}," if exits and kind else ""


def at_own_line(actor: Actor) -> str:
    """`` at main.py:12 (serve)``, of one that stands below a line of the application."""
    stack = actor.python_stack or ()
    index = application_index(stack)
    return "" if index is None else at(stack[index])


def called(thread: Thread, index: int) -> str:
    """`` in AcquirerProxy.acquire (managers.py:1059)``, `` in slack_sdk's Connection.connect
    (connection.py:309)``: what the line of the frame at *index* called, unless that is the socket
    itself."""
    stack = thread.python_stack or ()
    entry = stack[index - 1] if index else None
    if entry is None or entry.filename.endswith(_SOCKETS):
        return ""
    package = package_of(entry)
    whose = f"{package}'s " if package else ""
    return f" in {whose}{function_of(entry)} ({line_of(entry)})"


def depth_of(thread: Thread, frame: PythonFrame | None) -> int:
    """The place of *frame* on the stack, the innermost being 0, as it is without a frame."""
    return (thread.python_stack or ()).index(frame) if frame else 0


def at_call(thread: Thread) -> str:
    """`` at main.py:12 (serve) in Queue.get (queue.py:171)``: its line, and what that called."""
    frame = own_frame(thread)
    return f"{at(frame)}{called(thread, depth_of(thread, frame))}"


def callers_of(thread: Thread, frame: PythonFrame | None) -> str:
    """Who called *frame*, as `callers`; nothing for no frame."""
    return callers(thread, depth_of(thread, frame)) if frame else ""


def callers(thread: Actor, start: int, limit: int = 3) -> str:
    """Who of the application called the frame at *start*: ``, called from a.py:1 (f), b.py:2
    (g)``."""
    names = called_from(thread.python_stack or (), start, limit)
    return f", called from {', from '.join(names)}" if names else ""


def called_from(stack: Sequence[PythonFrame], start: int, limit: int = 3) -> list[str]:
    """The lines of the application that called the frame at *start*, the innermost first."""
    outwards = stack[start + 1 :]
    # A generator expression and the function around it stand on one line, under one name.
    same = {told(frame) for frame in stack[start : start + 1] if is_expression(frame)}
    frames = [f for f in outwards if not library_frame(f) and package_of(f) is None]
    names = [told(frame) for frame in frames if name_of(frame) not in _STARTS]
    return [name for name in names if name not in same][:limit]


def idle_worker(thread: Thread) -> bool:
    """Whether it is a worker of a multiprocessing.Pool that waits for its next task."""
    stack = thread.python_stack or ()
    index = index_of(thread, {"worker", "workloop"}, *POOL_FILES, "/billiard/pool.py")
    if index is None:
        return False
    own = package_of(stack[index])
    return all(library_frame(one) or (own and package_of(one) == own) for one in stack[:index])


def main_thread(process: Process) -> Thread | None:
    """The thread that the process ends with."""
    return next((thread for thread in process.threads if thread.tid == process.pid), None)


def native_index(thread: Thread, names: Container[str]) -> int | None:
    """The innermost native frame with one of these names."""
    frames = thread.native_stack or ()
    return next((i for i, frame in enumerate(frames) if base_name(frame) in names), None)


def collecting(thread: Thread) -> bool:
    """Whether its native stack is inside of the garbage collector."""
    return native_index(thread, COLLECTORS) is not None


def wait_for_ever(thread: Thread, words: Words) -> Edge | None:
    """What it waits for without a timeout, while it stood still; None: nothing of the kind."""
    lasting = words.lasting.get(thread.id)
    return lasting.wait if lasting else None


def waits_for_ever(
    words: Words, kinds: Container[NodeKind | None]
) -> Iterator[tuple[Thread, Edge]]:
    """The threads that stand still in a wait without a timeout for something of these kinds."""
    lasting = words.lasting.values()
    return ((one.thread, one.wait) for one in lasting if one.kind in kinds)


def kind_of(edge: Edge, words: Words) -> NodeKind | None:
    """What kind of thing a wait is for."""
    node = words.graph.node(edge.target)
    return node.kind if node else None


def way_of(wait: Edge, words: Words) -> str | None:
    """The method that waits: of a thread, or of a task."""
    return words.method(wait) or words.operation(wait)


def does(thread: Thread, words: Words, *, alone: bool = True, where: str | None = None) -> str:
    """What a thread does, in one clause: ``feeder waits at app.py:9 (feed) for jobs``; *alone*:
    nothing else is said of it: with who holds what it waits for, the error that it handles while it
    sleeps, and what it looks at in between; *where*: instead of its line, if it is not known what
    it waits for."""
    name, frame = words.thread_name(thread), own_frame(thread)
    if thread.state == _STOPPED:
        return f"{name} is stopped by a signal{at(frame)}"
    state = state_of(thread, words.graph)
    wait = words.graph.wait_of(thread.id)
    if wait is not None:
        return f"{name} {words.waiting(wait)}{held_by(wait, words) if alone else ''}"
    if sleeps_in_sqlite(thread):
        return f"{name} waits{at(frame)} for a lock on an SQLite database"
    polled = polled_by(thread.id, words) if alone else None
    looks = ""
    if polled:
        looks = f", by polling {looked_there(polled, thread.python_stack or (), frame)}"
    looks = looks or (", again and again" if alone and polls(thread, words) else "")
    if state in RUNS:
        if polled:
            return f"{name} waits{at(frame)}{looks}"
        code = innermost_foreign(thread) if frame is None else None
        package = package_of(frame) if frame else None
        inside = f", in {package}," if package else ""
        return f"{name} runs{f' in {native_name(code)}' if code else f'{inside}{at(frame)}'}"
    call = f" in {thread.syscall.name}" if thread.syscall and frame is None else ""
    verb = "sleeps" if state is ThreadState.SLEEP else "waits"
    sleep = thread.syscall if thread.syscall and thread.syscall.sleeps else None
    # That the clock ends a sleep goes without saying: CPython sleeps in select() up to 3.10.
    said = sleep is not None and (not sleep.timed or is_long(sleep.sleep))
    how_long = f", {sleep.detail}" if said and sleep and sleep.detail else ""
    after = after_error(thread.id, words) if sleep and alone else ""
    for_what = for_signals(thread) or watching(thread.id, words)
    place = at(frame) if where is None else where
    return f"{name} {verb}{place}{call}{how_long}{looks}{after}{for_what}"


def is_long(sleep: Sleep | None) -> bool:
    """Whether it does not end within the minute."""
    return sleep is not None and sleep.lasts_s >= SOON_S


def held_by(wait: Edge, words: Words) -> str:
    """``, which flusher holds``, of a lock that another thread or task surely has; else nothing."""
    holds = words.graph.holders_of(wait.target)
    if wait.target.kind not in _HELD or len(holds) != 1 or holds[0].target == wait.source:
        return ""
    sure = holds[0].evidence.certainty.supports_claim and words.actor(holds[0].target) is not None
    return f", which {words.name(holds[0].target)} holds" if sure else ""


def still(threads: Iterable[Thread]) -> str:
    """How long none of *threads* ran."""
    return stillness(list(threads))


def stood_s(thread: Thread, words: Words) -> float:
    """For how many seconds several captures saw it stand still; one alone is too short to count."""
    seen = words.progress.get(thread.id)
    return seen.unchanged_s if seen else 0.0


def other_side_works(wait: Edge, words: Words) -> bool:
    """Whether a process at the other end of a pipe or socket is at work: it may come to it yet.

    Who only wakes up to wait again on the same lines is not.
    """
    nodes = {words.graph.node(hold.target) for hold in words.graph.holders_of(wait.target)}
    return at_work({node.pid for node in nodes if node is not None}, words)


def at_work(pids: Iterable[int], words: Words) -> bool:
    """Whether one of these processes, as far as they were looked at, is at work: a session of a
    database is while it executes a statement."""
    pids = set(pids)
    if any(
        session.pid in pids and goes_on(session, words.capture)
        for session in words.capture.database_sessions
    ):
        return True
    processes = filter(None, map(words.capture.process, pids))
    threads = (thread for process in processes for thread in process.threads)
    awake = (t for t in threads if not t.blocked and t.state not in _AT_REST)
    return any((seen := words.progress.get(t.id)) is None or not seen.same_line for t in awake)


def runs_task(stack: Sequence[PythonFrame]) -> bool:
    """Whether a worker of a thread pool is inside of what it was given to do."""
    return any(
        frame.filename.endswith("concurrent/futures/thread.py") and name_of(frame) == "run"
        for frame in stack
    )


def polls(thread: Thread, words: Words) -> bool:
    """Whether several looks saw it asleep on the same lines although it ran in between."""
    seen = words.progress.get(thread.id)
    return seen is not None and seen.same_line and seen.ran


def moved(thread: Thread, words: Words) -> bool:
    """Whether several looks saw it on different lines."""
    seen = words.progress.get(thread.id)
    return seen is not None and not seen.same_line and seen.ran


def stands(thread: Thread, words: Words) -> bool:
    """Whether it did not run, or woke up only to wait again on the same lines."""
    if thread.runs is None:
        return False
    return thread.blocked or polls(thread, words) or thread.id in words.looking
