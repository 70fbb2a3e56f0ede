"""What moved since the capture before."""

from rich.text import Text

from hangtui.tui.dialogs.help import Dialog
from hangtui.tui.rows.changes import change_lines
from hangtui.tui.session import Session


class ChangesDialog(Dialog):
    """The present capture beside the one before it."""

    TITLE_TEXT = "What moved"

    def __init__(self, session: Session) -> None:
        super().__init__()
        at = session.index % len(session.views) if session.views else 0
        self._view = session.current
        self._before = session.views[at - 1] if at > 0 else None

    def lines(self, width: int) -> list[Text]:
        """The threads that changed."""
        return change_lines(self._before, self._view, width)
