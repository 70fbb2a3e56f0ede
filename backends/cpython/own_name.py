"""What ``multiprocessing`` calls a process, if somebody has given it a name."""

import re
from contextlib import suppress

from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import clean

_MODULES = ("multiprocessing.process", "multiprocess.process", "billiard.process")
_NUMBERED = re.compile(r"MainProcess|\w*(Process|Worker|Manager)-[\d:]+")
"""How the libraries themselves name processes: ``ForkProcess-1:2``, ``SpawnPoolWorker-3``."""
_MOST_NAME = 40


def own_name(python: PythonReader) -> str | None:
    """That name; None: it has none but a number, or was not started so. Never raises."""
    with suppress(MemoryReadError, DamagedDataError, BudgetSpentError), foreign_data():
        for module in _MODULES:
            process = python.module(module).get("_current_process", 0)
            name = python.objects.attributes(process).get("_name", 0) if process else 0
            if name and python.objects.kind(name) == "str":
                return given(python.objects.text(name))
    return None


def given(name: str) -> str | None:
    """A process's *name*, if somebody has given it that; None: the library did, by a number."""
    text = clean(name, _MOST_NAME)
    return text if text and not _NUMBERED.fullmatch(text) else None
