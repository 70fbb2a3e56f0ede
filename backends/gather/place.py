"""A machine or container that can be reached, and the programs that know of some."""

import re
import shlex
import subprocess
from typing import Protocol

from hangtui.backends.tools import programs
from hangtui.dataclass import dataclass
from hangtui.model import TargetError, clean

_ASKED_S = 30.0
"""How long a program may take to say which machines there are."""
_NAME = re.compile(r"[A-Za-z0-9_\[][\w.:@%/,=+\[\]() !-]{0,252}", re.ASCII)
"""Of a host, container, pod, job or selector: nothing that a program takes for an option."""


class Closing(Protocol):
    """What runs until it is closed."""

    def close(self) -> None:
        """Leave nothing of it behind."""


@dataclass(frozen=True, slots=True)
class Place:
    """A machine or container that can be reached."""

    name: str
    before: tuple[str, ...]
    """The command line, up to the script for a shell."""
    one_word: bool = False
    """Whether it hands what follows to a shell, which takes it apart again."""
    pids: tuple[int, ...] = ()
    """Whom to look at there, with all that they started; empty: all Python processes."""
    program: tuple[str, ...] = ("hangtui",)
    """What hangtui is called there."""
    client: "Closing | None" = None
    """What it is reached through, if that has to run until all answers are there."""

    def command(self, script: str) -> list[str]:
        """The command line that runs *script* there in a POSIX shell."""
        words = ["sh", "-c", script]
        return [*self.before, *([shlex.join(words)] if self.one_word else words)]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was typed."""

    names: tuple[str, ...]
    namespace: str | None = None
    """Of pods."""
    python: str | None = None
    """An interpreter that has the packages of the job's engine; None: the first that is found."""
    within_s: float = 60.0
    """For how long a place may keep what was started there, in seconds."""


def is_name(word: str) -> bool:
    """Whether a machine, a container or the like can be called so."""
    return _NAME.fullmatch(word) is not None


def program(name: str) -> str:
    """Where a program is.

    Raises:
        TargetError: nowhere.
    """
    found = programs.find(name)
    if found is None:
        raise TargetError(f"{name} is not installed here", f"run hangtui where {name} is")
    return found


def asked(*command: str) -> list[str]:
    """The lines that a program answers.

    Raises:
        TargetError: it failed, or did not answer.
    """
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_ASKED_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise TargetError(f"{command[0]} did not answer within {_ASKED_S:.0f} s") from error
    if done.returncode:
        reason = clean(done.stderr.strip()[-300:]) or f"exit status {done.returncode}"
        raise TargetError(f"{shlex.join(command[:2])}: {reason}")
    lines = [line.strip() for line in done.stdout.splitlines()]
    if wrong := next((line for line in lines if line and not is_name(line)), None):
        raise TargetError(f"{command[0]} names what cannot be one: {clean(wrong, 80)!r}")
    return [line for line in lines if line]
