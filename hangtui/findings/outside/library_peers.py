"""What is told of the other end of a connection at which a package waits: for how long that has
been silent, what those do who have it, and when the package waits no more."""

from collections.abc import Collection, Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.doing import doing
from hangtui.findings.english import joined, lasting, listed
from hangtui.findings.outside.arriving import arriving
from hangtui.findings.outside.library_enders import others_there
from hangtui.findings.outside.peer_end import answerers, there_is
from hangtui.findings.outside.traffic import heard, is_own, silent, watched_one
from hangtui.findings.resources import is_native
from hangtui.findings.stack_queries import below_application, polls
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.findings.written import told_alone
from hangtui.model import FIRST_TASK, NodeKind, Task, Thread, Traffic, Watched, thread_id

_FEW = 2
"""Who are told at the other end: among more, nothing shows who is to answer."""
_LONG_MS = 1000
"""Who gives shorter timeouts asks again and again."""


def short(thread: Thread, wait: Edge | None, package: str, words: Words) -> str:
    """``, with a timeout of 2 min, silent for 40 s; there worker waits at app.py:9 (serve) for
    jobs``, of one that waits at a connection, or behind a thread of its package that does, or whose
    C code has a single one; else nothing."""
    if wait is not None and wait.target.kind is NodeKind.SOCKET:
        limit = timeout(thread, words)
        each = " for each try" if asks_dns(wait, words) else ""
        given = f", with a timeout of {limit}{each}" if limit else ""
        return f"{given}{silent(words.resource(wait.target))}{there_is(thread, wait, words)}"
    if wait is not None and wait.target.kind is NodeKind.PIPE:
        return _kept(wait, words)
    if asked := _asked(thread, wait, package, words):
        helper, its = asked
        goal, since = words.goal(its), silent(words.resource(its.target))
        there = there_is(helper, its, words)
        return f"; {words.thread_name(helper)} waits {goal}{since}{there}"
    if thread.id in words.looping:  # what its loop watches is told as what it waits for
        return short_there(_watched(thread, words), words)
    found = {watched_one(one): one for one in _watched(thread, words)}
    if len(found) != 1 or (wait is not None and not is_native(words.resource(wait.target))):
        return ""
    text, one = found.popitem()
    due = one.traffic is not None and _is_due(one.traffic)
    return f", over {text}" if due else ""


def _kept(wait: Edge, words: Words) -> str:
    """``; there MainThread of process 12 sleeps``: what the one does who has the other end of a
    pipe or terminal, if one alone has it, in another process."""
    holders = [hold.target for hold in words.graph.holders_of(wait.target)]
    if len(holders) != 1 or holders[0].pid == wait.source.pid:
        return ""
    actor = words.actor(holders[0])
    return f"; there {doing(actor, words)}" if actor else f"; {words.name(holders[0])} has it open"


def told(thread: Thread, wait: Edge | None, words: Words) -> str:
    """`` It sent data 40 s ago, and nothing has come back since. The timeout of that is 2 min.``,
    or, of one that watches connections, what those do who have the other ends; else nothing."""
    if wait is None or is_native(words.resource(wait.target)):
        there = told_there(_watched(thread, words), words)
        return f"{there}{_told_own(thread, words)}"
    if wait.target.kind is not NodeKind.SOCKET:
        return "" if wait.target.kind is NodeKind.PIPE else _told_own(thread, words)
    limit = timeout(thread, words)
    ends = f" It was given a timeout of {limit}, and gives up then." if limit else ""
    if limit and asks_dns(wait, words):
        ends = (
            f" The resolver asks again after {limit}, and other name servers if it knows any, "
            "before it gives up; no timeout of the library ends that."
        )
    if limit and arriving(thread, wait, words):
        ends = f" Its timeout of {limit} counts anew from one piece of data to the next."
    return f"{heard(words.resource(wait.target))}{ends}"


def asks_dns(wait: Edge, words: Words) -> bool:
    """Whether it is for the answer of a name server."""
    resource = words.resource(wait.target)
    return resource is not None and (resource.name or "").endswith("(DNS)")


def _asked(
    thread: Thread, wait: Edge | None, package: str, words: Words
) -> tuple[Thread, Edge] | None:
    """The only other thread of its package that waits at a connection, and for what it asked there;
    None: there is none, or it has nothing due."""
    found = [
        (one, its)
        for one in others_there([thread], package, wait, words)
        if (its := words.graph.wait_of(one.id)) and its.target.kind is NodeKind.SOCKET
    ]
    if len(found) != 1 or below_application(found[0][0]):
        return None
    known = words.resource(found[0][1].target)
    due = known is not None and known.traffic is not None and known.traffic.sent_last
    return found[0] if due else None


def _watched(thread: Thread, words: Words) -> list[Watched]:
    """The connections to others that it watches; else those of its process's threads of C code."""
    process = words.capture.process(thread.pid)
    native = {one.id for one in (process.threads if process else ()) if not one.is_python}
    watched = [one for one in words.capture.watched if not is_own(one)]
    own = [one for one in watched if one.thread == thread.id]
    return own or [one for one in watched if one.thread in native]


def _told_own(thread: Thread, words: Words) -> str:
    """`` Native threads of the process have sent something over the TCP connection to
    127.0.0.1:57069, which is this same process, ...``, where nothing has come back since."""
    process = words.capture.process(thread.pid)
    native = {one.id for one in (process.threads if process else ()) if not one.is_python}
    asked = [
        f"the {one.name}"
        for one in words.capture.watched
        if is_own(one) and one.thread in native and one.traffic and _is_due(one.traffic)
    ]
    if not asked:
        return ""
    where = listed(asked)
    return (
        f" Native threads of the process have sent something over {where}, to this same process, "
        "and nothing has come back since: if that is what it waits for, it waits for its own "
        "process."
    )


def _is_due(traffic: Traffic) -> bool:
    return traffic.sent_last is True and not traffic.accepted


def answering(thread: Thread, wait: Edge, words: Words) -> Sequence[Thread | Task]:
    """Those of whom one is to answer at the other end of the connection that it waits at."""
    return answerers(thread, wait, words) if wait.target.kind is NodeKind.SOCKET else ()


def timeout(thread: Thread, words: Words) -> str:
    """``2 min``, of a system call that ends by the clock at last; empty: it has no timeout, that is
    not known, or what called it asks again and again."""
    call = thread.syscall
    limit = call.timeout_ms if call is not None and not call.sleeps else None
    if limit is None or limit < _LONG_MS or polls(thread, words):
        return ""
    return lasting(limit / 1000)


def told_there(connections: Collection[Watched], words: Words) -> str:
    """`` There, worker waits at app.py:9 (serve) for jobs.``: what those do who may be to answer
    over *connections*, and of the only one, which code would end its wait; empty: they were not
    looked at, or are many."""
    found = _few_there(connections, words) or _one_of_each(connections, words)
    told = joined([doing(one, words) for one in found])
    alone = told_alone(found[0], words) if len(found) == 1 else ""
    return f" There, {told}.{alone}" if told else ""


def _one_of_each(connections: Collection[Watched], words: Words) -> list[Thread | Task]:
    """Those of `there` where several processes have the other ends, each with one such."""
    found = there(connections, words)
    alone = len({one.pid for one in found}) == len(found) <= NAMES_LISTED
    return found if alone else []


def short_there(connections: Collection[Watched], words: Words) -> str:
    """``; there worker waits at app.py:9 (serve) for jobs``: the same for a title."""
    told = [doing(one, words) for one in _few_there(connections, words)]
    return f"; there {joined(told)}" if told else ""


def answer_there(connections: Collection[Watched], words: Words) -> list[Thread | Task]:
    """Those of `there` who do not wait for the next client: each may be the one to answer."""
    return [one for one in there(connections, words) if not _listens(one, words)]


def _few_there(connections: Collection[Watched], words: Words) -> list[Thread | Task]:
    found = answer_there(connections, words)
    if len(found) > _FEW:  # the task that a server began with waits for its end
        found = [one for one in found if not isinstance(one, Task) or one.name != FIRST_TASK]
    if len(found) > _FEW:  # who takes what comes next owes nobody an answer
        found = [one for one in found if not one.takes_next]
    return found if len(found) <= _FEW else []


def there(connections: Collection[Watched], words: Words) -> list[Thread | Task]:
    """Threads and tasks at the other ends that have a line of the application on their stacks."""
    actors: list[Thread | Task] = [*words.capture.threads(), *words.capture.tasks]
    pids = {pid for one in connections for pid in one.peers}
    here = (one for one in actors if one.pid in pids)
    return [one for one in here if below_application(one)]


def _listens(actor: Thread | Task, words: Words) -> bool:
    """Whether it waits for the next client, or runs the loop whose tasks are told."""
    if isinstance(actor, Task):
        return False
    wait = words.graph.wait_of(actor.id)
    loops = {
        thread_id(one.pid, one.tid) for one in words.capture.event_loops if one.tid is not None
    }
    return actor.id in loops or (wait is not None and words.operation(wait) == "accept")
