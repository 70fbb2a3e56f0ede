"""A thread or task waits for what nobody holds, and those few that could end that wait are known:
they do something else."""

from collections.abc import Iterator

from hangtui.analysis.places import application_index, program_frame
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.analysis.wakers import coming
from hangtui.findings.doing import doing
from hangtui.findings.enders import of_a_pool, only
from hangtui.findings.engine_schedulers import has_no_request, held_requests
from hangtui.findings.english import article, joined, listed
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.inert import all_waits
from hangtui.findings.looked import polled_by
from hangtui.findings.on_the_way import onward, whose
from hangtui.findings.package_queries import inner_package
from hangtui.findings.pool_workers import calls_back
from hangtui.findings.shapes import whole_work
from hangtui.findings.stack_queries import (
    at,
    below_application,
    kind_of,
    own_frame,
    still,
    way_of,
)
from hangtui.findings.streams import both_full
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.waiting_inside import short_same
from hangtui.findings.wakeups.nobody_left_advice import act
from hangtui.findings.wakeups.only_each_other import only_each_other
from hangtui.findings.wakeups.unheld import kept_by_none, short_unheld
from hangtui.findings.words import Actor, Words, ref, words_of
from hangtui.findings.written import told_unrun
from hangtui.model import (
    OWN_THREAD,
    Capture,
    Certainty,
    CouldWake,
    Finding,
    NodeId,
    NodeKind,
    Severity,
    Task,
    TaskState,
)

ID = "waker-busy"
GROUND = ONE_WAIT
HELP = """\
An event, a condition, a queue has no holder. Of all threads and tasks of the process only these few
are on the way to the call that ends the wait, and they are busy with something else, or wait: that
is where to look.

How it is known: the stacks and the code of all of them were searched for references to what is
waited for, and for the calls that end the wait. Code that is called in a way that cannot be seen
may do it as well, so this is an inference. It is a warning if threads have waited so for each
other's items, events or conditions for over a second, and neither other code of the program nor a
signal or timer would end that.
"""

_MOST = 3
"""With more who could do it, none of them is what it waits for."""
_REST = {"accept", "message"}
"""Operations of waits for somebody from outside to begin something."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thing that somebody waits for so."""
    if not graph.could_wake:
        return []
    words = words_of(capture, graph)
    found = []
    closed = {process.pid for process in capture.processes if all_waits(process, words)}
    for target, waits in _asked(words).items():
        wakers = list(coming(graph, target, way_of(waits[0][1], words)))
        names = dict.fromkeys(one.candidate for one in wakers)
        if not 1 <= len(names) <= _MOST or target.pid in closed:
            continue
        # Tasks wait for one another all the time, until one of them cannot go on.
        asks = _stuck if isinstance(waits[0][0], Task) else _busy
        if any(asks(name, words) for name in names):
            found.append(_finding(waits, wakers, words))
    return found


def _asked(words: Words) -> dict[NodeId, list[tuple[Actor, Edge]]]:
    """What threads and tasks wait for without a timeout, if all who could end that are known; not
    workers that wait for work, nor engines that have none."""
    known = {one.id for one in words.capture.resources if one.wakers_known}
    asked: dict[NodeId, list[tuple[Actor, Edge]]] = {}
    waiting: list[tuple[Actor, Edge]] = [
        (one.thread, one.wait)
        for one in words.lasting.values()
        if not has_no_request(one.thread, words.capture)
    ]
    for task in words.capture.tasks:
        waits = words.graph.waits_of(task.id)
        waiting += [(task, wait) for wait in waits if len(waits) == 1 and not wait.expires]
    for actor, wait in waiting:
        works = way_of(wait, words) == "get" and _is_worker(actor)
        if (
            wait.target in known
            and not (works or (of_a_pool(actor) and not _called_back(wait.target, words)))
            and not words.graph.holders_of(wait.target)
        ):
            asked.setdefault(wait.target, []).append((actor, wait))
    return asked


def _called_back(target: NodeId, words: Words) -> bool:
    """Whether who is on the way to end a wait for a Pool's result has called the program first."""
    wakers = coming(words.graph, target, None)
    return any(map(calls_back, words.actors(one.candidate for one in wakers)))


def _is_worker(actor: Actor) -> bool:
    """Whether to take items may be all that it is there for."""
    first = actor.is_entry if isinstance(actor, Task) else actor.tid == actor.pid
    stack = actor.python_stack or ()
    index = application_index(stack)
    return not first and (index is None or whole_work(stack, index))


def _busy(candidate: NodeId, words: Words) -> bool:
    """Whether it does something else than to wait for somebody to begin something."""
    wait = words.graph.wait_of(candidate)
    return wait is None or words.operation(wait) not in _REST


def _stuck(candidate: NodeId, words: Words) -> bool:
    """Whether it waits, without a timeout, for what somebody else holds or is to end."""
    wait = words.graph.wait_of(candidate)
    return (
        wait is not None
        and wait.stable
        and not wait.expires
        and (wait.target.kind is NodeKind.THREAD or bool(words.graph.holders_of(wait.target)))
    )


def _finding(waits: list[tuple[Actor, Edge]], wakers: list[CouldWake], words: Words) -> Finding:
    (actor, wait), more = waits[0], len(waits) - 1
    name, target = words.actor_name(actor), words.name(wait.target)
    frame = program_frame(actor.python_stack or ())
    carriers = words.carriers(one for one, _ in waits)
    kind, what = kind_of(wait, words), act(wait, words)
    names = [words.name(one) for one in dict.fromkeys(w.candidate for w in wakers)]
    also = f" ({more} more too)" if more else ""
    doings = list(_doings(wakers, words))
    # What a package calls by what it keeps, as handlers in a dict, is not all to be seen.
    own = any(map(below_application, words.actors(one.candidate for one in wakers)))
    seen = f"{'is' if len(names) == 1 else 'are'} seen on the way to"
    may = "could" if own or inner_package(actor) is None else seen
    behind = onward(wakers[0].candidate, words).text if len(names) == 1 else ""
    instead = [_instead(wakers[0].candidate, words, alone=False)] if behind else doings
    engine = None if isinstance(actor, Task) else held_requests(actor, words)
    full = both_full(wakers[0].candidate, words) if len(names) == 1 else None
    behind_them = _waits(wakers, words)
    bad = full or _asks_themselves(wakers, words) or kept_by_none(behind_them, words)
    ring = bool(behind_them) and only_each_other([*(w for _, w in waits), *behind_them], words)
    same = short_same(behind_them, words) + (f", which only {name} could end" if ring else "")
    short = full.short if full else f"; {doings[0]}" if len(doings) == 1 else same
    short = short if full else f"{short}{short_unheld(behind_them, words)}"
    return Finding(
        id=ID,
        severity=Severity.WARNING if bad or ring else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"{name} waits{at(frame)} for {target}, which only {joined(names)} {may} {what}"
        f"{engine.short if engine else short}",
        sentence=(
            f"{name}{also} {words.waiting(wait)}, {article(kind or 'thing')} that nobody holds. "
            f"{only(names, wakers, actor)}: {'; '.join(instead)}.{behind}"
            f"{told_unrun(behind_them, words) if behind_them else ''}"
            f"{full.told if full else ''}{_itself(wait, words)}"
            f"{engine.told if engine else ''}"
        ),
        threads=tuple(ref(one) for one in carriers),
        tasks=tuple(one.id for one, _ in waits if isinstance(one, Task)),
        subject=actor.id,
        resources=(wait.target,),
        evidence=(
            *(words.reading(edge) for _, edge in waits[:NAMES_LISTED]),
            *(f"{words.name(one.candidate)}: {one.evidence.text}" for one in wakers),
            still(carriers),
        ),
        unknown=(
            f"whether other code will {what} it, called in a way that stacks and code do not show",
        ),
        advice=(full.advice if full else _advice(wakers, words),),
    )


def _waits(wakers: list[CouldWake], words: Words) -> list[Edge]:
    """What all of them wait for, one wait each; empty: one of them does not wait."""
    names = dict.fromkeys(one.candidate for one in wakers)
    found = [words.graph.wait_of(one) for one in names]
    waits = [wait for wait in found if wait is not None]
    return waits if len(waits) == len(found) else []


def _asks_themselves(wakers: list[CouldWake], words: Words) -> bool:
    """Whether all of them sleep, for as long as several looks saw, until their own thread ends."""
    candidates = {one.candidate for one in wakers}
    polled = [polled_by(one, words) for one in candidates]
    lasts = (words.progress.get(one) for one in candidates)
    return all(one is not None and OWN_THREAD in one.values for one in polled) and all(
        seen is not None and seen.same_line and seen.stayed_s >= STILL_S for seen in lasts
    )


def _itself(wait: Edge, words: Words) -> str:
    """That who waits comes to that call as well, after its wait; empty: it does not."""
    after = words.graph.comes_afterwards(wait.source, wait.target)
    return " It comes to that itself as well, once this wait is over." if after else ""


def _advice(wakers: list[CouldWake], words: Words) -> str:
    places = dict.fromkeys(_place(one, words) for one in wakers)
    return f"Look at {listed(list(places))}: if that takes too long, bound it with a timeout."


def _doings(wakers: list[CouldWake], words: Words) -> Iterator[str]:
    """What the candidates do instead, and who keeps them."""
    for candidate in dict.fromkeys(one.candidate for one in wakers):
        holder = _held(candidate, words)
        yield f"{_instead(candidate, words, alone=not holder)}{holder}"


def _instead(candidate: NodeId, words: Words, *, alone: bool) -> str:
    """What one does instead; *alone*: nothing else is said of it, as `does` has it."""
    actor = words.actor(candidate)
    if actor is None or (isinstance(actor, Task) and actor.state is TaskState.RUNNING):
        return f"{words.name(candidate)} runs"
    return doing(actor, words, alone=alone)


def _held(candidate: NodeId, words: Words) -> str:
    """Who holds what a candidate waits for: ``, which flusher holds (at a.py:9 (flush))``, or who
    alone could end that."""
    wait = words.graph.wait_of(candidate)
    holds = words.graph.holders_of(wait.target) if wait and wait.target.address else ()
    if not holds:
        return whose(candidate, words)
    if len(holds) != 1 or words.actor(holds[0].target) is None:
        return ""
    holder, name = words.actor(holds[0].target), words.name(holds[0].target)
    frame = at(program_frame(holder.python_stack or ())) if holder else ""
    now = f", now{frame}" if frame else ""
    if words.is_future(holds[0].source):
        if words.name(holds[0].source).endswith(f" of {name}"):
            return f"; that is{frame}" if frame else whose(candidate, words)
        return whose(candidate, words) or f", which {name} has to finish{now}"
    return f", which {name} holds{now}"


def _place(one: CouldWake, words: Words) -> str:
    where = one.evidence.where
    thread = words.thread(one.candidate)
    name = words.name(one.candidate)
    if thread is not None and own_frame(thread) is not None:
        return f"{name}{at(own_frame(thread))}"
    return f"{name} at {where}" if where else name
