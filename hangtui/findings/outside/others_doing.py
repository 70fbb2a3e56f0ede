"""What the other threads of a process do, while one waits for what any of them might end: those in
the application's own code first, and those together that do the same."""

from collections.abc import Iterable, Iterator

from hangtui.analysis.native_threads import library_of
from hangtui.analysis.places import application_index
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.beyond_doubt import handled_signals
from hangtui.findings.enders import of_a_pool
from hangtui.findings.english import clauses, joined, listed
from hangtui.findings.outside.traffic import is_own, watched_one
from hangtui.findings.pool_workers import told_at_task
from hangtui.findings.re_entered import begun_by
from hangtui.findings.run_elsewhere import is_inside
from hangtui.findings.stack_queries import (
    at_call,
    below_application,
    does,
    main_thread,
    stood_s,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes, told_stuck
from hangtui.model import NodeKind, Thread


def told_others(others: Iterable[Thread], words: Words) -> str:
    """`` Of the other 3 threads, 1 ran: MainThread sleeps at main.py:5 (<module>); jobs_0 and
    jobs_1 wait at main.py:9 (fill) for jobs.``; empty: there are none."""
    threads = list(others)
    # Between the looks somebody may have run who rested in the last one.
    ran = [one for one in threads if one.still is not True or _ran(one, words)]
    told = clauses(list(_told(threads, words)))
    # Until what a package has called in a thread of its own returns, that does nothing else there.
    called = [one for one in threads if begun_by(one) is not None and below_application(one)]
    kept = next(filter(None, (told_stuck(one, words) for one in called)), "")
    return f" {_awake(len(ran), len(threads))}: {told}.{kept}" if told else ""


def joined_in_vain(thread: Thread, wait: Edge, words: Words) -> str:
    """``MainThread waits at app.py:9 (close) for it to end``: who has waited for a while for the
    end of one that waits for room in a queue which nobody comes to take from, or for what only
    code would end that those are inside of who wait so; empty: nobody has."""
    if not nobody_comes(wait, words) or stood_s(thread, words) < STILL_S:
        return ""
    ends = (one for one in words.graph.waiters_of(thread.id) if one.stable and not one.expires)
    waiting = [one for one in words.threads(edge.source for edge in ends) if one.is_python]
    first = next((one for one in waiting if stood_s(one, words) >= STILL_S), None)
    if first is None:
        return ""
    told = f"{words.thread_name(first)} waits{at_call(first)} for it to end"
    if words.method(wait) == "put" and wait.target.kind is NodeKind.QUEUE:
        return told
    resource = words.resource(wait.target)
    places = resource.enders if resource else ()
    inside = all(any(is_inside(one, place) for one in waiting) for place in places)
    return f"{told}, inside of {joined(places)}, which would end that" if places and inside else ""


def never_heard(thread: Thread, wait: Edge, words: Words) -> str:
    """``paho watches the TCP connection to 10.0.0.1:80, silent for 9 s: nothing has ever come over
    it``, of a library's own thread that has asked there, where what the program would do to end the
    wait is known and nobody runs it; empty: not so, or a signal's handler may do it."""
    resource, process = words.resource(wait.target), words.capture.process(thread.pid)
    if resource is None or process is None or not resource.enders or handled_signals(process) != ():
        return ""
    library = {one.id for one in process.threads if one.is_python and not below_application(one)}
    for one in words.capture.watched if nobody_comes(wait, words) else ():
        traffic = one.traffic
        if one.thread not in library or traffic is None or traffic.accepted or is_own(one):
            continue
        if traffic.received_s is None and (traffic.sent_s or 0.0) >= STILL_S:
            name = words.name(one.thread)
            return f"{name} watches {watched_one(one)}: nothing has ever come over it"
    return ""


def shared_with(thread: Thread, wait: Edge, words: Words) -> list[str]:
    """The few other processes that share what is waited for, and what these do: ``process 5 has it
    as well, where MainThread sleeps at app.py:9 (work)``; of a pool's result those that are at its
    tasks."""
    if of_a_pool(thread):
        workers = told_at_task(thread.pid, words)
        return [f"of the pool's workers, {workers}"] if workers else []
    resource = words.resource(wait.target)
    pids = sorted(set(resource.sharers if resource else ()) - {thread.pid})
    told = []
    for pid in pids if len(pids) <= NAMES_LISTED else ():
        process = words.capture.process(pid)
        main = main_thread(process) if process else None
        doing = f", where {does(main, words)}" if main else ", which was not looked at"
        told.append(f"process {pid} has it as well{doing}")
    return told


def _awake(awake: int, others: int) -> str:
    """How many of the others ran."""
    if others == 1:
        return f"The only other thread {'ran' if awake else 'stood still as well'}"
    if not awake:
        return f"The other {others} threads stood still as well"
    return f"Of the other {others} threads, {awake} ran"


def _ran(thread: Thread, words: Words) -> bool:
    seen = words.progress.get(thread.id)
    return seen is not None and seen.ran


def _told(others: Iterable[Thread], words: Words) -> Iterator[str]:
    """Those that stand in the code of one library alone come last."""
    alike: dict[str, list[str]] = {}
    libraries: dict[str, list[Thread]] = {}
    for other in sorted(others, key=_rank):
        if library := library_of(other, words.graph):
            libraries.setdefault(library, []).append(other)
        else:
            name, clause = words.thread_name(other), does(other, words)
            alike.setdefault(clause.removeprefix(name), []).append(name)
    for doing, names in alike.items():
        yield _together(names, doing)
    for library, those in libraries.items():
        if those[1:]:
            yield f"{len(those)} native threads wait in {library}"
        else:
            yield does(those[0], words)


def _rank(thread: Thread) -> tuple[bool, bool]:
    return application_index(thread.python_stack or ()) is None, thread.still is True


def _together(names: list[str], doing: str) -> str:
    """``jobs_0, jobs_1 wait at main.py:9 (fill) for jobs``, of `` waits at ...``."""
    if len(names) == 1:
        return names[0] + doing
    verb, _, rest = doing.strip().partition(" ")
    many = {"is": "are"}.get(verb, verb.removesuffix("s"))
    return f"{listed(names)} {many} {rest}"
