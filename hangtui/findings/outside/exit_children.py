"""A program that has ended, but whose exit waits for a child process that does not."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.exits import EXITS, exit_function
from hangtui.findings.outside.answerers import hears_only
from hangtui.findings.outside.library_goals import goal_of
from hangtui.findings.package_queries import library_wait
from hangtui.findings.stack_queries import (
    at,
    below_application,
    does,
    main_thread,
    own_frame,
    still,
    stood_s,
)
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref
from hangtui.model import Finding, NodeKind, Severity, Thread

_INSIDE = "_exit_function"
"""What multiprocessing runs at exit."""
_ADVICE = (
    (
        "Tell the child to end before the program does: by `with`, try/finally or a call of its "
        "own, not in __del__ or in what weakref.finalize() runs, which come after that."
    ),
    "A child that may be cut off at any moment can be a daemon: Process(daemon=True).",
)


def joins_at_exit(thread: Thread, wait: Edge) -> bool:
    """Whether it waits for a child to end, with nothing of the program on its stack any more."""
    return wait.target.kind is NodeKind.PROCESS and exit_function(thread) == _INSIDE


def exit_for_child(thread: Thread, wait: Edge, identifier: str, words: Words) -> Finding:
    """What is told of one that waits so: a warning if the child waits for what only the process
    that ends could send."""
    pid = wait.target.pid
    process = words.capture.process(pid)
    main = main_thread(process) if process else None
    child = words.process_name(pid)
    never = main is not None and _never_comes(thread, main, words)
    now = f" There, {_now(main, words)}." if main else " What that does is not known."
    nobody = (
        f" Only {words.process_name(thread.pid)} could send that, and nothing of its program is "
        "left to do so."
    )
    return Finding(
        id=identifier,
        severity=Severity.WARNING if never else Severity.NOTE,
        certainty=as_sure_as(wait, *words.graph.holders_of(wait.target)),
        title=(
            f"The program has finished, but its exit waits for {child} to end"
            f"{f': {_now(main, words)}' if main else ''}"
        ),
        sentence=(
            f"The main program is done: {words.thread_name(thread)} is inside the interpreter's "
            f"exit (shutdown), and joins {child}, which is no daemon.{now}"
            f"{nobody if never else ''} What is to run when objects are deleted comes after that."
        ),
        threads=(ref(thread), *((ref(main),) if main else ())),
        resources=(wait.target,),
        evidence=(
            (
                f"only {_INSIDE} and what it calls is on the stack of "
                f"{words.thread_name(thread)}: {EXITS[_INSIDE][1]}"
            ),
            words.reading(wait),
            still([thread, *((main,) if main else ())]),
        ),
        unknown=() if process else (f"what {child} does",),
        advice=_ADVICE,
    )


def _now(main: Thread, words: Words) -> str:
    """What the main thread of the child does; in which package, and what for."""
    package = library_wait(main) if main.asleep else None
    if package is None or words.graph.wait_of(main.id) is not None:
        return does(main, words)
    where = f"{at(own_frame(main))}, in {package}, {goal_of(main, None, words)}"
    return f"{words.thread_name(main)} waits{where}"


def _never_comes(thread: Thread, main: Thread, words: Words) -> bool:
    """Whether *main* has waited for a second or more for what only the process of *thread* could
    send, and that runs no other line of an application."""
    own = words.capture.process(thread.pid)
    if own is None or min(stood_s(one, words) for one in (thread, main)) < STILL_S:
        return False
    if any(one is not thread and below_application(one) for one in own.threads):
        return False
    wait = words.graph.wait_of(main.id)
    if wait is None:
        return hears_only(main, own, words)
    ends = {hold.target.pid for hold in words.graph.holders_of(wait.target)} - {main.pid}
    return not wait.expires and words.operation(wait) == "read" and ends == {own.pid}
