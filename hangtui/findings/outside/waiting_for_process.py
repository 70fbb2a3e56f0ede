"""A thread that waits for another process: a child to end, a pipe to be written."""

from functools import cache, partial

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.beyond_doubt import ASK_TO_END
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.child_ends import ended_children, short_ended, told_ended
from hangtui.findings.doing import doing
from hangtui.findings.english import clauses, joined
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.handled import handled_by
from hangtui.findings.library_waits import call_within
from hangtui.findings.looked import polled_by
from hangtui.findings.onward import told_there
from hangtui.findings.outside.exit_children import exit_for_child, joins_at_exit
from hangtui.findings.outside.library_goals import goal_of
from hangtui.findings.own_pipes import is_named
from hangtui.findings.package_queries import library_entry, library_wait
from hangtui.findings.pipe_ends import failed_before, told_gone
from hangtui.findings.polled import told_changes
from hangtui.findings.pools import position
from hangtui.findings.stack_queries import (
    at,
    at_own_line,
    below_application,
    callers,
    depth_of,
    does,
    idle_worker,
    main_thread,
    name_of,
    own_frame,
    still,
    stood_s,
    waits_for_ever,
)
from hangtui.findings.telling_tasks import telling_tasks
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.unheard_signals import told_unheard
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Finding, NodeId, NodeKind, Severity, Thread

ID = "waiting-for-process"
GROUND = ONE_WAIT
HELP = """\
A thread waits for another process: for a child to end, for data from a pipe. That is often as it
should be; it depends on what the other process does. It is a warning if that waits for a second or
more for room in a pipe which only the first one reads, and none of its Python threads runs; or if
the thread has waited for that long, at the end of a `with`, for a child to end that waits itself,
while it handles an error: that may have left out what the rest of the block was to do about it; or
if the program has ended, and its exit waits for a child that waits for what only the program could
send; or if only children that stood below the same line for a second or more have the writing end
of a pipe open which is read, and an earlier child has failed: they may have it from that one's.
"""

_END_ALL = (
    "End what a child has started with it: Popen(..., start_new_session=True), then "
    "os.killpg(child.pid, SIGKILL); or do not wait for the end of its output."
)
_END_CHILD = "End the child on every way out of the block: try: ... finally: child.terminate()."
_TAKEN_ALONG = (
    " One that was forked later has what the process had open then, the writing ends of its other "
    "children's pipes, too: so this may be the pipe of the one that has ended, and not at its end."
)
_BOTH = 2
_CLOSE = "Close the writing end in the parent before the next child is forked."
_KINDS = {
    NodeKind.PROCESS,
    NodeKind.PIPE,
    NodeKind.LOCK,
    NodeKind.SEMAPHORE,
}
"""What another process may have to end or to give."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that another process holds up, outside of a deadlock."""
    words = words_of(capture, graph)
    ends = cache(partial(_ends, words))  # thousands may wait for one lock
    found = []
    for thread, wait in waits_for_ever(words, _KINDS):
        pids = {pid for one in graph.waits_of(wait.source) for pid in ends(one.target)}
        pids.discard(thread.pid)
        # Threads of the standard library's own (of pools, say) tell nothing that is not told there.
        own = pids and own_frame(thread) is not None and not idle_worker(thread)
        if joins_at_exit(thread, wait) and not graph.cycle_of(thread.id):
            found.append(exit_for_child(thread, wait, ID, words))
        elif own and not graph.cycle_of(thread.id):
            found.append(_finding(thread, wait, sorted(pids), words))
    return found


def _ends(words: Words, target: NodeId) -> tuple[int, ...]:
    """The processes that can end a wait for *target*: itself, or those that have it."""
    node = words.graph.node(target)
    holders = [hold.target for hold in words.graph.holders_of(target)]
    ends = [target] if node is not None and node.kind is NodeKind.PROCESS else holders
    return tuple(dict.fromkeys(end.pid for end in ends))


def _meanwhile(pid: int, inside: str, words: Words) -> str:
    """What the main thread of the other process does; *inside*: as of `_inside`."""
    process = words.capture.process(pid)
    thread = main_thread(process) if process else None
    if thread is None:
        return "What it does is not known."
    if inside:
        return f"There, {words.thread_name(thread)} waits{at_own_line(thread)} {inside}."
    package = library_wait(thread) if thread.asleep else None
    if package and words.graph.wait_of(thread.id) is None:
        goal = f"in {package} ({library_entry(thread)}), {goal_of(thread, None, words)}"
        return f"There, {words.thread_name(thread)} waits{at(own_frame(thread))}, {goal}."
    changes = told_changes(thread.id, words)
    now = f"There, {does(thread, words)}{told_there(thread, words)}.{changes}"
    return f"{now}{_task_there(pid, words)}"


def _task_there(pid: int, words: Words) -> str:
    """`` Its task fetch waits at app.py:9 (fetch) for stock.``, of the one that tells most of what
    hangs in the other process, and of the next one that stands elsewhere; empty: none does, below a
    line of the application."""
    process = words.capture.process(pid)
    tasks = telling_tasks(process, words) if process else []
    own = [one for one in tasks if below_application(one)]
    if not own or own[0] is not tasks[0]:
        return ""
    elsewhere = [one for one in own if position(one) != position(own[0])]
    return "".join(f" Its {doing(one, words)}." for one in (own[0], *elsewhere[:1]))


def _inside(pid: int, words: Words) -> str:
    """``for its ranks to end``: what the main thread of a process, which waits there by looking
    again and again, waits for in a function of a library; empty: that is not known."""
    process = words.capture.process(pid)
    thread = main_thread(process) if process else None
    return (call_within(thread.python_stack or ()) or "") if thread else ""


def _looks_there(pids: list[int], words: Words) -> str:
    """``; there, MainThread of rank-0 waits at meet.py:9 (meet), by polling self.count``, of the
    only process that could end that, whose main thread looks at something again and again."""
    process = words.capture.process(pids[0]) if len(pids) == 1 else None
    main = main_thread(process) if process else None
    looks = main is not None and polled_by(main.id, words) is not None
    return f"; there, {does(main, words)}" if main is not None and looks else ""


def _whose(name: str, thread: Thread, words: Words) -> str:
    of = f"of process {thread.pid}"
    return name if words.has_role(thread.pid) or name.endswith(of) else f"{name} {of}"


def _kept(thread: Thread, words: Words) -> list[Thread]:
    """Those of its process that stand below a line of the application until it goes on."""
    behind = words.threads(words.graph.behind_all((thread.id,)))
    return [one for one in behind if one.pid == thread.pid and at_own_line(one)]


def _inherited(thread: Thread, wait: Edge, pids: list[int], words: Words) -> str:
    """`` Of process 5's children, process 7 (bash) was ended by SIGKILL: process 8, which
    is none of them, may have been started by bash, and has the pipe open since.``; empty: it is
    one of them, or none has ended."""
    process = words.capture.process(thread.pid)
    around = process.around if process is not None else None
    if process is None or around is None or around.children is None:
        return ""
    whose = f"process {process.pid}'s"
    ended, kin = ended_children(process), {child.pid for child in around.children}
    if wait.target.kind is not NodeKind.PIPE or not ended or not kin.isdisjoint(pids):
        return ""
    who, last = joined([words.process_name(pid) for pid in pids[:3]]), ended[-1].name
    return (
        f"{told_ended(ended, whose)[:-1]}: {who}, which {'are' if pids[1:] else 'is'} none of "
        f"them, may have been started by {last if not ended[1:] else 'one of those'}, and has the "
        "pipe open since."
    )


def _unheard(wait: Edge, pids: list[int], words: Words) -> str:
    """`` Its handler of SIGTERM only sets what somebody may look at: the signal alone does not end
    its wait.``, of a process whose end is waited for, and whose main thread waits without a
    timeout; or nothing."""
    process = words.capture.process(pids[0]) if wait.target.kind is NodeKind.PROCESS else None
    main = main_thread(process) if process else None
    if process is None or process.around is None or main is None or main.id not in words.lasting:
        return ""
    marking = [one for one in process.around.marking_signals if one in ASK_TO_END]
    if not marking:
        return told_unheard(wait.target, words)
    return (
        f" Its handler of {' or '.join(marking)} only sets what somebody may look at: the signal "
        "alone does not end its wait."
    )


def _waits_back(thread: Thread, pids: list[int], words: Words) -> Edge | None:
    """The wait of the only process that could end that, if it is for room in a pipe which nobody
    but the process of *thread* reads, and no thread of Python ran there for a second or more."""
    process, own = words.capture.process(pids[0]), words.capture.process(thread.pid)
    main = main_thread(process) if process and not pids[1:] else None
    back = words.graph.wait_of(main.id) if main else None
    if own is None or main is None or back is None or words.operation(back) != "write":
        return None
    readers = {hold.target.pid for hold in words.graph.holders_of(back.target)} - {main.pid}
    quiet = [main, *(one for one in own.threads if one.is_python)]
    stay = all(one.blocked and stood_s(one, words) >= STILL_S for one in quiet)
    return back if stay and readers == {thread.pid} else None


def _left_out(thread: Thread, wait: Edge, pids: list[int], words: Words) -> str:
    """`` If that error has left the block, ...``, of one that has waited for a second at the end of
    a `with` for a child that waits itself, while it handles an error; else nothing."""
    stack, index = thread.python_stack or (), depth_of(thread, own_frame(thread))
    leaves = index > 0 and name_of(stack[index - 1]) == "__exit__"
    process = words.capture.process(pids[0]) if wait.target.kind is NodeKind.PROCESS else None
    main = main_thread(process) if process else None
    if not leaves or main is None or main.id not in words.lasting:
        return ""
    if handled_by(thread.id, words) is None or stood_s(thread, words) < STILL_S:
        return ""
    return (
        f" {words.thread_name(thread)} stands at the end of a `with`: if the error that it handles "
        f"has left that, what the rest would have done about {words.process_name(pids[0])} was "
        "left out."
    )


def _finding(thread: Thread, wait: Edge, pids: list[int], words: Words) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread)
    index = depth_of(thread, frame)
    resource = words.resource(wait.target)
    who = joined([words.process_name(pid) for pid in pids[:3]])
    more = f" and {len(pids) - 3} more" if len(pids) > 3 else ""
    seen = all(words.capture.process(pid) for pid in pids)
    look = " ".join(map(str, (thread.pid, *pids[:3])))
    note = f" {resource.note[:1].upper()}{resource.note[1:]}." if resource and resource.note else ""
    has = "has" if len(pids) == 1 else "have"
    able = f"{has} its other end open" if is_named(resource) else "can end that"
    kept, inherited = _kept(thread, words), _inherited(thread, wait, pids, words)
    behind = f" Behind that, {clauses([does(one, words) for one in kept])}." if kept else ""
    inside = _inside(pids[0], words) if seen else ""
    meanwhile = _meanwhile(pids[0], inside, words) if seen else "It was not looked into."
    if seen and len(pids) == _BOTH:
        other = _meanwhile(pids[1], "", words).removeprefix("There, ")
        meanwhile += f" In the other one {other}"
    short = f", which waits {inside}" if inside else ""
    back, left_out = _waits_back(thread, pids, words), _left_out(thread, wait, pids, words)
    short += f"; that waits {words.goal(back)}" if back is not None and not short else ""
    short = short or _looks_there(pids, words)
    short += f"; behind that, {does(kept[0], words)}" if kept else ""
    elder = failed_before(wait, pids, words) if stood_s(thread, words) >= STILL_S else []
    if elder:
        short += f"; only {who} {has} the other end open{short_ended(elder)}"
    return Finding(
        id=ID,
        severity=Severity.WARNING if back or left_out or elder else Severity.NOTE,
        certainty=as_sure_as(wait, *words.graph.holders_of(wait.target)),
        title=f"{name} waits {words.goal(wait)}{at(frame)}{short}",
        sentence=(
            f"{_whose(name, thread, words)} waits {words.goal(wait)}{at(frame)}"
            f"{callers(thread, index)}. Only {who}{more} {able}.{note} "
            + meanwhile
            + _unheard(wait, pids, words)
            + left_out
            + (inherited or told_gone(wait, words))
            + (_TAKEN_ALONG if elder else "")
            + behind
        ),
        threads=(ref(thread),),
        victims=tuple(map(ref, kept)),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            *(words.reading(hold) for hold in words.graph.holders_of(wait.target)),
            still([thread]),
        ),
        unknown=() if seen else (f"what {who} does",),
        advice=(
            *([_END_ALL] if inherited else []),
            *([_END_CHILD] if left_out else []),
            *([_CLOSE] if elder else []),
            *(
                []
                if seen
                else [f"Look at both together: hangtui {look}   (or --children {thread.pid})."]
            ),
        ),
    )
