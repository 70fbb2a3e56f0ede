"""The Python threads of a parent that a fork has not copied, and that serve the package in which a
thread of the child waits."""

from collections.abc import Sequence

from hangtui.analysis.places import application_index, package_of
from hangtui.dataclass import dataclass
from hangtui.findings.english import joined, listed
from hangtui.findings.stack_queries import name_of, own_frame, told
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import Executor, Helper, Process, Thread


@dataclass(frozen=True, slots=True)
class LeftInParent:
    """Who was to end a wait, and is in another process."""

    package: str
    """In which the child waits, and which these run: ``wandb``."""
    threads: tuple[Thread, ...]
    parent: str
    """``process 7``."""

    @property
    def names(self) -> str:
        """``wandb-AsyncioManager-main``."""
        return joined([thread.name or str(thread.tid) for thread in self.threads[:NAMES_LISTED]])

    @property
    def told(self) -> str:
        """Where they are, and why they are not here."""
        runs = "runs" if len(self.threads) == 1 else "run"
        return (
            f"{self.names} of {self.parent}, from which it was forked, {runs} {self.package}'s "
            "code: fork() copies only the thread that calls it"
        )


def left_in_parent(thread: Thread, words: Words) -> LeftInParent | None:
    """Those for what *thread* waits for in a package, if it is the only Python thread of a fork;
    None: there are none, or that is not known."""
    process = words.capture.process(thread.pid)
    parent = _parent(process, words) if process else None
    stack = thread.python_stack or ()
    inside = stack[: application_index(stack) or len(stack)]
    package = next((name for frame in inside if (name := package_of(frame))), None)
    if parent is None or process is None or package is None or _several(process):
        return None
    there = tuple(one for one in parent.threads if _serves(one, package))
    return LeftInParent(package, there, words.process_name(parent.pid)) if there else None


def own_left_in_parent(thread: Thread, words: Words) -> str:
    """The same of the threads of the parent that run the application's code, where none of a
    package's is waited for: ``counter (stock.py:10 (count)) is only in process 7, ...``; empty:
    there are none, or that is not known."""
    process = words.capture.process(thread.pid)
    parent = _parent(process, words) if process else None
    if parent is None or process is None or _several(process):
        return ""
    own = ((one, own_frame(one)) for one in parent.threads if one.tid != parent.pid)
    there = [f"{one.name or one.tid} ({told(frame)})" for one, frame in own if frame]
    if not there:
        return ""
    verb = "is" if len(there) == 1 else "are"
    return (
        f"{listed(there)} {verb} only in {words.process_name(parent.pid)}, from which it was "
        "forked: fork() copies only the thread that calls it"
    )


def helper_in_parent(executor: Executor, helper: Helper, words: Words) -> Process | None:
    """The process whose thread the *helper* is, where *executor* is a copy that a fork made: its
    workers are children of that one; None: it is no copy, or that is not known."""
    process = words.capture.process(executor.pid)
    parent = _parent(process, words) if process else None
    children = (parent.around.children if parent and parent.around else None) or ()
    if parent is None or not any(one.pid in executor.worker_pids for one in children):
        return None
    there = any(
        helper.name in (None, one.name)
        and any(name_of(frame) == helper.role for frame in one.python_stack or ())
        for one in parent.threads
    )
    return parent if there else None


def _parent(process: Process, words: Words) -> Process | None:
    parent = process.around.forked_from if process.around else None
    return None if parent is None else words.capture.process(parent)


def _several(process: Process) -> bool:
    return len([thread for thread in process.threads if thread.is_python]) > 1


def _serves(thread: Thread, package: str) -> bool:
    """Whether it runs code of the package alone, in a thread that this has started."""
    stack = thread.python_stack or ()
    used: Sequence[str] = [name for frame in stack if (name := package_of(frame))]
    own = application_index(stack) is None
    return thread.tid != thread.pid and own and bool(used) and set(used) == {package}
