"""Where other programs are that we start, and what they are started with."""

import contextlib
import os
import shutil
import stat
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

import hangtui

OLDEST_GDB = 13
"""The first gdb that makes sense of a core file that holds nothing but stacks, which is how live
processes are mostly looked into."""
OLDEST_GDB_OF_ALL = 12
"""The first gdb whose machine interface is known to serve here: for whole core files, and for a
process that the user has stopped."""
NEWER_GDB = f"install gdb {OLDEST_GDB} or newer; hangtui's image has one"
"""What to do about an older one."""
_PASSED_ON = frozenset("PATH HOME LANG LANGUAGE TERM TMPDIR TZ".split())
"""Variables that other programs get, with those of the locale: none that loads code into them."""
_LIBRARIES = "LD_LIBRARY_PATH"
_ASKED_BY_US = frozenset({"KUBERNETES_SERVICE_HOST"})
_RUN_MODULE = """
import runpy, sys
sys.path += [path for path in {paths!r} if path not in sys.path]
runpy.run_module({module!r}, run_name="__main__", alter_sys=True)
"""


def find(name: str) -> str | None:
    """The program's path: the one that was installed with us, else the first on the PATH.

    The folder that carries an interpreter of its own (``script/portable``) keeps its gdb beside
    it, and off the PATH, which belongs to the application. What anybody may write does not count.
    """
    folders = [str(Path(sys.executable).parent), sysconfig.get_path("scripts")]
    with contextlib.suppress(KeyError):
        folders.append(sysconfig.get_path("scripts", f"{os.name}_user"))
    return _found(name, (*folders, *_searched()))


def on_path(name: str) -> str | None:
    """The program that a shell would find, with the same care."""
    return _found(name, _searched())


def _found(name: str, folders: Iterable[str]) -> str | None:
    for folder in folders:
        found = shutil.which(name, path=folder)
        if found and _is_safe(found) and _is_safe(folder):
            return found
    return None


def _searched() -> Iterator[str]:
    """The folders of the PATH; an empty entry would be the current one."""
    yield from filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(os.pathsep))


def _is_safe(path: str) -> bool:
    """Whether nobody could have put something there for us to run.

    Root trusts nobody else. Another user trusts, as the shell does, whoever looks after the PATH.
    """
    try:
        found = Path(path).stat()
    except OSError:
        return False
    ours = os.geteuid() != 0 or found.st_uid == 0
    return ours and not found.st_mode & (stat.S_IWOTH | (stat.S_IWGRP if found.st_gid else 0))


def environment() -> dict[str, str]:
    """The variables that another program is started with."""
    return {
        key: value
        for key, value in os.environ.items()
        if key in _PASSED_ON or key.startswith("LC_")
    }


def python_environment() -> dict[str, str]:
    """The same for our own interpreter, which may need libraries from elsewhere to start at all."""
    paths = os.environ.get(_LIBRARIES, "").split(os.pathsep)
    absolute = os.pathsep.join(path for path in paths if Path(path).is_absolute())
    ours = {key: value for key, value in os.environ.items() if key in _ASKED_BY_US}
    return environment() | ours | ({_LIBRARIES: absolute} if absolute else {})


def small_python(starter: str, *words: str) -> list[str]:
    """What runs *starter* in an interpreter that imports little, with the folder that this package
    is in and *words* as its arguments."""
    folder = str(Path(hangtui.__file__).parents[1])
    return [sys.executable, "-I", "-S", "-c", starter, folder, *words]


def python(module: str) -> list[str]:
    """A command that runs a module of ours as a program, in an interpreter like this one.

    It takes no code from the current folder, nor from variables: of what our own were told to look
    into it gets the absolute paths. Not ``-I``, which leaves out packages of the user's own.
    """
    paths = [path for path in sys.path if Path(path).is_absolute()]
    start = _RUN_MODULE.format(paths=paths, module=module)
    return [sys.executable, "-P", "-E", "-c", start]
