"""Children that have ended and whose parent never fetches their status."""

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.english import counted
from hangtui.findings.grounds import ENDED
from hangtui.findings.stack_queries import main_thread, own_frame, told
from hangtui.findings.thresholds import NAMES_LISTED, ZOMBIE_AGE_S
from hangtui.findings.words import ref, words_of
from hangtui.model import Capture, Certainty, Child, Finding, Process, Severity, Thread

ID = "zombie-children"
GROUND = ENDED
HELP = """\
How it is known: `/proc` lists the children of a process and their states. Z means that the child
has ended, and that only its exit status is left for its parent to collect with wait().

One short-lived zombie is normal. Many, or one that stays, mean that the parent never reaps them.
The scheduler's clock (`/proc/PID/sched`) tells how long one has been there; without it, this is a
note.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each process with zombies that it had the time to fetch."""
    lasting = words_of(capture, graph).lasting
    found = []
    for process in capture.processes:
        thread = main_thread(process)
        children = (process.around.children if process.around else None) or ()
        dead = [child for child in children if _left(child)]
        if thread is not None and dead:
            # One may be about to be fetched. And where the parent waits for something else for
            # ever, that it does not fetch them is no more than a consequence.
            unsure = any(child.ended_s is None for child in dead)
            minor = (len(dead) == 1 < len(children)) or thread.id in lasting or unsure
            found.append(_finding(process, thread, dead, len(children), minor=minor))
    return found


def _left(child: Child) -> bool:
    """Whether its parent had the time to fetch it; of one that ended just now that is not known."""
    age_s = child.age_s if child.ended_s is None else child.ended_s
    return child.state == "Z" and (age_s or 0) >= ZOMBIE_AGE_S


def _finding(
    process: Process, thread: Thread, dead: list[Child], children: int, *, minor: bool
) -> Finding:
    pids = ", ".join(str(child.pid) for child in dead[:NAMES_LISTED])
    more = f" and {len(dead) - NAMES_LISTED} more" if len(dead) > NAMES_LISTED else ""
    one = len(dead) == 1
    who, them = ("child has", "it") if one else ("children have", "them")
    where = told(own_frame(thread))
    at = f" {thread.name} is at {where}." if where else ""
    return Finding(
        id=ID,
        severity=Severity.NOTE if minor else Severity.WARNING,
        certainty=Certainty.CERTAIN,
        title=(
            f"{counted(len(dead), 'zombie')}: {len(dead)} {who} ended, and nobody has reaped "
            f"{them}{f', {thread.name} is at {where}' if where else ''}"
        ),
        sentence=(
            f"Process {process.pid} ({process.title}) has {len(dead)} of {children} children in "
            f"state Z (zombie, defunct): {pids}{more}. They have ended, but stay in the process "
            "table until their parent calls wait(), so whoever polls for them to vanish (os.kill "
            f"with 0, /proc, ps) polls forever.{at}"
        ),
        threads=(ref(thread),),
        subject=process.id,
        processes=(process.pid,),
        evidence=tuple(
            f"child {child.pid} ({child.name}) is in state Z, {_when(child)}"
            for child in dead[:NAMES_LISTED]
        ),
        unknown=("their exit status: only their parent can collect it",),
        advice=(
            (
                "Reap them: Popen.wait() or poll(), Process.join(), or os.waitpid(-1, "
                f"os.WNOHANG) in the loop{f' at {where}' if where else ''}. Use that to see "
                "whether a child has ended, not os.kill(pid, 0)."
            ),
            (
                "In a container whose PID 1 is not an init, orphans become zombies too: run it "
                "with docker run --init."
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
