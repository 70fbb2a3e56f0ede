"""What is known so far of the processes of a capture, and what had to be left out, and why."""

from dataclasses import replace

from hangtui.backends.capture import subjects
from hangtui.backends.capture.process_reader import ProcessReader
from hangtui.backends.capture.subjects import Subjects
from hangtui.backends.facts import Facts
from hangtui.backends.ipc.premises import released
from hangtui.backends.procfs import life
from hangtui.backends.procfs.life import Fate, GoneError
from hangtui.model import Gap, Notice, Process, Source, TargetError, clean

REST = "what was not read to the end"
"""What is missing of a process whose reading was cut short."""


class Record:
    """Facts, processes and notices while they are gathered."""

    def __init__(self, found: Subjects) -> None:
        self.facts = Facts()
        self.processes = dict(found.processes)
        """By PID."""
        self.notices = [*found.notices]
        self._started_at = found.started_at

    def add(self, found: Subjects) -> list[Process]:
        """Add processes; those that are new."""
        self.notices += [notice for notice in found.notices if notice not in self.notices]
        self._started_at = {**found.started_at, **self._started_at}
        new = [one for pid, one in found.processes.items() if pid not in self.processes]
        self.processes.update((process.pid, process) for process in new)
        return new

    def known(self) -> tuple[Process, ...]:
        """The processes, as they are known now."""
        return tuple(self.processes.values())

    def failed(self, pid: int, error: Exception) -> None:
        """Say that a process could not be opened, or not be read to the end."""
        if isinstance(error, GoneError):
            self._gone(self.processes[pid])
            return
        if isinstance(error, TargetError):
            self._closed(self.processes[pid], error)
            return
        message = f"process {pid} could not be read to the end: {type(error).__name__}: {error}"
        if isinstance(error, MemoryError):
            message = f"process {pid} could not be read to the end: it takes more than 4 GiB"
        if self.has_ended(pid):
            self.processes[pid] = replace(self.processes[pid], state="X")
            self.notices.append(Notice(Source.PROCFS, life.ended_while_read(pid), None, pid))
        else:
            self.cut(pid, REST, Notice(Source.PROCFS, clean(message, 200), None, pid))

    def cut(self, pid: int, missing: str, notice: Notice) -> None:
        """Mark a process of which something was not read: no rule must take that for absent."""
        if notice not in self.notices:
            self.notices.append(notice)
        process = self.processes[pid]
        if missing not in process.incomplete:
            incomplete = (*process.incomplete, missing)
            gaps = (*process.gaps, Gap(missing, notice.message, notice.fix))
            self.processes[pid] = replace(process, incomplete=incomplete, gaps=gaps)

    def _closed(self, process: Process, error: TargetError) -> None:
        """Say why the memory of a process cannot be read."""
        pid = process.pid
        if self.has_ended(pid):
            self._gone(process)
            return
        from hangtui.backends.permission import access

        message, fix = access.explain(pid, error.message)
        notice = Notice(Source.PROCFS, message, error.fix or fix, pid)
        self.notices.append(notice)
        gap = Gap(subjects.MEMORY, message, notice.fix)
        self.processes[pid] = replace(process, gaps=(*process.gaps, gap))

    def is_another(self, reader: ProcessReader) -> bool:
        """Whether a PID means another program than at first: then nothing of either is kept."""
        pid = reader.pid
        state, gaps = "X", tuple[Gap, ...]()
        first = self.processes[pid]
        message, fix = life.ended_while_read(pid), None
        if not self.has_ended(pid):
            if not reader.is_gone:
                return False
            if not life.ends(pid):
                message = f"process {pid} became another program while it was read"
                fix = f"hangtui dump {pid}"
                state, gaps = first.state, (Gap("what runs now", message, fix),)
        self.facts.forget(pid, released(self.facts, pid))
        self.processes[pid] = Process(pid, first.ppid, first.cmdline, state, first.exe, gaps=gaps)
        reader.notices.clear()  # what could not be read is explained by this
        self.notices = [notice for notice in self.notices if notice.pid != pid]
        self.notices.append(Notice(Source.PROCFS, message, fix, pid))
        return True

    def has_ended(self, pid: int) -> bool:
        """Whether it is proven that a process is no more, or another one has its number."""
        return life.of_process(pid, self._started_at.get(pid)) is Fate.ENDED

    def _gone(self, process: Process) -> None:
        """Say that a process has no memory: it comes to its end, if it ever had one."""
        pid = process.pid
        message = f"process {pid} has no memory to read: it is a part of the kernel"
        if process.cmdline or life.ends(pid) or self.has_ended(pid):
            message = life.ended_while_read(pid)
        self.processes[pid] = replace(process, state="X")
        self.notices.append(Notice(Source.PROCFS, message, None, pid))
