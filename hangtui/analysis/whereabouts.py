"""Where the application stands: its own innermost frame, and the package that it called there."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from hangtui.analysis.origins import Owner, origin_of
from hangtui.analysis.places import (
    application_index,
    line_and_function,
    package_of,
    program_frame,
)
from hangtui.model import Capture, NodeId, NodeKind, PythonFrame, Where


def where_of(stack: Sequence[PythonFrame]) -> Where | None:
    """Where the program whose *stack* this is stands, innermost frame first."""
    frame = program_frame(stack)
    if frame is None:
        return None
    own = package_of(frame)
    inside = reversed(stack[: stack.index(frame)])
    called = next((one for one in inside if package_of(one) not in (None, own)), None)
    package, version = _distribution(called or frame)
    return Where(frame.function, frame.filename, frame.line, package, version)


def in_application(where: Where) -> bool:
    """Whether the frame is the application's, and not a package's for want of a better one."""
    return origin_of(where.filename, where.function).owner is Owner.APPLICATION


def told(where: Where) -> str:
    """``shop.py:31 (load_price), in SQLAlchemy 2.0.51``."""
    place = line_and_function(PythonFrame(where.function, where.filename, where.line))
    if where.package is None:
        return place
    return f"{place}, in {where.package}{f' {where.version}' if where.version else ''}"


def _distribution(frame: PythonFrame) -> tuple[str | None, str | None]:
    """Name and version of the distribution that a frame belongs to, else what it is imported as."""
    if frame.package is None:
        return package_of(frame), None
    name, _, version = frame.package.rpartition(" ")
    return (name, version) if name else (frame.package, None)


class Whereabouts:
    """The stacks of one capture."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture

    def of(self, nodes: Iterable[NodeId]) -> Where | None:
        """Where the first of *nodes* stands that is in the application; if none is, where the
        first stands that has a frame of a package. Of a task that comes first no thread tells: the
        line that runs its event loop is not where it waits."""
        known = [node for node in nodes if node in self._stacks]
        if known and known[0].kind is NodeKind.TASK:
            known = [node for node in known if node.kind is NodeKind.TASK]
        stacks = [self._stacks[node] for node in known]
        chosen = next((stack for stack in stacks if application_index(stack) is not None), None)
        if chosen is not None:
            return where_of(chosen)
        return next((where for stack in stacks if (where := where_of(stack))), None)

    @cached_property
    def _stacks(self) -> Mapping[NodeId, Sequence[PythonFrame]]:
        threads, tasks = self._capture.threads(), self._capture.tasks
        found = {one.id: one.python_stack for one in threads if one.python_stack}
        return found | {one.id: one.python_stack for one in tasks if one.python_stack}
