"""Containers: in which one hangtui runs, in which one a process runs, and what they are called."""

import json
import os
import re
import socket
from enum import StrEnum
from pathlib import Path

from hangtui.backends.door import Root
from hangtui.backends.procfs.files import PROC
from hangtui.dataclass import dataclass
from hangtui.model import clean

_ID = re.compile(r"(?:^|[/:-])([0-9a-f]{64})(?:\.scope)?(?=/|$)", re.MULTILINE)
"""In a line of /proc/PID/cgroup."""
_OWN_FILE = re.compile(
    r"^\S+ \S+ \S+ (?P<from>\S+) /etc/(?:hostname|hosts|resolv\.conf) ", re.MULTILINE
)
"""In /proc/self/mountinfo: engines mount these files from a folder of the container."""
_MOUNTED_ID = re.compile(r"/([0-9a-f]{64})/")
_ENGINES = (
    ("kubepods", "kubernetes"), ("libpod", "podman"), ("docker", "docker"), ("crio", "cri-o"),
    ("containerd", "containerd"),
)  # fmt: skip
_POD_LOG = re.compile(r"(?P<pod>[^_]++)_(?P<namespace>[^_]++)_(?P<container>.+)-[0-9a-f]{64}\.log")
"""The name of a link in /var/log/containers of a Kubernetes node."""
_POD_NAMESPACE = Path("var/run/secrets/kubernetes.io/serviceaccount/namespace")
_MAX_FILE, _MAX_LOGS = 16 << 20, 20_000
SHORT = 12
"""Digits of a container's number that engines show and take."""


class Engine(StrEnum):
    """What made the container."""

    DOCKER = "docker"
    PODMAN = "podman"
    KUBERNETES = "kubernetes"
    OTHER = "container"


@dataclass(frozen=True, slots=True)
class Place:
    """Where hangtui runs."""

    engine: Engine | None = None
    """None: not in a container."""
    name: str = ""
    """The container's number as its engine takes it, or the pod's name."""
    namespace: str = ""
    """The pod's namespace, if that is known."""

    def __str__(self) -> str:
        if self.engine is None:
            return "on the host"
        if self.engine is Engine.KUBERNETES:
            return f"in the pod {self.namespace}{'/' if self.namespace else ''}{self.name}"
        return f"in the container {self.engine.value}:{self.name}"


def place(root: Path = Path("/")) -> Place:
    """Where hangtui runs; *root*: where to look for the traces that engines leave."""
    if "KUBERNETES_SERVICE_HOST" in os.environ:
        namespace = _read(root / _POD_NAMESPACE).strip()
        return Place(Engine.KUBERNETES, clean(socket.gethostname()), clean(namespace))
    mounted = _OWN_FILE.search(_read(root / "proc/self/mountinfo"))
    if not mounted:  # the marks below also lie in virtual machines that were made from an image
        return Place()
    found = _MOUNTED_ID.search(mounted["from"])
    name = found[1][:SHORT] if found else clean(socket.gethostname())
    for mark, engine in ((".dockerenv", Engine.DOCKER), ("run/.containerenv", Engine.PODMAN)):
        if (root / mark).exists():
            return Place(engine, name)
    return Place(Engine.OTHER, name)


def number(groups: str) -> str | None:
    """The 64 digits of the container that the lines of a cgroup file name."""
    found = _ID.search(groups)
    return found[1] if found else None


def title(groups: str, root: Path = Path("/")) -> str | None:
    """``docker:0123456789ab shop``, ``kubernetes:0123456789ab shop/web-7/app``; None: in none.

    *groups*: the text of the process's cgroup file. The engine's and the name are found on the
    host, where the engines keep them; *root*: the host's root.
    """
    found = number(groups)
    if found is None:
        return None
    line = next(line for line in groups.split("\n") if found in line)
    engine = next((name for mark, name in _ENGINES if mark in line), "container")
    with Root.of_folder(str(root)) as here:
        known = _name(found, here)
    return f"{engine}:{found[:SHORT]}" + (f" {known}" if known else "")


def _name(container: str, root: Root) -> str | None:
    return (
        _kubernetes_name(container, root)
        or _docker_name(container, root)
        or _podman_name(container, root)
    )


def _kubernetes_name(container: str, root: Root) -> str | None:
    """The kubelet links each container's log under a name that tells all."""
    try:
        with root.folder("/var/log/containers") as folder:
            names = folder.names(_MAX_LOGS)
    except OSError:
        return None
    for name in names:
        found = _POD_LOG.fullmatch(name) if name.endswith(f"-{container}.log") else None
        if found:
            return clean(f"{found['namespace']}/{found['pod']}/{found['container']}")
    return None


def _docker_name(container: str, root: Root) -> str | None:
    content = _json(root, f"/var/lib/docker/containers/{container}/config.v2.json")
    name = content.get("Name") if isinstance(content, dict) else None
    return clean(name.strip("/")) if isinstance(name, str) else None


def _podman_name(container: str, root: Root) -> str | None:
    for folder in ("/var/lib/containers", f"{Path.home()}/.local/share/containers"):
        content = _json(root, f"{folder}/storage/overlay-containers/containers.json")
        for entry in content if isinstance(content, list) else ():
            if isinstance(entry, dict) and entry.get("id") == container:
                names = entry.get("names")
                if isinstance(names, list) and names:
                    return clean(str(names[0]))
    return None


def same(groups: str, pid: int | str = "self") -> bool:
    """Whether a process with these cgroups runs in the same container as another one."""
    return number(groups) == number(_read(PROC / str(pid) / "cgroup"))


def _json(root: Root, path: str) -> object:
    try:
        return json.loads(root.read(path, _MAX_FILE))
    except (OSError, ValueError, RecursionError):
        return None


def _read(path: Path) -> str:
    """The file's text; empty where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(_MAX_FILE).decode("utf-8", "replace")
    except OSError:
        return ""
