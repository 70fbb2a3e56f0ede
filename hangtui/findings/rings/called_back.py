"""A thread that waits inside a package of C code, whose own threads have called Python and wait
there for what that one has: what it waits for they cannot bring."""

from collections.abc import Sequence

from hangtui.analysis.frame_classifier import eval_frame, foreign_frame, module_name, short_name
from hangtui.analysis.places import native_name
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.claims import claim
from hangtui.findings.english import joined, listed
from hangtui.findings.inert import hearing_outside
from hangtui.findings.stack_queries import at, own_frame, still, stood_s
from hangtui.findings.standstill import nobody_moves
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref
from hangtui.model import Certainty, Finding, NativeFrame, Severity, Thread


def package_of_native(frame: NativeFrame) -> str | None:
    """What tells the code of one package from that of another one."""
    return frame.package or frame.module


def has_called_python(thread: Thread, package: str | None) -> NativeFrame | None:
    """The frame of *package* in which a thread that it runs has called Python."""
    outside = list[NativeFrame]()
    for frame in reversed(thread.native_stack or ()):
        if eval_frame(frame):
            return next((one for one in reversed(outside) if _is_of(one, package)), None)
        if foreign_frame(frame):
            outside.append(frame)
            if not _is_of(outside[0], package):
                return None
    return None


def _is_of(frame: NativeFrame, package: str | None) -> bool:
    return package_of_native(frame) == package


def finding(
    rule: str,
    thread: Thread,
    others: Sequence[Thread],
    inside: NativeFrame,
    wait: Edge,
    words: Words,
) -> Finding:
    """What is told of *thread*, which waits in *inside*, and of *others*, each of which is there by
    `has_called_python` and waits, in the end, for it."""
    name, first = words.thread_name(thread), words.thread_name(others[0])
    who = joined([words.thread_name(one) for one in others[:NAMES_LISTED]])
    package = inside.package or module_name(inside)
    one = len(others) == 1
    backs = [back for other in others if (back := words.graph.wait_of(other.id))]
    calls = has_called_python(others[0], package_of_native(inside))
    called = short_name(calls) if calls else None
    in_call = f" in {called}" if called else ""
    waiting = words.waiting(backs[0]) if backs else "waits"
    held = _held(backs[0], thread, words) if backs else ""
    so = "" if one else f"; so {'do' if others[2:] else 'does'} {words.listed(others[1:])}"
    process = words.capture.process(thread.pid)
    where = at(own_frame(thread))
    # A native thread may end the wait, and the callbacks wait for a moment till then.
    native = process is not None and any(not one.is_python for one in process.threads)
    waiting_on = others if wait.expires else (thread, *others)
    long = not native or all(stood_s(one, words) >= STILL_S for one in waiting_on)
    never = process is not None and nobody_moves(process, words)
    severity = Severity.ERROR if never else Severity.WARNING
    return Finding(
        id=rule,
        severity=severity if long else Severity.NOTE,
        certainty=as_sure_as(Certainty.INFERRED, wait),
        never_ends=never,
        title=f"{claim(sure=never)}: {name} waits{where}, in {package}, "
        f"whose thread{'' if one else 's'} {who} {'has' if one else 'have'} called Python and "
        f"{'waits' if one else 'wait'} for {name}",
        sentence=(
            f"{name} waits{where}, in {short_name(inside)} of {package}. {first}, a thread of that "
            f"package, has called Python{in_call} and {waiting}{held}{so}. What {name} waits for "
            f"will {'' if never else 'probably '}never come: no other thread of that package is in "
            f"Python, and {'this one cannot' if one else 'none of these can'} go on before {name} "
            f"does.{_never(thread) if never else ''}"
        ),
        threads=(ref(thread), *map(ref, others)),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            *(words.reading(back) for back in backs[:NAMES_LISTED]),
            *dict.fromkeys(
                words.reading(hold)
                for back in backs[:NAMES_LISTED]
                for hold in words.graph.holders_of(back.target)
            ),
            (
                f"native stacks: {name} is in {native_name(inside)}; {who} "
                f"{'was' if one else 'were'} begun by that package, and no other thread of Python "
                "is inside it"
            ),
            *([f"{name} woke up again and again, and did not leave its line"] * wait.expires),
            still(waiting_on),
        ),
        unknown=(
            (
                f"whether {name} waits for {'that thread' if one else 'one of these threads'}: the "
                "package records no such thing"
            ),
            *_outside(hearing_outside(process, words.capture) if process else []),
        ),
        advice=(_advice(thread, others[0], backs, package, words),),
    )


def _never(thread: Thread) -> str:
    return f" Whoever is to end it, no thread of process {thread.pid} can go on."


def _outside(outside: Sequence[Thread]) -> list[str]:
    names = listed([one.name for one in outside])
    return [f"whether what comes to native threads ({names}) ends the wait"] if outside else []


def _held(back: Edge, thread: Thread, words: Words) -> str:
    holders = [hold.target for hold in words.graph.holders_of(back.target)]
    name = words.thread_name(thread)
    return f", which {name} holds" if holders == [thread.id] else f", which leads back to {name}"


def _advice(
    thread: Thread, other: Thread, backs: Sequence[Edge], package: str, words: Words
) -> str:
    held = dict.fromkeys(
        words.name(back.target)
        for back in backs
        for hold in words.graph.holders_of(back.target)
        if hold.target == thread.id
    )
    what = f"keep {joined(list(held))} locked" if held else f"have {words.thread_name(other)} wait"
    return (
        f"Do not {what} around the call{at(own_frame(thread))}: {package} calls Python in threads "
        "of its own before that call returns."
    )
