"""The rows of the process tree."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from rich.cells import cell_len
from rich.text import Text

from hangtui.analysis.states import ThreadState
from hangtui.dataclass import dataclass
from hangtui.findings.roles import beside
from hangtui.model import Process, clean
from hangtui.rank_classes import RankClass
from hangtui.tui.cells import pad
from hangtui.tui.rows import labels
from hangtui.tui.rows.labels import state_label
from hangtui.tui.rows.row import Row
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import SEVERITY_SIGNS, STATE_STYLES

ALL = "all"
"""The key of the row that stands for every process."""
_ROOMY = 44
"""From this width on a process has its memory and CPU beside it."""
_SPACIOUS = 70
"""From this width on also its devices and its verdict."""
_VERDICT = 18
_DEVICES, _USE = 10, 14
"""The room for devices by their names, and with their use: ``GPU0 12.0G 97%``."""


@dataclass(frozen=True, slots=True)
class ProcessRows:
    """The rows of the tree, and what a filter looks at."""

    rows: Sequence[Row]
    every: Sequence[Row]
    """One for each process."""
    standing_for: Mapping[str, str]
    """The key of the row that stands for a process, where that is not its own."""


def process_rows(view: CaptureView, *, fold: bool = True) -> ProcessRows:
    """The tree, below one row for all where there are several processes. *fold*: one row for the
    ranks of a job that do the same."""
    gpus = any(process.around and process.around.gpus for process in view.capture.processes)
    room = _USE if gpus else _DEVICES
    placed = list(_tree(_worst_first(view)))
    every = [_row(view, process, branch, room) for process, branch in placed]
    head = [Row(ALL, partial(_paint_all, view), ALL)] if len(every) > 1 else []
    standing_for: dict[str, str] = {}
    shown: dict[int, str] = {}
    rows = []
    for row, (process, branch) in zip(every, placed, strict=True):
        known = view.rank_classes.get(process.pid) if fold else None
        if known is None or not known.is_one:
            rows.append(row)
        elif (first := shown.setdefault(known.processes[0].pid, row.key)) != row.key:
            standing_for[row.key] = first
        else:
            rows.append(_row(view, process, branch, room, known))
    return ProcessRows([*head, *rows], [*head, *every], standing_for)


def _row(
    view: CaptureView,
    process: Process,
    branch: str,
    device_room: int,
    standing_for: RankClass | None = None,
) -> Row:
    paint = partial(_paint, view, process, branch, device_room, standing_for)
    role, worst = view.roles.get(process.pid, ""), view.worst_of(process)
    words = (
        process.pid,
        role,
        clean(" ".join(process.cmdline)),
        state_label(worst) if worst else "",
    )
    return Row(str(process.pid), paint, " ".join(map(str, words)))


def _worst_first(view: CaptureView) -> list[Process]:
    """The processes, first by the worst finding, then by how few do the same, then by the worst
    thread: their own, or that of a child."""
    parents = {process.pid: process.ppid for process in view.capture.processes}
    ranks: dict[int, tuple[int, int, int]] = {}
    for process in view.capture.processes:
        worst = view.worst_of(process)
        findings = view.findings_of(process.pid)
        severity = findings[0].severity.rank if findings else len(SEVERITY_SIGNS)
        known = view.rank_classes.get(process.pid)
        alike = len(known.processes) if known else 1
        rank = (severity, alike, worst.rank if worst else len(ThreadState))
        pid, seen = process.pid, set[int]()
        while pid in parents and pid not in seen:
            seen.add(pid)
            ranks[pid] = min(ranks.get(pid, rank), rank)
            pid = parents[pid]
    return sorted(view.capture.processes, key=lambda process: ranks[process.pid])


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


def _paint(
    view: CaptureView,
    process: Process,
    branch: str,
    device_room: int,
    standing_for: RankClass | None,
    width: int,
) -> list[Text]:
    """One process; the wider the list, the more of it: threads, memory, CPU, devices, verdict."""
    worst = view.worst_of(process)
    count = f"{len(process.threads)}t" if process.threads else "-"
    parts = [(pad(worst.letter if worst else process.state, 1), _style(worst))]
    parts.append((pad(count, 5, right=True), ""))
    if width >= _ROOMY:
        parts.append((pad(labels.memory(process), 6, right=True), "dim"))
        parts.append((pad(labels.cpu(process), 5, right=True), "dim"))
    if width >= _SPACIOUS:
        parts.append((pad(_devices(process), device_room), ""))
        parts.append((pad(_verdict(view, process), _VERDICT), _style(worst)))
    room = max(width - sum(cell_len(text) + 1 for text, _ in parts), 8)
    name = pad(f"{branch}{_name(view, process, standing_for)}", room)
    return [Text.assemble(name, *(piece for part in parts for piece in (" ", part)))]


def _name(view: CaptureView, process: Process, standing_for: RankClass | None) -> str:
    """``7 train.py``, ``7 rank 3 train.py``, ``511 × ranks 0-2, 4-511``."""
    if standing_for is not None:
        return f"{len(standing_for.processes)} × {standing_for.name} {clean(process.title)}"
    role = clean(view.roles.get(process.pid, ""))
    return " ".join(filter(None, (str(process.pid), role, beside(role, clean(process.title)))))


def _style(worst: ThreadState | None) -> str:
    return STATE_STYLES[worst] if worst else "dim"


def _devices(process: Process) -> str:
    """``GPU0 12.0G 97%``, ``8 GPU 512.0G``, or the names of the devices that it has open."""
    if process.around is None:
        return ""
    gpus = process.around.gpus or ()
    if not gpus:
        return labels.listed(map(labels.file_name, process.around.devices or ()), 2)
    name = f"GPU{gpus[0].index}" if len(gpus) == 1 else f"{len(gpus)} GPU"
    known = [gpu.memory_bytes for gpu in gpus if gpu.memory_bytes is not None]
    memory = labels.size(sum(known)) if len(known) == len(gpus) else ""
    busy = gpus[0].busy if len(gpus) == 1 else None
    return " ".join(filter(None, (name, memory, "" if busy is None else f"{busy * 100:.0f}%")))


def _verdict(view: CaptureView, process: Process) -> str:
    """The worst finding about a process, else what its most interesting thread does."""
    findings = view.findings_of(process.pid)
    if findings:
        return f"{SEVERITY_SIGNS[findings[0].severity]} {clean(findings[0].id)}"
    worst = view.worst_of(process)
    return state_label(worst) if worst else ""


def _paint_all(view: CaptureView, width: int) -> list[Text]:
    threads = sum(len(process.threads) for process in view.capture.processes)
    count = pad(f"{threads}t", 6, right=True)
    room = max(width - cell_len(count), 0)
    return [Text(pad(f"all {len(view.capture.processes)} processes", room) + count)]
