"""Clusters of Dask and Ray: their own clients run what is to be run, on each of their machines.

The clients need the packages of the cluster, which hangtui does not have. So this is a program of
its own (`on_cluster`), for an interpreter that has them: the job's.
"""

import subprocess
import sys
from pathlib import Path

from hangtui.backends.gather.client import Client
from hangtui.backends.gather.place import Place, Wanted, is_name
from hangtui.backends.tools import programs
from hangtui.model import TargetError, UsageError, clean

_LOOKED_S = 20.0
"""How long an interpreter may take to say which packages it has."""
_HAS = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"


def dask(wanted: Wanted) -> list[Place]:
    """The machines of the workers of a scheduler, by their nannies: these answer also where a
    worker does not."""
    if len(wanted.names) != 1:
        raise UsageError("one scheduler of Dask at a time", "hangtui gather dask tcp://HOST:8786")
    return _machines("dask", "distributed", wanted)


def ray(wanted: Wanted) -> list[Place]:
    """The nodes of a cluster of Ray, by a task on each that needs no CPU."""
    if wanted.names[1:]:
        raise UsageError("one cluster of Ray at a time", "hangtui gather ray HOST:6379")
    return _machines("ray", "ray", wanted)


def _machines(engine: str, package: str, wanted: Wanted) -> list[Place]:
    address = wanted.names[0] if wanted.names else "auto"
    client = Client(_python(engine, package, wanted), engine, address, wanted.within_s)
    found = []
    for line in client.machines:
        name, _, machine = line.partition(" ")
        if not is_name(name):
            client.close()
            raise TargetError(f"{engine} names what cannot be a machine: {clean(name, 80)!r}")
        found.append(Place(name, client.command(machine), client=client))
    return found


def _python(engine: str, package: str, wanted: Wanted) -> str:
    """An interpreter with *package*.

    Raises:
        TargetError: none is found.
    """
    named = [wanted.python] if wanted.python else [*_on_path(), sys.executable]
    for one in named:
        try:
            done = subprocess.run(
                [one, "-c", _HAS, package],
                cwd=Path(__file__).parent,  # nothing of the current folder is imported
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_LOOKED_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0:
            return one
    where = clean(wanted.python) if wanted.python else "no Python on the PATH"
    raise TargetError(
        f"{where} {'has no' if wanted.python else 'has the'} package {package!r}",
        f"hangtui gather {engine} ... --python /path/to/the/job's/environment/bin/python",
    )


def _on_path() -> list[str]:
    """The interpreters that a shell would find: first that of an environment that is active."""
    return [found for name in ("python3", "python") if (found := programs.on_path(name))]
