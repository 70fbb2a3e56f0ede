"""The two stacks of a thread side by side, as one list with one cursor."""

from hangtui.analysis.places import application_index
from hangtui.model import Task, Thread
from hangtui.tui.rows.stacks import Frames, StackMode, missing_sides, stack_of
from hangtui.tui.widgets.rowlist import Narrowing, RowList


class StackList(RowList):
    """Python and native frames of one thread; ``/`` searches, because neighbours matter."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, narrowing=Narrowing.SEARCH)
        self._frames: dict[str, Frames] = {}
        self._shown: tuple[object, ...] = ()
        self._outermost_first = False
        self.reason: str | None = None
        self.folded = 0

    @property
    def frames(self) -> Frames | None:
        """What is under the cursor."""
        return self._frames.get(self.cursor_key or "")

    @property
    def python_index(self) -> int:
        """The index of the Python frame under the cursor, 0: the innermost, -1: there is none."""
        keys = [key for key, item in self._frames.items() if item.python is not None]
        if self.cursor_key not in keys:
            return -1
        at = keys.index(self.cursor_key)
        return len(keys) - 1 - at if self._outermost_first else at

    def show(self, thread: Thread | Task, mode: StackMode, *, pending: bool, fix: str = "") -> None:
        """Show the stacks of *thread*; the cursor begins at its innermost Python frame. *fix*: what
        would have those read that were not."""
        if self._shown == (thread, mode, pending):
            return
        same_thread = bool(self._shown) and self._shown[0] == thread
        missing = missing_sides(thread, pending=pending)
        stack = stack_of(thread, mode, missing)
        before = self.frames if same_thread else None
        self._shown, self._outermost_first = (thread, mode, pending), mode.outermost_first
        self._frames, self.reason, self.folded = stack.frames, stack.reason, stack.folded
        cursor = (
            self._find(before)
            or self._own(thread, mode)
            or next((key for key, item in stack.frames.items() if item.current), "0")
        )
        empty = " · ".join(dict.fromkeys(text for text in missing if text)) or "no frames"
        empty = f"stacks: {empty}{f' · to get them: {fix}' if fix and not pending else ''}"
        self.set_rows(stack.rows, heading=stack.heading, cursor=cursor, empty=empty)

    def _own(self, unit: Thread | Task, mode: StackMode) -> str | None:
        """Where there are few lines, the row of the application's own frame."""
        index = application_index(unit.python_stack or ()) if mode.brief else None
        own = (unit.python_stack or ())[index] if index is not None else None
        frames = self._frames.items()
        return next((key for key, item in frames if own is not None and item.python is own), None)

    def clear(self, empty: str) -> None:
        """Show nothing."""
        self._frames, self._shown, self.reason, self.folded = {}, (), None, 0
        self.set_titles("")
        self.set_rows((), empty=empty)

    def _find(self, item: Frames | None) -> str | None:
        """The row where the frames of *item* are now."""
        if item is None:
            return None
        return next(
            (
                key
                for key, other in self._frames.items()
                if (other.python, other.native) == (item.python, item.native)
            ),
            None,
        )
