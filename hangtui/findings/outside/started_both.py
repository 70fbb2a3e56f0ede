"""The process that has started two others of which one holds the other one up."""

from hangtui.findings.stack_queries import below_application, does, main_thread
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Pid


def told_parent(one: Pid, other: Pid, words: Words) -> str:
    """`` Process 7 has started both: there, MainThread waits at main.py:9 (connect) ...``, of a
    parent of both whose main thread waits itself, for something else than their ends; or nothing.
    """
    both = [words.capture.process(pid) for pid in (one, other)]
    parents = {process.ppid if process else None for process in both}
    pid = parents.pop()
    parent = words.capture.process(pid) if pid is not None and not parents else None
    main = main_thread(parent) if parent is not None and one != other else None
    if main is None or main.id not in words.lasting or not below_application(main):
        return ""
    if words.lasting[main.id].kind is NodeKind.PROCESS:
        return ""  # that it waits for these is told there
    return f" Process {pid} has started both: there, {does(main, words)}."
