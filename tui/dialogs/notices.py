"""What is missing in a capture, and how to get it."""

from rich.text import Text

from hangtui.model import Notice
from hangtui.tui.dialogs.help import Dialog
from hangtui.tui.rows.findings import notice_lines


class NoticesDialog(Dialog):
    """All notices of the present capture."""

    TITLE_TEXT = "Missing in this capture"

    def __init__(self, notices: tuple[Notice, ...]) -> None:
        super().__init__()
        self._notices = notices

    def lines(self, width: int) -> list[Text]:
        """The notices one below the other."""
        if not self._notices:
            return [Text("Nothing is missing.")]
        return [line for notice in self._notices for line in [*notice_lines(notice, width), Text()]]
