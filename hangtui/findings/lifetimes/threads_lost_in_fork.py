"""A library's pool of native threads after a fork: the child waits for threads that stayed behind.

OpenMP (libgomp, libiomp5), OpenBLAS and their like start threads once and hand them work from then
on. fork() copies their book-keeping, but not the threads.
"""

import re

from hangtui.analysis.frame_classifier import module_name, short_name
from hangtui.analysis.places import native_name
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.english import counted, listed
from hangtui.findings.forks import forked_at
from hangtui.findings.grounds import ENDED
from hangtui.findings.lifetimes.native_threads import Missing, missing_threads
from hangtui.findings.stack_queries import at, callers, depth_of, own_frame, still
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, NativeFrame, Process, Severity, Thread

ID = "threads-lost-in-fork"
GROUND = ENDED
HELP = """\
OpenMP and BLAS libraries start their worker threads once. After a fork the child's copy of the
library believes that they exist, and waits for them.

How it is known: the thread sleeps in the library (for a second or more in one call, if it wakes up
by the clock to look whether it is done), or gives up its turn again and again below a
call that shares work among OpenMP's threads, of which there are none; and the process is a fork of
its parent. The
parent has native threads that run code of that library, and this process has none; for OpenMP and
BLAS it is said without a look at the parent. That these threads are what is missing is inferred. It
is an error if several looks saw all threads of the process asleep for a second or more, without a
timeout, at what only another one of them could change, and no signal has a handler.
"""

_POOLS = re.compile(r"lib(gomp|iomp5|omp|openblas\w*+|mkl_\w++|blis\w*+|tbb\w*+)[-.\w]*")
_FOR_TORCH = "; for a torch DataLoader: multiprocessing_context='spawn'"
_ONE = ", or run it with one thread: OMP_NUM_THREADS=1, torch.set_num_threads(1)"
_YIELDS = {"sched_yield", "__sched_yield"}
_SHARES = {"GOMP_parallel", "__kmpc_fork_call"}
"""Where OpenMP's libraries begin work that a team of threads does together."""
_NAMES = {"gomp": "OpenMP (libgomp)", "iomp5": "OpenMP (libiomp5)", "omp": "OpenMP (libomp)"}


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread of a forked process that waits inside of such a pool."""
    words = words_of(capture, graph)
    found = []
    for process in capture.processes:
        for thread in process.threads:
            how = _forked(process, thread)
            if how is None or graph.cycle_of(thread.id):
                continue
            stays = thread.blocked or _comes_back(thread, words)
            missing = missing_threads(capture, process, thread) if stays else None
            frame = missing.inside if missing else _waiting_frame(process, thread)
            if frame:
                found.append(_finding(process, thread, frame, how, missing, words))
    return found


def _comes_back(thread: Thread, words: Words) -> bool:
    """Whether it sleeps again and again in one call, which looks by the clock if it is done."""
    seen = words.progress.get(thread.id)
    return thread.asleep and seen is not None and seen.ran and seen.stayed_s >= STILL_S


def _waiting_frame(process: Process, thread: Thread) -> NativeFrame | None:
    """Where it waits for a pool of which the process has no thread: asleep, or by giving up its
    turn again and again below a call that shares work among them."""
    stack = thread.native_stack or ()
    if thread.blocked:
        frame = _pool_frame(thread)
    elif stack and short_name(stack[0]) in _YIELDS:
        frame = next((one for one in stack if short_name(one) in _SHARES), None)
    else:
        return None
    others = [one for one in process.threads if one is not thread and one.is_python is False]
    own = thread.is_python is False or frame is None or any(_runs(one, frame) for one in others)
    return None if own else frame


def _runs(thread: Thread, inside: NativeFrame) -> bool:
    stack = thread.native_stack
    return stack is None or any(one.module == inside.module for one in stack)


def _pool_frame(thread: Thread) -> NativeFrame | None:
    """The outermost frame of such a library above which nothing but it and libc follows."""
    found = None
    for frame in thread.native_stack or ():
        if _POOLS.fullmatch(module_name(frame)):
            found = frame
        elif found is not None or not module_name(frame).startswith(("libc", "libpthread")):
            break
    return found


def _forked(process: Process, thread: Thread) -> str | None:
    """How it is known that the process is a fork of another Python."""
    if process.around is not None and process.around.forked_from is not None:
        return (
            f"process {process.pid} runs the same program and command line as its parent "
            f"{process.around.forked_from}, with {counted(len(process.threads), 'thread')}"
        )
    if forked_at(thread) is not None:
        return "its Python stack goes through multiprocessing's fork (popen_fork.py)"
    return None


def _finding(
    process: Process,
    thread: Thread,
    inside: NativeFrame,
    how: str,
    missing: Missing | None,
    words: Words,
) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread)
    library = module_name(inside)
    match = _POOLS.fullmatch(library)
    pool = _NAMES.get(match[1], library) if match else inside.package or library
    index = depth_of(thread, frame)
    users = _users(thread)
    through = f" (through {listed(users)})" if users else ""
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=f"{pool} after a fork: {name} waits for native threads that do not exist here",
        sentence=(
            f"{name} waits in {pool}{at(frame)}{callers(thread, index)}{through} for the worker "
            f"threads of that library. {_whose(process, words)} was forked after the library had "
            "started them: fork() copies only the thread that calls it, so they exist only in the "
            "parent and never answer."
        ),
        threads=(ref(thread),),
        owed=True,  # a library waits there for its own, and not for a program that rests
        evidence=(
            f"native stack: {native_name(inside)} is the innermost library, waiting in a futex"
            if thread.blocked or missing
            else f"native stack: below {native_name(inside)} it gives up its turn (sched_yield)",
            *((f"called from {', '.join(users)}",) if users else ()),
            how,
            *([_left_behind(missing, library)] if missing else []),
            f"the process has {counted(len(process.threads), 'thread')}",
            *([still([thread])] if thread.blocked else []),
        ),
        unknown=(
            "whether it is one of these threads that it waits for"
            if missing
            else "how many threads the library had in the parent",
        ),
        advice=(
            (
                "Start the workers with multiprocessing.set_start_method('spawn'), "
                f"so that they load the library themselves{_FOR_TORCH if match else ''}."
            ),
            f"Or keep the parent from using the library before it forks{_ONE if match else ''}.",
        ),
    )


def _whose(process: Process, words: Words) -> str:
    """``Its process, a child of process 7,``, as far as its parent is known."""
    parent = process.around.forked_from if process.around else None
    return (
        "The process"
        if parent is None
        else (f"Its process, a child of {words.process_name(parent)},")
    )


def _left_behind(missing: Missing, library: str) -> str:
    names = listed([thread.name or str(thread.tid) for thread in missing.threads])
    parent = missing.parent.pid
    return (
        f"{counted(len(missing.threads), 'native thread')} of process {parent}, from which it was "
        f"forked, {'runs' if len(missing.threads) == 1 else 'run'} code of {library} ({names}); "
        "here no other thread does"
    )


def _users(thread: Thread) -> list[str]:
    """The libraries that called it, by their modules: ``libtorch_cpu.so``."""
    names: dict[str, None] = {}
    for frame in thread.native_stack or ():
        module = module_name(frame)
        if module and not _POOLS.fullmatch(module) and "torch" in module + short_name(frame):
            names[module] = None
    return list(names)[:3]
