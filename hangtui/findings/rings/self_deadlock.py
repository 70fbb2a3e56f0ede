"""A thread or task that waits for a lock that it holds itself."""

from hangtui.analysis.places import (
    frame_at,
    library_frame,
    line_and_function,
    package_of,
    short_path,
)
from hangtui.analysis.waitgraph import Cycle, Edge, Relation, WaitGraph
from hangtui.findings.actors import through_actor
from hangtui.findings.child_ends import INHERITED, ended_children, short_ended, told_ended
from hangtui.findings.forks import in_fork
from hangtui.findings.greenlet_pools import told_as_starved
from hangtui.findings.grounds import RING
from hangtui.findings.needs import Needs
from hangtui.findings.pools import through_pool
from hangtui.findings.rings.actor_ring import ABOUT_ACTORS, actor_ring
from hangtui.findings.rings.behind import behind
from hangtui.findings.rings.channel_advice import in_event_loop
from hangtui.findings.rings.closed import WHY_NEVER, may_be_given, never_ends
from hangtui.findings.rings.self_deadlock_advice import (
    GIVES,
    advice,
    before_fork,
    is_delivered,
    is_eventfd,
    own_result,
)
from hangtui.findings.stack_queries import at_own_line, called, depth_of, own_frame
from hangtui.findings.standing import stood_still
from hangtui.findings.words import Actor, Words, ref, words_of
from hangtui.model import Capture, Child, Finding, NodeKind, Part, Severity, Task, Thread

ID = "self-deadlock"
GROUND = RING
NEEDS = Needs(frozenset({Part.WAITS, Part.STILLNESS}), whole=False)
HELP = f"""\
A thread or task that waits for something that only it could provide: a plain lock that it already
holds, the other end of a pipe, a result that its own event loop has to compute.

How it is known: as for [deadlock](deadlock.md); the ring has one member.

{ABOUT_ACTORS}"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each cycle of one thread or task."""
    words = words_of(capture, graph)
    found = []
    for cycle in graph.cycles:
        members = words.actors(cycle.nodes)
        if len(members) == 1 and through_actor(cycle.nodes):
            found.append(actor_ring(ID, cycle, members, words))
        elif (
            len(members) == 1
            and not through_pool(cycle.nodes)
            and not may_be_given(cycle, members, words)
            and not told_as_starved(members, words)
        ):
            found.append(_finding(cycle, members[0], words))
    return found


def _finding(cycle: Cycle, thread: Actor, words: Words) -> Finding:
    never = never_ends(cycle, [thread], words)
    sure = cycle.certainty.supports_claim or never
    hold = next((e for e in cycle.edges if e.relation is Relation.HELD_BY), None)
    lock = words.name(hold.source) if hold else "itself"
    channel = hold is not None and words.is_channel(hold.source)
    what = "Self-deadlock" if sure else "Possible self-deadlock"
    which = "which only it could serve itself" if channel else "which it holds itself"
    if hold is not None and _by_process(thread, hold, words):
        which = "which its own process has"
    if hold is not None and before_fork(thread, hold):
        which = "which its parent had when it forked the process"
    if is_eventfd(thread, words):
        which = "which only it has open itself"
    if hold is not None and is_delivered(hold, words):
        which = GIVES[hold.source.kind]
    at = at_own_line(thread) if channel and isinstance(thread, Thread) else ""
    title = f"{what}: {words.actor_name(thread)} waits{at} for {lock}, {which}"
    title += short_ended(_dead(thread, hold, words))
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure else Severity.WARNING,
        certainty=cycle.certainty,
        never_ends=never,
        title=title if hold else f"{what}: {words.actor_name(thread)} waits for its own end",
        sentence=("" if sure else "Possible self-deadlock: ")
        + _sentence(cycle, thread, hold, words, sure=sure),
        tells_victims=bool(behind(cycle, "it", words)),
        threads=tuple(ref(carrier) for carrier in words.carriers([thread])),
        tasks=(thread.id,) if isinstance(thread, Task) else (),
        subject=thread.id,
        resources=tuple(node for node in cycle.nodes if node != thread.id),
        evidence=(
            *(words.reading(edge) for edge in cycle.edges),
            stood_still([thread], words),
            "the wait has no timeout",
            *((line,) if (line := words.stack_of(thread)) else ()),
            *((WHY_NEVER,) if never else ()),
        ),
        unknown=(f"the line at which it took {lock}",)
        if hold and not channel and not hold.evidence.where and not is_delivered(hold, words)
        else (),
        advice=(advice(thread, hold, words),),
    )


def _sentence(cycle: Cycle, thread: Actor, hold: Edge | None, words: Words, *, sure: bool) -> str:
    wait = next(edge for edge in cycle.edges if edge.source == thread.id)
    inside = _call(thread, hold, words)
    start = f"{words.actor_name(thread)} {words.waiting(wait, _caller(thread, wait) + inside)}"
    own = ""
    if hold is not None and words.is_channel(hold.source):
        own = ", whose other end only it could serve"
        if is_eventfd(thread, words):
            own = ", which only it could do itself"
        if isinstance(thread, Thread) and in_event_loop(thread):
            own += ": it blocks the asyncio event loop that would have to do so"
    elif hold is not None and own_result(thread, hold):
        own = ". That is the result of the very task that it runs"
    elif hold is not None and is_delivered(hold, words):
        own = (
            ". What would end that is queued in the event loop of this very thread, which cannot "
            "run it while it is blocked by this"
        )
    elif hold is not None:
        taken = f" at {_taken(thread, hold)}" if hold.evidence.where else ""
        what = "a unit of which" if hold.source.kind is NodeKind.SEMAPHORE else "a lock that"
        own = f", {what} it took itself{taken} and still holds"
        if _by_process(thread, hold, words):
            own = ", which its own process has, of which no other thread can go on"
        if before_fork(thread, hold):
            own = (
                f", {what} its parent had taken{taken} when it forked this process: the copy of "
                "it is never released here"
            )
        elif isinstance(thread, Thread) and in_fork(thread):
            own += (
                "; it is inside of os.fork(), where a function that os.register_at_fork was given "
                "takes that lock"
            )
    end = "It can never go on." if sure else (
        "Unless something else ends the wait, it never goes on."
    )  # fmt: skip
    dead = told_ended(_dead(thread, hold, words), "its")
    return f"{start}{own}. {end}{dead}{words.loops([thread])}{behind(cycle, 'it', words)}"


def _by_process(thread: Actor, hold: Edge, words: Words) -> bool:
    """Whether only the process is known to have it, of which another thread may have taken it."""
    process = words.capture.process(thread.id.pid)
    others = [one for one in (process.threads if process else ()) if one.is_python]
    locked = hold.source.kind is NodeKind.FILE_LOCK
    return locked and not hold.evidence.where and len(others) > 1


def _dead(thread: Actor, hold: Edge | None, words: Words) -> list[Child]:
    """The children that have ended which may have had the other end of a pipe or socket pair."""
    process = words.capture.process(thread.id.pid)
    if process is None or hold is None or hold.source.kind not in INHERITED:
        return []
    return ended_children(process)


def _caller(thread: Actor, wait: Edge) -> str:
    """Who called the function that waits: often the one that took the lock before."""
    stack = thread.python_stack or ()
    index = (frame_at(thread, wait.evidence.where) or 0) + 1
    if index >= len(stack) or any(map(library_frame, stack[index - 1 : index + 1])):
        return ""
    if package_of(stack[index - 1]):  # the place names the program's line already
        return ""
    return f", called from {line_and_function(stack[index])}"


def _call(thread: Actor, hold: Edge | None, words: Words) -> str:
    """``, in Connection.recv (connection.py:250)``: what the line of one has called that waits at
    a pipe or connection; else nothing."""
    if hold is None or not isinstance(thread, Thread) or not words.is_channel(hold.source):
        return ""
    call = called(thread, depth_of(thread, own_frame(thread)))
    return f",{call}" if call else ""


def _taken(thread: Actor, hold: Edge) -> str:
    """The line where it took the lock, with the function if that is still on the stack."""
    where = hold.evidence.where or ""
    index = frame_at(thread, where)
    if index is None or thread.python_stack is None:
        return short_path(where)
    frame = thread.python_stack[index]
    return line_and_function(frame)
