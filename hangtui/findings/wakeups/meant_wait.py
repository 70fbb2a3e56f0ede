"""Whether a main thread that nobody can wake is meant to wait like that."""

from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming
from hangtui.findings.beyond_doubt import (
    in_a_test,
    no_rest,
)
from hangtui.findings.given_work import given_work
from hangtui.findings.inert import (
    CONNECTIONS,
    unwoken,
)
from hangtui.findings.interrupted import handled_signal
from hangtui.findings.re_entered import called_back_in, called_further_out
from hangtui.findings.services import is_service
from hangtui.findings.stack_queries import index_of, kind_of, way_of
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Process, Thread

_QUEUES = "/multiprocessing/queues.py"


def meant(
    process: Process, main: tuple[Thread, Edge], waits: list[tuple[Thread, Edge]],
    signals: tuple[str, ...], words: Words,
) -> bool:  # fmt: skip
    """Whether the main thread may be meant to wait so; *signals*: those whose handlers could end
    it, or the program. A handler may be what is to: a service often waits like that."""
    thread, wait = main
    works = given_work(thread) or called_further_out(thread) or unwoken(process.pid, words)
    inside = handled_signal(thread)
    signals = tuple(one for one in signals if one != inside)  # its own handler is to return first
    if in_a_test(process) or works or (inside and not signals):
        return False
    handled = bool(signals) and kind_of(wait, words) is not NodeKind.LOCK
    return handled or _parked(thread, wait, waits, words)


def _parked(thread: Thread, wait: Edge, waits: list[tuple[Thread, Edge]], words: Words) -> bool:
    """Whether only the main thread waits for an event, and all others for work: a program that is
    to run until it is killed may park its main thread like that, at an event of its own or where a
    library serves, but not at a library's result, nor in a loop once it has given something to
    others in that round, nor where a package that it called has called it back."""
    others = [other for other in waits if other[0] is not thread]
    way = way_of(wait, words)
    return (
        bool(others)
        and not (thread.asks or called_back_in(thread))
        and kind_of(wait, words) is NodeKind.EVENT
        and not no_rest(thread, wait, way, words)
        and not coming(words.graph, wait.target, way)
        and all(idles(wait, words) or _feeds(other, words) for other, wait in others)
    )


def _feeds(thread: Thread, words: Words) -> bool:
    """Whether it sends what is put into a queue of multiprocessing, and has nothing to send."""
    return is_service(thread, words) and index_of(thread, {"_feed"}, _QUEUES) is not None


def idles(wait: Edge, words: Words) -> bool:
    """Whether who waits so has nothing to do: it takes what comes."""
    if kind_of(wait, words) in CONNECTIONS:
        return words.operation(wait) != "send"
    return kind_of(wait, words) is NodeKind.QUEUE and words.method(wait) == "get"
