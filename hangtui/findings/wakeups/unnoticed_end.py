"""Workers of an executor that have ended without its noticing."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.child_ends import how_ended
from hangtui.findings.english import counted, joined
from hangtui.findings.stack_queries import at, callers, depth_of, own_frame, still
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words, ref
from hangtui.model import Certainty, Child, Executor, Finding, Severity, Thread

_ADVICE = (
    "Have workers start no processes by os.fork() that outlive them: subprocess closes what the "
    "new one does not need (close_fds), and a daemon has to do so itself."
)


def unnoticed_end(
    identifier: str,
    executor: Executor,
    dead: Sequence[Child],
    thread: Thread,
    wait: Edge,
    words: Words,
) -> Finding:
    """What is said of *thread*, which waits for a result; *dead*: the workers."""
    name, frame = words.thread_name(thread), own_frame(thread)
    index = depth_of(thread, frame)
    every = len(dead) == len(executor.worker_pids)
    who = joined([f"process {one.pid}" for one in dead[:NAMES_LISTED]])
    whose = "its only worker" if every and len(dead) == 1 else "its workers" if every else "of them"
    certainty = as_sure_as(Certainty.PROVEN if every else Certainty.INFERRED, wait)
    have = "has" if len(dead) == 1 else "have"
    return Finding(
        id=identifier,
        severity=Severity.ERROR if certainty.supports_claim else Severity.WARNING,
        certainty=certainty,
        title=(
            f"{name} waits{at(frame)} for a result of a {executor.title} that has not noticed the "
            f"end of {counted(len(dead), 'worker')}"
        ),
        sentence=(
            f"{name} waits{at(frame)}{callers(thread, index)} for a result of a {executor.title}. "
            f"{who[:1].upper()}{who[1:]}, {whose}, {how_ended(*dead)} and {have} not been reaped. "
            "The executor learns of that by a pipe that is closed with its last writer, and its "
            "thread stood still: some process has inherited that end and lives."
        ),
        threads=(ref(thread),),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            f"the executor's record of its workers: {joined(list(map(str, executor.worker_pids)))}",
            *(f"process {one.pid} is a zombie (state Z)" for one in dead[:NAMES_LISTED]),
            still([thread]),
        ),
        unknown=("which process has the other end of that pipe",),
        advice=(_ADVICE,),
    )
