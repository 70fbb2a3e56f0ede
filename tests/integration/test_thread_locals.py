"""What threads have in ``threading.local`` objects, read out of real interpreters."""

from pathlib import Path

import pytest

from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.thread_locals import thread_locals
from hangtui.backends.elf.images import Images
from hangtui.backends.memory.process_memory import ProcessMemory
from tests.integration.targets import Interpreter, interpreters, running

EACH = interpreters(tuple(f"3.{minor}" for minor in range(6, 13)))


@pytest.mark.parametrize("interpreter", EACH, ids=lambda one: one.id)
def test_each_thread_has_its_own(interpreter: Interpreter) -> None:
    with running("thread_locals", interpreter.path) as target:
        memory = ProcessMemory(target.pid)
        tids = {int(one.name): int(one.name) for one in Path(f"/proc/{target.pid}/task").iterdir()}
        python = PythonReader(memory, Images(memory), tids)
        found = [(name, python.objects.kind(value)) for name, value in thread_locals(python)]

    assert sorted(found) == [("clerk-1", "Slip"), ("clerk-2", "Slip")]
