"""The lines around the screens: header, tabs and footer."""

from collections.abc import Iterable, Sequence
from dataclasses import field

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from hangtui.analysis import coverage
from hangtui.dataclass import dataclass
from hangtui.debugger import LiveState
from hangtui.model import Finding, HangtuiError, Severity, clean
from hangtui.tui.cells import cut, spread
from hangtui.tui.keys import STOPS, Key, ViewName
from hangtui.tui.rows.labels import clock_time, listed, plural
from hangtui.tui.session import CaptureView, Session
from hangtui.tui.theme import (
    ACTIVE_TAB,
    KEY,
    MUTED,
    NOT_READ,
    SEVERITY_SIGNS,
    SEVERITY_STYLES,
    STOPPED,
)

WIDE = 100
"""From this width on there are boxes."""
WORDS = 76
"""From this width on the screens are called by whole words."""
SLOW_S = 1.0
"""A take that lasts longer counts its seconds."""
_SHORT_NAMES = {
    ViewName.OVERVIEW: "Over",
    ViewName.THREAD: "Thrd",
    ViewName.WAITS: "Wait",
    ViewName.FINDINGS: "Find",
    ViewName.CRASH: "Crash",
    ViewName.MERGED: "Merg",
}


@dataclass(frozen=True, slots=True)
class Status:
    """What goes on beside the captures that are there."""

    taking: bool = False
    pending: tuple[str, ...] = ()
    """The sources that are still being read."""
    held: LiveState = field(default_factory=LiveState)
    """What the debugger does with its target."""
    failure: HangtuiError | None = None
    """Why the last take ended without a whole capture."""
    auto: bool = False
    interval_s: float = 2.0
    """Seconds between automatic captures."""
    taking_s: float = 0.0
    """For how long the running take has lasted."""
    live: bool = True


def header(session: Session, status: Status, width: int) -> Text:
    """Which target, which capture, whether it was stopped, and the worst finding."""
    wide = width >= WIDE
    left = Text("hangtui", "bold")
    view = session.current
    if view is not None:
        left.append("  " if wide else " ").append(_target(view, session, wide=wide))
    right = Text()
    if view is not None:
        count = len(session.views)
        here = session.index + 1
        time = clock_time(view.capture.taken_at)
        right.append(f"capture {here} of {count} · {time}" if wide else f"{here}/{count} {time}")
    _stopped(right, session, status, wide=wide)
    if view is not None:
        _worst(right, view.findings_of(session.process))
    return spread(left, right, width)


def too_small(session: Session, width: int) -> Text:
    """What stands for all that has no room: the worst finding, and the size that has room."""
    line, view = Text(), session.current
    if view is not None:
        _worst(line, view.findings_of(session.process))
        if not line.plain and view.capture.complete and coverage.overlooked(view.capture):
            line.append(NOT_READ, SEVERITY_STYLES[Severity.WARNING])
    needs = ("hangtui needs 60x16", "needs 60x16", "60x16")
    return line.append(next((f" {one}" for one in needs if len(line) + len(one) < width), ""))


def _worst(line: Text, findings: Sequence[Finding]) -> None:
    """The worst finding about the target that the header names, and how many more there are."""
    if findings:
        worst = findings[0]
        more = f" +{len(findings) - 1}" if len(findings) > 1 else ""
        text = f" {SEVERITY_SIGNS[worst.severity]} {clean(worst.id)}{more} "
        line.append(" ").append(text, SEVERITY_STYLES[worst.severity])


def _target(view: CaptureView, session: Session, *, wide: bool) -> str:
    processes = view.capture.processes
    pid = session.process if len(processes) > 1 else None
    chosen = view.capture.chosen(pid)
    host = clean(view.capture.host)
    if len(chosen) != 1:
        text = plural(len(processes), "process")
        return f"{text} · {host}" if wide else text
    process = chosen[0]
    if not wide:
        # The end is what a long finding cuts off.
        return f"{process.pid} {clean(process.title)}"
    python = f" · py{clean(process.python.version)}" if process.python else ""
    return f"{clean(process.title)} · pid {process.pid}{python} · {host}"


def _stopped(line: Text, session: Session, status: Status, *, wide: bool) -> None:
    """Whether a target stands still because of us: the one thing that must not be overlooked."""
    line.append(" · " if line.cell_len else "")
    held = status.held
    if held.stopped_s is not None:
        left = f", {held.resumes_in_s:.0f} s left" if held.resumes_in_s is not None else ""
        line.append(f" STOPPED {held.stopped_s:.0f} s{left} ", STOPPED)
        return
    if held.waiting_for:
        line.append(f" waits for {held.waiting_for} ", "bold reverse")
        return
    view = session.current
    stopped_ms = held.past_ms + (view.stopped_ms if view is not None else 0.0)
    if stopped_ms > 0:
        line.append(f"stopped {_time(stopped_ms)} · RESUMED", "bold")
    elif session.stopped_ms > 0:
        line.append("this one without a stop" if wide else "without a stop")
    else:
        line.append("read without a stop" if wide else "without a stop")


def _time(milliseconds: float) -> str:
    return f"{milliseconds:.1f} ms" if milliseconds < 50 else f"{milliseconds / 1000:.1f} s"


def tabs(active: ViewName, session: Session, status: Status, note: str, width: int) -> Text:
    """The screens with their numbers; to the right, what goes on."""
    words = width >= WORDS
    line = Text()
    for number, name in enumerate(ViewName, 1):
        if name is not active and unavailable(name, session):
            continue
        title = name.value.capitalize() if words else _SHORT_NAMES[name]
        label = f"{number} {title}{_count(name, session)}"
        click = Style(meta={"@click": f"app.view('{name.value}')"})
        if name is active:
            line.append(f"[{label}]", Style.parse(ACTIVE_TAB) + click)
        else:
            line.append(f" {label} ", click)
    return spread(line, _activity(session, status, note, max(width - line.cell_len - 1, 0)), width)


def _count(name: ViewName, session: Session) -> str:
    view = session.current
    if name is not ViewName.FINDINGS or view is None or not view.findings:
        return ""
    return f" {len(view.findings)}!"


def unavailable(name: ViewName, session: Session) -> str | None:
    """Why a screen cannot be opened; None if it can."""
    view = session.current
    if name is ViewName.CRASH and (view is None or view.capture.crash is None):
        return "Crash: this capture is of a process that did not crash"
    return None


def _activity(session: Session, status: Status, note: str, width: int) -> Text:
    """As many of these as fit, the most important first."""
    notices = session.current.notices if session.current else ()
    parts: list[tuple[str, str]] = []
    if status.taking:
        sources = f"reading: {listed(status.pending, 3)}" if status.pending else "reading …"
        if status.taking_s >= SLOW_S:
            sources += f" {status.taking_s:.0f} s (^K stops)"
        parts.append((sources, "bold"))
    if status.auto:
        parts.append((f"auto {status.interval_s:g} s", "bold"))
    if notices:
        parts.append((f"{plural(len(notices), 'notice')} (!)", "bold yellow"))
    if note:
        parts.append((note, MUTED))
    line = Text()
    for text, style in parts:
        gap = "  " if line.cell_len else ""
        if line.cell_len + len(gap) + cell_len(text) > width:
            if not line.cell_len:
                line.append(cut(text, width), style)
            continue
        line.append(gap).append(text, style)
    return line


def footer(keys: Iterable[tuple[Key, bool]], width: int, *, live: bool = False) -> Text:
    """The keys that work now, most useful first, as many as fit; dim: not at the moment. *live*:
    there is a process, which some of them stop."""
    every = sorted(keys, key=lambda pair: pair[0].rank or 0)
    last = [key for key, _ in every if key.id in ("help.open", "quit")]
    tail = Text.assemble(*(_entry(key, enabled=True) for key in last))
    if live and any(key.stop for key, _ in every):
        tail = Text.assemble((f"{STOPS} stops it for ms  ", MUTED), tail)
    line = Text(" ")
    for key, enabled in every:
        if key in last:
            continue
        entry = _entry(key, enabled=enabled, live=live)
        if line.cell_len + entry.cell_len + tail.cell_len > width:
            break
        line.append_text(entry)
    line.append_text(tail)
    return line


def _entry(key: Key, *, enabled: bool, live: bool = False) -> Text:
    click = Style(meta={"@click": f"app.press_key('{key.id}')"})
    bold = Style.parse(KEY if enabled else MUTED) + click
    plain = (Style() if enabled else Style.parse(MUTED)) + click
    shown = (key.shown.split() or [":"])[0] + (STOPS if key.stop and live else "")
    return Text.assemble((shown, bold), (f" {key.label}  ", plain))


def hint(text: str, width: int) -> Text:
    """What a lesson says."""
    line = Text.assemble((" try  ", KEY), text)
    line.truncate(width, overflow="ellipsis")
    return line


def failure_line(failure: HangtuiError, session: Session, width: int) -> Text:
    """What went wrong, what to do about it, and what is shown instead."""
    parts = [failure.message]
    if failure.fix:
        parts.append(failure.fix)
    if (view := session.current) is not None:
        parts.append(f"this is the capture of {clock_time(view.capture.taken_at)}")
    return Text(cut(f" ! {' · '.join(parts)}", width), "bold")


def progress_words(pending: Sequence[str]) -> str:
    """What a list says that has no rows yet."""
    return f"reading {listed(pending, 4)} …" if pending else "reading …"
