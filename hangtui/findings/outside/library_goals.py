"""What a wait in a package is said to be for."""

import re
from collections.abc import Sequence
from itertools import takewhile

from hangtui.analysis.places import application_index, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.collectives import (
    awaited_of_ranks,
    collective,
    forms_group,
    reads_file_store,
    seeks_store,
)
from hangtui.findings.english import clauses, joined
from hangtui.findings.handled import after_error, tries_again
from hangtui.findings.jobs import is_whole, jobs, rank_thread
from hangtui.findings.library_calls import awaited_in_library
from hangtui.findings.library_waits import call_within, retries_within
from hangtui.findings.looked import looked_at, polled_by
from hangtui.findings.outside.cluster_waits import in_dataset
from hangtui.findings.outside.dataset_blocks import GOAL as BLOCKS
from hangtui.findings.outside.group_circles import groups
from hangtui.findings.outside.java_threads import GOAL, ends_java
from hangtui.findings.outside.job_at_rest import nobody_left
from hangtui.findings.outside.store_waits import awaits_key, key_goal
from hangtui.findings.outside.traffic import unconnected
from hangtui.findings.package_queries import package_entry
from hangtui.findings.resources import is_native
from hangtui.findings.rpc_calls import awaited, awaited_later, remote_call
from hangtui.findings.stack_queries import does, is_long, name_of, told
from hangtui.findings.started import none_under_way
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.watching import watching
from hangtui.findings.words import Words
from hangtui.model import (
    NodeKind,
    Polled,
    Process,
    Progress,
    Thread,
)

LOCKS = (NodeKind.LOCK, NodeKind.SEMAPHORE, NodeKind.MUTEX)
CLOCK = "for the clock"
_SLEEPS = re.compile("sleep|wait|pause|delay", re.IGNORECASE)
"""In the names of functions that do nothing else."""
TIME_OVER = "It goes on by itself when that time is over, and may sleep there again."
_DDP = "DistributedDataParallel"
_INSIDE = frozenset({NodeKind.QUEUE, NodeKind.CONDITION, NodeKind.EVENT, *LOCKS})
"""What threads of one process have for each other."""
_GROUP = "for the other members of a process group to join it (ProcessGroupGloo)"
_IN_FILE = "for the other members of a process group to join it, over a file (FileStore)"
_STORE = "for another rank to open the store of their group (TCPStore), trying again and again"


def goal_of(thread: Thread, wait: Edge | None, words: Words) -> str:
    """What it waits for, in the words of the package if what it has called there says more."""
    if forms_group(thread):
        return _IN_FILE if reads_file_store(thread) else _GROUP
    if awaits_key(thread):
        return key_goal(thread, words.capture)
    if ends_java(thread):
        return GOAL
    if call := remote_call(thread, words.capture):
        return awaited(call)
    if later := awaited_later(thread):
        return later
    if in_dataset(thread):
        return BLOCKS
    goal = words.goal(wait) if wait else without_goal(thread, words)
    if wait and is_native(words.resource(wait.target)):
        joint = collective(thread)
        goal = awaited_in_library(thread) or (f"for the end of {joint}" if joint else goal)
    stack = thread.python_stack or ()
    within = call_within(stack[: application_index(stack) or 0])
    if wait and wait.target.kind is NodeKind.SOCKET:
        return f"{within} ({goal})" if within else goal
    return goal if wait and words.graph.holders_of(wait.target) else within or goal


def without_goal(thread: Thread, words: Words) -> str:
    """How it waits where for what is not known."""
    if seeks_store(thread):
        return _STORE
    if joint := awaited_of_ranks(thread):
        return joint
    seen, call = words.progress.get(thread.id), thread.syscall
    sleeps = call is not None and call.sleeps
    polling = seen is not None and polls(seen)
    polled = _looked_at(thread, words)
    tries = "" if polled else tries_again(thread.id, words)
    if tries and (polling or sleeps):
        return f"{tries}{after_error(thread.id, words)}"
    stack = thread.python_stack or ()
    if call and sleeps and (retries := retries_within(stack[: application_index(stack)])):
        left = f": {call.detail}" if call.detail and is_long(call.sleep) else ""
        return f"{CLOCK} between two tries ({retries}{left}){after_error(thread.id, words)}"
    if polling:
        return f"{_by_polling(thread, polled)}{after_error(thread.id, words)}"
    if by_clock := _by_the_clock(thread, words):
        return by_clock
    # What an event loop watches tells more than the call in which it does so.
    heard = watching(thread.id, words).strip() if thread.id in words.looping else ""
    return awaited_in_library(thread) or heard or _call(thread, seen)


def between_tries(thread: Thread, words: Words) -> bool:
    """Whether it sleeps between two tries, and not between two looks at what others change."""
    sleeps = thread.syscall is not None and thread.syscall.sleeps
    return sleeps and not _looked_at(thread, words) and bool(tries_again(thread.id, words))


def _looked_at(thread: Thread, words: Words) -> Polled | None:
    """What several looks saw it look at again and again."""
    seen = words.progress.get(thread.id)
    return polled_by(thread.id, words) if seen is not None and polls(seen) else None


def _by_the_clock(thread: Thread, words: Words) -> str:
    """How it sleeps; empty: it does not."""
    seen, call = words.progress.get(thread.id), thread.syscall
    if call is None or not call.sleeps:
        return ""
    if seen is not None and slept_again(seen):
        return f"by sleeping again and again{after_error(thread.id, words)}"
    return f"{CLOCK}, {call.detail}," if call.detail else CLOCK


def _by_polling(thread: Thread, polled: Polled | None) -> str:
    known = None if polled else awaited_in_library(thread)
    if known:
        return f"{known}, by polling,"
    return f"by polling {looked_at(polled)}" if polled else "by polling"


def sleeps_where(thread: Thread) -> str:
    """`` There urllib3 sleeps at retry.py:374 (Retry.sleep_for_retry), called from
    connectionpool.py:888 (HTTPConnectionPool.urlopen).``: where a package sleeps, and which of its
    functions has it sleep; empty: that is the one that the application has called, or none does."""
    stack, call = thread.python_stack or (), thread.syscall
    package = package_of(stack[0]) if stack and call is not None and call.sleeps else None
    entry = package_entry(thread)
    if package is None or stack[0] == entry:
        return ""
    own = (one for one in takewhile(lambda one: package_of(one) == package, stack[1:]))
    doer = next((one for one in own if not _SLEEPS.search(name_of(one))), None)
    by = f", called from {told(doer)}" if doer and doer != entry else ""
    return f" There {package} sleeps at {told(stack[0])}{by}."


def passing(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether one that polls was met at some lock without a name, on its way back to its wait: in
    the next look it is another one."""
    seen, resource = words.progress.get(thread.id), words.resource(wait.target)
    bare = resource is not None and (resource.name is None or is_native(resource))
    return bare and wait.target.kind in LOCKS and seen is not None and polls(seen)


def polls(seen: Progress) -> bool:
    """Whether it woke up only to wait again on the same lines."""
    same = seen.same_stack or (seen.same_line and seen.asks)
    return same and seen.ran and not seen.returned


def slept_again(seen: Progress) -> bool:
    """Whether it ran below the same lines of the application, and was met in a sleep there again:
    the end of one does not end its wait."""
    return seen.same_line and seen.ran and not seen.returned


def _call(thread: Thread, seen: Progress | None) -> str:
    """The system call that it is in. One that was awake at the moment is in none: who woke up more
    often than it was looked at looks itself, again and again."""
    call = thread.syscall
    if call is None or call.name == "?":  # it ran just then
        often = seen is not None and (seen.wakes or 0) > seen.looks
        return "by waking up again and again" if often else "for what is not known"
    return f"in the system call {call.name}{f' ({call.detail})' if call.detail else ''}"


def advice(where: str, package: str, *, clock: bool, limit: str) -> str:
    """What to do about a wait in a package; *clock*: it sleeps there; *limit*: its timeout."""
    if limit:
        return f"If {limit} is too long: give the call{where} a shorter timeout."
    if clock:
        return (
            f"Look up how long {package} may sleep there, and bound that{where}: a timeout of the "
            "call mostly does not count what it sleeps between two tries."
        )
    return (
        f"Give the call{where} a timeout if {package} has one for it, so that a wait that lasts "
        "becomes an error which says where."
    )


def in_step(threads: Sequence[Thread], words: Words) -> bool:
    """Whether they are in operations of which the slowest rank sets the pace."""
    return all(map(collective, threads)) and not never_set(threads[0], words)


def none_missing(thread: Thread, who: str, words: Words) -> str:
    """*who* could end it, behind ``All ranks of the job are in it, so that none of them is
    missing.``, if that is so."""
    operation, ranks = collective(thread), _all_in_it(thread, words)
    never = never_set(thread, words)
    if operation is None or not (ranks or never):
        return who
    all_in_it = "All ranks of the job are in it, so that none of them is missing"
    if never:
        begun = all_in_it if ranks else "Its process has no connection to another rank"
        others = _others(ranks or _by_itself(thread, words), words)
        return (
            f"{begun}; and gloo carries out nothing for any of them, so that nothing of it is "
            "under way. It ends when the future is set that a communication hook has given, and "
            f"{_left_to_set(others, words)}."
        )
    if long_in_file(ranks, words):
        names = joined([words.process_name(one.pid) for one in ranks[:NAMES_LISTED]])
        return (
            f"{all_in_it}; and each looks again and again into the file of their store (FileStore) "
            f"for what the others have written there, and does not find it: {names}. Look whether "
            "that file was deleted or replaced since the job began: then each may have written to "
            "another."
        )
    hook = ", or, with a communication hook, when the future that this gave is set"
    return (
        f"{all_in_it}: it ends when what they send each other has come, if all have called it "
        f"with the same root and sizes{hook if _DDP in operation else ''}. {who}"
    ).strip()


def long_in_file(ranks: Sequence[Process], words: Words) -> bool:
    """Whether all of these, who lack nobody, have looked into a file for each other for long."""
    mains = [_main(one, words) for one in ranks]
    seen = [words.progress.get(one.id) for one in mains]
    stay = all(one is not None and one.same_line and one.lasted_s >= STILL_S for one in seen)
    return bool(mains) and stay and all(map(reads_file_store, mains))


def never_set(thread: Thread, words: Words) -> bool:
    """Whether all ranks wait for gradients which nobody sums: no operation of gloo is under way,
    and no other thread is about to set the future of a communication hook."""
    if _DDP not in (collective(thread) or ""):
        return False
    ranks = _all_in_it(thread, words)
    asleep = bool(ranks) and nobody_left([_main(rank, words) for rank in ranks], words)
    if not ranks:
        ranks = _by_itself(thread, words)
        asleep = bool(ranks) and all(one.asleep for one in ranks[0].threads)
    kept = all(_waits_for_own(one, words) for one in _others(ranks, words))
    return asleep and kept and none_under_way(ranks)


def _by_itself(thread: Thread, words: Words) -> list[Process]:
    """Its process, if that has no connection over which another rank could send it something."""
    process = words.capture.process(thread.pid)
    return [process] if process is not None and unconnected(thread, words.capture) else []


def _others(ranks: Sequence[Process], words: Words) -> list[Thread]:
    """What runs Python code there beside the threads that take part."""
    return [
        one for rank in ranks for one in rank.threads
        if one.is_python and one is not _main(rank, words)
    ]  # fmt: skip


def _waits_for_own(thread: Thread, words: Words) -> bool:
    """Whether it waits, without a timeout, for what its own process has to bring."""
    wait = words.graph.wait_of(thread.id)
    return thread.blocked and wait is not None and not wait.expires and wait.target.kind in _INSIDE


def _left_to_set(others: Sequence[Thread], words: Words) -> str:
    if not others:
        return "no thread that runs Python code is left beside these to do that"
    now = clauses([does(one, words) for one in others[:NAMES_LISTED]], len(others))
    return f"what else runs Python code there waits as well: {now}"


def _main(rank: Process, words: Words) -> Thread:
    return rank_thread(rank, words.capture) or rank.threads[0]


def _all_in_it(thread: Thread, words: Words) -> list[Process]:
    """All ranks of its job, if they are in the same operation; else nothing. So if they are in the
    same one of different groups."""
    operation = collective(thread)
    ranks = next(
        (those for those in jobs(words.capture) if any(p.pid == thread.pid for p in those)), ()
    )
    if not operation or len(ranks) < 2 or not is_whole(list(ranks), words.capture):
        return []
    threads = [rank_thread(rank, words.capture) for rank in ranks]
    calls = [groups(words.capture).get(one.id) for one in threads if one]
    if len({call.group if call else None for call in calls}) > 1:
        return []
    return [*ranks] if all(one and collective(one) == operation for one in threads) else []
