"""Children that have ended and whose parent never fetches their status."""

from dataclasses import replace

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.awaited_signals import awaits_agreed, for_signals
from hangtui.findings.child_ends import how_ended
from hangtui.findings.english import counted, joined, listed
from hangtui.findings.grounds import ENDED
from hangtui.findings.library_calls import awaited_in_library
from hangtui.findings.lifetimes.unheard_ends import told_unheard
from hangtui.findings.looked import looked_at, polled_by
from hangtui.findings.manager_clients import is_manager
from hangtui.findings.package_queries import at_entry, library_wait, serves
from hangtui.findings.polled import told_changes
from hangtui.findings.services import is_helper
from hangtui.findings.stack_queries import at, main_thread, own_frame, told
from hangtui.findings.suspended import shutting_down
from hangtui.findings.thresholds import NAMES_LISTED, ZOMBIE_AGE_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Child, Finding, NodeKind, Process, Severity, Thread

ID = "zombie-children"
GROUND = ENDED
HELP = """\
How it is known: `/proc` lists the children of a process and their states. Z means that the child
has ended, and that only its exit status is left for its parent to collect with wait(). What that
is `/proc/PID/stat` tells to who may trace the child: that it failed is told first.

One short-lived zombie is normal. Many, or one that stays, mean that the parent never reaps them.
One that ended well, for which nobody is seen to look again and again, is a note.
The scheduler's clock (`/proc/PID/sched`) tells how long one has been there; without it, this is a
note. If the parent waits for something without an end, and all of its children have ended, that
comes first: one of them may have been the one to bring it.

Where a thread waits for a signal that only somebody sends who knows the program (SIGUSR1, SIGUSR2,
a real-time signal) or that tells of the end of a child (SIGCHLD), and all children have ended, that
is told first: none of them sends it any more. Another process still could, so it is no error.

Where a task or greenlet waits for a child that ended seconds ago, and the event loop that was to
tell it is idle, that is told first, as an error: a loop that is told wakes at once.
"""

_SIGNALS = ("pause", "rt_sigsuspend")
"""System calls that only a signal with a handler ends."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each process with zombies that it had the time to fetch."""
    words = words_of(capture, graph)
    found = []
    for process in capture.processes:
        thread = main_thread(process)
        children = (process.around.children if process.around else None) or ()
        dead = [child for child in children if _left(child)]
        if thread is not None and dead:
            # One may be about to be fetched. And where the parent waits for something else for
            # ever, that it does not fetch them is no more than a consequence.
            unsure = any(child.ended_s is None for child in dead)
            goal = _awaited(thread, words)
            failed = any(child.exit_status for child in dead)
            others = [c for c in children if not (failed and _of_multiprocessing(c, capture))]
            minor = (len(dead) == 1 < len(others)) or thread.id in words.lasting or unsure
            if len(dead) == 1 and dead[0].exit_status == 0 and not polled_by(thread.id, words):
                minor = True  # It did what it was to do, and nobody looks for it.
            one = _finding(process, thread, dead, len(children), words, minor=minor)
            if unheard := told_unheard(one, process, dead, words):
                found.append(unheard)
                continue
            if len(dead) == len(children):
                agreed = next(filter(awaits_agreed, process.threads), None)
                if agreed is not None:
                    one = _with_signal(one, process, agreed, dead, words)
                elif goal:
                    one = _waiting(one, process, thread, dead, goal)
            found.append(one)
    return found


def _of_multiprocessing(child: Child, capture: Capture) -> bool:
    """Whether a child is one that multiprocessing keeps for itself."""
    process = capture.process(child.pid)
    return process is not None and (is_helper(process) or is_manager(process))


def _awaited(thread: Thread, words: Words) -> str | None:
    """What the parent waits for, without an end, that a child may have been to bring; None: it
    does not."""
    lasting, call = words.lasting.get(thread.id), thread.syscall
    if lasting is not None and lasting.wait.target.kind is not NodeKind.PROCESS:
        return words.goal(lasting.wait)
    if call is not None and call.name in _SIGNALS and thread.blocked:
        return "for a signal"
    package = library_wait(thread)
    endless = call is not None and call.timed is False and thread.blocked
    if not package or not endless or serves(thread, None):
        return None
    known = awaited_in_library(thread)
    return f"in {package}, {known}" if known else f"in {package}"


def _waiting(
    plain: Finding, process: Process, thread: Thread, dead: list[Child], goal: str
) -> Finding:
    """Of a parent that waits for something: that comes first, then who can bring it no more."""
    name, where = thread.name, at(own_frame(thread))
    signal = goal == "for a signal"
    one = len(dead) == 1
    pids = ", ".join(str(child.pid) for child in dead[:NAMES_LISTED])
    who = f"its only child {pids}" if one else f"its children {pids}"
    ended = how_ended(*dead)
    handlers = process.around.handles_signals if process.around else None
    only = ""
    if signal:
        which = f"; it has handlers for {listed(list(handlers))}" if handlers else ""
        only = f" Only a signal to process {process.pid} ends that{which}."
    lost = (
        "A signal that came before the wait began does not end it."
        if signal
        else f"If {'it was' if one else 'one of them was'} to bring that, it does not come."
    )
    return replace(
        plain,
        title=f"{name} waits{where} {goal}, and {who} {ended}",
        sentence=(
            f"{name} of process {process.pid} waits{where} {goal}.{only} But {who} {ended} "
            f"and {'is a zombie' if one else 'are zombies'}: nobody has fetched how. {lost}"
        ),
        advice=(
            (
                "Wait for the child itself (Popen.wait(), os.waitpid()), or block the signal "
                "before the child is started (signal.pthread_sigmask) and take it with "
                "signal.sigtimedwait(), which also sees one that came early."
                if signal
                else f"Look at why {'it' if one else 'they'} ended: its exit status and its error "
                f"output. Wait with a timeout{where}, and look then whether the child lives."
            ),
        ),
    )


def _left(child: Child) -> bool:
    """Whether its parent had the time to fetch it; of one that ended just now that is not known."""
    age_s = child.age_s if child.ended_s is None else child.ended_s
    return child.state == "Z" and (age_s or 0) >= ZOMBIE_AGE_S


def _finding(
    process: Process,
    thread: Thread,
    dead: list[Child],
    children: int,
    words: Words,
    *,
    minor: bool,
) -> Finding:
    pids = ", ".join(str(child.pid) for child in dead[:NAMES_LISTED])
    more = f" and {len(dead) - NAMES_LISTED} more" if len(dead) > NAMES_LISTED else ""
    one = len(dead) == 1
    who, them = ("child has", "it") if one else ("children have", "them")
    ended = "It has ended, but stays" if one else "They have ended, but stay"
    their, place = "its" if one else "their", told(own_frame(thread))
    polled = polled_by(thread.id, words)
    ending = shutting_down(process, words)
    does = f", by polling {looked_at(polled)}" if polled else f", and {ending}" if ending else ""
    wait = words.graph.wait_of(thread.id)
    awaited = f" {words.goal(wait)}" if wait is not None and not polled else ""
    verb = "waits" if polled or awaited else "is"
    line = at_entry(thread) if library_wait(thread) else f" at {place}"
    is_at = f"{thread.name} {verb}{line}{awaited}{does}"
    where = f" {is_at}.{told_changes(thread.id, words)}" if place else ""
    here = f"; {is_at}" if place else ""
    failed = [child for child in dead if child.exit_status]
    title = f"{counted(len(dead), 'zombie')}: {len(dead)} {who} ended, and nobody has reaped {them}"
    sentence = (
        f"Process {process.pid} ({process.title}) has {len(dead)} of {children} children in "
        f"state Z (zombie, defunct): {pids}{more}. {ended} in the process table until {their} "
        f"parent calls wait(), so whoever polls for {them} to vanish (os.kill with 0, /proc, ps) "
        f"polls forever.{where}"
    )
    advice = list[str]()
    if failed:
        first = f"child {failed[0].pid} ({failed[0].name})"
        bad = joined([f"{child.pid} ({child.name}) {how_ended(child)}" for child in failed[:3]])
        title = f"{first} {how_ended(failed[0])}, and nobody has fetched that"
        sentence = (
            f"Of the children of process {process.pid} ({process.title}), {bad}."
            f"{where} If what that waits for was to come from "
            f"{'it' if len(failed) == 1 else 'them'}, it does not come. The parent has not called "
            f"wait() for {them}, and may not know that."
        )
        advice = [f"Look at why {first} failed: its error output, and its log."]
    return Finding(
        id=ID,
        severity=Severity.NOTE if minor else Severity.WARNING,
        certainty=Certainty.CERTAIN,
        title=f"{title[:1].upper()}{title[1:]}{here}",
        sentence=sentence,
        threads=(ref(thread),),
        subject=process.id,
        processes=(process.pid,),
        evidence=tuple(
            f"child {child.pid} ({child.name}) is in state Z, {_when(child)}{_status(child)}"
            for child in dead[:NAMES_LISTED]
        ),
        unknown=_unknown(dead),
        advice=(
            *advice,
            (
                f"Reap {them}: Popen.wait() or poll(), Process.join(), or os.waitpid(-1, "
                f"os.WNOHANG) in the loop{f' at {place}' if place else ''}. Use that to see "
                "whether a child has ended, not os.kill(pid, 0)."
            ),
            (
                "In a container whose PID 1 is not an init, orphans become zombies too: run it "
                "with docker run --init."
            ),
        ),
    )


def _status(child: Child) -> str:
    if child.exit_status is None:
        return ""
    return f"; /proc/{child.pid}/stat: it {how_ended(child)}"


def _unknown(dead: list[Child]) -> tuple[str, ...]:
    if all(child.exit_status is not None for child in dead):
        return ()
    return ("how they ended: the kernel tells that only to their parent and to who may trace them",)


def _with_signal(
    finding: Finding, process: Process, thread: Thread, dead: list[Child], words: Words
) -> Finding:
    """*finding* told as the wait of *thread* for a signal that no child sends any more."""
    signals = thread.syscall.signals if thread.syscall else ()
    name, line, for_ = words.thread_name(thread), at(own_frame(thread)), for_signals(thread)
    one = len(dead) == 1
    children = listed([f"process {child.pid} ({child.name})" for child in dead])
    whose = "Its only child" if one else f"All its {len(dead)} children"
    send, them = ("sends", "it") if one else ("send", "them")
    who = "it" if one else "they"
    how = how_ended(*dead)
    kernel = " The kernel sends SIGCHLD when a child ends." if "SIGCHLD" in signals else ""
    within = "" if len(process.threads) == 1 else "another thread of it, or "
    return replace(
        finding,
        certainty=Certainty.INFERRED,
        title=(
            f"{name} waits{line}{for_}, and {'its only child' if one else 'all children'} {how}: "
            f"{children}"
        ),
        sentence=(
            f"{name} waits{line}{for_}, without a timeout (system call rt_sigtimedwait).{kernel} "
            f"{whose} {how}, and nobody has reaped {them} ({children}): {who} {send} "
            f"nothing any more. Only {within}another process that knows of it could send it now."
        ),
        threads=(ref(thread),),
        unknown=(*finding.unknown, "who was to send the signal, and whether it was sent before"),
        advice=(
            (
                f"Find out why {'it' if one else 'they'} ended: Popen.poll() or wait() has the "
                "exit status."
            ),
            (
                f"Wait{line} with signal.sigtimedwait(signals, seconds), and look in between "
                "whether who is to send it still lives; or let the child tell by a pipe, which "
                "ends with it."
            ),
        ),
    )


def _when(child: Child) -> str:
    """When it ran last, or was started."""
    if child.ended_s is not None:
        return f"it last ran {child.ended_s:.0f} s ago"
    return (
        f"started {child.age_s:.0f} s ago" if child.age_s is not None else "since when is unknown"
    )
