"""How the machines and containers are reached that somebody names: one command line for each."""

import re
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence

from hangtui.backends.tools import programs
from hangtui.dataclass import dataclass
from hangtui.model import TargetError, UsageError, clean

_ASKED_S = 30.0
"""How long kubectl or Slurm may take to say which machines there are."""
_NAME = re.compile(r"[A-Za-z0-9_\[][\w.:@%/,=+\[\]() !-]{0,252}", re.ASCII)
"""Of a host, container, pod, job or selector: nothing that a program takes for an option."""
MOST = 10_000
"""Places at once."""


@dataclass(frozen=True, slots=True)
class Place:
    """A machine or container that can be reached."""

    name: str
    before: tuple[str, ...]
    """The command line, up to the script for a shell."""
    one_word: bool = False
    """Whether it hands what follows to a shell, which takes it apart again."""

    def command(self, script: str) -> list[str]:
        """The command line that runs *script* there in a POSIX shell."""
        words = ["sh", "-c", script]
        return [*self.before, *([shlex.join(words)] if self.one_word else words)]


def ssh(hosts: Sequence[str], _: str | None = None) -> list[Place]:
    """Hosts, by the user's own configuration; nothing is asked for on the terminal."""
    program = _program("ssh")
    options = ("-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=15", "--")
    return [Place(host, (program, *options, host), one_word=True) for host in hosts]


def docker(names: Sequence[str], _: str | None = None) -> list[Place]:
    """Running containers of this machine."""
    return _engine("docker", names)


def podman(names: Sequence[str], _: str | None = None) -> list[Place]:
    """The same of podman."""
    return _engine("podman", names)


def _engine(name: str, names: Sequence[str]) -> list[Place]:
    program = _program(name)
    return [Place(one, (program, "exec", "-i", one)) for one in names]


def kubectl(selectors: Sequence[str], namespace: str | None = None) -> list[Place]:
    """The running pods with labels; of each its first container."""
    program = _program("kubectl")
    where = ("-n", namespace) if namespace else ()
    find = (program, "get", "pods", *where, "--field-selector=status.phase=Running", "-o", "name")
    pods = dict.fromkeys(
        pod.removeprefix("pod/")
        for selector in selectors
        for pod in _asked(*find, f"--selector={selector}")
    )
    return [Place(pod, (program, "exec", "-i", *where, pod, "--")) for pod in pods]


def slurm(jobs: Sequence[str], _: str | None = None) -> list[Place]:
    """The nodes of jobs, beside their steps."""
    srun = _program("srun")
    alone = ("--overlap", "--nodes=1", "--ntasks=1", "--quiet")
    nodes = {
        node: job
        for job in jobs
        for listed in _asked(_program("squeue"), "--noheader", f"--jobs={job}", "--format=%N")
        for node in _asked(_program("scontrol"), "show", "hostnames", listed)
    }
    return [
        Place(node, (srun, f"--jobid={job}", f"--nodelist={node}", *alone))
        for node, job in nodes.items()
    ]


CARRIERS: Mapping[str, Callable[[Sequence[str], str | None], list[Place]]] = {
    "ssh": ssh,
    "docker": docker,
    "podman": podman,
    "kubectl": kubectl,
    "slurm": slurm,
}
"""What can reach others; each makes places of the names that were typed, and of a namespace."""


def places(carrier: str, names: Sequence[str], namespace: str | None) -> list[Place]:
    """Where to look, each place once.

    Raises:
        UsageError: a name cannot be one.
        TargetError: nothing can be reached: a program is missing, or knows of none.
    """
    for name in (*names, *([namespace] if namespace else [])):
        if not _NAME.fullmatch(name):
            raise UsageError(f"{clean(name, 80)!r} is not a name that {carrier} could have")
    found = list(dict.fromkeys(CARRIERS[carrier](tuple(dict.fromkeys(names)), namespace)))
    if not found:
        raise TargetError(f"{carrier} knows no running {clean(' '.join(names), 80)}")
    if len(found) > MOST:
        raise TargetError(f"these are {len(found):,} places: name at most {MOST:,}")
    return found


def _program(name: str) -> str:
    found = programs.find(name)
    if found is None:
        raise TargetError(f"{name} is not installed here", f"run hangtui where {name} is")
    return found


def _asked(*command: str) -> list[str]:
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
        reason = clean(done.stderr.strip(), 300) or f"exit status {done.returncode}"
        raise TargetError(f"{shlex.join(command[:2])}: {reason}")
    lines = [line.strip() for line in done.stdout.splitlines()]
    if wrong := next((line for line in lines if line and not _NAME.fullmatch(line)), None):
        raise TargetError(f"{command[0]} names what cannot be one: {clean(wrong, 80)!r}")
    return [line for line in lines if line]
