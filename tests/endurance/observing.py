"""Takes captures of programs that should be healthy, counts them, and keeps what is said of them.

For ``churn.py``, ``suite_runs.py``, script/twin-captures and script/scheduler-captures.
"""

import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from hangtui.analysis.coverage import gaps
from hangtui.analysis.waitgraph import build
from hangtui.backends.capture.collector import collect
from hangtui.capture_file import load, packed, read, save
from hangtui.cli import series
from hangtui.diagnosis import diagnose
from hangtui.findings import run
from hangtui.findings.engine import RULE_FAILED
from hangtui.model import Capture, Severity, TargetError
from hangtui.provider import CaptureRequest, NativeMode
from hangtui.report.text_report import to_text

LOOKS, COMMAND = "looks", "command"
"""Several looks, as ``check`` takes them; ``hangtui record`` as a program of its own."""
MODES = {"auto": 80, LOOKS: 9, "stop": 6, "gdb": 4, COMMAND: 1}
"""How a capture is taken, and how often of a hundred."""
_COMMAND_LIMIT_S = 120


@dataclass(frozen=True, slots=True)
class Said:
    """A finding that is more than a note."""

    severity: str
    mode: str
    text: str
    kept: str
    """The file with the capture; beside it lies its report."""


@dataclass(slots=True)
class Sight:
    """What was seen of one program."""

    name: str
    """How files of captures begin that are kept."""
    captures: int = 0
    waits: int = 0
    """In all captures: none at all would mean that nothing was read."""
    ended: int = 0
    """How often a process ended before it could be read, or was no Python."""
    modes: dict[str, int] = field(default_factory=dict)
    notes: dict[str, int] = field(default_factory=dict)
    gaps: dict[str, int] = field(default_factory=dict)
    """What of processes that hangtui knows was not read, with the reason."""
    said: list[Said] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    """Tracebacks of hangtui."""


def look(sight: Sight, pid: int, mode: str, keep: Path, *, children: bool = False) -> None:
    """Take a capture and judge it. Never raises."""
    try:
        judge(_taken(pid, mode, children), mode, sight, keep)
    except TargetError:
        sight.ended += 1
    except Exception:  # noqa: BLE001  that is what is looked for
        sight.broken.append(f"{mode}: {traceback.format_exc()}")


def _taken(pid: int, mode: str, children: bool) -> Capture:
    """A capture, or the last of several.

    Raises:
        TargetError: nothing could be read.
        RuntimeError: the command failed in an unknown way.
    """
    if mode == LOOKS:
        return series.take(CaptureRequest((pid,), children), series.Looks(3, 0.3))
    if mode == COMMAND:
        return _recorded(pid, children)
    *_, capture = collect(CaptureRequest((pid,), children, NativeMode(mode)))
    return capture


def _recorded(pid: int, children: bool) -> Capture:
    with tempfile.TemporaryDirectory(prefix="hangtui-observed-") as folder:
        path = Path(folder) / "x.hang"
        words = ["record", str(pid), "-o", str(path), *(["--children"] if children else [])]
        done = subprocess.run(
            [sys.executable, "-m", "hangtui", *words],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_COMMAND_LIMIT_S,
            check=False,
        )
        if "Traceback" in done.stderr or done.returncode not in (0, 1, 2):
            raise RuntimeError(f"exit status {done.returncode}: {done.stderr}")
        if not path.exists():
            raise TargetError(done.stderr)
        return load(path)


def judge(capture: Capture, mode: str, sight: Sight, keep: Path) -> None:
    """Count a capture, and keep it if it says more than notes, or a rule failed.

    Raises:
        InputError: as a file it could not be opened again.
    """
    sight.captures += 1
    sight.waits += len(capture.waits)
    sight.modes[mode] = sight.modes.get(mode, 0) + 1
    read(BytesIO(packed(capture)))
    for process in capture.processes:
        for gap in gaps(capture, process) if process.python else ():
            what = f"{gap.what} ({gap.reason})"
            sight.gaps[what] = sight.gaps.get(what, 0) + 1
    bad = []
    for finding in run(capture, build(capture)):
        if finding.severity is Severity.NOTE and finding.id != RULE_FAILED:
            sight.notes[finding.id] = sight.notes.get(finding.id, 0) + 1
        else:
            bad.append(finding)
    if not bad:
        return
    keep.mkdir(parents=True, exist_ok=True)
    number = sight.captures
    while (keep / f"{sight.name}-{number}.hang").exists():
        number += 1000
    path = keep / f"{sight.name}-{number}.hang"
    save(capture, path)
    path.with_suffix(".txt").write_text(to_text(diagnose(capture)))
    for finding in bad:
        text = "\n    ".join((f"{finding.id}: {finding.title}", finding.sentence))
        sight.said.append(Said(finding.severity.value, mode, text, path.name))


def totals(found: Sequence[Mapping[str, Any]], what: str, missing: str) -> int:
    """Print what was said of programs, each a line of a log with its ``sight``, and the sums; 1 if
    anything was said. *what*: what they are called; *missing*: those without a sight."""
    sights = [one["sight"] for one in found if "sight" in one]
    said = [word for sight in sights for word in sight["said"]]
    broken = [word for sight in sights for word in sight["broken"]]
    for one in said:
        print("{severity} ({mode}, {kept}): {text}".format(**one))
    print(*broken, sep="\n")
    captures = sum(sight["captures"] for sight in sights)
    kinds = Counter(one["severity"] for one in said)
    print(
        f"{captures} captures of {len(sights)} {what}, {len(found) - len(sights)} {missing},"
        f" {kinds['error']} errors, {kinds['warning']} warnings, {len(broken)} tracebacks"
    )
    return 1 if said or broken else 0
