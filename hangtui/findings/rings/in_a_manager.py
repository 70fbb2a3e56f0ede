"""Locks of a manager of multiprocessing, which only those can have who wait for one another.

A proxy's `acquire` has a thread of the manager take the lock, which then serves on: no stack shows
who has it. But a lock of a manager is released through the manager alone.
"""

from collections.abc import Iterator

from hangtui.findings.certainty import as_sure_as
from hangtui.findings.claims import reserve
from hangtui.findings.english import counted, joined
from hangtui.findings.lasting import Lasting
from hangtui.findings.manager_clients import MANAGERS
from hangtui.findings.stack_queries import at_call, index_of, still, stood_s
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref
from hangtui.model import Capture, Certainty, Finding, NodeKind, Process, Severity, Thread


def found(capture: Capture, rule: str, words: Words) -> Iterator[Finding]:
    """One finding for each manager of which all clients wait for its locks, as several looks saw.

    *rule*: whose findings they are.
    """
    for process in capture.processes:
        serving = [one for one in process.threads if _is_in(one, "serve_client")]
        asked = [words.lasting[one.id] for one in serving if one.id in words.lasting]
        locks = {one.wait.target for one in asked if _is_untold(one, words)}
        # Who rests between two requests may have a lock, and go on.
        if len(locks) < 2 or not all(_is_untold(one, words) for one in asked):
            continue
        clients = list(_clients(process, words))
        alike = len(serving) == len(asked) == len(clients)
        if alike and all(stood_s(one, words) >= STILL_S for one in (*serving, *clients)):
            yield _finding(process, asked, clients, rule, words)


def _is_in(thread: Thread, function: str) -> bool:
    return index_of(thread, {function}, MANAGERS) is not None


def _is_untold(one: Lasting, words: Words) -> bool:
    """Whether it is for a lock, and nothing tells who has it."""
    return one.kind is NodeKind.LOCK and not words.graph.holders_of(one.wait.target)


def _clients(process: Process, words: Words) -> Iterator[Thread]:
    """The threads that wait, in a call of a proxy, for what *process* answers."""
    for one in words.lasting.values():
        holders = {hold.target.pid for hold in words.graph.holders_of(one.wait.target)}
        asks = _is_in(one.thread, "_callmethod") and one.kind is NodeKind.SOCKET
        if asks and one.thread.pid != process.pid and holders == {process.pid}:
            yield one.thread


def _finding(
    process: Process, asked: list[Lasting], clients: list[Thread], rule: str, words: Words
) -> Finding:
    names = [words.thread_name(one) for one in clients]
    where = [f"{words.thread_name(one)} waits{at_call(one)}" for one in clients[:NAMES_LISTED]]
    threads = [one.thread for one in asked]
    locks = dict.fromkeys(one.wait.target for one in asked)
    first = at_call(clients[0])
    return Finding(
        id=rule,
        severity=Severity.WARNING,
        certainty=as_sure_as(Certainty.INFERRED, *(one.wait for one in asked)),
        title=(
            f"{reserve(sure=False)}{joined(names[:NAMES_LISTED])} wait{first} for locks of a "
            "manager that only one of them can have"
        ),
        sentence=(
            f"{joined(where)}, each for one of {counted(len(locks), 'lock')} in process "
            f"{process.pid} ({process.title}), a manager of multiprocessing: there, all that serve "
            f"its clients ({words.listed(threads)}) wait for them. Such a lock is released through "
            "the manager alone, and nobody is connected to it who does not wait: whoever has one "
            "of the locks waits for another, or has ended without a release()."
        ),
        threads=tuple(ref(one) for one in (*clients, *threads)),
        resources=tuple(locks),
        evidence=(
            *(words.reading(one.wait) for one in asked[:NAMES_LISTED]),
            f"{counted(len(clients), 'thread')} in calls of proxies, and as many in serve_client()",
            still([*clients, *threads]),
        ),
        unknown=("who has which of the locks: they record no owner",),
        advice=(
            (
                "Take locks of a manager in the same order everywhere, with `with`, or give "
                "acquire() a timeout."
            ),
        ),
    )
