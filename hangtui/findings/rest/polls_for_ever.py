"""Whether who looks again and again for something does so for good: nobody is left to change it."""

from collections.abc import Iterable

from hangtui.findings.polled import told_polling
from hangtui.findings.standstill import nobody_moves
from hangtui.findings.words import Words
from hangtui.model import Process, Task, Thread


def polls_for_ever(
    threads: Iterable[Thread], tasks: Iterable[Task], process: Process, words: Words
) -> bool:
    """Whether one of those of a process that are not at rest, seen over a second, does so; one that
    is alone may keep its program alive by that."""
    nodes = [*(one.id for one in threads), *(one.id for one in tasks)]
    if len(nodes) < 2 or not any(told_polling(node, words) for node in nodes):
        return False
    return nobody_moves(process, words)
