"""What reads processes for a command: started before all else, so that it loads while we do."""

import atexit
import functools
import gc
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hangtui.backends.supervision.supervisor import Reader

_COMMANDS = ("dump", "check", "record")
"""Those that look and end: they need not wait as long as those that compute all the time."""
_GC_THRESHOLDS = 100_000, 50, 100


def prepare(words: Sequence[str]) -> None:
    """Start what will read processes, if a command line surely asks for it, and get processors
    where others have taken them."""
    from hangtui.cli.help_texts import SUMMARIES

    screens = not words or words[0] == "open" or words[0] not in SUMMARIES
    if not screens and words[0] not in _COMMANDS:
        return
    from hangtui.backends import precedence

    if screens and not precedence.is_crowded():
        return  # they have nothing to gain
    precedence.raise_own()
    precedence.leave_session()
    if screens:
        return
    # Modules and facts stay to the end: to look for garbage would be a tenth of the time.
    gc.set_threshold(*_GC_THRESHOLDS)
    if any(word.isdecimal() or word in ("--all", "--parent") for word in words[1:]):
        # Both sides need them: loaded before there are two.
        for name in ("subprocess", "tempfile", "datetime", "socket"):
            import_module(name)
        reader().start()


@functools.cache
def reader() -> "Reader":
    """One for all captures of a command: it remembers what it read of programs and libraries."""
    from hangtui.backends.supervision.supervisor import Reader

    one = Reader()
    atexit.register(one.close)  # whoever waits for us finds nothing of ours running
    return one
