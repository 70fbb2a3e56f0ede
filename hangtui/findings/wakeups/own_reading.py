"""A rwlock of C code whose readers nobody records, and that nobody is left to release: who reads it
already and wants to read it again stands behind a writer, and that behind the first reading."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.stack_queries import at, callers_of, kind_of, own_frame
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Thread


def own_reading(
    thread: Thread, wait: Edge, waits: list[tuple[Thread, Edge]], words: Words
) -> str:  # fmt: skip
    """`` Whoever reads it waits here as well: ...``, of a rwlock that readers have; empty: it is
    none of these."""
    resource = words.resource(wait.target)
    if kind_of(wait, words) is not NodeKind.RWLOCK or resource is None or not resource.note:
        return ""
    wanting = [(one, words.operation(its)) for one, its in waits if its.target == wait.target]
    writers = [one for one, how in wanting if how == "write"]
    others = [one for one, _ in waits if one not in writers]
    told = f" It is {resource.note}."
    if others != [thread] or not writers:
        return f"{told} Whoever reads it is one of the threads that wait here, or has ended."
    names = words.listed(writers)
    outer = callers_of(thread, own_frame(thread)).removeprefix(", called from ")
    again = f" ({outer})" if outer else ""
    return (
        f"{told} {names} waits to write, and all other threads wait behind that: only "
        f"{words.thread_name(thread)} itself can have it for reading, further out{again}, if no "
        "thread has ended with it; and its second reading stands behind the writer, which waits "
        "for the first one to end."
    )


ADVICE = (
    "Do not read-lock it again in what is called with it read-locked: a writer that came in "
    "between keeps the second reading out. Pass on what was read, or give the lock back first."
)

WRITER_ADVICE = (
    "Look which of these threads has it and waits here, or went on without unlocking it: a rwlock "
    "is to be unlocked on every way out, also when the work fails."
)


def reads_again(thread: Thread, wait: Edge, waits: list[tuple[Thread, Edge]], words: Words) -> str:
    """``, behind inlet, which waits to write``, for a title; empty: it is nothing of that."""
    if not own_reading(thread, wait, waits, words):
        return ""
    writers = [
        one
        for one, its in waits
        if its.target == wait.target and words.operation(its) == "write" and one is not thread
    ]
    if not writers:
        return ""
    where = at(own_frame(writers[0]))
    return f", behind {words.listed(writers)}, which waits to write{where}"
