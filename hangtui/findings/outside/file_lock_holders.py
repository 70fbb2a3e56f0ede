"""Who could give back a lock on a file, and whether those wait for whom it is kept from."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.by_the_clock import all_go_on, at_own_work
from hangtui.findings.chains import leads_back, run_by
from hangtui.findings.enders import enders
from hangtui.findings.package_queries import inner_package
from hangtui.findings.stack_queries import below_application
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind, Pid, Thread


def who_has(thread: Thread, wait: Edge, words: Words) -> tuple[Edge, ...]:
    """Who has it. Who ran meanwhile got in the kernel what it was seen to wait for."""
    holders, seen = words.graph.holders_of(wait.target), words.progress.get(thread.id)
    if asks_again(wait) or seen is None or not seen.ran:
        return holders
    return tuple(one for one in holders if one.target != thread.id)


def calmly(could: Sequence[Edge], words: Words) -> bool:
    """Whether all who could give it back are threads that compute, or that sleep for a while; or
    that have got it between the looks, and were met before they did."""
    if could and all(_just_got(one, words) for one in could):
        return True
    actors = words.threads(one.target for one in could)
    works = bool(actors) and all(at_own_work(one, words) for one in actors)
    left = any(_left_to_package(one, words) for one in actors)
    calm = works or (all_go_on(actors, words) and not left)
    return len(actors) == len(could) and calm


def _just_got(hold: Edge, words: Words) -> bool:
    """Whether it was met waiting for that very lock, and ran meanwhile."""
    wait, seen = words.graph.wait_of(hold.target), words.progress.get(hold.target)
    return bool(wait and wait.target == hold.source and seen and seen.ran and not asks_again(wait))


def _left_to_package(actor: Thread, words: Words) -> bool:
    """Whether it waits in a package for what only threads of that package's own are seen to end:
    that those get on does not say that this is what they do."""
    wait = words.graph.wait_of(actor.id)
    if wait is None or inner_package(actor) is None or words.graph.holders_of(wait.target):
        return False
    return not any(map(below_application, enders(wait, words)))


def comes_back(holder: NodeId, thread: Thread, words: Words) -> bool:
    """Whether who has it waits for *thread*: that one itself, or each task that its loop runs."""
    if holder == thread.id or leads_back(holder, thread.id, words):
        return True
    if _wants_in_turn(holder, thread, words):
        return True
    tasks = run_by(holder, words)
    return bool(tasks) and all(leads_back(one.id, thread.id, words) for one in tasks)


def _wants_in_turn(holder: NodeId, thread: Thread, words: Words) -> bool:
    """Whether it waits for another lock on a file, which the program's own code in *thread* alone
    could give back; it may ask for that again and again, if it does not give up."""
    wait = words.graph.wait_of(holder)
    asked = words.wait(wait) if wait else None
    if wait is None or asked is None or wait.target.kind is not NodeKind.FILE_LOCK:
        return False
    lasts = asked.unlimited if asks_again(wait) else not wait.expires
    held = able(words.graph.holders_of(wait.target), words)
    return lasts and {one.target for one in held} == {thread.id}


def able(holders: Sequence[Edge], words: Words) -> list[Edge]:
    """Those who could give it back: of the threads of a process those that run the program's code,
    if there are such. A thread that is a package's own has not taken the lock."""
    found = []
    for those in by_process(holders):
        own = [one for one in those if (t := words.thread(one.target)) and below_application(t)]
        found += own or those
    return found


def by_process(holders: Sequence[Edge]) -> list[list[Edge]]:
    """What the kernel says of a process is true of each of its threads: those together."""
    found: dict[Pid, list[Edge]] = {}
    for one in holders:
        found.setdefault(one.target.pid, []).append(one)
    return list(found.values())


def asks_again(wait: Edge) -> bool:
    """Whether it polls: that it waits is then inferred from what its code does when it wakes up."""
    return wait.expires and not wait.evidence.certainty.supports_claim
