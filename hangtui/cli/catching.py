"""What ``hangtui run`` and ``hangtui watch`` have in common: judging and keeping captures."""

import os
import re
import time
from dataclasses import field
from pathlib import Path

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
    kept: list[Kept] = field(default_factory=list)

    def receive(self, caught: Caught) -> bool:
        """Judge a capture and keep it if it tells something; whether it does."""
        worst = next(iter(diagnose(caught.capture, self.choice).findings), None)
        wrong = worst is not None and worst.severity is Severity.ERROR
        if caught.occasion is Occasion.STILL and not wrong:
            whole = caught.stuck is not None and caught.stuck.whole
            if not (self.any_stillness and whole):
                return False
        path = self.fixed or self.folder / _name(caught)
        try:
            self._write(caught.capture, path)
        except HangtuiError as error:
            output.complain(error)
            return True
        self.kept.append(Kept(caught, path, worst))
        output.say(_message(caught, worst))
        output.say(f"  wrote {clean(str(path))}")
        return True

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
