"""A finding about a program that the application has started, or about a thread that a library runs
for itself, leads with the application's own line.

What keeps ``git`` or ``ssh`` is told of that process; who looks for the cause of a hang looks for
the line that waits for it.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from hangtui.analysis.places import package_of
from hangtui.analysis.whereabouts import where_of
from hangtui.findings.package_queries import library_wait, package_entry
from hangtui.findings.senders import RECEIVES
from hangtui.findings.stack_queries import at, at_call, at_own_line, below_application, own_frame
from hangtui.findings.words import Words
from hangtui.model import Finding, NodeKind, Pid, Severity, Task, Thread, thread_id


def from_own_line(
    finding: Finding, behind: Sequence[Thread], words: Words
) -> tuple[Finding, Thread | None]:
    """*finding*, led by the first of those *behind* it that stands in the application, if it is
    about a program that runs no Python, or a library's own thread; and that thread, None: it is
    told as it was."""
    subject = finding.subject
    process = words.capture.process(subject.pid) if subject else None
    if process is None or process.python is not None:
        return _from_caller(finding, behind, words)
    if finding.where is not None:
        return finding, None
    leads = next((one for one in behind if _in_application(one)), None)
    wait = words.graph.wait_of(leads.id) if leads else None
    if leads is None or wait is None:
        return finding, None
    package = library_wait(leads)
    inside = f", in {package}," if package else ""
    start = f"{words.thread_name(leads)} waits{at(own_frame(leads))}{inside} {words.goal(wait)}"
    name = words.name(thread_id(process.pid, process.pid))
    bare = f"process {process.pid}"
    known = start.endswith(bare)
    start = f"{start.removesuffix(bare)}{name}" if known else start
    known = known or name in start
    begins = f"{name} "
    title, sentence = (one.removeprefix(begins) for one in (finding.title, finding.sentence))
    both = known and title != finding.title and sentence != finding.sentence
    between = "" if known else f", and so behind {name}"
    return replace(
        finding,
        title=f"{start}, which {title}" if both else f"{start}{between}: {finding.title}",
        sentence=f"{start}: that {sentence}" if both else f"{start}{between}: {finding.sentence}",
        where=where_of(leads.python_stack or ()),
    ), leads


def with_askers(finding: Finding, behind: Sequence[Thread], words: Words) -> Finding:
    """*finding*, whose title names the first of those *behind* it that waits in another process for
    an answer of this one: somebody may have asked about that. If there is none, who hears from
    nobody else."""
    pids = {one.pid for one in finding.threads}
    for one in (*behind, *_who_is_answered(finding, words)):
        wait = words.graph.wait_of(one.id)
        asks = one.pid not in pids and wait is not None and wait.target.kind is NodeKind.SOCKET
        asker = _asker(one, words) if asks and not awaits_client(one, words) else None
        where = at_own_line(asker) if asker else ""
        if asker and where and where not in finding.title:
            what = "its answer" if wait and words.operation(wait) in RECEIVES else "it"
            does = f"{words.actor_name(asker)} waits for {what}{where}{_inside(one)}"
            return replace(finding, title=f"{finding.title}; {does}")
    if (task := _at_far_end(finding, words)) and (where := at_own_line(task)) not in finding.title:
        does = f"; {words.actor_name(task)} waits for its answer{where}"
        return replace(finding, title=finding.title + does)
    calm = finding.severity is Severity.NOTE
    if calm and (task := _task_that_asks(pids, words)) and (where := at_own_line(task)):
        does = f"; {words.actor_name(task)} waits for its answer{where}"
        return finding if where in finding.title else replace(finding, title=finding.title + does)
    alone = None if calm else next(_who_hears_only(pids, words), None)
    where = at_own_line(alone) if alone else ""
    if alone is None or where in finding.title:
        return finding
    wait = words.graph.wait_of(alone.id)
    what = f": it waits {words.goal(wait)}" if wait else ""
    place = f"{where}{inside}" if (inside := _inside(alone)) else at_call(alone)
    does = f"{words.thread_name(alone)} hears from nobody else{place}{what}"
    return replace(finding, title=f"{finding.title}; {does}")


def _at_far_end(finding: Finding, words: Words) -> Task | None:
    """The first task of another process that awaits data over a connection whose other end has who
    waits where the finding says, another task."""
    for one in words.capture.far_ends if finding.where else ():
        users = (words.actor(user) for user in one.users)
        there = [
            user for user in users if user and where_of(user.python_stack or ()) == finding.where
        ]
        task = words.actor(one.task)
        if there and isinstance(task, Task) and one.pid != task.pid and below_application(task):
            return task
    return None


def _task_that_asks(pids: Collection[Pid], words: Words) -> Task | None:
    """The first task of another process that awaits data over a connection of its event loop, whose
    other end only *pids* have, and over which it has said something since it heard from there."""
    for one in words.capture.watched:
        traffic, ends = one.traffic, set(one.peers)
        asks = traffic is not None and not traffic.accepted and traffic.sent_last is not False
        if not asks or one.thread.pid in pids or not ends or not ends <= set(pids):
            continue
        for task in words.capture.tasks:
            own = (task.pid, task.loop_tid) == (one.thread.pid, one.thread.tid)
            there = task.ends is not None and one.leads_to(task.ends.remote)
            if own and there and below_application(task):
                return task
    return None


def _who_is_answered(finding: Finding, words: Words) -> Iterator[Thread]:
    """Who waits over a connection whose other end a thread of the finding has in hand, as the
    frames of that one show."""
    own = {thread_id(one.pid, one.tid) for one in finding.threads}
    for thread in words.capture.threads():
        waits = map(words.wait, words.graph.waits_of(thread.id))
        if any(wait is not None and not own.isdisjoint(wait.answering) for wait in waits):
            yield thread


def _inside(thread: Thread) -> str:
    """``, in httpx``: the package that the application's line, or an executor, has called."""
    stack = thread.python_stack or ()
    entry = package_entry(thread)
    package = package_of(entry) if entry else next(filter(None, map(package_of, stack[::-1])), None)
    return f", in {package}" if package and (entry or not below_application(thread)) else ""


def _asker(thread: Thread, words: Words) -> Thread | Task | None:
    """The application's line that waits so: its own, or that of a task for which a library's or an
    executor's own thread does; None: there is none."""
    if _in_application(thread):
        return thread
    behind = map(words.actor, words.graph.behind_all((thread.id,)))
    return next((a for a in behind if isinstance(a, Task) and below_application(a)), None)


def _who_hears_only(pids: Collection[Pid], words: Words) -> Iterator[Thread]:
    """The only threads of processes in which nothing but these *pids*, and a signal, would wake the
    event loop that the application has called, and that has no tasks: of those it is told what
    they wait for."""
    with_tasks = {task.pid for task in words.capture.tasks}
    for known in words.capture.inward:
        thread = words.thread(known.thread)
        process = words.capture.process(known.thread.pid)
        others = set(known.ends) - {known.thread.pid}
        only = others and others <= set(pids) and known.thread.pid not in pids
        alone = process is not None and not process.threads[1:] and not known.accepts
        alone = alone and known.thread.pid not in with_tasks
        if only and alone and thread is not None and _in_application(thread):
            yield thread


def awaits_client(thread: Thread, words: Words) -> bool:
    """Whether it serves a connection that it has accepted, and waits for what its client sends: it
    asks for nothing."""
    wait = words.graph.wait_of(thread.id)
    known = words.resource(wait.target) if wait else None
    return known is not None and known.traffic is not None and known.traffic.accepted


def _from_caller(
    finding: Finding, behind: Sequence[Thread], words: Words
) -> tuple[Finding, Thread | None]:
    """The same of a finding about a thread that a library runs for itself: who called the library
    waits behind it."""
    own = [words.thread(thread_id(one.pid, one.tid)) for one in finding.threads]
    leads = next((one for one in behind if _in_application(one)), None)
    wait = words.graph.wait_of(leads.id) if leads else None
    if len(own) != 1 or own[0] is None or leads is None or wait is None:
        return finding, None
    package = library_wait(leads)
    if _in_application(own[0]) or not package or leads.pid != own[0].pid:
        return finding, None
    start = (
        f"{words.thread_name(leads)} waits{at(own_frame(leads))}, in {package}, "
        f"{words.goal(wait)}, and so behind {words.thread_name(own[0])}"
    )
    return replace(
        finding,
        title=f"{start}: {finding.title}",
        sentence=f"{start}. {finding.sentence}",
        where=where_of(leads.python_stack or ()),
    ), leads


def _in_application(thread: Thread) -> bool:
    return bool(thread.is_python) and below_application(thread)
