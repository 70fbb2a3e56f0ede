"""What is asked about: the thread and frame under the cursor."""

from hangtui.dataclass import dataclass
from hangtui.debugger import FrameRef
from hangtui.model import PythonFrame, Thread
from hangtui.tui.rows.stacks import Frames


@dataclass(frozen=True, slots=True)
class Spot:
    """One row of a thread's stacks."""

    pid: int
    at: FrameRef
    """The native frame of the row, or the one that runs its Python frame."""
    python: PythonFrame | None = None
    index: int = 0
    """The Python frame's, 0 for the innermost."""
    native: bool = True
    """Whether the row has a native frame of its own."""


def spot_of(thread: Thread, frames: Frames | None, python_index: int) -> Spot:
    """The spot of a row; without one, the innermost native frame."""
    if frames is None:
        return Spot(thread.pid, FrameRef(thread.tid))
    own = frames.native is not None
    address = frames.native.address if frames.native is not None else None
    at = FrameRef(thread.tid, max(frames.number, 0), address)
    return Spot(thread.pid, at, frames.python, max(python_index, 0), own)
