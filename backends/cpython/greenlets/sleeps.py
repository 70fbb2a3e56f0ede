"""How long a greenlet sleeps that is in its library's own ``sleep()``."""

import time

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.greenlets.units import GreenletReading
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.sleep_loops import switched_sleep
from hangtui.model import Sleep


class Sleeps:
    """Reads it from the frames of one interpreter's greenlets."""

    def __init__(self, python: PythonReader) -> None:
        self._frames = python.frames
        self._containers = Containers(python.objects, python.codes)

    def of(self, unit: GreenletReading) -> Sleep | None:
        """None: it does not sleep so.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        index = switched_sleep(unit.frames)
        if unit.until is None or unit.waits or index < 0:
            return None
        seconds = self._frames.variables(unit.frames[index]).get("seconds", 0)
        total = self._containers.number(seconds)
        total = self._containers.integer(seconds) if total is None else total
        return Sleep(total, unit.until - time.monotonic())
