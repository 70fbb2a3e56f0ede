"""Notices of a capture, without what a busy machine alone brings about."""

from collections.abc import Iterable
from typing import Any

from hangtui.model import Notice

CROWDED = "no processor was free"
"""What such a notice begins with."""


def told(notices: Iterable[Notice | dict[str, Any]]) -> list[Notice | dict[str, Any]]:
    """Those of a capture, or of its JSON, that do not tell of the machine's load."""
    return [one for one in notices if not _message(one).startswith(CROWDED)]


def _message(notice: Notice | dict[str, Any]) -> str:
    return notice.message if isinstance(notice, Notice) else str(notice["message"])
