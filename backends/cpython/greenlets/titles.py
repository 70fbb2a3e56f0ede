"""What to call a greenlet: by the thread that it stands for, its own name, or what it runs."""

from collections.abc import Mapping

from hangtui.backends.cpython.greenlets.units import GreenletReading
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.dataclass import dataclass
from hangtui.model import clean

_MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class Title:
    """The names of one greenlet."""

    name: str
    function: str | None = None
    """What it runs."""

    @property
    def short(self) -> str:
        """The function without its class, or the name."""
        return self.function.rpartition(".")[2] if self.function else self.name


class Titles:
    """Names greenlets; *threads*: the names of ``threading.Thread`` objects by their ``ident``,
    which is the greenlet's address once gevent has patched ``threading``."""

    def __init__(
        self, objects: Objects, threads: Mapping[int, str], mains: Mapping[int, str]
    ) -> None:
        self._objects = objects
        self._threads = threads
        self._mains = mains

    def of(self, greenlet: GreenletReading) -> Title:
        """Its name. Never raises."""
        raw = greenlet.raw
        if raw.main:
            is_first = greenlet.tid == self._objects.memory.pid
            return Title(self._mains.get(greenlet.tid or 0, "MainThread" if is_first else "main"))
        own = self._threads.get(raw.address) or self._own(raw.address)
        name = own or f"{self._type(raw.address)} at {raw.address:#x}"
        return Title(name, self._function(greenlet))

    def _type(self, address: int) -> str:
        kind = clean(self._objects.kind(address) or "greenlet", _MAX_NAME)
        return kind.rpartition(".")[2]

    def _own(self, address: int) -> str | None:
        """What the program has set as its name."""
        name = self._objects.attributes(address).get("name", 0)
        if self._objects.kind(name) != "str":
            return None
        try:
            with foreign_data():
                return clean(self._objects.text(name), _MAX_NAME) or None
        except DamagedDataError:
            return None

    def _function(self, greenlet: GreenletReading) -> str | None:
        """The outermost function of the program; what it is to run where none is called yet."""
        own = [frame for frame in greenlet.frames if not frame.in_library and not frame.installed]
        if own or greenlet.frames:
            return (own or greenlet.frames)[-1].code.function
        run = self._objects.attributes(greenlet.address).get("_run", 0) or greenlet.raw.run
        name = self._objects.function_name(run) if self._objects.kind(run) else None
        return clean(name, _MAX_NAME) if name else None
