"""This machine, and the machines of a job of MPI: a second mpirun reaches what the first did."""

import contextlib
import itertools
import os
import re
import socket
from collections.abc import Iterator

import psutil

from hangtui.backends.door import Root
from hangtui.backends.gather.place import Place, Wanted, is_name, program
from hangtui.backends.procfs.files import PROC, link, raw_cmdline
from hangtui.backends.tools import programs
from hangtui.model import TargetError, UsageError

_LAUNCHERS = re.compile(r"(mpirun|mpiexec|orterun|prterun|prun)([.-]\w+)?")
_HOSTS = frozenset({"host", "H", "hosts"})
_FILES = frozenset({"hostfile", "machinefile", "default-hostfile", "f"})
"""Options of Open MPI and MPICH that name hosts, and files with a host in each line."""
_MOST_BYTES = 1 << 20
_AS_ROOT = ("OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
"""Open MPI refuses root otherwise."""
_PID = re.compile(r"[1-9]\d{0,6}", re.ASCII)


def local(wanted: Wanted) -> list[Place]:
    """This machine: all Python processes, or those that some have started, and these."""
    return [_here(tuple(map(_pid, wanted.names)))]


def mpi(wanted: Wanted) -> list[Place]:
    """The machines of jobs that were started here.

    Where the launcher was told of no others, the job is on this machine.

    Raises:
        TargetError: no such process, or none that starts a job of MPI.
    """
    found: dict[str, Place] = {}
    for pid in map(_pid, wanted.names):
        words = _launcher(pid)
        hosts = dict.fromkeys([*_named(pid, words), *_reached(pid)])
        here = [host for host in hosts if _is_here(host)]
        if here or not hosts:
            both = found[""].pids if "" in found else ()
            found[""] = _here((*both, pid))
        for host in hosts:
            if host not in here:
                found[host] = Place(host, (*_run(), "-host", host, "-n", "1"))
    return list(found.values())


def _here(pids: tuple[int, ...]) -> Place:
    own = tuple(programs.python("hangtui"))
    return Place(socket.gethostname(), (), pids=pids, program=own)


def _pid(word: str) -> int:
    if not _PID.fullmatch(word):
        raise UsageError(f"{word!r} is not a PID", "hangtui gather mpi PID   (of mpirun)")
    return int(word)


def _launcher(pid: int) -> list[str]:
    """The command line of a launcher of MPI."""
    try:
        words = raw_cmdline(PROC / str(pid))
    except OSError as error:
        raise TargetError(f"there is no process {pid}", "pgrep -a mpi") from error
    if not words or not _LAUNCHERS.fullmatch(words[0].rpartition("/")[2]):
        raise TargetError(
            f"process {pid} is no launcher of MPI (mpirun, mpiexec)",
            f"hangtui gather local {pid}   (all that it started on this machine)",
        )
    return words


def _named(pid: int, words: list[str]) -> Iterator[str]:
    """The hosts that a launcher was told."""
    for option, value in itertools.pairwise(words):
        name = option.lstrip("-") if option.startswith("-") else ""
        if name in _HOSTS:
            yield from _clean(value.split(","))
        elif name in _FILES:
            yield from _clean(_lines(pid, value))


def _lines(pid: int, path: str) -> list[str]:
    """The first word of each line of a file that the launcher could read itself."""
    folder = link(PROC / str(pid) / "cwd") or "/"
    try:
        with Root.of_process(pid) as root:
            text = root.read(os.path.join(folder, path), _MOST_BYTES)  # noqa: PTH118
    except OSError as error:
        raise TargetError(f"the list of hosts of process {pid} cannot be read: {error}") from error
    lines = (line.partition("#")[0].split() for line in text.decode(errors="replace").splitlines())
    return [words[0] for words in lines if words]


def _clean(hosts: list[str]) -> list[str]:
    """``node-1:8`` is a host with so many places."""
    names = [host.strip().partition(":")[0] for host in hosts]
    return [name for name in names if is_name(name)]


def _reached(pid: int) -> Iterator[str]:
    """The hosts that a launcher has reached by ssh, without being told of them on its command
    line: by a default file, or by what schedules jobs."""
    with contextlib.suppress(psutil.Error):
        for child in psutil.Process(pid).children():
            with contextlib.suppress(OSError):
                name, *words = raw_cmdline(PROC / str(child.pid)) or [""]
                if name.rpartition("/")[2] in ("ssh", "rsh"):
                    yield from _clean([word for word in words if word != "-x"][:1])


def _is_here(host: str) -> bool:
    own = socket.gethostname()
    return host in ("localhost", "127.0.0.1", own, own.partition(".")[0])


def _run() -> tuple[str, ...]:
    """A second launcher: as with the first, its settings come from the user's own files and
    variables, nothing from a command line of others."""
    mpirun = program("mpirun") if programs.find("mpirun") else program("mpiexec")
    return (program("env"), *_AS_ROOT, mpirun) if os.geteuid() == 0 else (mpirun,)
