"""What ``hangtui run`` and ``hangtui watch`` have in common: judging and keeping captures."""

import os
import re
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import field
from pathlib import Path

from hangtui.backends.monitor.hang_detector import Stuck
from hangtui.backends.monitor.session import Caught, Occasion
from hangtui.cli import output
from hangtui.dataclass import dataclass
from hangtui.diagnosis import Choice, diagnose
from hangtui.model import Capture, Finding, HangtuiError, Severity, clean


@dataclass(slots=True)
class Kept:
    """A capture that was written to a file."""

    caught: Caught
    path: Path
    finding: Finding | None


@dataclass(frozen=True, slots=True)
class _Known:
    """What was told of a process."""

    keys: frozenset[Hashable]
    """Of its findings."""
    whole: bool
    """It stood still as a whole."""


@dataclass(slots=True)
class Keeper:
    """Writes captures into a folder; the oldest go when there are too many."""

    folder: Path
    keep: int
    """How many of its own files stay there."""
    any_stillness: bool = False
    """Also keep processes that do nothing although nothing is wrong with them."""
    fixed: Path | None = None
    """The one file to write, instead of several in the folder."""
    choice: Choice = field(default_factory=Choice)
    """Which hangs count; a crash does in any case."""
    then: Callable[[Kept], None] | None = None
    """Told of each that was kept."""
    kept: list[Kept] = field(default_factory=list)
    _known: dict[int, "_Known"] = field(default_factory=dict)
    """By PID: what was told of it last."""

    def receive(self, caught: Caught) -> bool:
        """Judge a capture and keep it if it tells something; whether it does."""
        findings = diagnose(caught.capture, self.choice).findings
        worst = next(iter(findings), None)
        if caught.stuck is not None:
            errors = [one for one in findings if one.severity is Severity.ERROR]
            untold = self._untold(caught, caught.stuck, errors)
            if errors and not untold:
                return True
            if not errors and not (self.any_stillness and caught.stuck.whole):
                return False
            worst = next(iter(untold), worst)
        path = self.fixed or self.folder / _name(caught)
        try:
            self._write(caught.capture, path)
        except HangtuiError as error:
            output.complain(error)
            return True
        self.kept.append(Kept(caught, path, worst))
        output.say(_message(caught, worst))
        output.say(f"  wrote {clean(str(path))}")
        if self.then is not None:
            self.then(self.kept[-1])
        return True

    def _untold(self, caught: Caught, stuck: Stuck, errors: Sequence[Finding]) -> list[Finding]:
        """Those of *errors* that were not told before, or have come again: what stood still as a
        whole and has run since hangs anew. A family's are in the captures of all its members."""
        self._known = {pid: one for pid, one in self._known.items() if _exists(pid)}
        before = self._known.pop(caught.pid, None)
        if before is not None and not (before.whole and stuck.ran_since):
            self._known[caught.pid] = before
        known = {key for one in self._known.values() for key in one.keys}
        keys = {one.key: one for one in errors}
        self._known[caught.pid] = _Known(frozenset(keys), stuck.whole)
        return [one for key, one in keys.items() if key not in known]

    def _write(self, capture: Capture, path: Path) -> None:
        from hangtui.capture_file import save

        save(capture, path)
        if self.fixed is None:
            self._discard_oldest()

    def _discard_oldest(self) -> None:
        files = [path for path in self.folder.glob("hangtui-*.hang") if _is_own(path)]
        files.sort(key=lambda path: path.name.split("-")[1])
        for path in files[: max(0, len(files) - self.keep)]:
            path.unlink(missing_ok=True)


_OWN = re.compile(r"hangtui-\d{8}T\d{6}\.\d{3}-\d+-\w+\.hang")


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _is_own(path: Path) -> bool:
    """Whether we have made a file: where others may write, they could push ours out."""
    try:
        owner = path.lstat().st_uid
    except OSError:
        return False
    return owner == os.geteuid() and _OWN.fullmatch(path.name) is not None


def _name(caught: Caught) -> str:
    now = time.time()
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(now)) + f".{int(now % 1 * 1000):03}"
    word = {Occasion.CRASH: "crash", Occasion.STILL: "hang", Occasion.KILLED: "killed"}
    return f"hangtui-{stamp}-{caught.pid}-{word.get(caught.occasion, 'memory')}.hang"


def _message(caught: Caught, worst: Finding | None) -> str:
    what = worst.title if worst else "it makes no progress"
    if caught.occasion is Occasion.STILL and caught.stuck is not None:
        part = "" if caught.stuck.whole else "in part "
        what = f"{part}no progress for {caught.stuck.for_s:.0f} s: {what}"
    return f"hangtui: process {caught.pid}: {what}"
