"""Whether a thread or a task is at rest, and what shows it.

A rest needs a positive proof: the kernel says that a client, a signal or the clock ends it, or the
thread is in the own loop of a library, with no line of the application above which it waits. Who
waits below a line of the application is not at rest, whatever it waits for.
"""

from collections.abc import Collection, Iterable, Mapping

from hangtui.analysis.latest import of_latest
from hangtui.analysis.places import (
    application_index,
    package_of,
)
from hangtui.analysis.schedulers import unread_on
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.beyond_doubt import in_a_test
from hangtui.findings.collectives import collective
from hangtui.findings.english import article, counted
from hangtui.findings.exits import exit_of
from hangtui.findings.in_flight import in_flight
from hangtui.findings.inert import OF_THE_PROCESS, waits_for_work
from hangtui.findings.joined_in_vain import joined_in_vain
from hangtui.findings.loops import terms_of
from hangtui.findings.outside.prompts import prompt_of
from hangtui.findings.package_queries import (
    hands_over,
    makes_object,
    serving_package,
    takes_one_connection,
    takes_one_request,
)
from hangtui.findings.protocols import awaits_answer
from hangtui.findings.resources import OWED
from hangtui.findings.rest.calls import from_outside, hears, sleeps
from hangtui.findings.rest.lines import SHALLOW, Rest, below_line, serving
from hangtui.findings.rest.other_loops import tasks_run_within
from hangtui.findings.rest.tasks import TaskRests
from hangtui.findings.rhythm import wakes_often
from hangtui.findings.run_for_answer import calls_for_something
from hangtui.findings.services import is_service
from hangtui.findings.shapes import (
    Stack,
    awaits_unread,
    depth,
    ends_others,
    serves_client,
    stops_clock,
    takes_from_queue,
)
from hangtui.findings.stack_queries import below_application, kind_of, name_of, runs_task, told
from hangtui.findings.thresholds import LAZY_SHARE
from hangtui.findings.words import Words
from hangtui.model import (
    Capture,
    EventLoop,
    LoopState,
    NodeId,
    NodeKind,
    Process,
    Thread,
    thread_id,
)

_ENDED = "ZX"
_GIVES = frozenset({"write", "send", "enqueue", "linger"})
"""What one does who waits for room."""
_WRITES = frozenset({"write", "send", "sendall", "drain"})
_ROOM = {NodeKind.CONDITION, NodeKind.EVENT}
"""What those wait for, in functions of such names, who wait until somebody has read."""
_NO_WORK = "is a pool worker, waiting for work"


@of_latest
def rests_of(words: Words) -> "Rests":
    """The rests of the capture of *words*; two rules ask for them, one after the other."""
    return Rests(words)


class Rests:
    """The rests of one capture."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self._loops = _loops(words.capture, LoopState.IDLE)
        self._at_work = _loops(words.capture, LoopState.BUSY).keys()
        self._tasks = TaskRests(words)
        self._asked: dict[NodeId, Rest | None] = {}

    @property
    def idle_loops(self) -> frozenset[NodeId]:
        """The threads whose event loop has nothing to run."""
        return frozenset(self._loops)

    def all_of(self, process: Process) -> list[tuple[Thread, Rest]]:
        """Why each thread rests; empty: one does not, or nothing is to come for any of them, or
        somebody in its family waits for an answer."""
        if process.pid in in_flight(self.words.capture):
            return []
        found: list[tuple[Thread, Rest]] = []
        for thread in process.threads:
            if (rest := self.of(thread)) is None:
                return []
            found.append((thread, rest))
        return found if any(rest.outside for _, rest in found) else []

    def among(
        self, threads: Iterable[Thread], others: Collection[NodeId]
    ) -> list[tuple[Thread, Rest]]:
        """Those of *threads* that rest, and why, but for *others*."""
        left = (one for one in dict.fromkeys(threads) if one.id not in others)
        return [(one, rest) for one in left if (rest := self.of(one))]

    def of(self, thread: Thread) -> Rest | None:
        """Why it is at rest; None: it is not, or that cannot be told."""
        if thread.id not in self._asked:
            self._asked[thread.id] = None  # who waits for itself, by a join, does not rest
            self._asked[thread.id] = self._of(thread)
        return self._asked[thread.id]

    def _of(self, thread: Thread) -> Rest | None:
        if thread.state not in ("S", "I") and not self._just_woke(thread):
            return None
        if collective(thread) is not None or awaits_answer(thread) or _stopped_clock(thread):
            return None  # the other ranks, its workers or the clock owe it something
        wait, stack = self.words.graph.wait_of(thread.id), thread.python_stack
        gives = wait is not None and self.words.operation(wait) in _GIVES
        if gives or prompt_of(thread, self.words) is not None:
            return None  # a person does, or whoever takes what it has
        if loops := self._loops.get(thread.id):
            at_work = thread.id in self._at_work
            return None if at_work else _both([self._of_loop(loop, thread) for loop in loops])
        if thread.is_python is False:
            owed = wait is not None and self._is_owed(thread, wait)
            return None if owed else Rest("is a native thread, asleep", outside=False)
        within = tasks_run_within(thread, self.words)
        busy = any(not self._tasks.rests(task, loop) for loop, task in within)
        if stack is None or busy or unread_on(thread, self.words.capture):
            return None
        writes = _writes(stack, kind_of(wait, self.words) if wait else None)
        if not writes and (waits_for_work(thread) or is_service(thread, self.words)):
            rest = self._service(thread, stack, wait)
            return rest or Rest("is a library's own thread, with nothing to do", outside=False)
        return self._of_stack(thread, stack, wait)

    def _is_owed(self, thread: Thread, wait: Edge) -> bool:
        """Whether somebody has what a native thread waits for: of a pipe through which its own
        process tells it what to do, nobody has anything."""
        holds = self.words.graph.holders_of(wait.target)
        inside = all(hold.target.pid == thread.pid for hold in holds)
        told = wait.target.kind is NodeKind.PIPE and self.words.operation(wait) == "read"
        return bool(holds) and not (told and inside)

    def _just_woke(self, thread: Thread) -> bool:
        """Whether it was about to go back to sleep: a loop that ticks was seen awake by chance."""
        seen = self.words.progress.get(thread.id)
        used = seen.busy if seen else thread.busy
        return thread.state == "R" and used is not None and used <= LAZY_SHARE

    def _of_stack(self, thread: Thread, stack: Stack, wait: Edge | None) -> Rest | None:
        kind = kind_of(wait, self.words) if wait else None
        index = application_index(stack)
        operation = self.words.operation(wait) if wait else None
        once = takes_one_request(stack, index) or takes_one_connection(thread, index)
        serves = not (makes_object(stack, index) or once)
        accepts = operation == "accept" and serves
        # Who has sent a question by UDP before waits for the answer, which may be lost.
        anybody = operation == "message" and not thread.asks and _serves(stack, index)
        if wait and (accepts or anybody):
            where = "" if index is None else f" at {told(stack[index])}"
            return Rest(f"is waiting{where} {self.words.goal(wait)}", outside=True)
        if wait and kind is NodeKind.THREAD:
            done = exit_of(thread) is not None and self._looks(wait.target)
            return None if done else self._join(wait, stack)
        if index is None and takes_from_queue(stack):
            return Rest("is waiting for an item in the queue of its pool", outside=True)
        if wait and index is None and kind is NodeKind.PROCESS and exit_of(thread) is None:
            return Rest(f"watches over {self.words.name(wait.target)}", outside=False)
        if kind in OWED or (wait and self.words.graph.holders_of(wait.target) and not _io(kind)):
            return None
        if index is None:
            return self._service(thread, stack, wait)
        if hands_over(stack, index):
            # One client that says nothing keeps a server from all others; and who sleeps and looks
            # again, or waits for another thread, may wait for what its child does, or, with nobody
            # beside it, for what never comes.
            looks = self._has_children(thread) or self._ticks_alone(thread, wait)
            looks = looks and not hears(thread)
            own = kind is NodeKind.SOCKET or looks
            return None if own else serving(thread, stack, index, wait, self.words)
        return below_line(thread, stack, index, wait, self.words)

    def _ticks_alone(self, thread: Thread, wait: Edge | None) -> bool:
        """Whether it wakes up by the clock alone, and nobody is there whom it would let work in
        between: no other thread that runs Python; none at all, if it does nothing but look whether
        one of them has brought something."""
        process, call = self.words.capture.process(thread.pid), thread.syscall
        others = [one for one in (process.threads if process else ()) if one.id != thread.id]
        if call is not None and call.sleeps:
            return not any(one.is_python for one in others)
        brought = wait is not None and wait.expires and wait.target.kind in OF_THE_PROCESS
        return brought and not others and thread.id in self.words.looking

    def _has_children(self, thread: Thread) -> bool:
        """Whether a child of its process lives, or that is not known."""
        process = self.words.capture.process(thread.pid)
        around = process.around if process else None
        children = around.children if around else None
        return children is None or any(child.state not in _ENDED for child in children)

    def _of_loop(self, loop: EventLoop, thread: Thread) -> Rest | None:
        tasks = self.words.tasks_of(loop)
        stack = thread.python_stack or ()
        if loop.stopped_clock or loop.owes or (not tasks and awaits_unread(stack)):
            return None
        if calls_for_something(thread) and not any(map(below_application, tasks)):
            return None
        if not all(self._tasks.rests(task, loop) for task in tasks):
            return None
        timers = counted(loop.timers or 0, "timer") if loop.timers else ""
        watched = counted(loop.watched, "connection") if loop.watched else ""
        for_ = " and ".join(filter(None, (watched, timers)))
        terms = terms_of(loop)
        if terms.walked and not thread.still:
            return None  # one of them may have been missed
        unit = terms.unit
        who = f", its {counted(len(tasks), unit)} at rest" if tasks else f" and has no {unit}"
        outside, what = bool(for_ or loop.signal_handlers), article(terms.whole)
        if not for_:
            return Rest(f"runs {what} that waits to be woken{who}", outside)
        return Rest(f"runs {what} that waits for {for_}{who}", outside)

    def _join(self, wait: Edge, stack: Stack) -> Rest | None:
        """It waits for a thread to end, which is at rest itself: not where it is about to end that,
        nor in a test, which is to end; nor where that waits for what nobody puts any more."""
        other = self.words.thread(wait.target)
        process = self.words.capture.process(wait.source.pid)
        if ends_others(stack) or (process and in_a_test(process)):
            return None
        if joined_in_vain(wait.source, self.words):
            return None
        rest = self.of(other) if other else None
        known = other is not None and other.is_python
        if rest is None or other is None or not known or depth(stack, SHALLOW + 1) > SHALLOW:
            return None
        name, own = self.words.thread_name(other), application_index(stack)
        where = f" at {told(stack[own])}" if own is not None else ""
        return Rest(f"is waiting{where} for {name} to end", rest.outside, rest.own_sleep)

    def _looks(self, node: NodeId) -> bool:
        """Whether a thread only looks again and again for what others do."""
        return node in self.words.looking or wakes_often(self.words.progress.get(node))

    def _service(self, thread: Thread, stack: Stack, wait: Edge | None) -> Rest | None:
        """It is in a library's own loop; nothing of the application is on its stack."""
        if (stack and name_of(stack[0]) == "_worker" and wait is None) or waits_for_work(thread):
            return Rest(_NO_WORK, outside=False)
        kind = kind_of(wait, self.words) if wait else None
        if serves_client(stack, kind):
            return Rest("serves a client and is waiting for its next request", outside=True)
        # A function of a package that was given to a pool or a thread may wait for an answer.
        answer = kind is NodeKind.SOCKET or runs_task(stack) or _writes(stack, kind)
        ticks = thread.state == "R"  # and hardly used a processor
        if answer or (wait is None and not sleeps(thread) and not ticks):
            return None
        package = serving_package(stack)
        whose = f"{package}'s own code" if package else "the standard library's own code"
        for_ = self.words.goal(wait) if wait else "for its next turn" if ticks else "for a while"
        ends = (
            thread.tid == thread.pid or from_outside(thread) or bool(wait and wait.expires) or ticks
        )
        return Rest(f"is waiting {for_} in {whose}", outside=ends)


def _stopped_clock(thread: Thread) -> bool:
    """Whether it has a timeout, and may count that by a clock that stands."""
    timed = thread.syscall is not None and thread.syscall.timed is True
    return timed and stops_clock(thread.python_stack or ()) is not None


def _loops(capture: Capture, state: LoopState) -> Mapping[NodeId, list[EventLoop]]:
    """The event loops that are in this state, by the threads that run them: one may be the guest of
    another."""
    found: dict[NodeId, list[EventLoop]] = {}
    for loop in capture.event_loops:
        if loop.tid is not None and loop.state is state:
            found.setdefault(thread_id(loop.pid, loop.tid), []).append(loop)
    return found


def _both(rests: list[Rest | None]) -> Rest | None:
    """The rest of a thread whose loops are all at rest."""
    known = [rest for rest in rests if rest is not None]
    if len(known) < len(rests):
        return None
    outside = any(rest.outside for rest in known)
    return Rest(" and ".join(rest.says for rest in known), outside)


def _writes(stack: Stack, kind: NodeKind | None) -> bool:
    """Whether it waits inside of a call that writes, which somebody has to read to let it go on,
    and for no item to write."""
    return kind in _ROOM and any(name_of(frame) in _WRITES for frame in stack)


def _io(kind: NodeKind | None) -> bool:
    return kind in (NodeKind.SOCKET, NodeKind.PIPE)


def _serves(stack: Stack, index: int | None) -> bool:
    """Whether one who waits for a message from anybody may rest so: a package that the application
    called for something, as to look up a name, waits for the answer to what it has asked."""
    inside = stack[:index] if index is not None else ()
    return index is None or hands_over(stack, index) or not any(map(package_of, inside))
