"""A process that is not hung as a whole: some of its threads ran while it was watched."""

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.english import counted, listed
from hangtui.findings.grounds import REASSURANCE
from hangtui.findings.outside.waiting_in_library import waits_in_library
from hangtui.findings.reassurance import Reassures
from hangtui.findings.stack_queries import own_frame, told
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import ref, words_of
from hangtui.model import Capture, Certainty, Finding, GilState, Process, Severity, Thread

ID = "alive"
GROUND = REASSURANCE
HELP = """\
Not hung: threads of the process ran, and the lines say where. That something else in it stands
still may nevertheless be so, and then has a finding of its own: beside an error or a warning it is
told there that some threads ran.

How it is known: the kernel counts how often each thread was given a processor.
"""
REASSURES = {ID: Reassures.STILL_RUNS}


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each Python process of which a Python thread ran."""
    words = words_of(capture, graph)
    moved = {one.thread for one in capture.progress if one.unchanged_s < one.lasted_s}
    found = []
    for process in capture.processes:
        ran = [
            t
            for t in process.threads
            # Who wakes up only to wait again does not get on.
            if t.is_python and _ran(t, seen=t.id in moved) and not waits_in_library(t, words)
        ]
        if ran and process.python is not None and process.state not in ("T", "t", "Z", "X"):
            names = [words.thread_name(thread) for thread in ran]
            found.append(_finding(process, ran, names))
    return found


def _ran(thread: Thread, *, seen: bool) -> bool:
    """It moved; one that only asks for the GIL again and again did not. *seen*: between looks."""
    asks = thread.gil is GilState.WAITS
    return (seen or thread.still is False) and not asks and thread.runs is not None


def _finding(process: Process, ran: list[Thread], names: list[str]) -> Finding:
    threads = sum(bool(thread.is_python) for thread in process.threads)
    places = [
        f"{name} at {told(frame)}"
        for name, thread in zip(names, ran, strict=True)
        if (frame := own_frame(thread))
    ][:NAMES_LISTED]
    here = f": {'; '.join(places)}" if places else ""
    share = f"{len(ran)} of {counted(threads, 'Python thread')} ran while it was watched"
    return Finding(
        id=ID,
        severity=Severity.NOTE,
        certainty=Certainty.CERTAIN,
        title=f"Process {process.pid} is working: {share}",
        sentence=(
            f"Process {process.pid} ({process.title}) is not hung as a whole. These threads ran "
            f"while it was watched{here or f': {listed(names)}'}."
        ),
        threads=tuple(ref(thread) for thread in ran),
        subject=process.id,
        processes=(process.pid,),
        evidence=(
            f"{share}: {listed(names)}",
            *(
                f"{name} was given a processor {thread.runs} times by now, and ran meanwhile"
                for name, thread in zip(names[:NAMES_LISTED], ran, strict=False)
            ),
        ),
        unknown=("whether what they do is what they should do",),
    )
