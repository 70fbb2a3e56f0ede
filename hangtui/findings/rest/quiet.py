"""A process in which no thread runs, and of which nothing is known to be wrong."""

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.grounds import REASSURANCE
from hangtui.findings.outside.waiting_in_library import waits_in_library
from hangtui.findings.reassurance import Reassures
from hangtui.findings.rest.idle import idle_loops, reason_to_rest
from hangtui.findings.stack_queries import does, main_thread, still, unseen_children
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, EventLoop, Finding, Process, Severity, Thread

ID = "quiet"
GROUND = REASSURANCE
HELP = """\
No other rule knows more: nothing runs, no wait is known to be wrong, and not every wait is known to
be right, as it would be in an [idle](idle.md) process. The finding tells where each thread stands,
so that somebody who knows the program can tell.

How it is known: the kernel counts how often each thread was given a processor; what a thread waits
for is read as for any other finding.
"""
REASSURES = {ID: Reassures.PROCESS}


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such Python process."""
    words, loops = words_of(capture, graph), idle_loops(capture)
    found = []
    for process in capture.processes:
        main = main_thread(process)
        threads = [thread for thread in process.threads if thread.is_python]
        rests = bool(threads) and all(t.blocked and t.runs is not None for t in threads)
        rests = rests and not any(waits_in_library(thread, words) for thread in threads)
        if main is not None and rests and not graph.cycle_of(main.id):
            found.append(_finding(process, main, threads, loops, words))
    return found


def _finding(
    process: Process,
    main: Thread,
    threads: list[Thread],
    loops: dict[str, EventLoop],
    words: Words,
) -> Finding:
    others = [thread for thread in threads if thread is not main]
    # A native thread that one of them waits for tells how the wait may end.
    awaited = [words.thread(edge.target) for t in threads for edge in words.graph.waits_of(t.id)]
    others += [t for t in awaited if t is not None and t not in threads]
    told = [_rests(thread, loops, words) for thread in (main, *dict.fromkeys(others))]
    readings = [words.reading(edge) for t in threads for edge in words.graph.waits_of(t.id)]
    more = len(told) - NAMES_LISTED
    rest = f"; and {more} more" if more > 0 else ""
    several = len(threads) > 1
    unseen = unseen_children(process, words.capture)
    number = f"None of the {len(threads)} Python threads" if several else "Its only thread never"
    return Finding(
        id=ID,
        severity=Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"Process {process.pid} stands still, and nothing is known to be wrong: {told[0]}"
        f"{f'; {unseen}' if unseen else ''}",
        sentence=(
            f"{number} ran while process {process.pid} ({process.title}) was watched, and no wait "
            f"in it is known to be wrong: {'; '.join(told[:NAMES_LISTED])}{rest}."
        ),
        threads=(ref(main),),
        subject=process.id,
        processes=(process.pid,),
        evidence=(*readings[:NAMES_LISTED], still(threads)),
        unknown=("whether what it waits for is to come: only who knows the program can tell",),
        advice=(
            *((f"Look at its children too: hangtui --children {process.pid}.",) if unseen else ()),
            (
                f"If it should be working: run hangtui check {process.pid} again in a minute. If "
                "all stands as it does now, follow the first wait to whoever should end it."
            ),
        ),
    )


def _rests(thread: Thread, loops: dict[str, EventLoop], words: Words) -> str:
    reason = reason_to_rest(thread, loops.get(thread.id), words) if thread.is_python else None
    return f"{words.thread_name(thread)} {reason}" if reason else does(thread, words)
