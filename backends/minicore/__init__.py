"""Mini-cores: registers, stacks and some memory of a live process, in a core file that gdb opens.

The process stands still for milliseconds, while gdb attached to it would hold it for seconds; what
gdb then does with the file costs the process nothing. ::

    core = write_minicore(pid)
    with core.files, GdbSession(gdb, GDB_SETTINGS, deadline, core.files) as session:
        session.send(GDB_OPENING)

Threads whose system call a stop would break are in it as well (``untouched``): their program
counter, stack pointer, stack and call arguments are right, their other registers unknown (0).
The heap is not in it, but for pages that registers point to and the ``ranges`` asked for.
"""

from hangtui.backends.minicore.writer import (
    GDB_OPENING,
    GDB_SETTINGS,
    MiniCore,
    Stop,
    write_minicore,
)

__all__ = ["GDB_OPENING", "GDB_SETTINGS", "MiniCore", "Stop", "write_minicore"]
