"""A capture as a report to read: findings first, then cycles, then every thread."""

from collections import Counter
from collections.abc import Iterator, Sequence

from hangtui.analysis import coverage
from hangtui.analysis.native_threads import library_of
from hangtui.analysis.places import short_path
from hangtui.analysis.state_words import STATE_WORDS
from hangtui.analysis.states import ThreadState
from hangtui.analysis.waitgraph import Cycle
from hangtui.analysis.whereabouts import told
from hangtui.diagnosis import Diagnosis
from hangtui.findings.english import runs
from hangtui.findings.rings import ring_with_timeout
from hangtui.findings.roles import beside, roles_of
from hangtui.findings.wakeups import event_loop_stalled, mutual_wait, nobody_left
from hangtui.model import (
    Finding,
    GilState,
    NodeKind,
    Pid,
    Process,
    Severity,
    Thread,
    clean,
    host_of,
    own,
)
from hangtui.rank_classes import RankClass, told_once
from hangtui.report.below_title import below_title
from hangtui.report.cycle_rows import actors_of, cycle_rows
from hangtui.report.drawing import ASCII, UNICODE, Signs, cut, wrapped
from hangtui.report.hold_rows import hold_rows
from hangtui.report.stack_rows import stack_rows
from hangtui.report.task_rows import task_rows

_MOST_HOLDERS = 8
"""Named of one thing that is waited for: a lock of readers can have thousands."""
_ALIKE = 3
"""So many threads of one library in the same functions are told as one."""
_MAY_BE = {mutual_wait.ID, nobody_left.ID, event_loop_stalled.ID, ring_with_timeout.ID}
"""Findings after which it would mislead that no deadlock was found."""
_ACTORS = (NodeKind.THREAD, NodeKind.TASK, NodeKind.GREENLET)


def to_text(diagnosis: Diagnosis, width: int = 100, *, ascii_only: bool = False) -> str:
    """The report on a capture, in lines of *width* columns."""
    report = _Report(diagnosis, max(width, 40), ASCII if ascii_only else UNICODE)
    return "".join(f"{clean(line)}\n" for line in report.lines())


def finding_lines(finding: Finding, width: int = 100) -> Iterator[str]:
    """One finding in full, in lines of *width* columns; not cleaned."""
    head = f"{finding.severity.upper()}: "
    yield from wrapped(f"{finding.title}  [{finding.certainty}]", width, head)
    if more := below_title(finding):
        yield ""
        yield from wrapped(more, width, "  ")
    if finding.where:
        yield ""
        yield from wrapped(told(finding.where), width, "  where: ")
    for title, texts in (
        ("why", finding.evidence),
        ("not known", finding.unknown),
        ("what to try", finding.advice),
    ):
        if texts:
            yield ""
            yield f"  {title}"
        for number, text in enumerate(texts, 1):
            yield from wrapped(text, width, f"  {number:>2}. ")


class _Report:
    def __init__(self, diagnosis: Diagnosis, width: int, signs: Signs) -> None:
        self.diagnosis, self.width, self.signs = diagnosis, width, signs
        self.capture, self.graph = diagnosis.capture, diagnosis.graph
        self.roles = roles_of(diagnosis.capture)

    def lines(self) -> Iterator[str]:
        yield from self._findings()
        actors = actors_of(self.capture) if self.graph.cycles else {}
        for number, cycle in enumerate(self.graph.cycles, 1):
            yield ""
            yield f"CYCLE {number}: {self._size(cycle)}"
            yield from cycle_rows(cycle, actors, self.graph, self.signs, self.width)
        for process, like_it in told_once(self.diagnosis):
            yield ""
            yield from self._process(process, like_it)
        yield from self._notices()
        yield ""
        took = self.capture.took_ms
        host = f" on {self.capture.host}" if self.capture.host else ""
        yield from wrapped(
            f"captured{host} at {self.capture.taken_at}"
            f"{f' in {took:.0f} ms' if took is not None else ''}"
            f" by {self.capture.tool.name} {self.capture.tool.version}",
            self.width,
        )

    def _findings(self) -> Iterator[str]:
        every = self.diagnosis.findings
        for finding in every:
            yield from finding_lines(finding, self.width)
            yield ""
        # Whoever was told of a crash does not ask for deadlocks.
        if not self.graph.cycles and all(one.severity is not Severity.ERROR for one in every):
            yield from self._no_deadlock(possible=any(one.id in _MAY_BE for one in every))
        states = Counter(self._state(thread) for thread in self.capture.threads())
        parts = [
            f"{states[state]} {STATE_WORDS[state].counted}"
            for state in ThreadState
            if states[state]
        ]
        count = sum(states.values())
        plural = "" if count == 1 else "s"
        yield from wrapped(f"{count} thread{plural}: {', '.join(parts) or 'none'}.", self.width)

    def _no_deadlock(self, *, possible: bool) -> Iterator[str]:
        dark = coverage.overlooked(self.capture)
        for pid, gaps in dark.items():
            text = f"No deadlock found, but {coverage.sentence(pid, gaps)}."
            yield from wrapped(text, self.width)
        if dark:
            return
        if self.capture.pending:
            text = f"No deadlock found, but not all was read: {', '.join(self.capture.pending)}."
            yield from wrapped(text, self.width)
            return
        if not possible:
            yield "No deadlock found." if self.capture.processes else "No process was looked at."

    def _process(self, process: Process, stands_for: RankClass | None) -> Iterator[str]:
        python, role = process.python, self.roles.get(process.pid, "")
        if stands_for is not None:
            name, count = stands_for.name.upper(), len(stands_for.processes)
            text = f"{name}: {count} processes in the same places, as this one; --json has all"
            yield from wrapped(text, self.width)
        facts = [
            f"PROCESS {process.pid}",
            role,
            beside(role, process.title),
            python.title if python else "not known to be Python",
            f"{len(process.threads)} thread{'' if len(process.threads) == 1 else 's'}",
        ]
        if process.stopped_for_ms is not None:
            stopped = process.stopped_for_ms
            facts.append(f"stopped for {stopped:.1f} ms" if stopped else "was not stopped")
        if process.tracer_pid:
            facts.append(f"traced by {process.tracer_pid}")
        yield cut("  ".join(filter(None, facts)), self.width, self.signs.more)
        if process.cmdline:
            yield cut(f"  {' '.join(process.cmdline)}", self.width, self.signs.more)
        if process.place:
            yield cut(f"  {process.place}", self.width, self.signs.more)
        for gpu in (process.around.gpus if process.around else None) or ():
            yield cut(f"  {gpu.told}", self.width, self.signs.more)
        yield from self._threads(process)
        yield from task_rows(process, self.capture, self.graph, self.signs, self.width)

    def _threads(self, process: Process) -> Iterator[str]:
        """Those last that libraries run for themselves; many of them as one."""
        shown: dict[object, Thread] = {}
        ordered = sorted(process.threads, key=self._place)
        alike: dict[object, list[Thread]] = {}
        keys = list(map(self._likeness, ordered))
        for key, thread in zip(keys, ordered, strict=True):
            alike.setdefault(key, []).append(thread)
        for key, thread in zip(keys, ordered, strict=True):
            those = alike[key]
            if len(those) < _ALIKE:
                those = [thread]
            if thread is those[0]:
                yield ""
                yield from self._thread(thread, shown, those)

    def _place(self, thread: Thread) -> tuple[bool, int, Pid]:
        native = library_of(thread, self.graph) is not None
        return native, self._state(thread).rank, thread.tid

    def _likeness(self, thread: Thread) -> object:
        """The same for threads of one library that stand in the same functions of it."""
        library = library_of(thread, self.graph)
        call = thread.syscall.name if thread.syscall else None
        return (library, _functions(thread), self._state(thread), call) if library else thread.id

    def _thread(
        self, thread: Thread, shown: dict[object, Thread], those: Sequence[Thread]
    ) -> Iterator[str]:
        """A thread, and how many others are alike: *those*, with itself."""
        state = self._state(thread)
        facts = [STATE_WORDS[state].word, thread.name, f"TID {thread.tid}"]
        if those[1:]:
            library = library_of(thread, self.graph)
            facts[1:] = [f"{len(those)} threads of {library}", f"TID {_tids(those)}"]
        if thread.gil is GilState.HOLDS:
            facts.append("holds the GIL")
        if thread.still_ms is not None and thread.still:
            facts.append(f"did not run for {thread.still_ms:.0f} ms")
        yield cut("  ".join(facts), self.width, self.signs.more)
        for text in (*self._waits(thread), *hold_rows(self.graph, thread.id)):
            yield from wrapped(text, self.width, "  ", "    ")
        if thread.syscall is not None:
            detail = f": {thread.syscall.detail}" if thread.syscall.detail else ""
            yield from wrapped(
                f"system call {thread.syscall.name}{detail}", self.width, "  ", "    "
            )
        key = (thread.python_stack, _functions(thread))
        twin = shown.setdefault(key, thread)
        if key == (None, None):
            yield "  no stack was read"
        elif twin is not thread:
            yield f"  the same stacks as {twin.name}, TID {twin.tid}"
        else:
            yield from (f"  {row}" for row in stack_rows(thread, self.signs, self.width - 2))

    def _state(self, thread: Thread) -> ThreadState:
        return self.diagnosis.states[thread.id]

    def _waits(self, thread: Thread) -> Iterator[str]:
        for edge in self.graph.waits_of(thread.id):
            holds = self.graph.holders_of(edge.target)
            holders = [
                f"{self.graph.label(hold.target)} ({hold.evidence.certainty})"
                for hold in holds[:_MOST_HOLDERS]
            ]
            if len(holds) > _MOST_HOLDERS:
                holders.append(f"{len(holds) - _MOST_HOLDERS} more")
            held = f", held by {', '.join(holders)}" if holders else ""
            where = f" at {short_path(edge.evidence.where)}" if edge.evidence.where else ""
            gives_up = ", until its timeout" if edge.expires else ""
            yield f"waits for {self.graph.label(edge.target)}{where}{held}{gives_up}"

    def _size(self, cycle: Cycle) -> str:
        kinds = Counter(node.kind for node in map(self.graph.node, cycle.nodes) if node)
        counts = [(kinds[kind], kind) for kind in _ACTORS if kinds[kind]]
        who = " and ".join(f"{n} {kind}{'' if n == 1 else 's'}" for n, kind in counts)
        if sum(n for n, _ in counts) == 1:
            return f"{who} waits for itself"
        return f"{who} wait for each other"

    def _notices(self) -> Iterator[str]:
        if self.capture.notices:
            yield ""
            yield "NOTICES"
        for notice in self.capture.notices:
            pid = f" (PID {notice.pid})" if notice.pid is not None else ""
            yield from wrapped(f"{notice.source}: {notice.message}{pid}", self.width, "  ", "    ")
            if notice.fix:
                yield from wrapped(f"fix: {notice.fix}", self.width, "    ", "      ")


def _tids(threads: Sequence[Thread]) -> str:
    """``890-904, 911``; of one process, so of one host."""
    host = host_of(threads[0].tid)
    numbers = ", ".join(runs(own(thread.tid) for thread in threads))
    return f"{numbers} on {host}" if host else numbers


def _functions(thread: Thread) -> tuple[tuple[str | None, str | None], ...] | None:
    native = thread.native_stack
    return None if native is None else tuple((frame.function, frame.module) for frame in native)
