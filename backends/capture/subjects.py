"""Which processes a capture is of, and what the kernel says of each without its memory."""

from collections.abc import Mapping
from dataclasses import field, replace

from hangtui.backends import heartbeat
from hangtui.backends.capture import turns
from hangtui.backends.capture.turns import Turns
from hangtui.backends.heartbeat import OverrunError
from hangtui.backends.process import processes
from hangtui.backends.process.context import MAX_CHILDREN, has_too_many_children
from hangtui.backends.procfs import files, life
from hangtui.dataclass import dataclass
from hangtui.model import Gap, Notice, Process, Source, TargetError
from hangtui.provider import CaptureRequest

MEMORY = "its memory"
"""What is missing of a process that could not be looked into."""
_MOST_NAMED = 8


@dataclass(slots=True)
class Subjects:
    """The processes as they were found."""

    processes: dict[int, Process] = field(default_factory=dict)
    """By PID."""
    started_at: dict[int, int | None] = field(default_factory=dict)
    """By PID, in clock ticks since boot: whoever has the number later is another one."""
    notices: list[Notice] = field(default_factory=list)


def find(request: CaptureRequest, limits: Turns, aside: Mapping[int, str]) -> Subjects:
    """The processes that were asked for.

    *aside*: by PID, why processes are not to be read.

    Raises:
        TargetError: there is none of them.
    """
    pids = list(request.pids) or processes.python_pids()
    if not pids:
        raise TargetError("no Python process is running here")
    found = Subjects()
    failures: list[TargetError] = []
    for pid in pids:
        begun = life.now()
        try:
            with heartbeat.at(pid, heartbeat.brief(turns.LIST_PATIENCE_S)):
                family = [pid, *(processes.children(pid) if request.children else ())]
        except TargetError as error:
            failures.append(error)
            continue
        known, gone = set[int](), list[int]()
        for member in family:
            try:
                process = _describe(member, found, limits, aside)
            except TargetError as error:
                if member == pid or life.is_alive(member):
                    failures.append(error)
                else:
                    gone.append(member)
                continue
            # A child can have ended since, and another process have got its number.
            older = (found.started_at.get(process.pid) or begun) < begun
            if member == pid or process.ppid in known or older:
                known.add(process.pid)
                found.processes.setdefault(process.pid, process)
            elif process.pid not in found.processes:
                gone.append(member)
        found.notices += _gone_children(pid, gone)
    if not found.processes:
        raise failures[0]
    found.notices += [Notice(Source.PROCFS, e.message, e.fix) for e in failures]
    unlisted = aside.keys() - found.processes.keys()
    found.notices += [turns.not_read(pid, aside[pid]) for pid in sorted(unlisted)]
    return found


def _gone_children(pid: int, gone: list[int]) -> list[Notice]:
    """That children which were listed were no more when they were to be read."""
    if not gone:
        return []
    names = ", ".join(map(str, gone[:_MOST_NAMED])) + (", ..." if gone[_MOST_NAMED:] else "")
    who = "a child process" if len(gone) == 1 else f"{len(gone)} child processes"
    return [Notice(Source.PROCFS, f"{who} of {pid} ended before being read ({names})", None, pid)]


def _describe(pid: int, found: Subjects, limits: Turns, aside: Mapping[int, str]) -> Process:
    """What the kernel says of a process."""
    if pid in aside:
        return _briefly(pid, turns.not_read(pid, aside[pid]), found)
    turn = limits.listing()
    try:
        with heartbeat.at(pid, heartbeat.brief(turn.patience_s), turn.processor_s):
            started = life.started(pid)
            process = processes.read_process(pid)
            found.notices += _command_notices(process)
            same = process.pid == pid
            found.started_at[process.pid] = started if same else life.started(process.pid)
    except OverrunError:
        return _briefly(pid, turns.took_long(pid, "what the kernel says of it", turn), found)
    return process


def _briefly(pid: int, notice: Notice, found: Subjects) -> Process:
    """A process that is not looked into, for the reason that *notice* tells."""
    found.notices.append(notice)
    gap = Gap(MEMORY, notice.message, notice.fix)
    return replace(processes.read_briefly(pid), incomplete=(MEMORY,), gaps=(gap,))


def _command_notices(process: Process) -> list[Notice]:
    """That a process keeps its command line from being read."""
    if process.state == "Z" or len(process.cmdline) > 1:
        return []  # one that is withheld shows as one word, the kernel's name
    try:
        withheld = files.is_withheld(files.PROC / str(process.pid))
    except (FileNotFoundError, ProcessLookupError):  # it has ended since
        return []
    if not withheld or life.ends(process.pid):
        return []
    message = "its command line is in memory that is not there, and somebody may have to supply it"
    return [Notice(Source.PROCFS, message, None, process.pid)]


def state_notices(process: Process) -> list[Notice]:
    """What the kernel says of a process that explains by itself why it does not run."""
    pid, notices = process.pid, []
    if process.tracer_pid:
        message = f"process {pid} is traced by process {process.tracer_pid}, which may hold it"
        fix = f"ps -o pid,args -p {process.tracer_pid}"
        notices.append(Notice(Source.PROCFS, message, fix, pid, process.tracer_pid))
    if process.state == "T":
        message = (
            f"process {pid} is stopped (SIGSTOP or SIGTSTP): nothing in it moves until SIGCONT"
        )
        notices.append(Notice(Source.PROCFS, message, f"kill -CONT {pid}", pid))
    if process.around and process.around.children is None and has_too_many_children(pid):
        message = f"it has more than {MAX_CHILDREN} child processes: they are left out"
        notices.append(Notice(Source.PROCFS, message, None, pid))
    if process.state == "Z" and not process.threads:
        message = f"process {pid} has ended; its parent {process.ppid} has not reaped it"
        notices.append(Notice(Source.PROCFS, message, None, pid))
    return notices
