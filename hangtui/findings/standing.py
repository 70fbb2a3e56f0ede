"""How it is known that threads, tasks and greenlets did not get on while they were read."""

from collections.abc import Sequence

from hangtui.findings.english import stillness
from hangtui.findings.loops import terms_for
from hangtui.findings.words import Actor, Words
from hangtui.model import Task


def stood_still(members: Sequence[Actor], words: Words) -> str:
    """That of all *members*, as one line of evidence. The thread of greenlets may have run on."""
    tasks = [member for member in members if isinstance(member, Task)]
    carriers = words.carriers(members)
    if len(tasks) == len(members) and not all(thread.still for thread in carriers):
        unit = terms_for(tasks, words.capture).unit
        return f"these {unit}s were read once more, all at once: nothing had changed"
    return stillness(carriers, loop=len(tasks) == len(members))
