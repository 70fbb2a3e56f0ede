"""The ``crash`` of a capture as plain values."""

from dataclasses import asdict
from typing import Any

from hangtui.model import Capture


def crash_to_dict(capture: Capture) -> dict[str, Any] | None:
    """Signal, code, address, thread and instruction, and whatever else is known; None: no crash."""
    crash = capture.crash
    if crash is None:
        return None
    values = asdict(crash)
    signal, tid = values.pop("signal"), values.pop("tid")
    return {
        **values,
        "signal": values.pop("signal_name"),
        "signal_number": signal,
        "thread": None if tid is None else _thread(capture, tid),
        "title": crash.title,
    }


def _thread(capture: Capture, tid: int) -> dict[str, Any]:
    pid = capture.crash.pid if capture.crash else 0
    thread = next((t for t in capture.threads() if (t.pid, t.tid) == (pid, tid)), None)
    return {"pid": pid, "tid": tid, "name": thread.name if thread else None}
