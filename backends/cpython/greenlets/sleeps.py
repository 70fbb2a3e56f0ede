"""How long a greenlet sleeps that is in its library's own ``sleep()``."""

import time

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.greenlets.units import GreenletReading
from hangtui.backends.cpython.library_sleeps import switched_sleep
from hangtui.backends.cpython.reader import PythonReader
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
        index = switched_sleep(unit.frames) - 1
        if unit.until is None or unit.waits or index < 0:
            return None
        seconds = self._frames.variables(unit.frames[index]).get("seconds", 0)
        return Sleep(self._containers.seconds(seconds), unit.until - time.monotonic())
