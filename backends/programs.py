"""Where the programs are that are asked for facts: gdb and py-spy."""

import contextlib
import os
import shutil
import sys
import sysconfig
from pathlib import Path

OLDEST_GDB = 13
"""The first gdb that makes sense of a core file that holds nothing but stacks."""


def find(name: str) -> str | None:
    """The program's path: the one that was installed with us, else the first on the PATH.

    The folder that carries an interpreter of its own (``script/portable``) keeps its gdb beside
    it, and off the PATH, which belongs to the application.
    """
    folders = [Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))]
    with contextlib.suppress(KeyError):
        folders.append(Path(sysconfig.get_path("scripts", f"{os.name}_user")))
    for folder in folders:
        found = shutil.which(name, path=str(folder))
        if found:
            return found
    return shutil.which(name)
