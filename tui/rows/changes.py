"""What moved since the capture before, as lines."""

from collections.abc import Iterator

from rich.text import Text

from hangtui.analysis.changes import Change, ChangeKind, changes
from hangtui.model import Thread, clean
from hangtui.tui.cells import cut, pad
from hangtui.tui.rows import labels
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import ARROW, HEADING, MUTED

MOST = 400
"""More changed threads than this are only counted."""


def change_lines(before: CaptureView | None, view: CaptureView | None, width: int) -> list[Text]:
    """The threads that are not as they were, and the findings that came and went."""
    if view is None or before is None:
        return [Text("There is no earlier capture to compare with; r takes another one.")]
    return list(_lines(before, view, width))


def _lines(before: CaptureView, view: CaptureView, width: int) -> Iterator[Text]:
    found = changes(before.capture, before.graph, view.capture, view.graph)
    times = [labels.clock_time(one.capture.taken_at) for one in (before, view)]
    alike = len(view.threads) - sum(change.kind is not ChangeKind.ENDED for change in found)
    yield Text(
        cut(
            f"{times[0]} {ARROW} {times[1]}: {labels.plural(len(found), 'thread')} changed, "
            f"{alike} stood where they were",
            width,
        ),
        HEADING,
    )
    for sign, ours, others in (("+", view, before), ("-", before, view)):
        known = {finding.key for finding in others.findings}
        for finding in ours.findings:
            if finding.key not in known:
                yield Text(cut(f"{sign} {finding.title}", width), "bold")
    yield Text()
    for change in found[:MOST]:
        yield from _change(before, view, change, width)
    if len(found) > MOST:
        yield Text(f"… {len(found) - MOST} more", MUTED)


def _change(before: CaptureView, view: CaptureView, change: Change, width: int) -> Iterator[Text]:
    thread = change.thread
    name = cut(f"{clean(thread.name)} {thread.tid}", max(width - 20, 1))
    yield Text.assemble((pad(change.kind.value, 18), HEADING), " ", name)
    if change.kind is ChangeKind.MOVED and change.before is not None:
        yield Text(cut(f"  was {_where(before, change.before)}", width), MUTED)
        yield Text(cut(f"  is  {_where(view, thread)}", width))
    elif change.kind is ChangeKind.WAIT and change.before is not None:
        yield Text(cut(f"  was {_wait(before, change.before)}", width), MUTED)
        yield Text(cut(f"  is  {_wait(view, thread)}", width))
    else:
        own = before if change.kind is ChangeKind.ENDED else view
        yield Text(cut(f"      {_where(own, thread)}", width), MUTED)


def _where(view: CaptureView, thread: Thread) -> str:
    return f"{labels.top_frame(thread) or 'nowhere known'} · {_wait(view, thread)}"


def _wait(view: CaptureView, thread: Thread) -> str:
    wait = view.graph.wait_of(thread.id)
    return f"waits for {labels.wait_label(view, wait)}" if wait else "no wait known"
