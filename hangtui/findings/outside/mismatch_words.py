"""What is said of ranks that wait in different operations, and what to do about it."""

from collections.abc import Sequence

from hangtui.findings.collectives import exchange
from hangtui.findings.english import counted
from hangtui.findings.exits import ENDED_EARLY, is_ending
from hangtui.findings.jobs import Inside
from hangtui.findings.outside import halves
from hangtui.model import Thread

_CONDITION = (
    "Look for a condition that differs from rank to rank (`if rank == 0`, a loop over "
    "data of another length, an exception that is caught) around one of these calls."
)
_DETAIL = (
    "TORCH_DISTRIBUTED_DEBUG=DETAIL has torch compare the operations of all ranks and "
    "raise an error at the first that differs."
)
_OWN_GROUP = (
    "Give the second thread a process group of its own (`dist.new_group()`), or have one thread "
    "make all calls: operations of one group need one order, the same in all ranks."
)


def exchanged(threads: Sequence[Thread]) -> bool:
    """Whether they wait in halves of messages."""
    return all(exchange(thread) for thread in threads)


def advice(inside: Sequence[Inside], *, several: bool) -> tuple[str, ...]:
    """What to look for; *several*: threads of one rank."""
    threads = [thread for thread, _ in inside]
    if exchanged(threads):
        return (halves.advice(threads),)
    if several:
        return (_OWN_GROUP,)
    if any(is_ending(thread) for thread, _ in inside):
        return (ENDED_EARLY,)
    return (
        (_CONDITION, _DETAIL) if any(_of_torch(thread) for thread, _ in inside) else (_CONDITION,)
    )


def _of_torch(thread: Thread) -> bool:
    return any("/torch/" in frame.filename for frame in thread.python_stack or ())


def title(threads: list[Thread], operations: str, *, several: bool) -> str:
    """Who waits in which operations; *several*: threads of one rank."""
    if exchanged(threads):
        return halves.told(threads, operations)
    if not several:
        kind = "operations" if any(map(exchange, threads)) else "collective operations"
        return f"The ranks of a job wait in different {kind}: {operations}"
    most = counted(max(sum(t.pid == pid for t in threads) for pid in {t.pid for t in threads}),
                   "thread")  # fmt: skip
    return f"The ranks of a job wait in collective operations of {most} at once: {operations}"


def why(threads: list[Thread], *, several: bool) -> str:
    """What has to be so for these operations to end; *several*: threads of one rank."""
    if exchanged(threads):
        return halves.why(threads)
    if several:
        return (
            "All ranks of a process group have to call its operations in the same order, and "
            "nothing orders those of several threads."
        )
    if any(map(exchange, threads)):
        return (
            "Who is in a collective operation waits until all have called it, and takes part in no "
            "message meanwhile."
        )
    return (
        "Each waits until all others have called the same operation, and they have called "
        "different ones."
    )
