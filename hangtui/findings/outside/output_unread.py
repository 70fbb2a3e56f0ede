"""A child that cannot end, because whoever waits for its end does not read what it writes."""

from collections.abc import Iterator

from hangtui.analysis.places import line_and_function, place, program_frame
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.grounds import NOBODY
from hangtui.findings.stack_queries import at, below_application, polls, still, stood_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Actor, Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, NodeKind, Severity, Task, Thread

ID = "output-unread"
GROUND = NOBODY
HELP = """\
A pipe holds 64 KiB. A child that writes more waits until somebody reads, and a parent that waits
for the child's end first (`Process.wait()` of asyncio, `Popen.wait()`) never comes to read.

How it is known: a task or thread waits for the end of a child, which is blocked in a write to a
full pipe. Only the waiting process has the other end of it, and there no thread reads from it or
polls it, and no event loop has it among what it watches: asyncio stops watching a stream when so
much has arrived that somebody has to read it first. That nothing else is about to read is inferred.
A parent that waits for what the child would write to another pipe is told, too, where the child
stands still for a second or more. A parent that polls (`while child.poll() is None: sleep()`) is
told where several looks saw it asleep below the same line, and the child still for that long.
"""

_LATER = "whether another task or thread of process {} comes to read it later"
_ADVICE = (
    "Read while it runs: communicate() instead of wait() or poll(), or a task or thread that reads "
    "each pipe; or send the output to a file or to DEVNULL."
)


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each child that is held up like this, outside of a deadlock."""
    words = words_of(capture, graph)
    found = []
    for thread, writing, kind in words.lasting.values():
        resource = words.resource(writing.target)
        if kind is not NodeKind.PIPE or resource is None or not resource.unread:
            continue
        if graph.cycle_of(thread.id):
            continue
        waiter = next(_waiters(thread, writing, words), None)
        waiter = waiter or next(_hearers(thread, writing, words), None)
        poller = next(_pollers(thread, writing, words), None)
        if waiter is not None:
            found.append(_finding(*waiter, thread, writing, words))
        elif poller is not None:
            found.append(_polled(poller, thread, writing, words))
    return found


def _waiters(child: Thread, writing: Edge, words: Words) -> Iterator[tuple[Actor, Edge]]:
    """Who waits for the end of the child's process, and whose process alone could read; the
    program's own code first."""
    graph, process = words.graph, words.capture.process(child.pid)
    readers = {hold.target.pid for hold in graph.holders_of(writing.target)}
    if process is None or len(readers) != 1:
        return
    waits = [wait for wait in graph.waiters_of(process.id) if wait.source.pid in readers]
    pairs = [(actor, wait) for wait in waits if (actor := words.actor(wait.source)) is not None]
    own = [pair for pair in pairs if program_frame(pair[0].python_stack or ()) is not None]
    # Threads of asyncio's own that wait for children have no frame of a program.
    yield from own or [pair for pair in pairs if isinstance(pair[0], Thread)]


def _hearers(child: Thread, writing: Edge, words: Words) -> Iterator[tuple[Actor, Edge]]:
    """Who waits for what the child's process alone would write to another pipe, in the process that
    alone could read this one."""
    readers = {hold.target.pid for hold in words.graph.holders_of(writing.target)}
    if len(readers) != 1 or child.pid in readers or stood_s(child, words) < STILL_S:
        return
    parent = words.capture.process(readers.pop())
    for thread in parent.threads if parent else ():
        wait = words.graph.wait_of(thread.id)
        if wait is None or wait.expires or wait.target.kind is not NodeKind.PIPE:
            continue
        ends = {hold.target.pid for hold in words.graph.holders_of(wait.target)}
        if ends == {child.pid} and below_application(thread):
            yield thread, wait


def _pollers(child: Thread, writing: Edge, words: Words) -> Iterator[Thread]:
    """Whom several looks met asleep below the same line of the application, while the child stood
    still: threads of the process that alone could read."""
    readers = {hold.target.pid for hold in words.graph.holders_of(writing.target)}
    if len(readers) != 1 or stood_s(child, words) < STILL_S:
        return
    parent = words.capture.process(readers.pop())
    seen = words.progress.get(child.id)
    if seen is not None and seen.ran:
        return  # somebody has read from it meanwhile
    if parent is None or any(_feeds(thread, child, words) for thread in parent.threads):
        return  # another one may read meanwhile what the child makes of that
    for thread in parent.threads:
        if polls(thread, words) and below_application(thread) and _looks(thread, words):
            yield thread


def _looks(thread: Thread, words: Words) -> bool:
    """Whether it may look at the child between two sleeps: it does not wait for an object of the
    process, and does more than to sleep."""
    wait = words.graph.wait_of(thread.id)
    return not thread.only_sleeps and (wait is None or wait.target.kind is NodeKind.PROCESS)


def _feeds(thread: Thread, child: Thread, words: Words) -> bool:
    """Whether it waits until the child takes what it writes to it."""
    wait = words.graph.wait_of(thread.id)
    holders = words.graph.holders_of(wait.target) if wait else ()
    writes = wait is not None and words.operation(wait) == "write"
    return writes and any(hold.target.pid == child.pid for hold in holders)


def _polled(parent: Thread, child: Thread, writing: Edge, words: Words) -> Finding:
    name, pipe = words.thread_name(parent), words.name(writing.target)
    where, line = at(program_frame(parent.python_stack or ())), place(child)
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=as_sure_as(Certainty.INFERRED, writing),
        title=f"{name} waits{where} by polling, and {words.process_name(child.pid)} waits for its "
        "output to be read",
        sentence=(
            f"{name} wakes up{where} only to sleep again, while "
            f"{words.process_name(child.pid)} waits{f' at {line}' if line else ''} to write to "
            f"{pipe}, which is full. Only process {parent.pid} itself could read it, and nobody in "
            "it does: if it waits for that child to end, it waits for ever."
        ),
        threads=(ref(parent), ref(child)),
        subject=parent.id,
        resources=(writing.target,),
        evidence=(*_readings(writing, parent.pid, words), still([child])),
        unknown=(f"what {name} polls for", _LATER.format(parent.pid)),
        advice=(_ADVICE,),
    )


def _readings(writing: Edge, parent: int, words: Words) -> Iterator[str]:
    yield words.reading(writing)
    yield from (words.reading(hold) for hold in words.graph.holders_of(writing.target))
    yield (
        f"no thread of process {parent} reads from that pipe or polls it, and no event loop of it "
        "has it registered"
    )


def _finding(waiter: Actor, wait: Edge, child: Thread, writing: Edge, words: Words) -> Finding:
    name, pipe = words.actor_name(waiter), words.name(writing.target)
    frame = program_frame(waiter.python_stack or ())
    at = f" at {line_and_function(frame)}" if frame else ""
    parent, threads = wait.source.pid, words.carriers([waiter])
    line = place(child)
    ends = wait.target.kind is NodeKind.PROCESS
    goal, its = words.goal(wait), words.process_name(child.pid)
    what = f"for a child process to end{at} that" if ends else f"{at.lstrip()} {goal}; {its}"
    thus = f"{at} for process {child.pid} to end. That cannot end: it" if ends else f"{at} {goal}. "
    thus += "" if ends else f"Only {its} would write that: it"
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=as_sure_as(Certainty.INFERRED, wait, writing),
        title=f"{name[:1].upper()}{name[1:]} waits {what} waits for its output to be read",
        sentence=(
            f"{name[:1].upper()}{name[1:]} waits{thus} waits{f' at {line}' if line else ''} to "
            f"write to {pipe}, which is full. Only process {parent} itself could read it, and "
            "nobody in it does."
        ),
        threads=(*map(ref, threads), ref(child)),
        tasks=(waiter.id,) if isinstance(waiter, Task) else (),
        subject=waiter.id,
        resources=(writing.target,),
        evidence=(
            words.reading(wait),
            *_readings(writing, parent, words),
            still([*threads, child]),
        ),
        unknown=(_LATER.format(parent),),
        advice=(_ADVICE,),
    )
