"""A process that does not run because something outside holds it: a signal, a debugger, a frozen
cgroup, or a device that does not answer."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from hangtui.analysis.places import place
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.needs import Needs
from hangtui.findings.outside.waiting_for_held import with_waiting
from hangtui.findings.stack_queries import main_thread
from hangtui.findings.thresholds import DISK_STILL_MS
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeId,
    NodeKind,
    Part,
    Process,
    Severity,
    Thread,
)

ID = "held-from-outside"
GROUND = ONE_WAIT
NEEDS = Needs(frozenset({Part.WAITS, Part.STILLNESS}), whole=False)
_LISTERS = {"strace", "ltrace"}
"""They stop what they trace at every call, for a moment."""
_FROZEN = "percpu_rwsem_wait"
"""Where writers to a frozen file system sleep: sb_start_write of linux/fs.h."""
_THAW = (
    "Its file system may be frozen (fsfreeze, a snapshot, a backup): fsfreeze -u MOUNTPOINT thaws "
    "it, once you know who froze it."
)
_STOPPED_AT = {
    "read": ("reads from", "SIGTTIN"),
    "ioctl": ("changes the settings of", "SIGTTOU"),
    "write": ("writes to", "SIGTTOU"),
}
"""What a background process does to its terminal when the kernel stops it, and by which signal."""
HELP = """\
How it is known: the kernel shows the state of every thread (T: stopped by a signal, t: held by a
debugger through ptrace, D: uninterruptible sleep), which process traces it, and whether its cgroup
is frozen. A thread after vfork is in state D as well, until its child starts a program: that is
told as a wait for a process.

Nothing in the program is at fault. A stopped process goes on after SIGCONT, unless the kernel stops
it because it reads from its terminal, or sets it as a password prompt does, while it is in the
background; a traced one when its
debugger lets it, a frozen one when its cgroup is thawed. State D ends when the device, the file
server or the driver answers; no signal gets through until then.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such process."""
    asleep = {thread.id: thread for thread in capture.threads() if _asleep(thread, graph)}
    rested = {one.thread: 1000 * one.unchanged_s for one in capture.progress}
    times = {node: max(t.still_ms or 0, rested.get(node, 0)) for node, t in asleep.items()}
    moved = {one.thread for one in capture.progress if one.ran}
    words = words_of(capture, graph)
    found = (one for process in capture.processes for one in _of(process, times, moved))
    return [with_waiting(_with_role(one, words), words) for one in found]


def _with_role(finding: Finding, words: Words) -> Finding:
    """With what the process is in its job, as in ``VLLM::Worker_TP1 (process 7) is stopped``."""
    (pid,) = finding.processes
    name = f"Process {pid}"
    if not (words.has_role(pid) and finding.title.startswith(name)):
        return finding
    return replace(finding, title=words.process_name(pid) + finding.title.removeprefix(name))


def _asleep(thread: Thread, graph: WaitGraph) -> bool:
    """Whether it is in uninterruptible sleep, and not merely because another process has to act."""
    if thread.state != "D" or thread.still is not True:
        return False
    wait = graph.wait_of(thread.id)
    node = graph.node(wait.target) if wait else None
    return node is None or node.kind is not NodeKind.PROCESS  # vfork


def _of(
    process: Process, asleep: Mapping[NodeId, float], moved: Collection[NodeId]
) -> Iterator[Finding]:
    """*asleep*: for how many milliseconds threads were seen in uninterruptible sleep."""
    thread = main_thread(process)
    if thread is None or process.state in ("Z", "X"):
        return
    frozen = process.around.frozen if process.around else None
    if frozen:
        yield _frozen(process, thread, frozen)
    elif process.tracer_pid and _kept(process, moved):
        yield _traced(process, thread)
    elif process.state == "T":
        yield _stopped(process, thread)
    else:
        times = [(one, asleep.get(one.id, 0.0)) for one in process.threads if one.state == "D"]
        yield from (_in_the_kernel(process, *one) for one in times if one[1] >= DISK_STILL_MS)


def _kept(process: Process, moved: Collection[NodeId]) -> bool:
    """Whether a debugger holds it, and not only for a moment, as one that lists system calls;
    *moved*: the threads that several looks saw to run."""
    lists_calls = process.around is not None and process.around.tracer in _LISTERS
    held = [one.id for one in process.threads if one.state == "t"]
    return bool(held) and not lists_calls and not all(one in moved for one in held)


def _where(thread: Thread) -> str:
    line = place(thread)
    return f" {thread.name} was at {line}." if line else ""


def _finding(process: Process, title: str, sentence: str, evidence: list[str],
             advice: list[str], thread: Thread | None = None) -> Finding:  # fmt: skip
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.CERTAIN,
        title=title,
        sentence=sentence,
        threads=tuple(ref(one) for one in ([thread] if thread else process.threads)),
        subject=thread.id if thread else process.id,
        processes=(process.pid,),
        evidence=tuple(evidence),
        advice=tuple(advice),
    )


def _all(process: Process) -> str:
    number = len(process.threads)
    return f"all its {number} threads" if number > 1 else "its only thread"


def _in_background(process: Process, thread: Thread) -> Finding | None:
    """Of one that was stopped at its terminal, whose foreground another one has."""
    call = thread.syscall
    background = process.around.background if process.around else None
    if not background or call is None or call.name not in _STOPPED_AT or not call.on_terminal:
        return None
    pid = process.pid
    does, signal = _STOPPED_AT[call.name]
    return _finding(
        process,
        f"Process {pid} is stopped: it {does} its terminal while it is in the background",
        f"Process {pid} ({process.title}) is in state T, in {call.name}(2) on its terminal "
        f"({call.detail}), of which another process group has the foreground: the kernel stops who "
        f"does that ({signal}), and stops it again after SIGCONT.{_where(thread)}",
        [
            f"the kernel shows {_all(process)} in state T (stopped)",
            f"{thread.name} is in {call.name}(2): {call.detail}",
            "by its stat the terminal's foreground process group is not its own",
        ],
        [
            "fg in the shell that started it   (gives it the terminal, and lets it go on)",
            (
                "If it is to run in the background, start it with < /dev/null, and do not ask for "
                f"input{_line(thread)}. If a program starts it that has the terminal: without "
                "process_group=0 (os.setpgrp) it shares the foreground, and with "
                "start_new_session=True it has no terminal to ask."
            ),
        ],
    )


def _line(thread: Thread) -> str:
    line = place(thread)
    return f" at {line}" if line else ""


def _stopped(process: Process, thread: Thread) -> Finding:
    if found := _in_background(process, thread):
        return found
    pid = process.pid
    return _finding(
        process,
        f"Process {pid} is stopped by a signal (state T)",
        f"Somebody stopped process {pid} ({process.title}) with SIGSTOP, SIGTSTP or the like. "
        "It is not blocked on anything of its own, it is just not running, and goes on where it "
        f"was when it gets SIGCONT.{_where(thread)}",
        [f"the kernel shows {_all(process)} in state T (stopped)"],
        [
            f"kill -CONT {pid}   (resumes it)",
            (
                "If it was started in the background of a shell: a read from its terminal stops it "
                "(SIGTTIN); start it with < /dev/null, or bring it to the foreground with fg."
            ),
        ],
    )


def _traced(process: Process, thread: Thread) -> Finding:
    tracer = process.tracer_pid
    name = process.around.tracer if process.around else None
    who = f"{name} (PID {tracer})" if name else f"process {tracer}"
    return _finding(
        process,
        f"Process {process.pid} is held by another debugger: {who}",
        f"Process {process.pid} ({process.title}) is in a tracing stop (ptrace): {who} is attached "
        "to it and holds it. Nothing in it runs until that debugger lets it go on or detaches, "
        f"and no other one can attach until then.{_where(thread)}",
        [
            f"TracerPid of process {process.pid} is {tracer}" + (f", {name}" if name else ""),
            "its threads are in state t (tracing stop)",
        ],
        [
            (
                f"In {name or 'the debugger'}: continue or detach; or end it: kill {tracer}   "
                "(its target goes on then)"
            ),
            f"ps -o pid,ppid,etime,args -p {tracer}   shows who started it and when",
        ],
    )


def _frozen(process: Process, thread: Thread, group: str) -> Finding:
    return _finding(
        process,
        f"Process {process.pid} is frozen: its cgroup is paused from outside",
        f"The cgroup freezer holds process {process.pid} ({process.title}): it is paused from "
        "outside, not blocked by anything of its own. Nothing in it runs, and not even SIGKILL "
        "takes "
        f"effect on some kernels, until the cgroup is thawed.{_where(thread)}",
        [f"{group} is frozen", f"its main thread is in state {thread.state}"],
        [
            f"echo THAWED > {group}/freezer.state" if "freezer" in group
            else f"echo 0 > {group}/cgroup.freeze",
            ("For a container: docker unpause, podman unpause or crictl; find out who paused it "
            "(a checkpoint, a snapshot, a job scheduler that suspends)."),
        ],
    )  # fmt: skip


def _in_the_kernel(process: Process, thread: Thread, still_ms: float) -> Finding:
    call = f" in the system call {thread.syscall.name}" if thread.syscall else ""
    detail = f" ({thread.syscall.detail})" if thread.syscall and thread.syscall.detail else ""
    place_ = f"kernel function {thread.wchan}" if thread.wchan else "a function not shown here"
    return _finding(
        process,
        f"{thread.name} is in uninterruptible sleep (state D){call}",
        f"{thread.name} of process {process.pid} waits inside the kernel{call}{detail}, for a "
        "disk, a network file system or a driver that does not answer. Signals do not interrupt "
        "that; some file systems let SIGKILL through, most sleeps of this kind do not."
        f"{_where(thread)}",
        [f"state D while it was watched for {still_ms:.0f} ms, in {place_}"],
        [
            *([_THAW] if thread.wchan == _FROZEN else []),
            (
                "Look for the device: dmesg | tail, mount | grep nfs, and the files that it has "
                f"open: ls -l /proc/{process.pid}/fd"
            ),
            f"sudo cat /proc/{process.pid}/task/{thread.tid}/stack   shows where in the kernel",
        ],
        thread,
    )
