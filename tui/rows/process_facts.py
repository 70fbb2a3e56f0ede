"""The facts below the process tree: further findings, counts, the process, its curves."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.text import Text

from hangtui.analysis.coverage import gaps, unread
from hangtui.analysis.state_words import STATE_WORDS
from hangtui.model import Process, Reason, Severity
from hangtui.tui.cells import cut, pad, wrap
from hangtui.tui.rows import labels
from hangtui.tui.rows.labels import plural
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import LEVELS, SEVERITY_SIGNS, SEVERITY_STYLES, STATE_STYLES


def facts(
    view: CaptureView, pid: int | None, width: int, history: Sequence[CaptureView] = ()
) -> list[Text]:
    """What is to be known beside the threads: other findings, counts, what is missing.

    *history*: the captures up to this one, for what changes.
    """
    chosen = view.capture.chosen(pid)
    lines: list[Text] = []
    findings = view.findings_of(pid)
    wrong = bool(findings) and findings[0].severity is not Severity.NOTE
    for finding in findings[1:]:  # the worst one stands above all
        if wrong and finding.reason is Reason.REASSURANCE:
            continue  # beside what is wrong that would be read as "not so bad"
        sign = SEVERITY_SIGNS[finding.severity]
        for number, line in enumerate(wrap(finding.title, width, f"{sign} ", "  ")):
            lines.append(Text(line))
            if number == 0:
                lines[-1].stylize(SEVERITY_STYLES[finding.severity], 0, 1)
    if not findings and view.capture.complete:
        dark = {process.pid for process in unread(view.capture)}
        seen = any(process.pid not in dark for process in chosen)
        partial = any(gaps(view.capture, process) for process in chosen)
        none = "No finding, but not all was looked at." if partial else "No finding."
        lines += [Text(line) for line in wrap(none if seen else "Nothing was read.", width)]
    lines += [*([Text()] if lines else []), *_counts(view, chosen, width)]
    if movement := _movement(view, chosen):
        lines += [Text(line) for line in wrap(movement, width)]
    if len(chosen) == 1:
        lines += [Text(), *_process_facts(chosen[0], width), *_curves(chosen[0], history, width)]
    if notices := view.notices:
        lines += [Text(), Text(f"{plural(len(notices), 'notice')}: press !", "bold yellow")]
    return lines


def _counts(view: CaptureView, processes: Sequence[Process], width: int) -> Iterator[Text]:
    states = Counter(view.states[thread.id] for process in processes for thread in process.threads)
    yield Text(cut(plural(sum(states.values()), "thread"), width), "bold")
    for state in sorted(states, key=lambda state: state.rank):
        label = cut(STATE_WORDS[state].counted, width - 6)
        yield Text.assemble((f"{states[state]:5} ", ""), (label, STATE_STYLES[state]))


def _movement(view: CaptureView, processes: Sequence[Process]) -> str:
    """What the threads did since the previous capture: how many stood still, and for how long."""
    course = view.course
    every = len(processes) == len(view.capture.processes)
    ids = list(view.threads) if every else [t.id for p in processes for t in p.threads]
    stays = [stay for one in ids if (stay := course.stays.get(one)) is not None]
    rests = [stay for stay in stays if stay.rest_s > 0]
    if rests and len(rests) == len(ids):
        captures = plural(min(stay.rests for stay in rests), "capture")
        least = labels.duration(min(stay.rest_s for stay in rests))
        return f"no thread has run for ≥{least} ({captures})"
    counts = {
        "did not run": len(rests),
        "same stack": len(stays) - len(rests),
        "moved": sum(one in course.moved for one in ids),
        "new": sum(one in course.started for one in ids),
    }
    told = [f"{count} {what}" for what, count in counts.items() if count]
    return f"since the previous capture: {', '.join(told)}" if told else ""


def _process_facts(process: Process, width: int) -> Iterator[Text]:
    python = process.python
    pairs = [
        ("python", python.title if python else ""),
        ("command", " ".join(process.cmdline)),
        ("user", process.user or ""),
        ("memory", labels.memory(process)),
        ("cpu", labels.cpu(process)),
        *_device_facts(process),
        ("place", process.place),
        ("tracer", f"pid {process.tracer_pid}" if process.tracer_pid else ""),
    ]
    for name, value in pairs:
        if value:
            lines = wrap(value, width, pad(name, 9) + " ")
            shown = [*lines[:2], cut(f"{lines[2]} …", width)] if len(lines) > 3 else lines
            yield from (Text(line) for line in shown)


def _device_facts(process: Process) -> Iterator[tuple[str, str]]:
    if process.around:
        if not process.around.gpus:
            yield "devices", " ".join(process.around.devices or ())
        for gpu in process.around.gpus or ():
            yield "device", gpu.told


def _curves(process: Process, history: Sequence[CaptureView], width: int) -> Iterator[Text]:
    """CPU and memory over the captures, once there are several."""
    room = max(width - 10, 0)
    earlier = [view.capture.process(process.pid) for view in history[-room:] if room]
    found = [one for one in earlier if one is not None]
    if len(found) < 2:
        return
    curves = {
        "cpu": [one.cpu_percent or 0.0 for one in found],
        "memory": [float(one.rss_bytes or 0) for one in found],
    }
    for name, values in curves.items():
        yield Text.assemble(pad(name, 9), " ", sparkline(values))


def sparkline(values: Sequence[float]) -> str:
    """One bar for each value, from the lowest (at most 0) to the highest."""
    top = max(values, default=0.0)
    if top <= 0:
        return LEVELS[0] * len(values)
    last = len(LEVELS) - 1
    return "".join(LEVELS[min(round(value / top * last), last)] for value in values)
