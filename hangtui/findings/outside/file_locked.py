"""A thread waits for a lock file, or for a lock on a file, that somebody else has."""

import re
from collections.abc import Iterator

from hangtui.analysis.places import program_frame, short_path
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.chains import run_by
from hangtui.findings.claims import reserve
from hangtui.findings.doing import doing
from hangtui.findings.english import clauses, joined
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.outside.file_lock_holders import (
    able,
    asks_again,
    by_process,
    calmly,
    comes_back,
    who_has,
)
from hangtui.findings.outside.rank_elsewhere import divided
from hangtui.findings.outside.rank_waits import waited_s
from hangtui.findings.outside.started_both import told_parent
from hangtui.findings.pools import taken
from hangtui.findings.stack_queries import (
    at,
    below_application,
    callers,
    depth_of,
    does,
    main_thread,
    own_frame,
    still,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.findings.written import told_end
from hangtui.model import (
    Capture,
    Finding,
    Hold,
    NodeId,
    NodeKind,
    Progress,
    PythonFrame,
    Severity,
    Thread,
)

ID = "file-locked"
_GONE = re.compile(r"PID \d+, which no process here has now")
"""What is noted of a file, or of what lies in a folder, whose maker has ended."""
GROUND = ONE_WAIT
HELP = """\
Only one at a time may have a lock file, or a lock on a file: a program uses it to keep out a second
copy of itself, or one of its threads keeps out another. Whoever has it gives it back explicitly or
by ending; a flock is released only when every process that has inherited the open file has closed
it. A lock file that merely exists is never given back if its owner was killed.

How it is known: the thread is in `flock` or `fcntl`; or it sleeps, its code reaches such a call
again when it wakes up, and its variables name the file, which is an inference. The kernel lists who
has the lock, for each open file. Within the same process that is a thread inside a `with` whose
manager names the same file. It is a warning if several looks saw the wait for a second or more, or
if who has it waits for the one that waits for the lock. While who has it computes, or sleeps for
less than a minute and not again and again, it is a note.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that waits so, outside of a deadlock."""
    words = words_of(capture, graph)
    found = []
    for thread in capture.threads():
        wait = graph.wait_of(thread.id)
        node = graph.node(wait.target) if wait else None
        if wait is None or node is None or node.kind is not NodeKind.FILE_LOCK:
            continue
        if own_frame(thread) is not None and not graph.cycle_of(thread.id):
            found.append(_finding(thread, wait, words))
    return found


def _finding(thread: Thread, wait: Edge, words: Words) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread)
    index = depth_of(thread, frame)
    resource = words.resource(wait.target)
    holders = who_has(thread, wait, words)
    holds = {hold.holder: hold for hold in words.capture.holds if hold.resource == wait.target}
    could = able(holders, words)
    by_edges = [one.target for one in could if comes_back(one.target, thread, words)]
    # The ranks that wait in an operation are told by `with_other_ranks`.
    of_ranks = [
        one.target
        for those in by_process(holders)
        if _for_the_rank(those, thread, words)
        for one in those
    ]
    back = list(dict.fromkeys((*by_edges, *of_ranks)))
    lasted = _lasted_s(thread, wait, holders, words)
    long = lasted >= STILL_S
    span = f" for {lasted:.0f} s or more" if long else ""
    file, asked = words.name(wait.target), words.wait(wait)
    ring = bool(back) and len(back) == len(could) and (asks_again(wait) or thread.still is True)
    # A file that is a lock by being there may have come between the reading of stacks and of it.
    new = resource is not None and resource.age_s is not None and resource.age_s < STILL_S
    ring = ring and not (new or _ends_by_itself(wait))
    calm = calmly(could, words)
    gone = _GONE.search((resource.note if resource else None) or "")
    left = f"; it names {gone[0]}" if gone else ""
    title = f"{name} waits{at(frame)} for {short_name(file)}{span}{_had(holders, words)}{left}"
    if ring:
        who = joined([_owner(those, words) for those in by_process(holders)])
        place = at(_place(by_edges, words)) if len(back) == 1 else ""
        title = (
            f"{reserve(sure=False)}{name} waits{at(frame)} for {short_name(file)}, "
            f"and {_of(who, name, place, _turn(by_edges, words))}"
        )
    note = f" {resource.note[0].upper()}{resource.note[1:]}." if resource and resource.note else ""
    return Finding(
        id=ID,
        severity=Severity.WARNING if (long and not calm) or ring else Severity.NOTE,
        certainty=as_sure_as(wait, *holders),
        title=title,
        sentence=(
            f"{name} waits{at(frame)}{callers(thread, index)} for {file}{span}. "
            + " ".join(_who(thread, holders, holds, words))
            + note
        ),
        threads=(ref(thread), *(ref(one) for one in words.threads(by_edges) if one != thread)),
        subject=thread.id,
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            *(words.reading(hold) for hold in holders[:NAMES_LISTED]),
            *([still([thread])] if not wait.expires else []),
        ),
        unknown=tuple(_unknown(wait, holders, unlimited=asked is not None and asked.unlimited)),
        advice=tuple(_advice(thread, holds, back)),
    )


def _lasted_s(thread: Thread, wait: Edge, holders: tuple[Edge, ...], words: Words) -> float:
    """For how long several looks surely saw it in one wait. Who asks again and again may have got
    the lock in between, unless whoever has it did nothing meanwhile, or the file is that old."""
    seen = words.progress.get(thread.id)
    resource = words.resource(wait.target)
    if seen is None or resource is None:
        return 0.0
    bounds = [seen.waited_s]
    # In the kernel only who has it wakes up who waits for it.
    if asks_again(wait) or seen.ran:
        known = [one.unchanged_s for one in _known(holders, words)]
        bounds += known or ([] if asks_again(wait) else [seen.unchanged_s])
        bounds += [resource.age_s] if resource.age_s is not None else []
        bounds += [0.0] if resource.id in {one.resource for one in words.capture.handovers} else []
    return min(bounds)


def _known(holders: tuple[Edge, ...], words: Words) -> Iterator[Progress]:
    """What those did who have it; of a process its main thread."""
    for those in by_process(holders):
        for holder in _told(those, words):
            seen = words.progress.get(holder.id)
            if seen is not None:
                yield seen


def _holder(hold: Edge, words: Words) -> Thread | None:
    """The thread that has it; of a process its main thread."""
    process = words.capture.process(hold.target.pid)
    return words.thread(hold.target) or (main_thread(process) if process else None)


def _told(holds: list[Edge], words: Words) -> list[Thread]:
    """Those threads of a process who could give it back of which something is to be told."""
    able = [holder for hold in holds if (holder := _holder(hold, words))]
    of_python = [one for one in able if one.is_python]
    own = [one for one in of_python if below_application(one)]
    return own or _of_program(holds[0], words) or of_python or able


def _of_program(hold: Edge, words: Words) -> list[Thread]:
    """The main thread of a process that has it, of whose other threads none is below a line
    of the application: where that one is tells more than where those are."""
    process = words.capture.process(hold.target.pid)
    main = main_thread(process) if process else None
    return [main] if main is not None and own_frame(main) else []


def _ends_by_itself(wait: Edge) -> bool:
    """Whether the kernel ends it after a while, as it does for a lease."""
    return wait.expires and not asks_again(wait)


def short_name(label: str) -> str:
    """``the file lock index.lock``: without the folders."""
    kind, _, path = label.partition(" /")
    return f"{kind} {short_path(path)}" if path else label


def _of(who: str, name: str, place: str, turn: str) -> str:
    if who == name:
        return "has it itself"
    goal = f"{turn}, which {name} has" if turn else name
    return f"{who} has it and waits{place} for {goal}"


def _turn(holders: list[NodeId], words: Words) -> str:
    """The lock on a file for which who has the first one waits."""
    wait = words.graph.wait_of(holders[0]) if len(holders) == 1 else None
    locked = wait is not None and wait.target.kind is NodeKind.FILE_LOCK
    return short_name(words.name(wait.target)) if wait is not None and locked else ""


def _place(holders: list[NodeId], words: Words) -> PythonFrame | None:
    """The program's line at which who has it waits: that one itself, or the task that it runs."""
    thread = words.thread(holders[0]) if holders else None
    tasks = run_by(thread.id, words) if thread else []
    if len(tasks) == 1:
        return program_frame(tasks[0].python_stack or ())
    return own_frame(thread) if thread and not tasks else None


def _for_the_rank(holds: list[Edge], thread: Thread, words: Words) -> bool:
    """Whether those of a process who could give it back wait in a collective operation which the
    rank that wants the lock has not called."""
    told = _told(holds, words)
    return any(
        {one.id for one in told} <= {one.id for one, _ in inside}
        and thread.id in {one.id for one in missing}
        and all(waited_s(one, words) >= STILL_S for one in told)
        for inside, missing in divided(words.capture)
    )


def _had(holders: tuple[Edge, ...], words: Words) -> str:
    names = [_owner(those, words) for those in by_process(holders)][:NAMES_LISTED]
    return f", which {joined(names)} {'has' if len(names) == 1 else 'have'}" if names else ""


def _owner(holds: list[Edge], words: Words) -> str:
    """Who has it: a thread, or the process where several of its threads could give it back."""
    first = holds[0].target
    return words.process_name(first.pid) if holds[1:] else words.name(first)


def _who(
    thread: Thread, holders: tuple[Edge, ...], holds: dict[NodeId, Hold], words: Words
) -> Iterator[str]:
    """Who has it, and what those do now."""
    for those in by_process(holders)[:NAMES_LISTED]:
        one = those[0]
        hold = holds.get(one.target)
        where = f" since {taken(hold)}" if hold and taken(hold) else ""
        if one.target == thread.id:
            alone = "" if holders[1:] else ", and nobody else can give it back"
            yield f"It has that itself{where}{alone}."
            continue
        told = _told(those, words)
        acts = clauses(list(_acts([one for one in told if one is not thread], words)))
        name = _owner(those, words)
        # A thread has a name of its own, which keeps its first letter.
        own = words.thread(one.target) and not those[1:]
        who = name if own else name[:1].upper() + name[1:]
        never = told_end(told, words)
        never += told_parent(thread.pid, one.target.pid, words) if never else ""
        now = f" Now {acts}.{never}" if acts else ""
        yield f"{who} has it{where}.{now}"
    if not holders:
        yield "Who should give it back is not known."


def _acts(threads: list[Thread], words: Words) -> Iterator[str]:
    """What those do, or the tasks that they run."""
    for thread in threads:
        tasks = run_by(thread.id, words)
        yield from (doing(one, words) for one in tasks[:NAMES_LISTED])
        if not tasks:
            yield does(thread, words)


def _unknown(wait: Edge, holders: tuple[Edge, ...], *, unlimited: bool) -> Iterator[str]:
    if asks_again(wait) and not unlimited:
        yield "whether it gives up after a while: it asks for the lock again and again"
    if not holders:
        yield "who has it"


def _advice(thread: Thread, holds: dict[NodeId, Hold], back: list[NodeId]) -> Iterator[str]:
    if back:
        places = [taken(holds[one]) for one in back if one in holds and taken(holds[one])]
        where = f" (taken at {joined(places)})" if places else ""
        own = any(one.pid == thread.pid for one in back)
        yield (
            f"Give the lock back before waiting for whoever needs it{where}"
            + ", or pass it on: a second lock object on the same file does not know that this "
            "process has it." * own + "." * (not own)
        )
        return
    others = sorted({one.pid for one in holds if one.pid != thread.pid})
    if others:
        look = " ".join(map(str, (thread.pid, *others[:3])))
        yield f"Look at both together: hangtui {look}."
