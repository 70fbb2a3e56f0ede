"""What may be done from the screens beyond looking at what a capture holds."""

import os
import pwd
from enum import StrEnum
from pathlib import Path

from hangtui.dataclass import dataclass
from hangtui.model import clean


class Console(StrEnum):
    """What gdb's console takes."""

    NOTHING = "nothing"
    LOOKING = "looking"
    """Commands that only look."""
    ANYTHING = "anything"
    """All of gdb, which has a shell and Python: whatever the user who runs hangtui may do."""


@dataclass(frozen=True, slots=True)
class Powers:
    """The three that make a difference to whoever lets somebody else use the screens."""

    console: Console = Console.LOOKING
    stop: bool = True
    """A live process may be stopped, be it for the milliseconds that a copy of it takes."""
    folder: str = ""
    """Where alone files may be written that somebody names; empty: anywhere."""

    @classmethod
    def of(cls, *, console: bool, stop: bool, served: bool) -> "Powers":
        """By the options: of the screens in a terminal, or *served* to a browser.

        All of gdb can stop a process by itself, so that *console* implies *stop*.
        """
        looking = Console.NOTHING if served else Console.LOOKING
        return cls(
            Console.ANYTHING if console else looking,
            stop=stop or console or not served,
            folder=str(Path.cwd()) if served else "",
        )


USUAL = Powers()
"""In a terminal, without options."""


def user_name() -> str:
    """Whose rights hangtui has; the number where the user has no name here."""
    uid = os.geteuid()
    try:
        return clean(pwd.getpwuid(uid).pw_name, 40)
    except KeyError:
        return f"uid {uid}"


NO_CONSOLE = "There is no console here: hangtui serve was started without --allow-console."
NO_STOP = (
    "No process is stopped from here, not even for milliseconds: hangtui serve was started without"
    " --allow-stop."
)
