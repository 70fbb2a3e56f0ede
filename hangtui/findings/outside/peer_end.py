"""What is known of the other end of a connection at which a thread waits for an answer."""

from collections.abc import Collection, Iterable, Sequence

from hangtui.analysis.places import application_index, package_of, program_frame
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.backlog import (
    asking_back,
    knocking,
    short_unaccepted,
    told_afterwards,
    told_asking_back,
    told_knocking,
    unaccepted,
)
from hangtui.findings.by_the_clock import the_only
from hangtui.findings.doing import doing
from hangtui.findings.ended import told_threads_gone
from hangtui.findings.english import joined, listed
from hangtui.findings.loops import idle_loops
from hangtui.findings.manager_clients import is_manager, kept_from, told_clients
from hangtui.findings.on_the_way import onward
from hangtui.findings.onward import told_there
from hangtui.findings.outside.begun_beside import begun_beside, told_beside
from hangtui.findings.outside.due import answering, in_hand, uses_http
from hangtui.findings.outside.in_its_loop import alike, in_its_loop
from hangtui.findings.outside.peer_chain import at_work, back_in_title, told_chain
from hangtui.findings.own_pipes import told_left_by_children
from hangtui.findings.senders import tasks_of
from hangtui.findings.stack_queries import (
    at,
    at_call,
    below_application,
    callers_of,
    does,
    own_frame,
    runs_task,
)
from hangtui.findings.suspended import shutting_down, suspended
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.two_ends import BOTH, left_open, told_both, waits_here
from hangtui.findings.words import Words
from hangtui.findings.written import told_alone, told_end
from hangtui.model import (
    Ends,
    NodeId,
    Process,
    Resource,
    Task,
    Thread,
)

_POLLS = ("poll", "select")


def other_end(thread: Thread, holders: list[str], words: Words) -> str:
    """Where it is, and what those do who have it; *holders*: their names."""
    wait = words.graph.wait_of(thread.id)
    if not holders:
        resource = words.resource(wait.target) if wait else None
        known = (resource.note if resource else None) or "who has the other end is not known"
        return f"What can be seen of the other end: {known}."
    here = answering(thread, words)
    holds = words.graph.holders_of(wait.target) if wait else ()
    if here and all(hold.target.pid == thread.pid for hold in holds):
        now = joined([doing(one, words) for one in here])
        if wait and unaccepted(wait, words):
            return (
                "Nobody has accepted the connection yet, and only this same process listens there: "
                f"{now}."
            )
        end = told_end(here, words)
        beside = told_beside(thread, words) or _told_handed(thread, words)
        gone = told_left_by_children(thread, words)
        return f"The other end is in this same process: {now}.{end}{beside}{gone}"
    if there := in_hand(thread, words):
        both = told_both(thread, there, words) or told_asking_back(thread, there, words)
        manager = words.capture.process(there[0].pid)
        asked = manager is not None and is_manager(manager) and there[0].pid != thread.pid
        clients = told_clients(thread, manager, words, there) if manager and asked else ""
        on = both or _told_handed(thread, words) or told_chain(thread, there, words)
        work = f"{at_work(there, words, alone=not on)}.{both}{clients}"
        return f"The other end is in the hands of {work}{on if not both else ''}"
    if wait and (later := told_afterwards(thread, wait, words)):
        return later
    if wait and unaccepted(wait, words):
        listening = [words.thread(hold.target) for hold in holds[:NAMES_LISTED]]
        what = [_does(hold.target, words) for hold in holds[:NAMES_LISTED]]
        its = [told_there(one, words) for one in listening if one and one.pid != thread.pid]
        return (
            f"Nobody has accepted the connection yet: {joined(what)}, and listens there{_of(its)}."
        )
    resource = words.resource(wait.target) if wait else None
    if resource and resource.traffic and resource.traffic.unfetched:
        what = [_does(hold.target, words) for hold in holds[:NAMES_LISTED]]
        return f"Who has the other end has not read it by now: {joined(what)}."
    task, same = _task(holds, resource, words)
    ends = [hold.target for hold in holds]
    doing_there = f" There, {doing(task, words)}." if task else _tasks_there(ends, words)
    both = BOTH if same else ""
    ending = _ending(holds, words)
    away = [words.name(end) for end in ends if end.pid != thread.pid]
    left = " It was left open in this process, too." if 0 < len(away) < len(ends) else ""
    open_in = listed(away if left else holders)
    return (
        f"Nothing in this process holds it up: the other end is open in {open_in}.{left}"
        f"{doing_there}{both}{told_asking_back(thread, _only_thread(holds, words), words)}"
        f"{f' Meanwhile {ending}.' if ending else ''}"
        f"{told_knocking(thread, task, words)}"
    )


def there_is(thread: Thread, wait: Edge, words: Words) -> str:
    """``; there task run_asgi waits for more from it at app.py:12 (read_body)``: what the one does
    who has the other end in his hands, if one alone has it."""
    holds = words.graph.holders_of(wait.target)
    if unaccepted(wait, words):
        return short_unaccepted(thread, wait, words)
    if beside := begun_beside(thread, words):
        return f"; there {doing(beside, words)}"
    task, same = _task(holds, words.resource(wait.target), words)
    if (task is None or not below_application(task)) and (handed := _handed_on(thread, words)):
        return f"; there {does(handed[0], words)}"
    if task is not None and same:
        where = at(program_frame(task.python_stack or ()))
        return f"; there {words.actor_name(task)} waits for more from it{where}"
    if task is not None:
        ending = _ending(holds, words)
        knocks = knocking(thread, task, words)
        return f"; there {doing(task, words)}{knocks}{f', while {ending}' if ending else ''}"
    threads = in_hand(thread, words)
    if waits_here(thread, threads, words):
        what = f"waits for more from it{at_call(threads[0])}"
        if left_open(thread, threads, words):
            what = "has done with that request, and waits for the next one"
        return f"; there {words.thread_name(threads[0])} {what}"
    if back := asking_back(thread, threads or _only_thread(holds, words), words):
        where = at(program_frame(back[0].python_stack or ()))
        name = words.thread_name(back[0])
        return f"; there {name} waits{where} for process {thread.pid} to accept its connection"
    told = [f"{does(one, words)}{back_in_title(thread, one, words)}" for one in threads]
    alone = f"; there {told[0]}{kept_from(thread, wait, words)}" if len(told) == 1 else ""
    return alone or ("" if threads else in_its_loop([hold.target for hold in holds], words))


def _only_thread(holds: Iterable[Edge], words: Words) -> Sequence[Thread]:
    return the_only(words.threads(hold.target for hold in holds), words)


def _handed_on(thread: Thread, words: Words) -> list[Thread]:
    """The threads that wait for good inside of what they were given to do, if it is an event loop
    of their process that is to answer, which hands on what would block it: those of pools, and
    those of the package whose loop it is."""
    loops = answering(thread, words) or in_hand(thread, words)
    idle = any(one.id in idle_loops(words.capture) for one in loops)
    packages = {_loop_of(one) for one in loops if isinstance(one, Thread)} - {None}
    process = words.capture.process(loops[0].pid) if loops else None
    return [
        one
        for one in (process.threads if process and (idle or packages) else ())
        if one.id in words.lasting
        and one not in loops
        and one is not thread
        and (
            (idle and runs_task(one.python_stack or ()) and below_application(one))
            or not packages.isdisjoint(map(package_of, one.python_stack or ()))
        )
    ]


def _loop_of(thread: Thread) -> str | None:
    """The package whose own loop a thread runs that polls, for connections that threads of that
    package serve: ``waitress``."""
    stack = thread.python_stack or ()
    if not stack or below_application(thread) or thread.syscall is None:
        return None
    polls = any(name in thread.syscall.name for name in _POLLS)
    return package_of(stack[0]) if polls else None


def _told_handed(thread: Thread, words: Words) -> str:
    """`` Meanwhile asyncio_0 waits at app.py:9 (open_page) for meter to end, ...``."""
    handed = _handed_on(thread, words)
    if not handed:
        return ""
    told = joined([does(one, words) for one in handed[:NAMES_LISTED]])
    on = onward(handed[0].id, words).text if len(handed) == 1 else ""
    return f" Meanwhile {told}: the answer may be to come from there.{on}"


def of_own_program(thread: Thread, wait: Edge, words: Words) -> str:
    """`` Process 12 is of the same program: ...``, where a process asks a server of its own, and
    who of the program waits for that one as well: it may need one of these to answer."""
    server = _only_process(wait, words)
    asker = words.capture.process(thread.pid)
    if server is None or asker is None or server.pid == asker.pid:
        return ""
    if server.ppid == asker.pid:
        started = f"process {asker.pid} has started it"
    elif server.ppid == asker.ppid and words.capture.process(server.ppid):
        started = f"process {server.ppid} has started both"
    else:
        return ""
    family = {asker.pid, asker.ppid, *_children_of({asker.pid, server.ppid}, words)}
    others = [
        other
        for other in words.capture.threads()
        if other is not thread and other.pid in family - {server.pid} and uses_http(other)
        for its in words.graph.waits_of(other.id)
        if its.target.kind is wait.target.kind and _only_process(its, words) is server
    ]
    also = joined(
        [
            f"{words.thread_name(one)} waits for it as well{at(own_frame(one))}"
            f"{callers_of(one, own_frame(one))}"
            for one in others[:NAMES_LISTED]
        ]
    )
    needs = "one of these" if others else f"process {asker.pid}"
    return (
        f" Process {server.pid} is of the same program ({started}){f'; {also}' if also else ''}: "
        f"if it needs {needs} to answer, nobody gets on."
    )


def _only_process(wait: Edge, words: Words) -> Process | None:
    """The process that alone has what is waited for."""
    pids = {hold.target.pid for hold in words.graph.holders_of(wait.target)}
    return words.capture.process(pids.pop()) if len(pids) == 1 else None


def _children_of(pids: Collection[int], words: Words) -> list[int]:
    return [one.pid for one in words.capture.processes if one.ppid in pids]


def answerers(thread: Thread, wait: Edge, words: Words) -> Sequence[Thread | Task]:
    """Those of whom one is to answer, as far as can be seen."""
    ends = [hold.target for hold in words.graph.holders_of(wait.target)]
    threads = in_hand(thread, words) or answering(thread, words)
    return threads or tasks_of(ends, words) or the_only(words.threads(ends), words)


def _ending(holds: Iterable[Edge], words: Words) -> str:
    """``task serve is in Server.shutdown of uvicorn``: who has the other end waits for the end of
    what it serves; empty: that is not known of it."""
    pids = {hold.target.pid for hold in holds}
    process = words.capture.process(pids.pop()) if len(pids) == 1 else None
    return shutting_down(process, words) if process else ""


def _tasks_there(holders: Collection[NodeId], words: Words) -> str:
    """Where these tasks stand, or the only thread of a process."""
    tasks = tasks_of(holders, words)
    told = [doing(task, words) for task in tasks[:NAMES_LISTED]]
    if told:
        gone = {told_threads_gone(words.capture.process(one.pid), words.process_name(one.pid))
                for one in tasks if one.pid}  # fmt: skip
        code = told_alone(tasks[0], words) if alike(tasks, words) else ""
        return f" In its event loop {joined(told)}.{code}{''.join(gone)}"
    alone = the_only(words.threads(holders), words)
    return f" There, {joined([does(one, words) for one in alone[:NAMES_LISTED]])}." if alone else ""


def _task(
    holds: Iterable[Edge], resource: Resource | None, words: Words
) -> tuple[Task | None, bool]:
    """The suspended task that has the other end in its hands, as far as can be seen: the one that
    waits for what comes over the same connection, or the only one of the process that has it; None:
    not known. And whether nothing but that is what it waits for: none of the others may be what
    answers, and no package between may hear whether the connection is closed, and no more."""
    ends = [words.actor(hold.target) for hold in holds]
    if len(ends) == 1 and isinstance(ends[0], Task):
        return ends[0], False
    processes = [words.capture.process(pid) for pid in {hold.target.pid for hold in holds}]
    if len(processes) != 1 or processes[0] is None:
        return None, False
    tasks = suspended(processes[0], words)
    own = resource.ends.local if resource and resource.ends else None
    for task in tasks if own else ():
        if (there := _ends(task, words)) and there.remote == own:
            stack = task.python_stack or ()
            inside = {package_of(frame) for frame in stack[: application_index(stack)]} - {None}
            return task, len(tasks) == len(inside) == 1
    return (tasks[0] if len(tasks) == 1 else None), False


def _ends(task: Task, words: Words) -> Ends | None:
    wait = words.graph.wait_of(task.id)
    resource = words.resource(wait.target) if wait else None
    return resource.ends if resource and resource.ends else task.ends


def _of(peers: list[str]) -> str:
    """``. Who has the other end of what it waits for: MainThread of process 8 sleeps at
    probe.py:4``, of the only one that listens, and waits for somebody else."""
    told = peers[0].removeprefix(", where ") if len(peers) == 1 else ""
    return f". Who has the other end of what it waits for: {told}" if told else ""


def _does(holder: NodeId, words: Words) -> str:
    thread = words.thread(holder)
    return does(thread, words) if thread else words.name(holder)
