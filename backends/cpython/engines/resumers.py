"""Who comes to have a paused engine go on, once it goes on itself: by the code of its frames."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.bytecode import Bytecode
from hangtui.backends.cpython.engines.ends import ASKS, RESUMES
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.wakers.mentions import Mentions
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.model import NodeId, Resumer, clean, thread_id

_MOST_FRAMES, _MOST_TEXT = 20, 80


def add_resumers(
    pid: int, python: PythonReader, tasks: Mapping[NodeId, tuple[Frame, ...]], facts: Facts
) -> None:
    """Add them of a process in which somebody waits for an engine; *tasks*: the frames of each.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    stacks = {thread_id(pid, tid): frames for tid, frames in python.stacks.items()} | dict(tasks)
    if not any(frame.code.filename.endswith(ASKS) for one in stacks.values() for frame in one):
        return
    spent = python.objects.memory.spent
    mentions = Mentions(Bytecode(python.objects.layout.version, spent), spent)
    for node, frames in stacks.items():
        with suppress(DamagedDataError), foreign_data():
            facts.resumers += _coming(node, frames, python, mentions)


def _coming(
    node: NodeId, frames: Sequence[Frame], python: PythonReader, mentions: Mentions
) -> Iterator[Resumer]:
    """Where its frames come to that first."""
    for frame in filter(of_application, frames[:_MOST_FRAMES]):
        code = frame.code
        if RESUMES.isdisjoint(code.names):
            continue
        for one in mentions.ahead(code, frame.instruction).mentions:
            if one.name in RESUMES and one.called != one.until:
                line = python.codes.line(code, one.offset)
                place = f"{code.file}:{line}" if line else code.file
                yield Resumer(node, clean(f"{one.text(code)}()", _MOST_TEXT), place)
                return
