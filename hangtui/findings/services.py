"""Threads that a library runs for itself, and that have nothing to do: they are no news.

A garbage collector of its own, a sender of a queue, a watcher for the end of another process: such
a thread is known by what it is, not by its name. The library started it, nothing of the application
is on its stack, and it waits in its outermost functions for its next item, for somebody to write or
to connect, for the end of a process, or for the clock. The same goes for the only thread of a
process that multiprocessing keeps for itself, such as the one that removes what others leave.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import islice

from hangtui.analysis.places import application_index, library_frame, package_of
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.stack_queries import index_of, kind_of, name_of, runs_task
from hangtui.findings.words import Words, words_of
from hangtui.model import (
    Capture,
    Finding,
    NodeId,
    NodeKind,
    Process,
    Severity,
    Thread,
    thread_id,
)

_REST = frozenset({NodeKind.EVENT, NodeKind.CONDITION, NodeKind.QUEUE, NodeKind.PIPE})
_FROM_OUTSIDE = frozenset({"accept", "message"})
_DEPTH, _DEEPEST = 3, 6
"""Functions of packages on the stack of such a thread, at most; and on that of one which takes the
next item of something that its package calls a queue."""
_TAKES = "get"
_FEEDER = (("_feed",), "/multiprocessing/queues.py")
"""Sends what is put into a queue between processes."""
_MANAGER = ({"serve_client"}, "/multiprocessing/managers.py")
_FORK_SERVER = "/multiprocessing/forkserver.py"
_HELPERS = (
    "/multiprocessing/resource_tracker.py",
    "/multiprocessing/semaphore_tracker.py",
    "/loky/backend/resource_tracker.py",
    _FORK_SERVER,
)
"""What `main` of a process is in that multiprocessing, or joblib's loky, starts for itself."""
_OF_ONE_WAIT = frozenset({"waiting-for-input", "waiting-for-others", "waiting-for-process",
                          "waiting-for-peer", "waker-busy"})  # fmt: skip
"""Rules that tell of one thread that waits, and know no more."""


def is_service(thread: Thread, words: Words) -> bool:
    """Whether it is such a thread, at rest."""
    stack = thread.python_stack
    if not thread.is_python or thread.tid == thread.pid or not thread.asleep or not stack:
        return False
    inside = [frame for frame in stack if package_of(frame) and not library_frame(frame)]
    depth, takes = len(inside), bool(inside) and name_of(inside[0]) == _TAKES
    if application_index(stack) is not None or depth > (_DEEPEST if takes else _DEPTH):
        return False
    wait = words.graph.wait_of(thread.id)
    kind = kind_of(wait, words) if wait else None
    if runs_task(stack):
        # What somebody gave to a pool is work, but for one that waits for its parent's end.
        return depth > 0 and thread.syscall is not None and thread.syscall.fd == 0
    if wait is None:
        return depth > 0 and thread.syscall is not None and thread.syscall.sleeps
    if words.graph.cycle_of(thread.id) or (words.graph.holders_of(wait.target) and not _io(kind)):
        return False
    if kind is NodeKind.SOCKET:
        return words.operation(wait) in _FROM_OUTSIDE or _between_requests(thread)
    if kind is NodeKind.PROCESS:
        return depth > 0 and words.operation(wait) != "start"
    ours = depth > 0 or index_of(thread, *_FEEDER) is not None
    rests = words.method(wait) not in ("join", "put") and words.operation(wait) != "write"
    return ours and rests and kind in _REST


def _between_requests(thread: Thread) -> bool:
    """Whether it serves one client of a manager of multiprocessing, which asks it for nothing."""
    index = index_of(thread, *_MANAGER)
    return bool(index) and name_of((thread.python_stack or ())[(index or 0) - 1]) == "recv"


def of_library(thread: Thread, words: Words) -> bool:
    """Whether it is such a thread, or one of a process that multiprocessing keeps for itself."""
    process = words.capture.process(thread.pid)
    return is_service(thread, words) or (process is not None and is_helper(process))


def _io(kind: NodeKind | None) -> bool:
    return kind in (NodeKind.PIPE, NodeKind.SOCKET, NodeKind.PROCESS)


def without_services(
    findings: Sequence[Finding], capture: Capture, graph: WaitGraph
) -> list[Finding]:
    """*findings* without those that only tell where such threads rest; of a process of which there
    is nothing else to tell they are kept, unless something is wrong elsewhere."""
    threads = {thread.id: thread for thread in capture.threads()}
    words = words_of(capture, graph)
    helping = {one.pid for one in capture.processes if is_helper(one) and _rests(one)}
    if len(helping) < len(capture.processes):
        findings = [one for one in findings if not _of_helpers(one, helping)]
    marked = [(one, _only(one, threads, words)) for one in findings]
    others = [one for one, rests in marked if not rests]
    told = {pid for one in others for pid in one.processes}
    wrong = any(one.severity is not Severity.NOTE for one in others)
    return [
        one for one, rests in marked if not rests or not (wrong or told.issuperset(one.processes))
    ]


def is_helper(process: Process) -> bool:
    """Whether multiprocessing has started it for itself. What the fork server starts has that
    one's ``main`` on its stack as well, and is the application's."""
    threads = list(islice((one for one in process.threads if one.is_python), 2))
    if len(threads) != 1 or index_of(threads[0], {"main"}, *_HELPERS) is None:
        return False
    return index_of(threads[0], {"_serve_one"}, _FORK_SERVER) is None


def _rests(process: Process) -> bool:
    return all(thread.asleep for thread in process.threads if thread.is_python)


def _of_helpers(finding: Finding, pids: Collection[int]) -> bool:
    """Whether it only tells that these processes wait."""
    told = set(finding.processes)
    return finding.severity is Severity.NOTE and bool(told) and told.issubset(pids)


def _only(finding: Finding, threads: Mapping[NodeId, Thread], words: Words) -> bool:
    """Whether it only tells where service threads rest."""
    if finding.id not in _OF_ONE_WAIT or finding.severity is Severity.ERROR or not finding.threads:
        return False
    own = (threads.get(thread_id(one.pid, one.tid)) for one in finding.threads)
    return all(thread is not None and is_service(thread, words) for thread in own)
