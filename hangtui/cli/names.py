"""Python processes by what they are called: ``gunicorn``, ``server.py``, ``VLLM::EngineCore``."""

import difflib
import sys
from collections.abc import Iterator, Mapping, Sequence

from hangtui.cli.help_texts import SUMMARIES
from hangtui.model import UsageError, clean
from hangtui.model.command_line import program_of, script_of

_SHOWN = 6
"""PIDs in a message."""


def pid_of(name: str) -> int:
    """The PID of the one Python process that is called so.

    Raises:
        UsageError: none is, or several are.
    """
    found = sorted(pid for pid, names in running() if name in names)
    if len(found) == 1:
        return found[0]
    shown = clean(name, 60)
    if not found:
        what = f"no command, no file and no Python process is called {shown!r}"
        near = difflib.get_close_matches(name, SUMMARIES, 1)
        if near and sys.argv[1:2] == [name]:
            raise UsageError(what, f"hangtui {' '.join(map(clean, [*near, *sys.argv[2:]]))}")
        raise UsageError(what, "hangtui   (lists the processes; hangtui --help the commands)")
    pids = ", ".join(map(str, found[:_SHOWN])) + (", ..." if len(found) > _SHOWN else "")
    top = _ancestor(found)
    one = f"{found[0]}   (or another one)" if top is None else f"--children {top}   (all of them)"
    raise UsageError(f"{len(found)} Python processes are called {shown!r}: {pids}", one)


def running() -> Iterator[tuple[int, Sequence[str]]]:
    """Each Python process that can be seen, and what it is called, the best name first."""
    from hangtui.backends.process.discovery import python_pids
    from hangtui.backends.procfs.files import PROC, raw_cmdline

    for pid in python_pids():
        try:
            names = names_of(raw_cmdline(PROC / str(pid)))
        except OSError:
            continue
        if names:
            yield pid, names


def names_of(words: Sequence[str]) -> tuple[str, ...]:
    """What a process with this command line may be called: its script or module, with and without
    the ending, then its program; or what it calls itself in a title of its own."""
    if not words or not words[0].strip():
        return ()
    program = program_of(words[0])
    started = script_of(words)
    found = (started, started.removesuffix(".py"), started.partition(".")[0]) if started else ()
    return tuple(dict.fromkeys(name for name in (*found, program) if name))


def _ancestor(pids: Sequence[int]) -> int | None:
    """The one of *pids* that has started all the others, itself or by one of them."""
    parents = _parents(pids)
    tops = [pid for pid in pids if parents.get(pid) not in pids]
    return tops[0] if len(tops) == 1 else None


def _parents(pids: Sequence[int]) -> Mapping[int, int]:
    import psutil

    found = {}
    for pid in pids:
        try:
            found[pid] = psutil.Process(pid).ppid()
        except psutil.Error:
            continue
    return found
