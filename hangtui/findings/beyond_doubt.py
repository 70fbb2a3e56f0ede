"""When it is an error, and not only a warning, that nobody is left to end a wait.

A program may rest until it is stopped: its main thread waits for an event that nothing sets, its
loop for a future. So what it waits for must be none that anybody parks by, no signal may have a
handler that could end it (but by ending the program), and several looks must have seen that nobody
ran for a second: who was given something meanwhile has had the time to run.
"""

import re
from collections.abc import Iterable

from hangtui.analysis.frame_classifier import foreign_frame, module_name
from hangtui.analysis.places import (
    application_index,
    natives_until_python,
    package_of,
)
from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming
from hangtui.findings.manager_clients import asks_manager
from hangtui.findings.package_queries import package_entry, serves
from hangtui.findings.re_entered import called_further_out, re_entered
from hangtui.findings.resources import is_native
from hangtui.findings.stack_queries import (
    kind_of,
    name_of,
    stood_s,
    wait_for_ever,
    way_of,
)
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import NativeFrame, NodeKind, Process, Task, Thread

_TO_BE_GIVEN = frozenset(
    {
        *(NodeKind.LOCK, NodeKind.RLOCK, NodeKind.SEMAPHORE, NodeKind.BARRIER, NodeKind.RWLOCK),
        *(NodeKind.POOL, NodeKind.LIMITER, NodeKind.FILE_LOCK),
    }
)
"""What somebody has, or is to join at: nobody rests by waiting for these."""
NO_REST = _TO_BE_GIVEN | {NodeKind.QUEUE}
"""They, and what is waited for in some ways so."""
_WAYS = frozenset({"put", "join"})
"""Of a queue: who waits for room, or for its items to be done, has something to do."""
_OF_C = (NodeKind.CONDITION, NodeKind.MUTEX, NodeKind.FUTEX)
"""At what of C code no program parks."""
_GIVES = frozenset({"send", "put"})
"""Of a package's streams and queues."""
_SET = (NodeKind.EVENT, NodeKind.CONDITION)
"""What a program may park by, but not in what a library has called to handle something."""
_HANDLERS = re.compile(
    r"_*(handle|on|dispatch|process|feed)_(read|write|event|message|frame|packet|data|response)s?$"
    r"|_*(data_received|dispatch|run_callbacks?)$"
)
"""How libraries call functions in which they hand on what has come over a connection."""
_PLAIN = ("/threading.py", "/queue.py")
_SIZE = ("SIGWINCH",)
"""What readline and other libraries handle for themselves: the window has another size."""
ASK_TO_END = frozenset({"SIGHUP", "SIGQUIT", "SIGTERM"})
"""Signals by which a program is asked to end, or to begin anew."""
_OF_CHILDREN = "SIGCHLD"
_COMMAND_LINES = frozenset(
    {"absl", "click", "cyclopts", "fire", "hydra", "invoke", "plac", "rich_click", "typer"}
)
"""Packages that call an application's own beginning, where it may wait until it is to end."""
_TESTS = ("/_pytest/python.py", "/_pytest/runner.py", "/unittest/case.py")
"""Where a test's function is called, and its fixtures are set up and taken down."""
_EXECUTOR = "/concurrent/futures/thread.py"
_DEAD = ("Z", "X")
_C_LIBRARY = ("libc.", "libc-", "libpthread", "ld-", "libstdc++", "libgcc")


def waking_signals(process: Process) -> tuple[str, ...] | None:
    """The signals whose handlers may be meant to end a wait; None: not known. A handler that has
    not returned itself would only come to the same place once more; of one that ends the program,
    or only writes a line, its code is known. None is run while the main thread is in somebody
    else's C code: handlers wait for the interpreter to go on there."""
    handled = handled_signals(process)
    if not handled or process.around is None:
        return handled
    if _cannot_handle(process):
        return ()
    calm = {*process.around.ending_signals, *(() if _may_lose(process) else [_OF_CHILDREN])}
    return tuple(one for one in handled if one not in calm)


def _cannot_handle(process: Process) -> bool:
    """Whether its main thread sleeps without a timeout at a lock of somebody's C code, which goes
    on sleeping there after a signal."""
    main = next((one for one in process.threads if one.tid == process.pid), None)
    call = main.syscall if main is not None else None
    if main is None or call is None or call.name != "futex" or call.timed or not main.asleep:
        return False
    frames = natives_until_python(main)
    own = next((frame for frame in frames if not _of_c_library(frame)), None)
    return own is not None and foreign_frame(own)


def _of_c_library(frame: NativeFrame) -> bool:
    return module_name(frame).startswith(_C_LIBRARY)


def _may_lose(process: Process) -> bool:
    """Whether a child of a process may still end, of which it would be told."""
    children = process.around.children if process.around else None
    return children is None or any(child.state not in _DEAD for child in children)


def handled_signals(process: Process) -> tuple[str, ...] | None:
    """The same with those that end the program: who handles one may wait until it comes."""
    handled = process.around.handles_signals if process.around else None
    if handled is None:
        return None
    stacks = (thread.python_stack or () for thread in process.threads)
    inside = {frame.signal for stack in stacks for frame in stack}
    return tuple(one for one in handled if one not in _SIZE and one not in inside)


def _but_marking(process: Process, signals: Iterable[str]) -> tuple[str, ...]:
    """*signals* without those whose handlers only set what somebody may look at: whoever sleeps
    without a timeout looks at nothing."""
    marking = process.around.marking_signals if process.around else ()
    return tuple(one for one in signals if one not in marking)


def waking_but_ending(process: Process) -> tuple[str, ...] | None:
    """The same without those by which a program is asked to end: a handler of these brings nobody
    what a thread of a library was to bring."""
    signals = waking_signals(process)
    if signals is None:
        return None
    return tuple(one for one in signals if one not in ASK_TO_END)


def signals_for(
    process: Process, waits: Iterable[tuple[Thread, Edge]], words: Words, *, ending: bool = False
) -> tuple[str, ...] | None:
    """The signals whose handlers may be meant to give what these threads wait for; None: not known.
    *ending*: or to end the program that waits so.

    What asks a program to end does not give back what somebody has taken in a call of a package's:
    a latch that is opened by it is waited for where the program begins. Nor has it a child's end
    told who has no child.
    """
    signals = handled_signals(process) if ending else waking_signals(process)
    if not signals:
        return signals
    left = set(signals if ending else _but_marking(process, signals))
    if all(kind_of(wait, words) in _TO_BE_GIVEN and _called_back(one) for one, wait in waits):
        left -= ASK_TO_END
    if not _may_lose(process):
        left.discard(_OF_CHILDREN)
    return tuple(one for one in signals if one in left)


def _called_back(thread: Thread) -> bool:
    """Whether a package called the application where it waits, or is itself what waits."""
    stack = thread.python_stack or ()
    own = application_index(stack)
    packages = {package_of(frame) for frame in stack[own + 1 :]} if own is not None else set()
    return bool(packages - _COMMAND_LINES - {None})


def nobody_will(
    process: Process, threads: Iterable[Thread], words: Words,
    signals: tuple[str, ...] | None = None,
) -> bool:  # fmt: skip
    """Whether these, which are all there are, did not run for a while, nor can a signal wake one
    of them; *signals*: those that may, if not all that it handles."""
    signals = waking_signals(process) if signals is None else signals
    known = process.steady is True and signals is not None and not _but_marking(process, signals)
    return known and all(stood_s(thread, words) >= STILL_S for thread in threads)


def in_a_test(process: Process) -> bool:
    """Whether it runs a test of pytest or unittest, which is to end by itself."""
    return any(
        frame.filename.endswith(_TESTS)
        for thread in process.threads
        for frame in thread.python_stack or ()
    )


def no_rest(thread: Thread, wait: Edge, way: str | None, words: Words) -> bool:
    """Whether a thread does not wait so to rest until it is stopped; *way*: the method that waits.

    Who waits in what a library has called to handle what came does not rest, nor who waits in C
    code that has called it back. An event, a condition or a queue of a library's own, which is not
    left to serve, is to be set or filled by that.
    Who shuts down an executor has no more work for its threads: they are to end.
    """
    kind = kind_of(wait, words)
    if kind is NodeKind.THREAD:
        frames = thread.python_stack or ()
        return any(name_of(f) == "shutdown" and f.filename.endswith(_EXECUTOR) for f in frames)
    if kind in _TO_BE_GIVEN or kind is NodeKind.FUTURE:
        return True
    if (kind is NodeKind.QUEUE and way in _WAYS) or (kind is NodeKind.PIPE and way == "write"):
        return True
    resource = words.resource(wait.target)
    if resource is not None and resource.traffic is not None and resource.traffic.unfetched:
        return True  # it has sent something, and is to hear of that
    if kind is NodeKind.SOCKET and thread.takes_next:
        return False
    if kind in _SET and (_handles(thread) or re_entered(thread)):
        return True
    stack = thread.python_stack or ()
    inside = stack[: application_index(stack) or 0]
    asks = called_further_out(thread) is not None or asks_manager(thread)
    if serves(thread, kind) and not asks:
        return False
    return any(not f.filename.endswith(_PLAIN) for f in inside)


def _handles(thread: Thread) -> bool:
    """Whether a package has called the application to handle what came: nobody parks in that."""
    stack = thread.python_stack or ()
    index = application_index(stack)
    outer = stack[index + 1 :] if index is not None else ()
    return any(package_of(frame) and _HANDLERS.match(name_of(frame)) for frame in outer)


def left_alone(process: Process, wait: Edge, words: Words) -> bool:
    """Whether the only thread of a process waits for an item of a queue in that process, or at a
    condition or a mutex of C code, where no program parks; or, without children for which it may
    do so, for what its own code would bring in a function that nobody runs. Or it has several, and
    each of them waits for such an item, or for the end of another one."""
    if len(process.threads) > 1:
        return _end_at_queues(process, words)
    resource = words.resource(wait.target)
    if kind_of(wait, words) is NodeKind.QUEUE:
        return True
    # Who is there to be stopped sleeps, or waits in Python; not in C for what has no other user.
    if kind_of(wait, words) in _OF_C and is_native(resource):
        return not wait.target.shared
    if _may_lose(process):
        return False
    return resource is not None and bool(resource.enders) and resource.wakers_known


def _end_at_queues(process: Process, words: Words) -> bool:
    """Whether the main thread, or another one, waits for the end of a thread, and all others, which
    are the program's own, for an item of a queue or a notification: who parks a program waits for a
    signal or an event. Nor does who waits for an item that one of the others would put, where all
    of them wait for an item."""
    waits = [wait_for_ever(one, words) if one.is_python else None for one in process.threads]
    kinds = [kind_of(wait, words) if wait else None for wait in waits]
    joined = (wait for wait in waits if wait and wait.target.kind is NodeKind.THREAD)
    ends = {kind for kind in kinds if kind is not NodeKind.THREAD}
    own = (words.thread(wait.target) for wait in joined)
    awaited = [one for one in own if one and application_index(one.python_stack or ()) is not None]
    if awaited and ends:
        return ends <= {NodeKind.QUEUE, NodeKind.CONDITION}
    main = next((one for one in waits if one and one.source.tid == process.pid), None)
    brought = main is not None and coming(words.graph, main.target, way_of(main, words))
    return bool(brought) and set(kinds) == {NodeKind.QUEUE}


def task_no_rest(wait: Edge, way: str | None, words: Words) -> bool:
    """The same of a task's wait. A greenlet waits for a future only as the result of a call."""
    kind = kind_of(wait, words)
    if kind is NodeKind.FUTURE and wait.source.kind is NodeKind.GREENLET:
        return True
    return kind in _TO_BE_GIVEN or (kind is NodeKind.QUEUE and way in _WAYS)


def gives(task: Task) -> bool:
    """Whether a task waits in a package for somebody to take what it gives away."""
    entry = package_entry(task)
    return entry is not None and name_of(entry) in _GIVES
