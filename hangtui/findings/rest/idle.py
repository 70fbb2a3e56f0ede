"""A healthy process that has nothing to do: every thread waits for work, a client or a timer."""

from collections.abc import Iterable

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.actors import owes_answer, runs_method
from hangtui.findings.english import counted, listed
from hangtui.findings.exits import exit_of
from hangtui.findings.grounds import REASSURANCE
from hangtui.findings.left_lying import left_lying
from hangtui.findings.reassurance import Reassures
from hangtui.findings.rest.lines import Rest
from hangtui.findings.rest.rests import rests_of
from hangtui.findings.stack_queries import main_thread
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.unseen_children import look_at_children, unseen_children
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, Process, Severity, Thread

ID = "idle"
GROUND = REASSURANCE
HELP = """\
As far as can be seen nothing is wrong: all threads wait for clients, for work, or for a timer.

How it is known: there is a proof for each thread, which the finding gives. The kernel says that it
waits for somebody to connect, for a signal, or for the clock; or it is in a library's own loop, and
no line of the application is on its stack above that; or it is a thread whose only function takes
items from a queue. Where a line of the application sleeps between two pieces of its work, it is
said that the process only sleeps and waits. Suspended tasks of an event loop must be at rest in the
same sense. One that waits below any other line of the application is not idle, whatever it waits
for: then the process is [quiet](quiet.md). So is one that runs the handlers of its exit, or in
whose connection data has lain unread for over a second that none of its threads or event loops is
to read: it may be a request.
"""
REASSURES = {ID: Reassures.PROCESS}


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such process."""
    words = words_of(capture, graph)
    rests = rests_of(words)
    found = []
    for process in capture.processes:
        if process.python is None or process.state in ("Z", "X", "T", "t"):
            continue
        told = rests.all_of(process)
        owes = runs_method(process) or any(owes_answer(t.id, words) for t in process.threads)
        owes = owes or left_lying(process, capture) > 0
        main = main_thread(process)
        if main is not None and not _is_ended(main) and told and not owes:
            found.append(_finding(process, told, words))
    return found


def _is_ended(main: Thread) -> bool:
    """Whether it runs the handlers of the exit: threads that serve come to their ends before."""
    exit_ = exit_of(main)
    return exit_ is not None and bool(exit_.short)


def _finding(process: Process, reasons: list[tuple[Thread, Rest]], words: Words) -> Finding:
    main = next((pair for pair in reasons if pair[0].tid == process.pid), reasons[0])
    others = [pair for pair in reasons if pair is not main]
    name = words.thread_name(main[0])
    rest = f"; {_others(others, words)}" if others else ""
    unseen = unseen_children(process, words.capture)
    # Who sleeps between two pieces of its work is at work.
    how = "only sleeps and waits" if any(one.own_sleep for _, one in reasons) else "is idle"
    return Finding(
        id=ID,
        severity=Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"Process {process.pid} itself {how}; {unseen}"
        if unseen
        else f"Process {process.pid} {how}, as far as can be seen: {name} {main[1].says}",
        sentence=(
            f"Nothing wrong was found in process {process.pid} ({process.title}). Every thread "
            "waits for something from outside, for the clock, or for another that does: "
            f"{name} {main[1].says}{rest}."
        ),
        threads=tuple(ref(thread) for thread, _ in reasons),
        subject=process.id,
        processes=(process.pid,),
        evidence=(
            *(
                f"{words.thread_name(thread)} {rest.says}"
                for thread, rest in reasons[:NAMES_LISTED]
            ),
            _asleep(process, words),
        ),
        unknown=("whether the work, the client or the message that it waits for will come",),
        advice=(
            *look_at_children(process, words.capture),
            (
                "If it should be working: look at who sends it work, not here. Run hangtui check "
                f"{process.pid} while a request is open."
            ),
        ),
    )


def _asleep(process: Process, words: Words) -> str:
    awake = [thread for thread in process.threads if thread.state == "R"]
    count = len(process.threads)
    if awake:
        names = words.listed(awake)
        return f"the kernel shows {counted(count, 'thread')}, asleep except for a moment of {names}"
    if count == 1:
        return "the kernel shows its only thread asleep (state S or I)"
    return f"the kernel shows all {count} threads asleep (state S or I)"


def _others(others: Iterable[tuple[Thread, Rest]], words: Words) -> str:
    groups: dict[str, list[str]] = {}
    for thread, rest in others:
        groups.setdefault(rest.says, []).append(words.thread_name(thread))
    some = list(groups.items())[:NAMES_LISTED]
    parts = [f"{listed(names)}{': each' if names[1:] else ''} {reason}" for reason, names in some]
    return "; ".join(parts)
