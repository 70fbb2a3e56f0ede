"""Short phrases for frames, waits and times, the same on every screen."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from hangtui.analysis.frame_classifier import foreign_frame, short_name
from hangtui.analysis.places import function_of, program_frame
from hangtui.analysis.state_words import STATE_WORDS
from hangtui.analysis.states import ThreadState
from hangtui.analysis.waitgraph import Edge, Node
from hangtui.findings.thresholds import BUSY_SHARE
from hangtui.model import (
    NativeFrame,
    NodeKind,
    Process,
    PythonFrame,
    Task,
    TaskState,
    Thread,
    clean,
)
from hangtui.tui.session import CaptureView
from hangtui.tui.units import Unit


def state_label(state: ThreadState) -> str:
    """The word that findings use, in at most eight cells."""
    return STATE_WORDS[state].word


def unit_state(view: CaptureView, unit: Unit) -> str:
    """The same of what has a row; a task that is ready waits for nothing but its turn, and who is
    in a ring that is inferred waits."""
    if isinstance(unit, Task) and unit.state is TaskState.READY:
        return "ready"
    ring = view.graph.cycle_of(unit.id)
    if ring is not None and not ring.certainty.supports_claim:
        return state_label(ThreadState.WAIT)
    return state_label(view.state_of(unit))


def file_name(path: str) -> str:
    """The last part of a path."""
    return clean(path).rstrip("/").rpartition("/")[2] or clean(path)


def place(frame: PythonFrame) -> str:
    """``cache.py:88``."""
    line = "" if frame.line is None else f":{frame.line}"
    return file_name(frame.filename) + line


def native_name(frame: NativeFrame) -> str:
    """The function, or its address where it has no symbol."""
    return clean(frame.function) if frame.function else f"{frame.address:#x}"


def native_place(frame: NativeFrame) -> str:
    """Where a native frame is: its module, or its source line, or both."""
    module = module_name(frame.module) if frame.module else "?"
    if not (frame.file and frame.line):
        return module
    line = f"{file_name(frame.file)}:{frame.line}"
    # Whose source the interpreter's and libc's files are, everybody knows.
    return f"{module} {line}" if foreign_frame(frame) else line


def module_name(path: str) -> str:
    """``libc.so`` for ``/usr/lib/libc.so.6``: the version says little in a narrow column."""
    name, found, _ = file_name(path).partition(".so.")
    return f"{name}.so" if found else name


def own_place(unit: Thread | Task) -> tuple[str, str]:
    """Where somebody is, and in which function: the application's innermost Python frame; without
    one that of the package that was called; else the native function or the call in the kernel."""
    if stack := unit.python_stack:
        frame = program_frame(stack) or stack[0]
        return place(frame), clean(function_of(frame)).rpartition(".")[2]
    if isinstance(unit, Task):
        return "", ""
    if frames := unit.native_stack:
        # The code that called into libc says more than the function that waits for everybody.
        telling = next((frame for frame in frames if foreign_frame(frame)), frames[0])
        name = short_name(telling) or native_name(telling)
        return clean(name), f"({module_name(telling.module)})" if telling.module else ""
    if unit.syscall is not None:
        return f"(kernel) {clean(unit.syscall.name)}", ""
    return (f"(kernel) {clean(unit.wchan)}", "") if unit.wchan not in (None, "", "0") else ("", "")


def top_frame(thread: Thread) -> str:
    """The same in one."""
    return " ".join(filter(None, own_place(thread)))


def wait_label(view: CaptureView, edge: Edge | None) -> str:
    """What a wait is for."""
    node = view.graph.node(edge.target) if edge else None
    return shortest_node(view, node) if node else ""


def short_node(view: CaptureView, node: Node) -> str:
    """A node in as few words as it can be recognised by."""
    if node.kind is NodeKind.GIL:
        return "GIL"
    if node.kind is NodeKind.THREAD and node.tid is not None:
        thread = view.threads.get(node.id)
        return clean(thread.name) if thread else f"TID {node.tid} (gone)"
    return clean(node.label)


def shortest_node(view: CaptureView, node: Node) -> str:
    """As `short_node`, ``db_lock (threading.Lock)`` as ``db_lock``, where cells are few."""
    if node.kind is NodeKind.THREAD and node.id not in view.threads:
        return f"TID {node.tid}"
    resource = view.resources.get(node.id)
    if resource is not None and resource.name is None and resource.type_name and node.address:
        kind = resource.type_name.rpartition(".")[2]
        return f"{clean(kind)} …{node.address & 0xFFFF:04x}"
    plain = node.name is None or node.kind is NodeKind.GIL
    return short_node(view, node) if plain else clean(node.name or "")


def unit_name(view: CaptureView, unit: Unit) -> str:
    """What to call a row: a task by its function, and by its name where several run the same."""
    if isinstance(unit, Task):
        function = unit.function or unit.name
        several = view.task_functions[function] > 1 and unit.name != function
        name = f"…{unit.address & 0xFFFF:04x}" if unit.is_called_by_function else unit.name
        return clean(f"{function} {name}" if several else function)
    if isinstance(unit, Thread):
        return clean(unit.name) or f"TID {unit.tid}"
    return clean(unit.name)


def labelled(unit: Unit) -> str:
    """A name and a number: ``MainThread 4711``, ``task move (Task-2)``."""
    return (
        f"{clean(unit.name)} {unit.tid}"
        if isinstance(unit, Thread)
        else clean(unit.label if isinstance(unit, Task) else unit.name)
    )


def thread_name(view: CaptureView, thread: Thread) -> str:
    """A thread's name, with its process where there are several of them."""
    processes = view.capture.processes
    process = view.capture.process(thread.pid) if len(processes) > 1 else None
    name = clean(thread.name)
    return name if process is None else f"{name} {clean(process.title)}"


def holders_label(view: CaptureView, edge: Edge | None) -> str:
    """Who has what a thread waits for; a ``?`` where that is not certain."""
    if edge is None:
        return ""
    holds = view.graph.holders_of(edge.target)
    if not holds:
        return ""
    first = view.graph.node(holds[0].target)
    name = short_node(view, first) if first else holds[0].target
    doubt = "" if holds[0].evidence.certainty.supports_claim else "?"
    return name + doubt + (f" +{len(holds) - 1}" if len(holds) > 1 else "")


def actors(view: CaptureView, nodes: Iterable[str]) -> str:
    """``3 threads``, ``2 tasks``, ``1 thread and 1 task``: who of *nodes* waits, not for what."""
    kinds = Counter(
        node.kind.value
        for n in nodes
        if (node := view.graph.node(n)) is not None and not node.kind.is_resource
    )
    return " and ".join(plural(count, kind) for kind, count in sorted(kinds.items(), reverse=True))


def duration(seconds: float) -> str:
    """A time in at most four characters, never more than it was; in steps, because the same text
    need not be painted again."""
    if seconds < 1:
        return f"{int(seconds * 10) / 10:.1f}s"
    if seconds < 10:
        return f"{int(seconds)}s"
    if seconds < 120:
        return f"{int(seconds // 2 * 2)}s" if seconds < 30 else f"{int(seconds // 10 * 10)}s"
    if seconds < 7200:
        return f"{int(seconds // 60)}m"
    return f"{min(int(seconds // 3600), 999)}h"


def unchanged_label(view: CaptureView, thread: Thread) -> str:
    """Since when it has not run (``≥12s``); else how much of a processor it uses (``97%``), for
    how long captures saw the same stack (``~12s``), or that it is elsewhere than before."""
    stay = view.course.stays.get(thread.id)
    if stay is not None and stay.rest_s > 0:
        return "≥" + duration(stay.rest_s)
    if (busy := busy_share(view, thread)) is not None:
        return f"{busy:.0%}"
    if stay is not None and stay.seconds > 0:
        return "~" + duration(stay.seconds)
    if thread.id in view.course.moved:
        return "moved"
    if thread.still is None:
        return ""
    if not thread.still:
        return "ran"
    return "≥" + duration((thread.still_ms or 0.0) / 1000)


def since_phrase(view: CaptureView, thread: Thread) -> str:
    """The same as a phrase of a line: ``has not run for ≥12s``."""
    label = unchanged_label(view, thread)
    if label.startswith("≥"):
        return f"has not run for {label}"
    return f"same place for {label}, but ran" if label.startswith("~") else label


def busy_share(view: CaptureView, thread: Thread) -> float | None:
    """The share of a processor that a busy thread used over the last captures."""
    progress = view.progress.get(thread.id)
    busy = progress.busy if progress else None
    return None if busy is None or busy < BUSY_SHARE else min(busy, 1.0)


def since_words(view: CaptureView, thread: Thread) -> str:
    """What `unchanged_label` says, in words; nothing where one capture is all there is."""
    stay, progress = view.course.stays.get(thread.id), view.progress.get(thread.id)
    if stay is not None and stay.rest_s > 0:
        return f"has not run for at least {duration(stay.rest_s)}, {plural(stay.rests, 'capture')}"
    if progress is not None and (busy := busy_share(view, thread)) is not None:
        functions = {visit.function for visit in progress.visits}
        where = f"in {plural(len(functions), 'function')}" if functions else "nowhere known"
        seen = f"{plural(progress.looks, 'capture')} over {duration(progress.lasted_s)}"
        return f"used {busy:.0%} of a CPU, seen {where} in {seen}"
    if stay is not None and stay.seconds > 0:
        ran = "" if thread.runs is None else ", but it ran between them"
        seen = f"{plural(stay.captures, 'capture')} over {duration(stay.seconds)}"
        return f"had the same stack in {seen}{ran}"
    return "was elsewhere in the previous capture" if thread.id in view.course.moved else ""


def clock_time(taken_at: str) -> str:
    """The wall clock time of a capture, in this machine's time zone."""
    try:
        return datetime.fromisoformat(taken_at).astimezone().strftime("%H:%M:%S")
    except ValueError:
        return clean(taken_at)[:8]


def size(count: int) -> str:
    """Bytes in at most five characters: ``812M``, ``1.4G``."""
    if count < 2**20:
        return f"{count / 2**10:.0f}K"
    if count < 2**30:
        return f"{count / 2**20:.0f}M"
    return f"{count / 2**30:.1f}G" if count < 2**40 else f"{count / 2**40:.1f}T"


def plural(count: int, noun: str) -> str:
    """``1 thread``, ``2 threads``."""
    many = noun + "es" if noun.endswith("s") else noun + "s"
    return f"{count} {noun if count == 1 else many}"


def listed(words: Iterable[str], most: int = 4) -> str:
    """The first few words, and how many more there are."""
    every = [clean(word) for word in words]
    shown = ", ".join(every[:most])
    return shown if len(every) <= most else f"{shown} and {len(every) - most} more"


def memory(process: Process) -> str:
    """Its resident memory; empty if unknown."""
    return size(process.rss_bytes) if process.rss_bytes else ""


def cpu(process: Process) -> str:
    """How much of a processor it takes; empty if unknown."""
    return "" if process.cpu_percent is None else f"{process.cpu_percent:.0f} %"
