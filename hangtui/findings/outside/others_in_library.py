"""What threads of other processes do that run the application's code, where all of a process wait
in the package in which somebody else waits for them: so do the workers of a cluster, say. Or that
the package's worker processes, all of them, run none of it."""

from collections.abc import Iterator, Sequence

from hangtui.analysis.places import line_and_function, package_of, program_frame
from hangtui.findings.english import joined
from hangtui.findings.outside.actor_pools import told_pools
from hangtui.findings.outside.cluster_workers import nobody_at_work
from hangtui.findings.outside.compiled_graphs import told_graph
from hangtui.findings.outside.engine_workers import (
    starting,
    told_at_work,
    told_starting,
    workers_at_work,
)
from hangtui.findings.package_queries import library_entry, library_wait, package_entry
from hangtui.findings.pool_workers import told_at_task
from hangtui.findings.stack_queries import at, below_application, main_thread
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import Process, Task, TaskState, Thread

_BOTH = 2
_ENDED = "ZX"


def others_in_library(pid: int, package: str, words: Words) -> str:
    """`` In process 12 both threads that run the application's code wait in it as well: ...``, or
    nothing."""
    told = [
        (what, f" In {words.process_name(process.pid)} {what}.")
        for process in words.capture.processes
        if process.pid != pid and (what := _told(process, package, words))
    ]
    lines = list(dict(reversed(told)).values())[::-1][:NAMES_LISTED]  # of who waits alike, one
    more = len(told) - len(lines)
    so = f" So it is in {more} more process{'' if more == 1 else 'es'}." if more > 0 else ""
    if not told and package == "ray":
        return told_graph(pid, words) or f"{told_pools(pid, words)}{nobody_at_work(words)}"
    if at_work := workers_at_work(pid, words):
        return told_at_work(at_work, words)
    if starts := starting(pid, words):
        return told_starting(starts, words)
    if not told and (tasks := told_at_task(pid, words)):
        return f" Of its workers, {tasks}."
    return f"{''.join(lines)}{so}" if told else _idle_workers(pid, package, words)


def _idle_workers(pid: int, package: str, words: Words) -> str:
    """`` Its 2 worker processes run nothing of the application meanwhile: each waits in mpire
    (comms.py:380 (get_task)).``, if all children of the process that live were looked at."""
    process = words.capture.process(pid)
    children = (process.around.children if process and process.around else None) or ()
    left = [one for one in children if one.state not in _ENDED and not one.helper]
    found = [words.capture.process(one.pid) for one in left]
    workers = [one for one in found if one is not None and not one.incomplete]
    if len(workers) < len(found) or any(next(_running(one), None) for one in workers):
        return ""
    waiting = [place for one in workers if (place := _waits_in(one, package, words))]
    # Others may be helpers of the standard library: its resource tracker is one.
    installed = [one for one in workers if any(_packages(one))]
    if not waiting or len(waiting) < len(installed):
        return ""
    one = len(waiting) == 1
    who = "Its only worker process runs" if one else f"Its {len(waiting)} worker processes run"
    places = joined(list(dict.fromkeys(waiting))[:NAMES_LISTED])
    return (
        f" {who} nothing of the application meanwhile: {'it' if one else 'each'} waits in "
        f"{package} ({places})."
    )


def _packages(process: Process) -> Iterator[str]:
    """The packages on the stacks of its threads."""
    for thread in process.threads:
        yield from filter(None, map(package_of, thread.python_stack or ()))


def _waits_in(process: Process, package: str, words: Words) -> str:
    """Where its main thread waits in the package, if it was there whenever it was looked at."""
    main = main_thread(process)
    stack = (main.python_stack if main else None) or ()
    frame = next((frame for frame in stack if package_of(frame) == package), None)
    if main is None or frame is None or not main.asleep:
        return ""
    seen = words.progress.get(main.id)
    return line_and_function(frame) if seen is None or seen.same_line else ""


def _told(process: Process, package: str, words: Words) -> str:
    tasks = [one for one in words.capture.tasks if one.pid == process.pid and _suspended(one)]
    loops = {one.loop_tid for one in tasks}
    threads = [  # without those that run the loops of these tasks, and nothing else
        one for one in _running(process) if one.tid not in loops or library_wait(one) == package
    ]
    running: list[Thread | Task] = [*threads, *tasks]
    inside = all(one.asleep and library_wait(one) == package for one in threads)
    entries = [package_entry(one) for one in tasks]
    inside = inside and all(one is not None and package_of(one) == package for one in entries)
    if not running or not inside:
        return ""
    where = dict.fromkeys(_place(one) for one in running)
    places = joined(list(where)[:NAMES_LISTED])
    return f"{_all(running)} in it as well: {places}"


def _suspended(task: Task) -> bool:
    return task.state is TaskState.WAITING and below_application(task)


def _place(actor: Thread | Task) -> str:
    """``at app.py:3 (ask), in grpc's _call.py:314 (wait)``."""
    return f"{at(program_frame(actor.python_stack or ())).strip()}, in {library_entry(actor)}"


def _running(process: Process) -> Iterator[Thread]:
    """The threads that run the application's code."""
    for thread in process.threads:
        if thread.is_python and below_application(thread):
            yield thread


def _all(actors: Sequence[Thread | Task]) -> str:
    kinds = {"task" if isinstance(one, Task) else "thread" for one in actors}
    kind, many = "".join(kinds), " and ".join(f"{one}s" for one in sorted(kinds, reverse=True))
    what = "that run the application's code wait"
    if len(actors) == 1:
        return f"the only {kind} that runs the application's code waits"
    both = len(actors) == _BOTH and len(kinds) == 1
    return f"both {many} {what}" if both else f"all {len(actors)} {many} {what}"
