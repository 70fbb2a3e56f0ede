"""The bars around the screens: made here, and given their lines."""

from collections.abc import Iterator, Sequence

from textual.dom import DOMNode

from hangtui.tui import status as lines
from hangtui.tui.keys import Key, ViewName
from hangtui.tui.session import Session
from hangtui.tui.status import Status
from hangtui.tui.widgets.bar import Bar


def above() -> Iterator[Bar]:
    """The bars above the screens."""
    for name in ("header", "tabs", "failure", "too-small"):
        yield Bar(id=name)


def below() -> Iterator[Bar]:
    """The bars below the screens."""
    for name in ("hint", "footer"):
        yield Bar(id=name)


def show_bars(
    around: DOMNode,
    session: Session,
    status: Status,
    active: tuple[ViewName, str],
    keys: Sequence[tuple[Key, bool]],
    hint: str | None = None,
) -> None:
    """Show header, tabs, failure and footer.

    Args:
        around: what the bars are in.
        session: what is shown.
        status: what goes on beside it.
        active: the screen that is shown, and its note.
        keys: those of the footer, and whether they do something at the moment.
        hint: what a lesson says; None: there is none.
    """

    def bar(name: str) -> Bar:
        return around.query_one(f"#{name}", Bar)

    name, note = active
    bar("header").show(lambda width: lines.header(session, status, width))
    bar("tabs").show(lambda width: lines.tabs(name, session, status, note, width))
    failure = status.failure
    bar("failure").set_class(failure is not None, "-shown")
    if failure is not None:
        bar("failure").show(lambda width: lines.failure_line(failure, session, width))
    bar("too-small").show(lambda width: lines.too_small(session, width))
    bar("hint").set_class(hint is not None, "-shown")
    bar("hint").show(lambda width: lines.hint(hint or "", width))
    bar("footer").show(lambda width: lines.footer(keys, width, live=status.live))
