"""Findings of a process whose event loop stands, with the processes that it owes an answer."""

from collections.abc import Iterator
from dataclasses import replace

from hangtui.analysis.places import program_frame
from hangtui.findings.doing import doing
from hangtui.findings.outside.traffic import is_own, watched_one
from hangtui.findings.stack_queries import at, below_application, main_thread
from hangtui.findings.telling_tasks import telling_tasks
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Actor, Words
from hangtui.model import Finding, Process, Severity, Watched, thread_id


def with_owed(finding: Finding, words: Words) -> Finding:
    """*finding*, a warning or an error about one that keeps the event loop of its process from
    going on, with the first of those who have asked that process for something, do not hear from
    it, and are not told of; as it is if there are none."""
    loops = {thread_id(one.pid, one.tid) for one in words.capture.event_loops if one.tid}
    own = {thread_id(one.pid, one.tid) for one in finding.threads}
    pids = {node.pid for node in own}
    if finding.severity is Severity.NOTE or len(pids) != 1 or loops.isdisjoint(own):
        return finding
    (pid,) = pids
    told = {*finding.processes, *(one.pid for one in finding.victims)}
    clients = [(client, one) for client, one in _clients(pid, words) if client.pid not in told]
    found = [*filter(_asked_last, clients), *clients]
    client, connection = found[0] if found else (None, None)
    actor = _asks(client, words) if client is not None else None
    if client is None or connection is None or actor is None:
        return finding
    where, name = at(program_frame(actor.python_stack or ())), words.process_name(client.pid)
    over = watched_one(connection)
    if _asked_last((client, connection)):
        has = "hears nothing from it"
        why = f"What {name} has sent it is not answered, over {over}."
    else:
        has = "is connected to it"
        why = (
            f"{name[:1].upper()}{name[1:]} sent it something at the moment at which it heard from "
            f"it last, over {over}: an answer may be due."
        )
    return replace(
        finding,
        title=f"{finding.title}; {name}, which {has}, waits{where}",
        sentence=f"{finding.sentence} {why} There, {doing(actor, words)}.",
    )


def _clients(pid: int, words: Words) -> Iterator[tuple[Process, Watched]]:
    """The processes that have sent something to process *pid* over a connection that they watch,
    a second or more ago, and heard nothing since, or it cannot be told whether they did."""
    for one in words.capture.watched:
        traffic = one.traffic
        if set(one.peers) != {pid} or is_own(one) or traffic is None or traffic.accepted:
            continue
        client = words.capture.process(one.thread.pid) if one.thread.pid else None
        if client and traffic.sent_last is not False and (traffic.sent_s or 0.0) >= STILL_S:
            yield client, one


def _asked_last(client: tuple[Process, Watched]) -> bool:
    """Whether it is known that nothing came after what it sent."""
    return client[1].traffic is not None and client[1].traffic.sent_last is True


def _asks(client: Process, words: Words) -> Actor | None:
    """Who of it waits below a line of the application: its first task, else its main thread."""
    tasks = telling_tasks(client, words)
    main = main_thread(client)
    actors: list[Actor] = [*tasks, *([main] if main else [])]
    return next((one for one in actors if below_application(one)), None)
