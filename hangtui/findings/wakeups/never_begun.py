"""``Thread.start()`` of a thread that ended before it began: it tells that it has begun itself."""

from collections.abc import Iterator

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.english import listed
from hangtui.findings.grounds import ENDED
from hangtui.findings.stack_queries import at, callers_of, index_of, own_frame, still, stood_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    GilState,
    NodeKind,
    Process,
    Severity,
    Thread,
)

ID = "thread-never-began"
GROUND = ENDED
HELP = """\
`Thread.start()` waits until the new thread says that it runs. If that fails before, for lack of
memory, or in code that a subclass or a tool runs there first, the thread ends without a word, and
`start()` waits forever (CPython issue 140746).

How it is known: `threading` has the object in its list of those that were started and have not
begun, and each thread of the process runs Python code already, so that none is left that could
still begin. It is an error after a second. With threads of C code it is a warning: one of those may
be the new one.
"""

_FILE = "/threading.py"
_ABOVE = 2
"""Frames between ``Thread.start`` and its wait: of the event, and of the event's condition."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that waits for one to begin that cannot."""
    words = words_of(capture, graph)
    return [
        _finding(process, thread, wait, words)
        for process in capture.processes
        for thread, wait in await_begin(process, words)
    ]


def await_begin(process: Process, words: Words) -> Iterator[tuple[Thread, Edge]]:
    """The threads of a process that wait in ``Thread.start()``, where no thread is left that could
    have been started."""
    python = process.python
    if python is None or not python.not_begun or process.steady is not True:
        return
    empty = [one for one in process.threads if not one.python_stack]
    if any(one.is_python or one.gil is GilState.WAITS for one in empty):
        return  # it may be about to begin, or its stack was not read
    for thread in process.threads:
        lasting = words.lasting.get(thread.id)
        index = index_of(thread, {"start"}, _FILE)
        begins = index is not None and index <= _ABOVE
        # The new thread may be one of those that run no Python code, and begin in a moment.
        if empty and stood_s(thread, words) < STILL_S:
            continue
        if begins and lasting and lasting.kind is NodeKind.EVENT:
            yield thread, lasting.wait


def _finding(process: Process, thread: Thread, wait: Edge, words: Words) -> Finding:
    names = process.python.not_begun if process.python else ()
    one_of = listed(list(names)) if len(names) == 1 else f"one of {listed(list(names))}"
    native = [one for one in process.threads if not one.is_python]
    certainty = as_sure_as(Certainty.INFERRED if native else Certainty.PROVEN, wait)
    never = certainty.supports_claim and stood_s(thread, words) >= STILL_S
    name, frame = words.thread_name(thread), own_frame(thread)
    others = "Each thread of the process runs Python code by now" if not native else (
        f"Of the threads that run no Python code, {listed([one.name for one in native])}, none is "
        "known to be it"
    )  # fmt: skip
    return Finding(
        id=ID,
        severity=Severity.ERROR if never else Severity.WARNING,
        certainty=certainty,
        title=f"{name} waits{at(frame)} for a thread to begin that has ended: {one_of}"
        if not native
        else f"{name} waits{at(frame)} for a thread to begin: {one_of}",
        sentence=(
            f"{name} waits{at(frame)}{callers_of(thread, frame)}, in Thread.start(), for "
            f"{one_of} to begin: a new thread says so itself, by _started.set(). {others}: "
            f"{'it may have' if native else 'it has'} ended before, by an error in what runs in "
            "the new thread before its run(), or for lack of memory, and nobody else will set that."
        ),
        threads=(ref(thread),),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            (
                f"threading has started {listed(list(names))}, and still counts it among those "
                "that have not begun"
            ),
            still([thread]),
        ),
        unknown=("why it ended: its error went to the program's stderr",),
        advice=(
            (
                'Look for "Exception ignored in thread started by" in the program\'s error '
                "output: it shows what failed."
            ),
            (
                "Let nothing fail that runs in a new thread before its run(): an own "
                "_bootstrap_inner, what a tool puts around it; and leave memory for it."
            ),
        ),
    )
