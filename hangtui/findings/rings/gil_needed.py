"""A thread that keeps the GIL and waits for what nobody can release or notify without the GIL."""

from hangtui.analysis.frame_classifier import eval_frame, foreign_frame, module_name
from hangtui.analysis.places import (
    innermost_foreign,
    line_and_function,
    package_of_module,
    program_frame,
)
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.english import listed, stillness
from hangtui.findings.grounds import NOBODY
from hangtui.findings.package_queries import library_wait
from hangtui.findings.resources import of_processes
from hangtui.findings.rings.deadlock_advice import RELEASE_GIL, native_call
from hangtui.findings.stack_queries import stood_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    GilState,
    NodeKind,
    NoHolder,
    Process,
    Severity,
    Thread,
)

ID = "gil-needed-to-release"
GROUND = NOBODY
HELP = """\
A rwlock that is taken for reading records no reader. But where native code waits for it and keeps
the GIL, it does not matter who has it: whoever waits for the GIL cannot release it before that
thread goes on, and the thread goes on only when it is released. The same goes for a condition of
C code, or another wait at a word that records nobody: whoever is to end it needs the GIL first.

How it is known: the interpreter records who holds the GIL and who waits for it; the word of the
rwlock tells that it is taken. All other threads of the process wait for the GIL, or are in code of
the interpreter's own, which needs the GIL before it does anything else. It is an error if several
looks saw that for a second or more, else a warning.
"""

_OF_C = frozenset({NodeKind.CONDITION, NodeKind.ONCE, NodeKind.MUTEX, NodeKind.FUTEX})
_ENDS = {NodeKind.RWLOCK: "release", NodeKind.CONDITION: "notify", NodeKind.MUTEX: "release"}
_UNKNOWN = {
    NodeKind.RWLOCK: "who has the lock: it records no reader",
    NodeKind.MUTEX: "who has the mutex: no owner of it is known",
    NodeKind.CONDITION: "who is to notify it: a condition has no owner",
}


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such thread."""
    words = words_of(capture, graph)
    found = []
    for thread, wait, _ in words.lasting.values():
        process = capture.process(thread.pid)
        if process is None or graph.cycle_of(thread.id):
            continue
        behind = needing_it(thread, wait, process, words)
        if behind:
            found.append(_finding(thread, wait, behind, process, words))
    return found


def needing_it(thread: Thread, wait: Edge, process: Process, words: Words) -> list[Thread]:
    """Who waits for the GIL that *thread* keeps, if nobody but those, or threads that need the GIL
    first, could release what it waits for; else nobody."""
    if (
        not _records_nobody(wait, words)
        or thread.gil is not GilState.HOLDS
        or thread.still is not True
    ):
        return []
    gils = [hold.source for hold in words.graph.held_by(thread.id) if _is_gil(hold)]
    behind = words.threads(edge.source for gil in gils for edge in words.graph.waiters_of(gil))
    known = {thread.id, *(other.id for other in behind)}
    rest = (other for other in process.threads if other.id not in known)
    return behind if len(gils) == 1 and all(map(_needs_the_gil, rest)) else []


def _records_nobody(wait: Edge, words: Words) -> bool:
    """Whether it is a wait for what a thread of the process has or is to do, nothing says which."""
    resource = words.resource(wait.target)
    if resource is None or wait.target.shared or of_processes(resource):
        return False
    if wait.target.kind is NodeKind.RWLOCK:
        return resource.no_holder is NoHolder.UNTOLD
    if words.graph.holders_of(wait.target):
        return False
    return wait.target.kind in _OF_C and resource.module is not None


def _is_gil(hold: Edge) -> bool:
    return hold.source.kind is NodeKind.GIL


def _needs_the_gil(thread: Thread) -> bool:
    """Whether it sleeps in a call of the interpreter's own: what it does next begins with taking
    the GIL. Code of somebody else's may do anything before."""
    stack = thread.native_stack or ()
    return (
        thread.is_python is True
        and thread.still is True
        and any(map(eval_frame, stack))
        and innermost_foreign(thread) is None
    )


def _finding(
    thread: Thread, wait: Edge, behind: list[Thread], process: Process, words: Words
) -> Finding:
    name, lock = words.thread_name(thread), words.name(wait.target)
    names = listed([_named(one, words) for one in behind])
    others = [one for one in process.threads if one not in (thread, *behind)]
    sure = process.steady is True and all(
        stood_s(one, words) >= STILL_S for one in (thread, *others)
    )
    holds = [hold for hold in words.graph.held_by(thread.id) if _is_gil(hold)]
    at, end = _at(thread), _ENDS.get(wait.target.kind, "end")
    only = f"which only threads that need the GIL could {end}"
    if len(behind) == 1 and not others:
        its = _at(behind[0])
        only = f"which only {names} could {end}, and {names} waits for the GIL{its}"
    rest = f", and {listed([words.thread_name(one) for one in others])} would need it first"
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure else Severity.WARNING,
        certainty=as_sure_as(Certainty.PROVEN, wait, *holds),
        title=f"Deadlock: {name} keeps the GIL and waits{at} for {lock}, {only}",
        sentence=(
            f"{name} holds the GIL and waits{at} {words.goal(wait)}{_taken(wait, words)}. "
            f"{_whoever(wait)}: {_needing(behind, words)}"
            f"{rest if others else ''}. None of them can go on."
        ),
        tells_victims=True,
        never_ends=sure,
        threads=(ref(thread), *map(ref, behind)),
        resources=(wait.target, *(hold.source for hold in holds)),
        evidence=(
            words.reading(wait),
            *map(words.reading, holds),
            f"waiting for the GIL: {names}",
            *(
                f"{words.thread_name(one)} sleeps in a call of the interpreter's own"
                for one in others
            ),
            stillness([thread]),
        ),
        unknown=(_UNKNOWN.get(wait.target.kind, "who is to end that wait: nothing records it"),),
        advice=(
            f"Release the GIL around {native_call(thread)}: {RELEASE_GIL}.",
            _second_advice(lock, behind, wait),
        ),
    )


def _needing(behind: list[Thread], words: Words) -> str:
    """``bills waits for the GIL at rates.py:13 (in_euro)``, each of those that do."""
    if len(behind) > 1:
        return f"{listed([_named(one, words) for one in behind])} wait for the GIL"
    return f"{_named(behind[0], words)} waits for the GIL{_at(behind[0])}"


def _named(thread: Thread, words: Words) -> str:
    """Its name; of one that runs no Python yet, and so has but the name of the program, whose code
    began it."""
    began = next(filter(foreign_frame, reversed(thread.native_stack or ())), None)
    if thread.python_stack or began is None or thread.tid == thread.pid:
        return words.thread_name(thread)
    return f"a thread of {began.package or module_name(began)} (TID {thread.tid})"


def _at(thread: Thread) -> str:
    """`` at draw.py:4 (draw), in minijinja,``: its line, and the package that was called there."""
    frame, package = program_frame(thread.python_stack or ()), None
    if thread.gil is GilState.HOLDS:
        called = innermost_foreign(thread)
        package = library_wait(thread) or (package_of_module(called) if called else None)
    inside = f", in {package}," if package else ""
    return f" at {line_and_function(frame)}{inside}" if frame else ""


def _taken(wait: Edge, words: Words) -> str:
    if wait.target.kind is not NodeKind.RWLOCK:
        return ""
    resource = words.resource(wait.target)
    return f", which is {resource.note if resource and resource.note else 'taken'}"


def _whoever(wait: Edge) -> str:
    if wait.target.kind is NodeKind.RWLOCK:
        return "Whoever has it cannot release it"
    return f"Whoever is to {_ENDS.get(wait.target.kind, 'end')} that cannot do so"


def _second_advice(lock: str, behind: list[Thread], wait: Edge) -> str:
    if wait.target.kind is NodeKind.RWLOCK:
        return f"Or do not run Python while {lock} is taken: not in a callback either."
    who = "that thread" if len(behind) == 1 else "those threads"
    return f"Or let {who} do it before {'it calls' if len(behind) == 1 else 'they call'} Python."
