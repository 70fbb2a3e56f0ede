"""A process of which some threads get on."""

from collections.abc import Sequence
from typing import NamedTuple

from hangtui.analysis.latest import of_latest
from hangtui.analysis.places import application_index, library_frame, package_of
from hangtui.analysis.schedulers import unread_on
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.analysis.whereabouts import where_of
from hangtui.findings.engine_schedulers import only_held
from hangtui.findings.english import clauses, counted, listed
from hangtui.findings.grounds import REASSURANCE
from hangtui.findings.outside.waiting_in_library import waits_in_library
from hangtui.findings.reassurance import Reassures
from hangtui.findings.rest.newcomers import newcomers
from hangtui.findings.rest.rests import rests_of
from hangtui.findings.rest.waits_meanwhile import (
    Behind,
    behind_those,
    suspended_first,
    waits_first,
)
from hangtui.findings.stack_queries import own_frame, told
from hangtui.findings.thresholds import LAZY_SHARE, NAMES_LISTED
from hangtui.findings.unseen_children import look_at_children, unseen_children
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    GilState,
    NodeId,
    Process,
    PythonFrame,
    Severity,
    Task,
    Thread,
)

ID = "alive"
GROUND = REASSURANCE
HELP = """\
Some threads of the process make progress, and the lines show where. Something else in it may still
be stuck, and then has a finding of its own: an error or a warning then mentions that some threads
ran.

How it is known: the kernel counts how often each thread was given a processor, and several looks
(`hangtui check`) saw such a thread on different lines of the application, or it used a processor
for more than a moment, or was started in between. A thread that was asleep below the same line each
time only woke up to wait again, and is not listed here, nor one whose loop does nothing but sleep
and look whether it may go on; nor is a library's own thread where the
application has threads, or if it used hardly any of a processor, nor the loop of a library whose
tasks or greenlets are not read. A single look shows that a thread ran, not that it makes progress;
nor do several lines of one function, if it used hardly any of a processor and nothing is known to
have changed: a loop that looks for a file and sleeps is met on several, too. Where the only thread
that ran was inside of the same function of the application in each look, that is told instead: a
loop that never ends looks like work.
"""
REASSURES = {ID: Reassures.STILL_RUNS}

_INNER = 2
"""Functions of the application on a stack, from which on the inner one tells something."""
_ONE_FUNCTION = (
    " They were met on several lines of one function, or of an event loop's own, and used hardly "
    "any of a processor: a loop that looks for something and sleeps in between does so, too, "
    "whether or not it ever comes."
)


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each Python process of which a Python thread ran."""
    words, new = words_of(capture, graph), newcomers(capture)
    return [
        _finding(one.process, one.ran, one.behind, words, new)
        for one in awake(words)
        if one.first is None
    ]


class Awake(NamedTuple):
    """A process of which some threads ran."""

    process: Process
    ran: list[Thread]
    behind: list[Behind]
    first: Behind | None
    """The one of those of which is told rather than of the ones that ran."""


@of_latest
def awake(words: Words) -> list[Awake]:
    """The Python processes of which a Python thread ran."""
    new, found = newcomers(words.capture), []
    for process in words.capture.processes:
        if ran := _those_that_ran(process, words, new):
            behind = behind_those(process, ran, words)
            found.append(Awake(process, ran, behind, waits_first(ran, behind, words)))
    return found


def _those_that_ran(process: Process, words: Words, new: frozenset[NodeId]) -> list[Thread]:
    """The Python threads of the process that ran, and that did not only wake up to wait again."""
    python = [t for t in process.threads if t.is_python]
    # What a library does for itself is not what the application is to do.
    own = [t for t in python if t.python_stack is None or _in_application(t.python_stack)]
    if process.python is None or process.state in ("T", "t", "Z", "X"):
        return []
    ran = [t for t in own or python if _gets_on(t, words, new)]
    calm = ran or rests_of(words).all_of(process)
    others = [] if calm else [t for t in python if _gets_on(t, words, new)]
    # Of a library's own threads it is told where the application waits for one of them.
    return ran or (others if others and behind_those(process, others, words) else [])


def _in_application(stack: Sequence[PythonFrame]) -> bool:
    return application_index(stack) is not None


def _gets_on(thread: Thread, words: Words, new: frozenset[NodeId]) -> bool:
    """It moved. One that only asks for the GIL again and again did not, nor one that wakes up only
    to wait again; and a loop's own moves tell nothing of what it runs."""
    if thread.gil is GilState.WAITS or thread.runs is None or waits_in_library(thread, words):
        return False
    if unread_on(thread, words.capture) or only_held(thread.pid, words.capture):
        return False
    if thread.id in new:
        return True
    seen = words.progress.get(thread.id)
    if thread.id in words.looking:
        return seen is not None and seen.returned
    if seen is None:
        return thread.still is False
    # A loop of a library that asks again and again for work is seen on several lines of its own.
    if thread.python_stack and not _in_application(thread.python_stack):
        return (seen.busy or 0.0) >= LAZY_SHARE
    return seen.ran and not seen.same_line


def _makes_progress(thread: Thread, words: Words, new: frozenset[NodeId]) -> bool:
    """Not so one that was met on several lines of one function while it used hardly any of a
    processor: a loop that looks for something and sleeps does so, too; nor one on several of an
    event loop's own, whose tasks were not seen to move."""
    seen = words.progress.get(thread.id)
    if thread.id in new or seen is None:
        return thread.id in new
    functions = set() if _runs_loop(thread, words) else {visit.function for visit in seen.visits}
    return seen.returned or len(functions) > 1 or (seen.busy or 0.0) >= LAZY_SHARE


def _runs_loop(thread: Thread, words: Words) -> bool:
    """Whether it was met outside of the tasks of its event loop: it goes round."""
    loops = (one for one in words.capture.event_loops if one.pid == thread.pid)
    return any(one.tid == thread.tid and one.task is None for one in loops)


def share_of(process: Process, ran: Sequence[Thread], words: Words, new: frozenset[NodeId]) -> str:
    """``3 of 5 Python threads made progress while it was watched``, or that they only ran."""
    threads = sum(bool(thread.is_python) for thread in process.threads)
    did = "made progress" if any(_makes_progress(one, words, new) for one in ran) else "ran"
    return f"{len(ran)} of {counted(threads, 'Python thread')} {did} while it was watched"


def _finding(
    process: Process,
    ran: list[Thread],
    behind: list[Behind],
    words: Words,
    new: frozenset[NodeId],
) -> Finding:
    names = [words.thread_name(thread) for thread in ran]
    places = [
        f"{name} at {told(frame)}"
        for name, thread in zip(names, ran, strict=True)
        if (frame := own_frame(thread))
    ][:NAMES_LISTED]
    here = f": {'; '.join(places)}" if places else ""
    watched = any(one.id in words.progress or one.id in new for one in ran)
    several = any(_makes_progress(one, words, new) for one in ran)
    did = "made progress" if several else "ran"
    loop = _ONE_FUNCTION if watched and not several else ""
    loops_only = not several and _only_loops(ran, words)
    if not several and all(one.joins for one in behind):
        known = {one.actor.id for one in behind}
        behind = [
            one for one in suspended_first(process, words) if one.actor.id not in known
        ] + behind
    meanwhile = clauses([one.text for one in behind], len(behind), NAMES_LISTED)
    share = share_of(process, ran, words, new)
    inside = _inside(ran, words) if several else ""
    state = "working" if several else "awake"
    unseen = unseen_children(process, words.capture)
    of_library = not any(_in_application(one.python_stack or ()) for one in ran)
    leads = next((one for one in behind if of_library or not one.joins), None)
    first = leads if of_library or loops_only or isinstance(leads and leads.actor, Task) else None
    head = f"Process {process.pid} {f'runs: {inside}' if inside else f'is {state}: {share}'}"
    head += f"; {leads.text}" if leads else ""
    return Finding(
        id=ID,
        severity=Severity.NOTE,
        certainty=Certainty.CERTAIN,
        title=f"{head}{f'; {unseen}' if unseen and not several else ''}",
        sentence=(
            f"In process {process.pid} ({process.title}) these threads {did} while it was "
            f"watched{here or f': {listed(names)}'}."
            + (" They moved from line to line, computed, or are new." if several else loop)
            + (f" But {inside}: whether that comes to an end is not known." if inside else "")
            + (f" Meanwhile {meanwhile}." if behind else "")
        ),
        threads=tuple(ref(thread) for thread in ran),
        subject=process.id,
        processes=(process.pid,),
        where=where_of(first.actor.python_stack or ()) if first else None,
        evidence=(
            f"{share}: {listed(names)}",
            *(_seen(thread, words, new) for thread in ran[:NAMES_LISTED] if watched),
            *(
                f"{name} was given a processor {thread.runs} times so far, and ran meanwhile"
                for name, thread in zip(names[:NAMES_LISTED], ran, strict=False)
            ),
        ),
        unknown=("whether they do what they should", *((unseen,) if unseen else ())),
        advice=look_at_children(process, words.capture),
    )


def _only_loops(ran: Sequence[Thread], words: Words) -> bool:
    """Whether event loops are all that ran, beside threads of libraries."""
    loops = [_runs_loop(one, words) for one in ran]
    own = (_in_application(one.python_stack or ()) for one in ran)
    return any(loops) and all(loop or not mine for loop, mine in zip(loops, own, strict=True))


def _inside(ran: Sequence[Thread], words: Words) -> str:
    """``MainThread was inside of Stock.pages (stock.py:16) in each of 5 looks``, of the only one
    that ran: a loop that never ends is met so, too. Empty: it was in none but where it began."""
    seen = words.progress.get(ran[0].id) if len(ran) == 1 else None
    if seen is None or seen.returned or len(seen.common) < _INNER:
        return ""
    outside = [one for one in reversed(ran[0].python_stack or ()) if not library_frame(one)]
    both = zip(outside, seen.common, strict=False)
    own = [frame for frame, _ in both if package_of(frame) is None]
    if len(own) < _INNER:
        return ""
    return (
        f"{words.thread_name(ran[0])} was inside of {told(own[-1])} in each of {seen.looks} looks"
    )


def _seen(thread: Thread, words: Words, new: frozenset[NodeId]) -> str:
    seen = words.progress.get(thread.id)
    name = words.thread_name(thread)
    if seen is None or thread.id in new:
        return f"{name} was started during the watch"
    if seen.busy is not None and len(seen.visits) == 1:
        return f"{name} used {seen.busy:.0%} of a CPU at {seen.visits[0].place}"
    return f"{name} was seen on {listed([f'{one.place} {one.looks}x' for one in seen.visits])}"
