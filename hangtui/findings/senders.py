"""Who could send what a thread or task waits for over a connection, and what is done there."""

from collections.abc import Collection

from hangtui.findings.inert import CONNECTIONS
from hangtui.findings.stack_queries import below_application, kind_of
from hangtui.findings.words import Actor, Words
from hangtui.model import FIRST_TASK, NodeId, Pid, Task, TaskState, Thread, thread_id

RECEIVES = frozenset({"receive", "read", "end"})
"""Operations of who waits for data, or that no more comes."""
_ACCEPT = "accept"


def sender(actor: Actor, words: Words) -> Pid | None:
    """The PID of the only other process that could send what *actor* waits for over a connection,
    without a timeout; None: it does not wait so, or that is not known."""
    wait = words.graph.wait_of(actor.id)
    if isinstance(actor, Task):
        over = wait is not None and wait.target.kind in CONNECTIONS
        if not over and not (wait is None and actor.awaits_data):
            return None
        return _loop_hears(actor, words)
    if wait is None or wait.expires or kind_of(wait, words) not in CONNECTIONS:
        return None
    if words.operation(wait) not in RECEIVES:
        return None
    pids = {hold.target.pid for hold in words.graph.holders_of(wait.target)} - {actor.pid}
    return pids.pop() if len(pids) == 1 else None


def _loop_hears(task: Task, words: Words) -> Pid | None:
    """The only other process from which the event loop of a task hears."""
    if task.loop_tid is None:
        return None
    own = thread_id(task.pid, task.loop_tid)
    known = next((one for one in words.capture.inward if one.thread == own), None)
    ends = set(known.ends) - {task.pid} if known is not None else set()
    return ends.pop() if len(ends) == 1 else None


def tasks_of(threads: Collection[NodeId], words: Words) -> list[Task]:
    """The tasks that wait below a line of the application in an event loop that one of *threads*
    runs, but for the one that the program began with: one may be what sends."""
    return [
        task
        for task in words.capture.tasks
        if task.loop_tid is not None
        and thread_id(task.pid, task.loop_tid) in threads
        and task.state is TaskState.WAITING
        and task.name != FIRST_TASK
        and below_application(task)
    ]


def task_there(actor: Actor, words: Words) -> Actor:
    """The only one of `tasks_of` a thread, or the one that the program began with, if it is alone
    in its event loop and waits for data itself; else *actor* itself."""
    if not isinstance(actor, Thread):
        return actor
    found = tasks_of([actor.id], words)
    alone = [
        one for one in words.capture.tasks if (one.pid, one.loop_tid) == (actor.pid, actor.tid)
    ]
    if not found and len(alone) == 1 and sender(alone[0], words) is not None:
        return alone[0]
    return found[0] if len(found) == 1 else actor


def done_there(reader: Actor, words: Words) -> Actor | None:
    """The thread or task of the only other process that could send what *reader* waits for, which
    is known to be alone there; None: there are several, or that is not known."""
    pid = sender(reader, words)
    process = words.capture.process(pid) if pid is not None else None
    threads = [one for one in process.threads if one.is_python] if process else []
    return task_there(threads[0], words) if len(threads) == 1 else None


def takes_others(pid: Pid, words: Words) -> bool:
    """Whether somebody new may connect to a process, and say something that it hands on."""
    process = words.capture.process(pid)
    waits = (words.graph.wait_of(one.id) for one in (process.threads if process else ()))
    return (
        any(one.thread.pid == pid for one in words.capture.listening)
        or any(one.accepting for one in words.capture.event_loops if one.pid == pid)
        or any(wait is not None and words.operation(wait) == _ACCEPT for wait in waits)
    )


def may_be_told(actor: Actor, peer_pid: Pid, words: Words) -> bool:
    """Whether *actor* may have asked to be told what others say to the process that has the other
    end: news, and no answer."""
    return actor.subscribes and takes_others(peer_pid, words)
