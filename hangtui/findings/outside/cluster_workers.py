"""Which workers of Ray are there to run a task: those with nothing to do, and those that keep what
they were given while they wait for tasks themselves."""

import re
from collections.abc import Iterator

from hangtui.dataclass import dataclass
from hangtui.findings.stack_queries import name_of
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Process, Thread

_WORKER = "/ray/_private/worker.py"
_LOOP = "main_loop"
_STARTING = "default_worker.py"
"""What the program of a worker is called until it has joined its node (`setproctitle`)."""
_OFFER = re.compile(r"--static_resource_list=.*?\b(CPU,\d+)(?:\.0)?(?:,.*?\b(GPU,\d+))?")
"""What Ray's node gives its raylet at its start: ``CPU,8,GPU,2``."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Those that were captured."""

    resting: tuple[Process, ...]
    """They have nothing to do."""
    keeping: tuple[Thread, ...]
    """Actors that wait for tasks. Unlike a task, an actor keeps its CPUs while it waits."""
    starting: bool
    """One has yet to join its node."""
    offers: tuple[str, ...]
    """``raylet (process 12) has 8 CPUs``."""

    @property
    def none_free(self) -> bool:
        """Whether those that are there are seen to run no task."""
        return bool(self.resting or self.keeping) and not self.starting


def workers(words: Words) -> Workers:
    """Those of the capture."""
    processes = words.capture.processes
    return Workers(
        tuple(process for process in processes if _rests(process)),
        tuple(thread for thread in words.capture.threads() if _keeps(thread, words)),
        any(one.title == _STARTING for one in processes),
        tuple(offer for process in processes for offer in _offers(process)),
    )


def _rests(process: Process) -> bool:
    for thread in process.threads:
        frame = next(iter(thread.python_stack or ()), None)
        if frame and frame.filename.endswith(_WORKER) and name_of(frame) == _LOOP:
            return True
    return False


def _keeps(thread: Thread, words: Words) -> bool:
    graph = words.graph
    runs = any(hold.source.kind is NodeKind.ACTOR for hold in graph.held_by(thread.id))
    return runs and any(
        wait.target.kind is NodeKind.WORKER and not graph.holders_of(wait.target)
        for wait in graph.waits_of(thread.id)
    )


def _offers(process: Process) -> Iterator[str]:
    if process.title == "raylet":
        for word in process.cmdline:
            if found := _OFFER.match(word):
                parts = (one.split(",") for one in found.groups() if one)
                have = " and ".join(f"{n} {what}{'' if n == '1' else 's'}" for what, n in parts)
                yield f"raylet (process {process.pid}) has {have}"
