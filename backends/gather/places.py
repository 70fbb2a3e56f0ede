"""How the machines and containers are reached that somebody names: one command line for each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from hangtui.backends.gather.engines import dask, ray
from hangtui.backends.gather.mpi import local, mpi
from hangtui.backends.gather.place import Place, Wanted, asked, is_name, program
from hangtui.model import TargetError, UsageError, clean

MOST = 10_000
"""Places at once."""
_NAMELESS = ("local", "ray")
"""What need not be told where to look."""


def ssh(wanted: Wanted) -> list[Place]:
    """Hosts, by the user's own configuration; nothing is asked for on the terminal."""
    options = ("-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=15", "--")
    client = program("ssh")
    return [Place(host, (client, *options, host), one_word=True) for host in wanted.names]


def docker(wanted: Wanted) -> list[Place]:
    """Running containers of this machine."""
    return _engine("docker", wanted.names)


def podman(wanted: Wanted) -> list[Place]:
    """The same of podman."""
    return _engine("podman", wanted.names)


def _engine(name: str, names: Sequence[str]) -> list[Place]:
    client = program(name)
    return [Place(one, (client, "exec", "-i", one)) for one in names]


def kubectl(wanted: Wanted) -> list[Place]:
    """The running pods with labels; of each its first container."""
    client = program("kubectl")
    where = ("-n", wanted.namespace) if wanted.namespace else ()
    find = (client, "get", "pods", *where, "--field-selector=status.phase=Running", "-o", "name")
    pods = dict.fromkeys(
        pod.removeprefix("pod/")
        for selector in wanted.names
        for pod in asked(*find, f"--selector={selector}")
    )
    return [Place(pod, (client, "exec", "-i", *where, pod, "--")) for pod in pods]


def slurm(wanted: Wanted) -> list[Place]:
    """The nodes of jobs, beside their steps."""
    srun = program("srun")
    alone = ("--overlap", "--nodes=1", "--ntasks=1", "--quiet")
    nodes = {
        node: job
        for job in wanted.names
        for listed in asked(program("squeue"), "--noheader", f"--jobs={job}", "--format=%N")
        for node in asked(program("scontrol"), "show", "hostnames", listed)
    }
    return [
        Place(node, (srun, f"--jobid={job}", f"--nodelist={node}", *alone))
        for node, job in nodes.items()
    ]


CARRIERS: Mapping[str, Callable[[Wanted], list[Place]]] = {
    "ssh": ssh,
    "slurm": slurm,
    "mpi": mpi,
    "kubectl": kubectl,
    "docker": docker,
    "podman": podman,
    "dask": dask,
    "ray": ray,
    "local": local,
}
"""What can reach others, and makes places of what was typed."""


def places(carrier: str, wanted: Wanted) -> list[Place]:
    """Where to look, each place once.

    Raises:
        UsageError: a name cannot be one.
        TargetError: nothing can be reached: a program is missing, or knows of none.
    """
    wanted = replace(wanted, names=tuple(dict.fromkeys(wanted.names)))
    for name in (*wanted.names, *([wanted.namespace] if wanted.namespace is not None else [])):
        if not is_name(name):
            raise UsageError(f"{clean(name, 80)!r} is not a name that {carrier} could have")
    if not wanted.names and carrier not in _NAMELESS:
        raise UsageError(f"where does {carrier} look?", f"hangtui gather {carrier} NAME...")
    found = list(dict.fromkeys(CARRIERS[carrier](wanted)))
    if not found:
        raise TargetError(f"{carrier} knows no running {clean(' '.join(wanted.names), 80)}")
    if len(found) > MOST:
        raise TargetError(f"these are {len(found):,} places: name at most {MOST:,}")
    return found
