"""The questions behind the drawers: what to ask for a spot, and how to show the answer."""

from collections.abc import Awaitable, Callable, Mapping
from enum import Enum

from hangtui.dataclass import dataclass
from hangtui.debugger import Debugger, LockKind, Variables
from hangtui.model import Resource, TargetError, clean
from hangtui.tui.debugger import contents
from hangtui.tui.debugger.contents import Content
from hangtui.tui.debugger.spot import Spot
from hangtui.tui.session import CaptureView

_LOCK_SIZE = 56
"""Bytes of the largest lock, sizeof(pthread_rwlock_t)."""


class Slot(Enum):
    """Where a drawer opens; the value is the widget's id."""

    CODE = "code"
    DATA = "data"


class Drawer(Enum):
    """What a drawer shows; the value is the word for it."""

    SOURCE = "source"
    DISASSEMBLY = "disassembly"
    VARIABLES = "variables"
    REGISTERS = "registers"
    MEMORY = "memory"
    LOCK = "lock"

    @property
    def slot(self) -> Slot:
        """Code stands left, data right."""
        return Slot.CODE if self in (Drawer.SOURCE, Drawer.DISASSEMBLY) else Slot.DATA

    @property
    def follows(self) -> bool:
        """Whether it is asked anew for another frame."""
        return self not in (Drawer.MEMORY, Drawer.LOCK)

    @property
    def takes_focus(self) -> bool:
        """Whether its rows are there to be chosen from."""
        return self in (Drawer.REGISTERS, Drawer.MEMORY, Drawer.LOCK)


@dataclass(frozen=True, slots=True)
class Query:
    """What a drawer is asked to show."""

    drawer: Drawer
    spot: Spot
    where: str = ""
    """An address or expression, for memory and locks."""
    kind: LockKind | None = None
    full: bool = False
    """Values as long as they are."""


async def ask(query: Query, debugger: Debugger, view: CaptureView) -> Content:
    """The content of a drawer.

    Raises:
        TargetError: there is no answer.
    """
    return await _ASKERS[query.drawer](query, debugger, view)


async def _source(query: Query, debugger: Debugger, view: CaptureView) -> Content:
    spot = query.spot
    if spot.python is not None:
        answer = await debugger.python_source(spot.python)
        return contents.source(answer, marks(view, answer.path, spot))
    answer = await debugger.native_source(spot.at)
    return contents.source(answer, marks(view, answer.path, spot), debugger.about)


async def _disassembly(query: Query, debugger: Debugger, view: CaptureView) -> Content:  # noqa: ARG001
    answer = await debugger.disassembly(query.spot.at)
    return contents.disassembly(answer, debugger.about)


async def _variables(query: Query, debugger: Debugger, view: CaptureView) -> Content:  # noqa: ARG001
    """Those of the Python frame and, on a row that has one, of the native frame as well."""
    spot = query.spot
    found: list[Variables] = []
    if spot.python is not None:
        asked = debugger.python_variables(spot.at.tid, spot.index, spot.python, query.full)
        found.append(await _or_reason(asked, f"Python locals of {clean(spot.python.function)}"))
    if spot.native or spot.python is None:
        native = debugger.native_variables(spot.at)
        found.append(await _or_reason(native, f"arguments and locals of #{spot.at.number}"))
    return contents.variables(found)


async def _or_reason(question: Awaitable[Variables], title: str) -> Variables:
    """One side's failure costs that side."""
    try:
        return await question
    except TargetError as error:
        return Variables(title, (), f"{error.message}{f' · {error.fix}' if error.fix else ''}")


async def _registers(query: Query, debugger: Debugger, view: CaptureView) -> Content:
    answer = await debugger.registers(query.spot.at)
    return contents.registers(answer, known_locks(view, query.spot.pid), debugger.about)


async def _memory(query: Query, debugger: Debugger, view: CaptureView) -> Content:  # noqa: ARG001
    return contents.memory(await debugger.memory(query.spot.at, query.where), "")


async def _lock(query: Query, debugger: Debugger, view: CaptureView) -> Content:  # noqa: ARG001
    return contents.lock(await debugger.lock(query.spot.at, query.where, query.kind))


_ASKERS: Mapping[Drawer, Callable[[Query, Debugger, CaptureView], Awaitable[Content]]] = {
    Drawer.SOURCE: _source,
    Drawer.DISASSEMBLY: _disassembly,
    Drawer.VARIABLES: _variables,
    Drawer.REGISTERS: _registers,
    Drawer.MEMORY: _memory,
    Drawer.LOCK: _lock,
}


def known_locks(view: CaptureView, pid: int) -> contents.Known:
    """What the capture calls what lies at an address."""
    resources = [item for item in view.capture.resources if item.pid == pid]

    def label(address: int) -> str:
        return next((clean(r.label) for r in resources if _covers(r, address)), "")

    return label


def _covers(resource: Resource, address: int) -> bool:
    return (
        resource.address <= address < resource.address + _LOCK_SIZE if resource.address else False
    )


def marks(view: CaptureView, path: str, spot: Spot) -> dict[int, str]:
    """Which lines of a file threads wait in, and in which they took what they hold."""
    name = path.rpartition("/")[2]
    found: dict[int, str] = {}
    for thread in view.capture.threads():
        if thread.pid != spot.pid:
            continue
        own = thread.tid == spot.at.tid
        who = "" if own else f"{clean(thread.name)} "
        wait = view.graph.wait_of(thread.id)
        places = [
            (hold.evidence.where, f"{who}holds since here")
            for hold in view.graph.held_by(thread.id)
        ]
        places += [(wait.evidence.where, f"{who}waits here")] if wait else []
        for where, text in places:
            line = _line_in(where, name)
            if line and (own or line not in found):
                found[line] = text
    return found


def _line_in(where: str | None, name: str) -> int | None:
    """The line of ``file.py:12`` or ``file.py:12 (function)``, if the file is called *name*."""
    file, _, rest = (where or "").partition(":")
    number = rest.split(" ", 1)[0]
    return int(number) if file.rpartition("/")[2] == name and number.isdecimal() else None
