"""A thread that is busy: it computes, spins, or collects garbage, and is not blocked at all."""

from collections import Counter
from collections.abc import Sequence

from hangtui.analysis.frame_classifier import short_name
from hangtui.analysis.places import (
    called_frame,
    function_of,
    innermost_foreign,
    library_frame,
    line_of,
    native_name,
    natives_until_python,
)
from hangtui.analysis.states import COLLECTORS
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.activity.busy_thread import (
    RETRIES,
    BusyThread,
    busy_finding,
    calls_again,
    code,
    cpu,
    got_no_processor,
    meanwhile,
    of_a_loop,
    of_its_locks,
    spins,
    starves,
    stuck_in_place,
    within,
)
from hangtui.findings.activity.fruitless import fruitless
from hangtui.findings.activity.garbage import garbage
from hangtui.findings.activity.gil_hog import called_at, gil_waiters, hog, hogs
from hangtui.findings.activity.interpreters_work import work_of
from hangtui.findings.activity.spin_holders import working_beside
from hangtui.findings.activity.spinning import INSTEAD, spinning
from hangtui.findings.child_ends import ended_children, told_ended
from hangtui.findings.collectives import polls
from hangtui.findings.grounds import COUNTED
from hangtui.findings.outcome import NotEnough, Result
from hangtui.findings.outside.waiting_in_library import waits_in_library
from hangtui.findings.reassurance import Reassures
from hangtui.findings.stack_queries import (
    callers,
    depth_of,
    own_frame,
    told,
)
from hangtui.findings.thresholds import (
    BUSY_SHARE,
    LEAST_SHARE,
    READY_SHARE,
)
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Finding,
    PythonFrame,
    Severity,
    Thread,
)

ID = "busy"
GROUND = COUNTED
REASSURES = {ID: Reassures.THREADS, "working": Reassures.THREADS}
IDS = (ID, "busy-loop", "gc-storm", "gil-hog", "native-spin", "working")
HELP = """\
Not blocked: the thread uses a processor. One look cannot tell whether that is work or an endless
loop, so `hangtui check` looks several times.

| id | means |
|---|---|
| `working` | it runs Python code |
| `busy-loop` | all looks over a second or more found it in the same function |
| `busy` | it runs native code without the GIL |
| `native-spin` | all looks found the same native function, and its name says that it spins |
| `gil-hog` | it runs native code and keeps the GIL that others wait for |
| `gc-storm` | it collects garbage |

A thread that calls read(2) or write(2) a thousand times in a second and moves not one byte is a
warning if that lasts for a second: the kernel counts both (`/proc/PID/task/TID/io`), but not what
goes over sockets by recv(2) and send(2). One look that meets it so says that, too.

That native code is at the same place for long says nothing: a multiplication of large matrices is,
too, and no look from outside tells what it has done meanwhile. So `native-spin` is said only of a
function that does nothing else by its name (`spin_lock`, `cpu_relax`, `try_lock`, `backoff`). It is
a note while another thread is at work in the same library, which may have that lock.

How it is known: the kernel counts processor time, and takes samples of native stacks while threads
run (`perf_event_open`), without stopping them. The interpreter keeps a record of whether it is
collecting garbage (3.7 and later).
"""


def check(capture: Capture, graph: WaitGraph) -> Result:
    """One finding for each busy thread."""
    threads = capture.threads()
    if threads and all(thread.busy is None for thread in threads) and not capture.progress:
        return NotEnough("the processor time of threads was not read")
    words = words_of(capture, graph)
    progress = {one.thread: one for one in capture.progress}
    found = []
    waiting: dict[int, list[Thread]] | None = None
    for thread in threads:
        course = progress.get(thread.id) if progress else None
        if course is None and not (thread.busy or thread.runnable):
            continue
        case = BusyThread(thread, course, innermost_foreign(thread), words)
        if (
            _busy(case)
            and not _only_looks(case)
            and not polls(thread)
            and not waits_in_library(thread, words)
        ):
            if waiting is None:
                waiting = gil_waiters(threads)
            found.append(_judge(case, waiting.get(thread.pid, [])))
    return found


def _only_looks(case: BusyThread) -> bool:
    """Whether it sleeps, and only looks in between whether it may go on: it was met awake then, or
    on its way back to sleep."""
    seen = case.progress
    share = seen.busy if seen is not None else None
    looks = case.thread.id in case.words.looking and not calls_again(case)
    return looks and (share or 0.0) < BUSY_SHARE


def _busy(case: BusyThread) -> bool:
    """It used a processor, or would have if it had got one."""
    if case.progress is not None and case.progress.busy is not None:
        # On a machine with too few processors a thread may have to wait for its turn for long; so
        # does an event loop whose tasks only ask again and again, and who sleeps in between.
        between = case.thread.id in case.words.looping
        call = case.thread.syscall
        between = between or (call is not None and call.sleeps)
        between = between and not calls_again(case)
        turned_away = (case.thread.runnable or 0) >= READY_SHARE and not between
        return case.progress.busy >= (LEAST_SHARE if turned_away else BUSY_SHARE)
    # A native stack that was not sampled is that of a thread which slept when it was looked at.
    slept = bool(case.thread.native_stack) and not case.thread.native_sampled
    if slept and (case.thread.busy or 0.0) < BUSY_SHARE:
        return False
    return (case.thread.runnable or case.thread.busy or 0.0) >= READY_SHARE


def _judge(case: BusyThread, waiting: list[Thread]) -> Finding:
    if _collects(case):
        return garbage(case)
    if hogs(case) and (waiters := [t for t in waiting if t.tid != case.thread.tid]):
        return hog(case, waiters)
    return _native(case) if case.native is not None else _python(case)


def _collects(case: BusyThread) -> bool:
    """Half of the looks at it, or the only one, were inside of the collector."""
    progress = case.progress
    if progress is not None and progress.looks > 2:
        return progress.collecting >= max(2, progress.looks / 2)
    return bool(case.thread.collecting) or _seen_collecting(case)


def _seen_collecting(case: BusyThread) -> bool:
    """Its native stack, the last one taken, was inside of the collector."""
    names = [short_name(frame) for frame in natives_until_python(case.thread)]
    return any(name.partition(".")[0] in COLLECTORS for name in names)


# -- one way to be busy each ----------------------------------------------------------------------


_SPIN_LOCK = (
    "If it is a spin lock: find who took it and never released it: a thread that has ended, or an "
    "error path that returns with it locked."
)


def _native(case: BusyThread) -> Finding:
    assert case.native is not None
    called = called_frame(case.thread) or case.native
    frame = own_frame(case.thread)
    stuck = stuck_in_place(case) and spins(case)
    inner = f", in {native_name(case.native)}" if case.native is not called else ""
    gil = " without the GIL" if case.thread.gil is None else ""
    beside = working_beside(case) if stuck else ""
    lasts = ": a spin lock or a loop there does not end" if stuck else ""
    if beside:
        lasts = (
            f": a spin lock or a loop there did not end while it was watched. Meanwhile {beside}"
        )
    if stuck:
        title = f"{case.name} is spinning in {native_name(called)}{called_at(frame)}"
        title += f" while {beside}" if beside else ""
    else:
        title = f"{case.name} is busy in {native_name(called)}{called_at(frame)}"
    return busy_finding(
        case,
        "native-spin" if stuck else ID,
        Severity.WARNING if stuck and not beside else Severity.NOTE,
        title,
        f"{case.name} is running native code{gil}: {native_name(called)}{inner}{called_at(frame)}, "
        f"and {cpu(case)}. It waits for nothing that the kernel or Python knows of{lasts}.",
        (
            (
                f"Look at {native_name(called)} with a debugger: hangtui dump {case.thread.pid} "
                "--native gdb shows its source lines."
            ),
            *((_SPIN_LOCK,) if stuck else ()),
        ),
        ("whether it makes progress: registers and memory of native code are not compared",),
    )


_AT_ITS_END = (
    "If the loop reads what a child writes: once that has ended, each read returns an empty value "
    "at once. Let the loop end there (b'' where bytes are read, '' where text is)."
)


def _in_library(stack: Sequence[PythonFrame], own: PythonFrame | None) -> str:
    """`` The last look met it in SequenceMatcher.quick_ratio (difflib.py:642).``, which its own
    line has called, of the standard library; or nothing."""
    if own is None or not stack or stack[0] is own or not library_frame(stack[0]):
        return ""
    return f" The last look met it in {function_of(stack[0])} ({line_of(stack[0])})."


def _python(case: BusyThread) -> Finding:
    frame = own_frame(case.thread)
    stack = case.thread.python_stack or ()
    index = depth_of(case.thread, frame)
    met = case.progress.visits if case.progress else ()
    # Of one whose stack was changing while it was read the other looks tell where it is.
    often = max(met, key=lambda visit: visit.looks).place if met else "code that was not read"
    where = told(frame) or (told(stack[0]) if stack else often)
    stuck = stuck_in_place(case)
    vain = fruitless(case)
    again = vain.says if vain else calls_again(case)
    spins_on = spinning(case)
    bad = bool((vain.lasts if vain else again) or (spins_on and spins_on.in_vain))
    process = case.words.capture.process(case.thread.pid)
    gone = told_ended(ended_children(process), "its process's") if process and stuck else ""
    visits = Counter(visit.function for visit in met)
    # Of one that was met at several places the sample tells nothing about this one.
    places = {visit.place for visit in met}
    work = work_of(case.thread) if len(places) <= 1 else None
    moved = f" It was seen in {len(visits)} functions." if len(visits) > 1 else ""
    inside = ""
    if case.progress and case.progress.looks > 2 and case.progress.common[1:]:
        inside = case.progress.common[-1]
        if not stuck or within(inside, stack):
            moved += f" In all {case.progress.looks} looks it was inside {inside}."
    if case.progress and case.progress.collecting:
        times = f"{case.progress.collecting} of {case.progress.looks} looks"
        moved += f" In {times} the garbage collector ran."
    moved += f" It was sampled in {work.function}." if work else ""
    return busy_finding(
        case,
        "busy-loop" if stuck or spins_on or again else "working",
        Severity.WARNING if bad else Severity.NOTE,
        f"{case.name} goes round at {where}: {again}"
        if again
        else f"{case.name} goes round at {where} without a pause until {spins_on.what} changes"
        f"{spins_on.in_vain}"
        if spins_on
        else f"{case.name} could run at {where}, and got no processor while it was watched"
        if got_no_processor(case)
        else f"{case.name} is busy{within(inside, stack)}: it is {work.says if work else 'running'}"
        f"{' at' if work else ''} {where}{starves(case) if stuck else ''}",
        f"{case.name} is {f'{work.says} in' if work else f'running {code(case)} at'} {where}"
        f"{callers(case.thread, index)}, and {cpu(case)}: {meanwhile(case)}.{moved}"
        + (
            " Every look met it in that function: either "
            f"{'it' if work else 'its loop'} never ends, or it has a lot to do."
            if stuck
            else ""
        )
        + ("" if work else _in_library(stack, frame))
        + (f" There {again}.{vain.why if vain else ''}" if again else "")
        + (f" It only looks at {spins_on.what} there.{spins_on.whose}" if spins_on else "")
        + gone
        + of_a_loop(case)
        + of_its_locks(case),
        (
            *(((vain.advice if vain else RETRIES),) if again else ()),
            *((_AT_ITS_END,) if gone and not bad else ()),
            *((INSTEAD,) if spins_on else ()),
            *((work.advice,) if work else ()),
            (
                "If it should be done by now: compare the loop's variables with what would end "
                "it (hangtui, Thread screen), and run hangtui check again in a minute: the same "
                "lines suggest a loop that does not end."
            ),
        ),
        ("whether the loop ends",),
    )
