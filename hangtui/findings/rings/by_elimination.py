"""A lock of C code that records no owner, which only one other thread can have: and that one waits.

Cython's FastRLock (h5py's phil), locks of Rust, std::future: none of them says who has it.
"""

from collections.abc import Iterator

from hangtui.analysis.frame_classifier import foreign_frame
from hangtui.analysis.places import line_and_function, native_name, program_frame
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.chains import leads_back
from hangtui.findings.grounds import RING
from hangtui.findings.inert import hearing_outside
from hangtui.findings.rings import called_back, in_a_manager
from hangtui.findings.rings.called_back import has_called_python, package_of_native
from hangtui.findings.stack_queries import collecting, still
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, NativeFrame, NodeKind, Severity, Thread

ID = "deadlock-by-elimination"
GROUND = RING
HELP = """\
Many locks of C, C++ and Rust code record no owner. Where one thread waits for such a lock inside a
package, and a single other thread is inside code of the same package, that one probably has it; if
it waits, in the end, for the first one, neither goes on. So it is if threads of the package's own
have called Python and wait there for what the first one has: whatever that waits for, they do not
bring it. If there are several of them, no other native thread may stand at a connection; where
there are native threads, it is a note until several looks saw that none of those in it ran for a
second. A lock of a manager of multiprocessing records none either: if all clients of the manager
wait for its locks, each of these is had by one of them, or by nobody that is left.

How it is known: by the native stacks of all threads of the process; the waits that lead back are
recorded or proven. That the other thread has the lock is inferred, so this is a warning.
"""

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
        if not others or not all(leads_back(one.id, thread.id, words) for one in others):
            continue
        package = package_of_native(inside)
        alone = len(others) == 1
        if all(has_called_python(one, package) for one in others):
            process = capture.process(thread.pid)
            if alone or (process is not None and not hearing_outside(process, capture)):
                found.append(called_back.finding(ID, thread, others, inside, wait, words))
        elif alone:
            found.append(_finding(thread, others[0], inside, wait, words))
    return [*found, *in_a_manager.found(capture, ID, words)]


def _inside(thread: Thread) -> NativeFrame | None:
    """The innermost frame that is neither the interpreter's nor of the C library."""
    return next((frame for frame in thread.native_stack or () if foreign_frame(frame)), None)


def _others(
    capture: Capture, thread: Thread, inside: NativeFrame, wait: Edge, words: Words
) -> Iterator[Thread]:
    """The other Python threads inside the same package that do not wait for the same thing; the
    package's own threads wait for work, not with its locks."""
    process, package = capture.process(thread.pid), package_of_native(inside)
    for other in process.threads if process else ():
        waits = {one.target for one in words.graph.waits_of(other.id)}
        if other is thread or wait.target in waits or other.is_python is False:
            continue
        if other.native_stack is None or any(
            foreign_frame(frame) and package_of_native(frame) == package
            for frame in other.native_stack
        ):
            yield other


def _finding(
    thread: Thread, other: Thread, inside: NativeFrame, wait: Edge, words: Words
) -> Finding:
    name, holder = words.thread_name(thread), words.thread_name(other)
    package = inside.package or native_name(inside)
    entered = _inside(other)
    collector = ", inside the garbage collector, which frees an object there," * (
        collecting(thread)
    )
    back = words.graph.wait_of(other.id)
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=as_sure_as(Certainty.INFERRED, wait),
        title=f"Possible deadlock: {name} waits for a lock inside {package}, which {holder} "
        f"probably has, and {holder} waits for {name}",
        sentence=(
            f"{name} waits{_at(thread)}{collector} for a lock of {package} "
            f"({native_name(inside)}). {holder} is the only other thread inside that package, so "
            f"it probably has the lock; and it {words.waiting(back) if back else 'waits'}, "
            f"which leads back to {name}."
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
        unknown=("who has the lock: it records no owner",),
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
