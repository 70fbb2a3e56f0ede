"""What all screens have in common."""

from typing import ClassVar

from textual.containers import Container
from textual.message import Message

from hangtui.model import Finding
from hangtui.tui.dialogs.explain import ExplainDialog
from hangtui.tui.keys import ViewName
from hangtui.tui.session import CaptureView, Session
from hangtui.tui.status import Status, progress_words
from hangtui.tui.widgets.lines import Lines
from hangtui.tui.widgets.rowlist import RowList
from hangtui.tui.widgets.textpane import TextPane


class ThreadPicked(Message):
    """A thread was selected, by its node id."""

    def __init__(self, thread: str) -> None:
        super().__init__()
        self.thread = thread


class ProcessPicked(Message):
    """A process was selected; None: all of them."""

    def __init__(self, pid: int | None) -> None:
        super().__init__()
        self.pid = pid


class ViewWanted(Message):
    """A screen shall be opened."""

    def __init__(self, name: ViewName) -> None:
        super().__init__()
        self.name = name


class View(Container):
    """One of the numbered screens."""

    NAME: ClassVar[ViewName]
    MAIN: ClassVar[str]
    """The id of the list that gets the focus and that ``/`` narrows."""

    @property
    def main(self) -> RowList:
        """The list that this screen is about."""
        return self.query_one(f"#{self.MAIN}", RowList)

    @property
    def note(self) -> str:
        """What the tab line says about this screen."""
        shown, every = self.main.shown
        if self.main.query_words:
            return f"filter: {self.main.query_words} · {shown} of {every}"
        return ""

    @property
    def pane(self) -> Lines:
        """The focused pane, or the main list."""
        focused = self.app.focused
        if isinstance(focused, Lines) and self in focused.ancestors:
            return focused
        return self.main

    def present(self, session: Session, status: Status) -> None:
        """Show *session*."""
        raise NotImplementedError

    def peel(self) -> bool:
        """Close what was opened last within the screen; whether there was anything."""
        return False

    def step(self, distance: int) -> bool:  # noqa: ARG002
        """Go to the previous or next item of this screen; False: it has none but threads."""
        return False

    def refresh_note(self) -> None:
        """Tell that the note in the tab line may be another one."""
        self.post_message(NoteChanged())

    def explained(self) -> Finding | None:
        """The finding that ``h`` explains."""
        return None

    def action_explain(self) -> None:
        """Say what the finding means."""
        self.app.push_screen(ExplainDialog(self.explained()))

    def copied(self, *, whole: bool) -> str:
        """What ``y`` or ``Y`` copies."""
        pane = self.pane
        if isinstance(pane, RowList):
            return pane.plain if whole else pane.cursor_text
        return pane.plain if isinstance(pane, TextPane) else ""


class NoteChanged(Message):
    """The note of a screen changed."""


def waiting_words(session: Session, status: Status) -> str:
    """What an empty list says."""
    view: CaptureView | None = session.current
    if status.failure is not None and view is None:
        return status.failure.message
    return progress_words(status.pending) if status.taking else "nothing was captured"
