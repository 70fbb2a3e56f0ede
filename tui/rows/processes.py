"""The rows of the process tree, and the facts below it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from rich.cells import cell_len
from rich.text import Text

from hangtui.model import Process, clean
from hangtui.tui.cells import cut, pad, wrap
from hangtui.tui.rows.words import plural, state_label
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import SEVERITY_SIGNS, SEVERITY_STYLES, STATE_STYLES
from hangtui.tui.widgets.rowlist import Row

ALL = "all"
"""The key of the row that stands for every process."""


def process_rows(view: CaptureView) -> list[Row]:
    """The tree, below one row for all where there are several processes."""
    rows = [
        Row(str(process.pid), partial(_paint, view, process, branch), _search(process))
        for process, branch in _tree(view.capture.processes)
    ]
    if len(rows) > 1:
        rows.insert(0, Row(ALL, partial(_paint_all, view), ALL))
    return rows


def _search(process: Process) -> str:
    return f"{process.pid} {clean(' '.join(process.cmdline))}"


def _tree(processes: Sequence[Process]) -> Iterator[tuple[Process, str]]:
    """Each process with the lines of the tree before it, parents before children."""
    known = {process.pid for process in processes}
    children: dict[int, list[Process]] = {}
    for process in processes:
        parent = process.ppid if process.ppid in known and process.ppid != process.pid else 0
        children.setdefault(parent, []).append(process)
    yield from _branches(children, 0, "", set())


def _branches(
    children: Mapping[int, Sequence[Process]], parent: int, indent: str, seen: set[int]
) -> Iterator[tuple[Process, str]]:
    siblings = children.get(parent, ())
    for index, process in enumerate(siblings):
        if process.pid in seen:
            continue
        seen.add(process.pid)
        last = index == len(siblings) - 1
        sign = "" if parent == 0 else ("└ " if last else "├ ")
        yield process, indent + sign
        deeper = "" if parent == 0 else ("  " if last else "│ ")
        yield from _branches(children, process.pid, indent + deeper, seen)


def _paint(view: CaptureView, process: Process, branch: str, width: int) -> list[Text]:
    worst = view.worst_of(process)
    state = worst.letter if worst else process.state
    count = f"{len(process.threads)}t" if process.threads else "-"
    room = width - 8
    name = pad(cut(f"{branch}{process.pid} {process.title}", room), room)
    style = STATE_STYLES[worst] if worst else "dim"
    return [Text.assemble(name, " ", (pad(state, 1), style), " ", pad(count, 5, right=True))]


def _paint_all(view: CaptureView, width: int) -> list[Text]:
    threads = sum(len(process.threads) for process in view.capture.processes)
    count = pad(f"{threads}t", 6, right=True)
    room = max(width - cell_len(count), 0)
    return [Text(pad(f"all {len(view.capture.processes)} processes", room) + count)]


def facts(view: CaptureView, pid: int | None, width: int) -> list[Text]:
    """What is to be known beside the threads: findings, counts, what is missing."""
    chosen = [p for p in view.capture.processes if pid in (None, p.pid)]
    lines: list[Text] = []
    findings = view.findings_of(pid)
    for finding in findings:
        sign = SEVERITY_SIGNS[finding.severity]
        for number, line in enumerate(wrap(finding.title, width, f"{sign} ", "  ")):
            lines.append(Text(line))
            if number == 0:
                lines[-1].stylize(SEVERITY_STYLES[finding.severity], 0, 1)
    if not findings and view.capture.complete:
        lines.append(Text("No finding."))
    lines += [Text(), *_counts(view, chosen, width)]
    if len(chosen) == 1:
        lines += [Text(), *_process_facts(chosen[0], width)]
    if notices := view.notices:
        lines += [Text(), Text(f"{plural(len(notices), 'notice')}: press !", "bold yellow")]
    return lines


def _counts(view: CaptureView, processes: Sequence[Process], width: int) -> Iterator[Text]:
    states = Counter(view.states[thread.id] for process in processes for thread in process.threads)
    yield Text(cut(plural(sum(states.values()), "thread"), width), "bold")
    for state in sorted(states, key=lambda state: state.rank):
        label = pad(state_label(state), 8)
        yield Text.assemble((f"{states[state]:5} ", ""), (label, STATE_STYLES[state]))


def _process_facts(process: Process, width: int) -> Iterator[Text]:
    python = process.python
    pairs = [
        ("python", python.title if python else ""),
        ("command", " ".join(process.cmdline)),
        ("user", process.user or ""),
        ("memory", f"{process.rss_bytes / 2**20:.0f} MiB" if process.rss_bytes else ""),
        ("cpu", "" if process.cpu_percent is None else f"{process.cpu_percent:.0f} %"),
        ("container", process.container or ""),
        ("tracer", f"pid {process.tracer_pid}" if process.tracer_pid else ""),
    ]
    for name, value in pairs:
        if value:
            lines = wrap(value, width, pad(name, 9) + " ")
            shown = [*lines[:2], cut(f"{lines[2]} …", width)] if len(lines) > 3 else lines
            yield from (Text(line) for line in shown)
