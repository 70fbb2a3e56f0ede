"""A condition of C code, which has no owner: only one other thread is inside that code, so it is
the one to notify; and that waits for what only the first thread would bring."""

from hangtui.analysis.frame_classifier import foreign_frame, module_name
from hangtui.analysis.places import native_name
from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.claims import reserve
from hangtui.findings.enders import only
from hangtui.findings.rings.called_back import package_of_native
from hangtui.findings.stack_queries import at, own_frame, still
from hangtui.findings.words import Words, ref
from hangtui.model import Certainty, CouldWake, Finding, NativeFrame, NodeKind, Severity, Thread

_STANDARD = "/lib-dynload/"
"""Where the extensions of the standard library lie."""


def within(frame: NativeFrame) -> bool:
    """Whether it is in an extension; one of the standard library's counts, too."""
    return foreign_frame(frame) or _STANDARD in (frame.module or "")


def finding(
    rule: str, thread: Thread, other: Thread, inside: NativeFrame, wait: Edge, words: Words
) -> Finding | None:
    """What is told of *thread*, which waits in *inside*, if *other*, the only one there beside it,
    waits for what nobody but *thread* is on the way to bring; None: it does not."""
    back, brings = words.graph.wait_of(other.id), _brings(other, thread, words)
    if wait.target.kind is not NodeKind.CONDITION or back is None or not brings:
        return None
    if _has_helpers(thread, inside, words):
        return None  # one of its own threads may notify
    name, notifier = words.thread_name(thread), words.thread_name(other)
    package = _called(inside)
    where, there = at(own_frame(thread)), at(own_frame(other))
    leads = only([name], brings, other)
    return Finding(
        id=rule,
        severity=Severity.WARNING,
        certainty=as_sure_as(Certainty.INFERRED, wait),
        title=f"{reserve(sure=False)}{name} waits{where} for a condition inside {package}, which "
        f"{notifier} is probably to notify, and {notifier} waits{there} for {name}",
        sentence=(
            f"{name} waits{where} for a condition of {package} ({native_name(inside)}). "
            f"{notifier} is the only other thread inside that package, so it is probably to notify "
            f"that; but it {words.waiting(back)}, and o{leads[1:]}."
        ),
        threads=(ref(thread), ref(other)),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            words.reading(back),
            *(f"{name}: {one.evidence.text}" for one in brings[:1]),
            (
                f"native stacks: {name} is in {native_name(inside)}, {notifier} is inside "
                f"{package} as well, and no other thread of the process is"
            ),
            still([thread, other]),
        ),
        unknown=("who is to notify it: a condition has no owner",),
        advice=(f"Do not let {notifier} wait for {name} inside a call to {package}.",),
    )


def _brings(other: Thread, thread: Thread, words: Words) -> tuple[CouldWake, ...]:
    """How *thread* alone could end the wait of *other*."""
    wait = words.graph.wait_of(other.id)
    if wait is None or wait.expires or not wait.stable:
        return ()
    wakers = coming(words.graph, wait.target, words.method(wait))
    return wakers if {one.candidate for one in wakers} == {thread.id} else ()


def _has_helpers(thread: Thread, inside: NativeFrame, words: Words) -> bool:
    """Whether the package has threads of its own, or that is not known."""
    process, package = words.capture.process(thread.pid), package_of_native(inside)
    native = [one for one in process.threads if not one.is_python] if process else []
    return any(
        one.native_stack is None
        or any(package_of_native(frame) == package for frame in one.native_stack)
        for one in native
    )


def _called(frame: NativeFrame) -> str:
    """What its package is called: ``h5py 3.12``, ``_tkinter``."""
    return frame.package or module_name(frame).partition(".")[0]
