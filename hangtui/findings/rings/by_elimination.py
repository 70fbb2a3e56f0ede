"""A lock of C code that records no owner, which only one other thread can have: and that one waits.

Cython's FastRLock (h5py's phil), locks of Rust, std::future: none of them says who has it.
"""

from collections.abc import Iterator

from hangtui.analysis.frame_classifier import foreign_frame
from hangtui.analysis.places import line_and_function, native_name, program_frame
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.analysis.wakers import coming
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.chains import leads_back
from hangtui.findings.grounds import RING
from hangtui.findings.on_the_way import only
from hangtui.findings.rings import in_a_manager
from hangtui.findings.stack_queries import collecting, still
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    CouldWake,
    Finding,
    NativeFrame,
    NodeKind,
    Severity,
    Thread,
)

ID = "deadlock-by-elimination"
GROUND = RING
HELP = """\
Many locks of C, C++ and Rust code record no owner. Where one thread waits for such a lock inside a
package, and a single other thread is inside code of the same package, that one probably has it; if
it waits, in the end, for the first one, neither goes on. So it is with a condition of such code, if
the package has no threads of its own that could notify it. A lock of a manager of multiprocessing
records none either: if all clients of the manager wait for its locks, each of these is had by one
of them, or by nobody that is left.

How it is known: by the native stacks of all threads of the process; the waits that lead back are
recorded or proven. That the other thread has the lock is inferred, so this is a warning.
"""

_STANDARD = "/lib-dynload/"
"""Where the extensions of the standard library lie."""
_KINDS = {
    NodeKind.MUTEX,
    NodeKind.RWLOCK,
    NodeKind.SEMAPHORE,
    NodeKind.FUTEX,
    NodeKind.ONCE,
    NodeKind.CONDITION,
}


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such pair of threads."""
    words = words_of(capture, graph)
    found = []
    for thread, wait, kind in words.lasting.values():
        resource = words.resource(wait.target)
        native = resource is not None and resource.module is not None and kind in _KINDS
        inside = _inside(thread) if native and not graph.holders_of(wait.target) else None
        if inside is None or graph.cycle_of(thread.id):
            continue
        others = list(_others(capture, thread, inside, wait, words))
        if kind is NodeKind.CONDITION and _has_helpers(capture, thread, inside):
            continue  # one of its own threads may notify
        if len(others) == 1 and _leads_back(others[0], thread, words):
            found.append(_finding(thread, others[0], inside, wait, words))
    return [*found, *in_a_manager.found(capture, ID, words)]


def _inside(thread: Thread) -> NativeFrame | None:
    """The innermost frame that is neither the interpreter's nor of the C library."""
    return next(filter(_within, thread.native_stack or ()), None)


def _within(frame: NativeFrame) -> bool:
    """Whether it is in an extension; one of the standard library's counts, too."""
    return foreign_frame(frame) or _STANDARD in (frame.module or "")


def _package(frame: NativeFrame) -> str | None:
    return frame.package or frame.module


def _called(frame: NativeFrame) -> str:
    """What its package is called: ``h5py 3.12``, ``_tkinter``."""
    module = frame.module or ""
    if frame.package is None and _STANDARD in module:
        return module.rpartition("/")[2].partition(".")[0]
    return frame.package or native_name(frame)


def _others(
    capture: Capture, thread: Thread, inside: NativeFrame, wait: Edge, words: Words
) -> Iterator[Thread]:
    """The other Python threads inside the same package that do not wait for the same thing; the
    package's own threads wait for work, not with its locks."""
    process, package = capture.process(thread.pid), _package(inside)
    for other in process.threads if process else ():
        waits = {one.target for one in words.graph.waits_of(other.id)}
        if other is thread or wait.target in waits or other.is_python is False:
            continue
        if other.native_stack is None or any(
            _package(frame) == package and _within(frame) for frame in other.native_stack
        ):
            yield other


def _has_helpers(capture: Capture, thread: Thread, inside: NativeFrame) -> bool:
    """Whether the package has threads of its own, or that is not known."""
    process, package = capture.process(thread.pid), _package(inside)
    native = [one for one in process.threads if not one.is_python] if process else []
    return any(
        one.native_stack is None or any(_package(frame) == package for frame in one.native_stack)
        for one in native
    )


def _leads_back(other: Thread, thread: Thread, words: Words) -> bool:
    """Whether *other* waits, in the end, for *thread*; or for what nobody else is on the way to
    bring."""
    return leads_back(other.id, thread.id, words) or bool(_brings(other, thread, words))


def _brings(other: Thread, thread: Thread, words: Words) -> tuple[CouldWake, ...]:
    """How *thread* alone could end the wait of *other*."""
    wait = words.graph.wait_of(other.id)
    if wait is None or wait.expires or not wait.stable:
        return ()
    wakers = coming(words.graph, wait.target, words.method(wait))
    return wakers if {one.candidate for one in wakers} == {thread.id} else ()


def _finding(
    thread: Thread, other: Thread, inside: NativeFrame, wait: Edge, words: Words
) -> Finding:
    name, holder = words.thread_name(thread), words.thread_name(other)
    package = _called(inside)
    entered = _inside(other)
    collector = ", inside the garbage collector, which frees an object there," * (
        collecting(thread)
    )
    back = words.graph.wait_of(other.id)
    brings = _brings(other, thread, words)
    # Of a condition there is no owner, but who is to notify.
    notified = wait.target.kind is NodeKind.CONDITION
    part = f"which {holder} is probably to notify" if notified else f"which {holder} probably has"
    what, so = "lock", "it probably has the lock"
    if notified:
        what, so = "condition", "it is probably to notify that"
    seen = only([name], brings, other) if brings else ""
    leads = f"o{seen[1:]}" if seen else f"that leads back to {name}"
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=as_sure_as(Certainty.INFERRED, wait),
        title=f"Possible deadlock: {name} waits for a {what} inside {package}, {part}, and "
        f"{holder} waits for {name}",
        sentence=(
            f"{name} waits{_at(thread)}{collector} for a {what} of {package} "
            f"({native_name(inside)}). {holder} is the only other thread inside that package, so "
            f"{so}; but it {words.waiting(back) if back else 'waits'}, "
            f"and {leads}."
        ),
        threads=(ref(thread), ref(other)),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            *([words.reading(back)] if back else []),
            (
                f"native stacks: {name} is in {native_name(inside)}; {holder} is in "
                f"{native_name(entered) if entered else package}, and no other thread of Python "
                "is inside that package"
            ),
            still([thread, other]),
        ),
        unknown=(
            "who is to notify it: a condition has no owner"
            if notified
            else "who has the lock: it records no owner",
        ),
        advice=(
            (
                "Keep the garbage collector from running there: break the reference cycle that "
                f"holds the object, or close it explicitly before {holder} calls {package}."
                if collector
                else f"Do not let {holder} wait for {name} inside a call to {package}."
            ),
        ),
    )


def _at(thread: Thread) -> str:
    frame = program_frame(thread.python_stack or ())
    return f" at {line_and_function(frame)}" if frame else ""
