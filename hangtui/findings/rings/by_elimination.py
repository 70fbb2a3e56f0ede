"""A lock of C code that records no owner, which only one other thread can have: and that one waits.

Cython's FastRLock (h5py's phil), locks of Rust, std::future: none of them says who has it.
"""

from collections.abc import Iterator

from hangtui.analysis.frame_classifier import foreign_frame
from hangtui.analysis.places import (
    called_frame,
    line_and_function,
    native_name,
    natives_until_python,
    program_frame,
)
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.chains import leads_back
from hangtui.findings.claims import claim
from hangtui.findings.english import joined
from hangtui.findings.grounds import RING
from hangtui.findings.inert import hearing_outside
from hangtui.findings.lasting import Lasting
from hangtui.findings.library_calls import call_of
from hangtui.findings.package_queries import library_wait
from hangtui.findings.rings import called_back, in_a_manager, to_notify
from hangtui.findings.rings.called_back import has_called_python, package_of_native
from hangtui.findings.rings.gil_needed import needing_it
from hangtui.findings.rings.to_notify import within
from hangtui.findings.stack_queries import (
    below_application,
    collecting,
    kind_of,
    still,
)
from hangtui.findings.standstill import nobody_moves
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, NativeFrame, NodeKind, Severity, Thread

ID = "deadlock-by-elimination"
GROUND = RING
HELP = """\
Many locks of C, C++ and Rust code record no owner. Where one thread waits for such a lock inside a
package, and a single other thread is inside code of the same package, that one probably has it; if
it waits, in the end, for the first one, neither goes on. So it is if threads of the package's own
have called Python and wait there for what the first one has: whatever that waits for, they do not
bring it, whether the first one sleeps or looks again and again by the clock. If there are several
of them, no other native thread may stand at a connection; where there are native threads, it is a
note until several looks saw that none of those in it ran for a second. A lock of a manager of
multiprocessing records none either: if all clients of the manager wait for its locks, each of these
is had by one of them, or by nobody that is left.

A condition of such code has no owner, but somebody who is to notify: that is told of the only other
thread inside the package, unless threads of the package's own are there, if it waits for what
nobody but the first thread is on the way to bring.

Two threads that each wait inside the same package, for what records no owner, are told as well, if
they are the only ones inside it and no thread of the process can go on.

How it is known: by the native stacks of all threads of the process; the waits that lead back are
recorded or proven. That the other thread has the lock is inferred, so this is a warning. It is an
error if, whoever has it, nobody is left who could go on: each thread of the process, those of C as
well, waits without a timeout at a word of the process's own memory, several looks saw that none of
them ran for a second or more, and no signal has a handler.
"""

_KINDS = {
    NodeKind.MUTEX,
    NodeKind.RWLOCK,
    NodeKind.SEMAPHORE,
    NodeKind.FUTEX,
    NodeKind.ONCE,
    NodeKind.CONDITION,
}


_NOBODY = (
    "no thread of process {} can go on: each waits, without a timeout, for what only one of "
    "them could do"
)


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such pair of threads."""
    words = words_of(capture, graph)
    found = []
    for thread, wait, kind in (*words.lasting.values(), *_by_the_clock(words)):
        resource = words.resource(wait.target)
        opaque = kind in _KINDS or kind is NodeKind.FUTURE
        native = resource is not None and resource.module is not None and opaque
        inside = _inside(thread) if native and not graph.holders_of(wait.target) else None
        process = capture.process(thread.pid)
        if inside is None or process is None or graph.cycle_of(thread.id):
            continue
        if needing_it(thread, wait, process, words):
            continue  # told by that
        others = list(_others(capture, thread, inside, wait, words))
        alone, package = len(others) == 1, package_of_native(inside)
        back = bool(others) and all(leads_back(one.id, thread.id, words) for one in others)
        if back and all(has_called_python(one, package) for one in others):
            if alone or not hearing_outside(process, capture):
                found.append(called_back.finding(ID, thread, others, inside, wait, words))
        elif wait.expires or kind is NodeKind.FUTURE:
            continue
        elif back and alone:
            found.append(_finding(thread, others[0], inside, wait, words))
        elif alone and (one := to_notify.finding(ID, thread, others[0], inside, wait, words)):
            found.append(one)
        elif alone and (both := _both(thread, others[0], inside, words)):
            found.append(both)
    return [*found, *in_a_manager.found(capture, ID, words)]


def _by_the_clock(words: Words) -> Iterator[Lasting]:
    """Who wakes up by the clock and waits again, and did not leave its line meanwhile."""
    for thread in words.capture.threads():
        wait, seen = words.graph.wait_of(thread.id), words.progress.get(thread.id)
        # Who sleeps through, up to its one timeout, gives up then.
        again = seen is not None and seen.ran and seen.stayed_s >= STILL_S
        if wait is not None and wait.expires and again:
            yield Lasting(thread, wait, kind_of(wait, words))


def _inside(thread: Thread) -> NativeFrame | None:
    """The innermost frame that is neither the interpreter's nor of the C library."""
    return next(filter(within, thread.native_stack or ()), None)


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
            within(frame) and package_of_native(frame) == package for frame in other.native_stack
        ):
            yield other


def _both(thread: Thread, other: Thread, inside: NativeFrame, words: Words) -> Finding | None:
    """Two threads that wait in the same package, if no thread of the process can go on."""
    process = words.capture.process(thread.pid)
    lasting, entered = words.lasting.get(other.id), _inside(other)
    if process is None or lasting is None or entered is None or other.tid < thread.tid:
        return None
    resource = words.resource(lasting.wait.target)
    own = all(below_application(one) for one in (thread, other))
    opaque = resource is not None and resource.module is not None and lasting.kind in _KINDS
    if not (own and opaque and nobody_moves(process, words)):
        return None
    package = inside.package or native_name(inside)
    entries = ((thread, inside), (other, entered))
    told = [f"{words.thread_name(one)} waits{_at(one)}, {_call(one, at)}" for one, at in entries]
    names = [words.thread_name(one) for one in (thread, other)]
    where = f"{_at(thread)} and{_at(other)}"
    return Finding(
        id=ID,
        severity=Severity.ERROR,
        certainty=Certainty.INFERRED,
        never_ends=True,
        title=f"Deadlock: {joined(names)} wait inside {package}, which only they could end,{where}",
        sentence=(
            f"{told[0]}; {told[1]}. No other thread of Python is inside {package}, and "
            f"{_NOBODY.format(process.pid)}. So each of the two waits for the other, or for itself."
        ),
        threads=(ref(thread), ref(other)),
        resources=tuple(words.lasting[one.id].wait.target for one in (thread, other)),
        evidence=(
            *(words.reading(words.lasting[one.id].wait) for one in (thread, other)),
            still(process.threads),
        ),
        unknown=("which of them is to do what: the package records it nowhere",),
        advice=(
            (
                f"Do not have {names[0]} wait{_at(thread)} while {names[1]} may need it: let it "
                f"serve {names[1]} meanwhile, or give the wait a timeout."
            ),
        ),
    )


def _call(thread: Thread, inside: NativeFrame) -> str:
    """``in PySide6 (QThread::wait), for the end of a QThread``: the call of the package."""
    called, package = called_frame(thread), library_wait(thread)
    named = [f for f in natives_until_python(thread) if foreign_frame(f) and f.function]
    entry = native_name(named[-1]) if named else native_name(called) if called else ""
    goal = call_of(package, entry)
    where = package or package_of_native(inside)
    return f"in {where}{f' ({entry})' if entry else ''}{f', {goal}' if goal else ''}"


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
    process = words.capture.process(thread.pid)
    never = process is not None and nobody_moves(process, words)
    what = claim(sure=never)
    condition = wait.target.kind is NodeKind.CONDITION
    thing, has = ("condition", "is probably to notify") if condition else ("lock", "probably has")
    so = "is probably to notify that" if condition else "probably has the lock"
    end = f" Whoever has it, {_NOBODY.format(thread.pid)}." * never
    return Finding(
        id=ID,
        severity=Severity.ERROR if never else Severity.WARNING,
        certainty=as_sure_as(Certainty.INFERRED, wait),
        never_ends=never,
        title=f"{what}: {name} waits{_at(thread)} for a {thing} inside {package}, which {holder} "
        f"{has}, and {holder} waits{_at(other)} for {name}",
        sentence=(
            f"{name} waits{_at(thread)}{collector} for a {thing} of {package} "
            f"({native_name(inside)}). {holder} is the only other thread inside that package, so "
            f"it {so}; and it {words.waiting(back) if back else 'waits'}, "
            f"which leads back to {name}.{end}"
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
        unknown=(f"who {'is to notify it' if condition else 'has the lock'}: it records no owner",),
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
