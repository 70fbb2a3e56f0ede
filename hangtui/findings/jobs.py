"""The ranks of distributed jobs: which processes belong together, and whose calls they are in."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hangtui.analysis.latest import of_latest
from hangtui.findings.collectives import LIBRARIES, collective, exchange
from hangtui.findings.english import counted, listed
from hangtui.findings.exits import is_ending
from hangtui.findings.roles import latecomers, places_of, ranks_among, ranks_told
from hangtui.findings.services import is_helper
from hangtui.findings.stack_queries import at, below_application, main_thread, own_frame
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import (
    Capture,
    Child,
    JobPlace,
    NodeId,
    Pid,
    Process,
    PythonFrame,
    Thread,
    host_of,
    thread_id,
)

_COLLECTED = "X"
"""The kernel's letter of a process that has ended and is known to nobody but its launcher."""
_STARTS = ("/torch/distributed/elastic/", "/torch/distributed/launcher/")
_Ends = Mapping[NodeId, Sequence[NodeId]]
Inside = tuple[Thread, str]
"""A thread, and the operation of several ranks that it is in."""


@of_latest
def jobs(capture: Capture) -> list[list[Process]]:
    """The ranks of each job. On several machines these have several parents: then it is one job if
    all say the same size, and no two the same rank."""
    places, known = places_of(capture), ranks_among(capture)
    python = (p for p in capture.processes if p.python is not None and not is_helper(p))
    members = [process for process in python if known.get(process.pid, True)]
    by_size: dict[int, list[Process]] = {}
    for process in members:
        place = places.get(process.pid)
        if place is not None and place.size is not None:
            by_size.setdefault(place.size, []).append(process)
    whole = [part for ranks in by_size.values() for part in _parted(ranks, places)]
    for ranks, others in latecomers(capture):
        first = ranks[0].pid
        for one in whole:
            if any(process.pid == first for process in one):
                known_pids = {process.pid for process in one}
                one += [process for process in others if process.pid not in known_pids]
    told = {process.pid for ranks in whole for process in ranks}
    by_parent: dict[int, list[Process]] = {}
    for process in members:
        if process.pid not in told:
            by_parent.setdefault(process.ppid, []).append(process)
    return [*whole, *by_parent.values()]


def _parted(ranks: list[Process], places: Mapping[Pid, JobPlace]) -> Iterator[list[Process]]:
    """Ranks of one size, no two of them with the same number; of several jobs, those of each."""
    if len({places[one.pid].rank for one in ranks}) == len(ranks):
        yield ranks
        return
    by_port: dict[int, list[Process]] = {}
    for one in ranks:
        port = places[one.pid].port
        if port is not None:
            by_port.setdefault(port, []).append(one)
    for part in by_port.values():
        if len({places[one.pid].rank for one in part}) == len(part):
            yield part


def is_whole(ranks: list[Process], capture: Capture) -> bool:
    """Whether *ranks* are all of their job."""
    places = places_of(capture)
    return all(
        (place := places.get(rank.pid)) is not None and place.size == len(ranks) for rank in ranks
    )


def rank_thread(rank: Process, capture: Capture) -> Thread | None:
    """The thread of a rank that takes part in its job: the main thread; where that runs nothing of
    the application, the only other one that does, as in Ray Train's workers; where it waits for one
    that is in an operation of several ranks, such as a saver of checkpoints, that one."""
    main = main_thread(rank)
    if main is None or collective(main):
        return main
    if not below_application(main):
        others = [one for one in rank.threads if one.is_python and below_application(one)]
        return others[0] if len(others) == 1 else main
    starts = [main.id, *_tasks(capture).get(main.id, ())]
    led = (_leads(start, rank, capture) for start in starts)
    inside = {one.id: one for one in led if one and (collective(one) or exchange(one))}
    return next(iter(inside.values())) if len(inside) == 1 else main


def _leads(start: NodeId, rank: Process, capture: Capture) -> Thread | None:
    """The thread of its own process that a thread or task waits for in the end, where one alone is
    known each time."""
    threads, waits, holders = {one.id: one for one in rank.threads}, *_chains(capture)
    here, seen = start, set[NodeId]()
    while here not in seen and len(awaited := waits.get(here, ())) == 1:
        seen.add(here)
        has = (awaited[0],) if awaited[0] in threads else holders.get(awaited[0], ())
        if len(has) != 1 or has[0] not in threads:
            break
        here = has[0]
    return threads[here] if here != start and here in threads else None


@of_latest
def _tasks(capture: Capture) -> _Ends:
    """The tasks that event loops of threads run."""
    found: dict[NodeId, list[NodeId]] = {}
    for task in capture.tasks:
        if task.loop_tid is not None:
            found.setdefault(thread_id(task.pid, task.loop_tid), []).append(task.id)
    return found


@of_latest
def _chains(capture: Capture) -> tuple[_Ends, _Ends]:
    """What threads wait for, and who alone can end that."""
    waits: dict[NodeId, list[NodeId]] = {}
    holders: dict[NodeId, list[NodeId]] = {}
    for wait in capture.waits:
        waits.setdefault(wait.waiter, []).append(wait.target)
    for hold in capture.holds:
        holders.setdefault(hold.resource, []).append(hold.holder)
    return waits, holders


def caller(thread: Thread) -> PythonFrame | None:
    """The program's own frame that called the collective operation."""
    stack = thread.python_stack or ()
    inside = (i for i, frame in enumerate(stack) if _in_job(frame))
    return own_frame(thread, max(inside, default=-1) + 1)


def _in_job(frame: PythonFrame) -> bool:
    """Whether it is of a library of collective operations; who starts ranks is no part of that."""
    file = frame.filename
    return any(part in file for part in LIBRARIES) and not any(part in file for part in _STARTS)


def with_title(pid: Pid, words: Words) -> str:
    """``rank 0 (process 7)``; ``process 8 (vllm)`` where it has no such name."""
    process = words.capture.process(pid)
    title = process.title if process and not words.has_role(pid) else ""
    return f"{words.process_name(pid)}{f' ({title})' if title else ''}"


def who(threads: Sequence[Thread], words: Words) -> str:
    """Processes by their ranks, many of them in short: ``ranks 0-2, 4-511``."""
    found = _numbers(threads, words.capture)
    if len(threads) > NAMES_LISTED and found is not None:
        return ranks_told(found)
    return listed([words.process_name(thread.pid) for thread in threads])


def in_short(threads: Sequence[Thread], words: Words) -> str:
    """The same for a title: ``rank 5 (node-1)``; ``2 ranks`` where they have no numbers."""
    found = _numbers(threads, words.capture)
    if found is None:
        return counted(len(threads), "rank")
    hosts = {host_of(thread.pid) for thread in threads}
    host = f" ({hosts.pop()})" if len(hosts) == 1 and "" not in hosts else ""
    return f"{ranks_told(found)}{host}"


def named(threads: Sequence[Thread], words: Words) -> str:
    """Ranks by their numbers alone: ``ranks 0-2, 4-511``; processes that have none, by theirs."""
    found = _numbers(threads, words.capture)
    return who(threads, words) if found is None else ranks_told(found)


def by_place(inside: Iterable[Inside]) -> list[tuple[str, str, list[Thread]]]:
    """Operations and the lines that called them, with those who are in them; the fewest first."""
    groups: dict[tuple[str, str], list[Thread]] = {}
    for thread, operation in inside:
        place = ", at the end of its program" if is_ending(thread) else at(caller(thread))
        groups.setdefault((operation, place), []).append(thread)
    parted = sorted(groups.items(), key=lambda one: len(one[1]))
    return [(operation, place, those) for (operation, place), those in parted]


def _numbers(threads: Sequence[Thread], capture: Capture) -> list[int] | None:
    """The ranks of their processes; None: not all have one."""
    places = places_of(capture)
    found = [place.rank for thread in threads if (place := places.get(thread.pid))]
    return found if len(found) == len(threads) else None


def lost(ranks: Sequence[Process], capture: Capture) -> tuple[list[int], list[Child]]:
    """The numbers that no process has, although whoever started the others has children that have
    ended, or says that some of the ranks have, and these; nothing where either is not so."""
    places = places_of(capture)
    known = [place for rank in ranks if (place := places.get(rank.pid))]
    size = max((place.size or 0 for place in known), default=0)
    missing = sorted(set(range(size)) - {place.rank for place in known})
    parents = {process.ppid for process in ranks}
    ended = [
        child
        for process in capture.processes
        if process.pid in parents and process.around
        for child in process.around.children or ()
        if child.state == "Z"
    ]
    launchers = {*parents, *(process.pid for process in ranks)}
    ended += [
        Child(one.pid, "", _COLLECTED, exit_status=one.exit_status)
        for one in capture.collected
        if one.parent in launchers
    ]
    return (missing, ended) if missing and ended else ([], [])
