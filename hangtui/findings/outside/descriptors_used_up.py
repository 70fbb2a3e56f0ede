"""A process that has as many files, sockets and pipes open as it may: nothing more can be opened in
it, and no connection accepted."""

from collections.abc import Iterator

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.doing import doing
from hangtui.findings.english import clauses, joined
from hangtui.findings.grounds import COUNTED
from hangtui.findings.needs import Needs
from hangtui.findings.stack_queries import below_application, kind_of, main_thread
from hangtui.findings.suspended import suspended
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, NodeKind, OpenFiles, Process, Severity

ID = "descriptors-used-up"
GROUND = COUNTED
NEEDS = Needs(frozenset(), whole=False)
HELP = """\
How it is known: the kernel tells the limit of a process (RLIMIT_NOFILE, `ulimit -n`), and what it
has open; every number below the limit is in use.

A server that is at its limit accepts nobody: connections wait in its queue, and who connected waits
for an answer that does not come. Event loops note the error (EMFILE) and try again every second. As
a rule something is opened again and again and never closed, of which there are most.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such process."""
    words = words_of(capture, graph)
    return [
        _finding(process, process.around.used_up, words)
        for process in capture.processes
        if process.around is not None and process.around.used_up is not None
    ]


def _finding(process: Process, opened: OpenFiles, words: Words) -> Finding:
    main, pid, limit = main_thread(process), process.pid, opened.limit
    kinds = joined([f"{one.count} {one.name}" for one in opened.kinds[:NAMES_LISTED]])
    # Who waits at a connection is nearer to the cause than who waits for a thread.
    waiting = sorted(_stand(process, words), key=lambda one: not _at_connection(one, words))
    stands = [doing(one, words) for one in waiting]
    meanwhile = f" Meanwhile, {clauses(stands[:NAMES_LISTED], len(stands))}." if stands else ""
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.CERTAIN,
        title=f"Process {pid} may open nothing more: all {limit} of its file descriptors are in use"
        f"{f'; {stands[0]}' if stands else ''}",
        sentence=(
            f"Process {pid} ({process.title}) has {limit} files, sockets and pipes open, as many "
            f"as it may have (RLIMIT_NOFILE): {kinds}. Until it closes some of them, or its limit "
            "is raised, no file can be opened in it, no connection made and none accepted (EMFILE, "
            f'"Too many open files"); a server lets whoever connects wait.{meanwhile}'
        ),
        threads=(ref(main),) if main else (),
        subject=process.id,
        processes=(pid,),
        evidence=(
            f"its limit of open files is {limit}, and all {limit} numbers below it are in use",
            *(f"open: {one.count} {one.name}" for one in opened.kinds[:NAMES_LISTED]),
        ),
        unknown=("who opened them, and whether they are still used",),
        advice=(
            (
                f"See what is open most often: ls -l /proc/{pid}/fd; close it where it is opened, "
                "by `with`."
            ),
            f"To let it go on for now: prlimit --pid {pid} --nofile={4 * limit}:{4 * limit}",
        ),
    )


def _stand(process: Process, words: Words) -> Iterator[Actor]:
    """The tasks and threads that wait below lines of the program; what an event loop waits for is
    what its tasks wait for."""
    tasks = suspended(process, words)
    yield from tasks
    loops = {task.loop_tid for task in tasks}
    for thread in process.threads:
        if thread.blocked and thread.tid not in loops and below_application(thread):
            yield thread


def _at_connection(actor: Actor, words: Words) -> bool:
    wait = words.graph.wait_of(actor.id)
    return wait is not None and kind_of(wait, words) is NodeKind.SOCKET
