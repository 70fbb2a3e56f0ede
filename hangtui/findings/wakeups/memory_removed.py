"""Loops that look into shared memory which only their own process has: it was removed since, or a
child that had it has failed."""

from collections.abc import Iterator

from hangtui.findings.child_ends import failed_children, short_ended, told_ended, told_reaped
from hangtui.findings.english import clauses, joined
from hangtui.findings.looked import looked_at
from hangtui.findings.stack_queries import at, callers_of, does, main_thread, own_frame
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref
from hangtui.model import Certainty, Child, Finding, LoneMemory, Polled, Severity, Thread


def found(rule: str, words: Words) -> Iterator[Finding]:
    """One finding for each such loop whose thread nobody else of its process would answer."""
    for one in (*words.capture.polled, *words.capture.spinning):
        thread = words.thread(one.waiter)
        if one.memory is None or thread is None or one.changers:
            continue
        if one.memory.removed or _failed(thread, words):
            yield _finding(rule, thread, one, one.memory, words)


def _failed(thread: Thread, words: Words) -> list[Child]:
    """The children of its process that did not end well."""
    process = words.capture.process(thread.pid)
    return [one for one in failed_children(process) if one.exit_status] if process else []


def _finding(
    rule: str, thread: Thread, polled: Polled, memory: LoneMemory, words: Words
) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread)
    seen = words.progress.get(thread.id)
    inside = frame is not None and seen is not None and frame.function in seen.common
    lasts = seen is not None and inside and seen.lasted_s >= STILL_S and not seen.returned
    who = joined([words.process_name(pid) for pid in memory.others[:NAMES_LISTED]])
    has = " has" if len(memory.others) == 1 else " have"
    short = f", of which {who}{has} another one by now" if who else ""
    failed = [] if memory.removed else _failed(thread, words)
    nobody = "no other process that can be looked into has it mapped"
    lone = f"Now {nobody}.{told_ended(failed, 'its')}"
    if memory.removed:
        lone = (
            f"That name was removed since, and {nobody}: only process {thread.pid} itself could "
            "change it."
        )
    anew = " There is another piece of that name by now" * memory.again
    anew += f", which {who}{has} mapped" * bool(who) + "." * memory.again
    waiting = _waiting_for(thread, memory, words)
    return Finding(
        id=rule,
        severity=Severity.WARNING if lasts else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=(
            f"{name} waits{at(frame)}, by polling {looked_at(polled)}, and looks into shared "
            f"memory that nobody else has: {memory.name}{short}{short_ended(failed)}"
        ),
        sentence=(
            f"{name} looks{at(frame)}{callers_of(thread, frame)} again and again at "
            f"{looked_at(polled)}, which leads to the shared memory {memory.name}. "
            f"{lone}{anew}{waiting}"
        ),
        threads=(ref(thread),),
        subject=thread.id,
        evidence=(
            f"/dev/shm/{memory.name}{' (deleted)' * memory.removed} is mapped by no other process",
            *map(told_reaped, failed),
            f"{name} looks at {looked_at(polled)} between two sleeps",
        ),
        unknown=("who was to change it",),
        advice=(
            (
                "Have whoever starts the child note that it failed where the loop looks, or look "
                "whether it still lives (is_alive()), too."
            )
            if failed
            else (
                "Open it again by its name once whoever made it was started anew: send the new "
                "name, or a number that each start counts up, over another way."
            ),
        ),
    )


def _waiting_for(thread: Thread, memory: LoneMemory, words: Words) -> str:
    """`` Meanwhile MainThread of engine (process 8) waits at ...``: what those do who have what is
    there by that name now, and the process that has started this one."""
    own = words.capture.process(thread.pid)
    pids = dict.fromkeys((*memory.others, *((own.ppid,) if own else ())))
    processes = [one for pid in pids if (one := words.capture.process(pid))]
    mains = [main for one in processes if (main := main_thread(one)) and main.python_stack]
    told = [does(one, words) for one in mains if one is not thread]
    return f" Meanwhile {clauses(told[:NAMES_LISTED], len(told))}." if told else ""
