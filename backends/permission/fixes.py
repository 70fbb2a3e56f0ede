"""What to type, or to write into YAML, to be let into a process: exact for the place we are in."""

import os
from enum import StrEnum, auto

from hangtui.backends.permission.credentials import Credentials
from hangtui.backends.process.container import SHORT, Engine, Place, number

YAML = "securityContext: {capabilities: {add: [SYS_PTRACE]}}"


class Obstacle(StrEnum):
    """What keeps us out."""

    USER = auto()
    """Another user or group."""
    CAPABILITIES = auto()
    """It may do things that we may not."""
    DUMPABLE = auto()
    """It is closed to its own user."""
    NAMESPACE = auto()
    """Our rights end at our user namespace."""
    YAMA = auto()
    """kernel.yama.ptrace_scope 1 or 2."""
    YAMA_OFF = auto()
    """kernel.yama.ptrace_scope 3."""
    MODULE = auto()
    """AppArmor or SELinux."""
    FILTER = auto()
    """A seccomp filter; only of stops."""
    UNKNOWN = auto()


def fix(
    obstacle: Obstacle, pid: int, its: Credentials, here: Place, *, same_container: bool
) -> str:
    """The command or setting that helps here.

    *its*: the target's credentials; *same_container*: it runs in the container that we are in.
    """
    match obstacle:
        case Obstacle.YAMA_OFF:
            return "on the host: boot with kernel.yama.ptrace_scope=0 in /etc/sysctl.d"
        case Obstacle.YAMA if here.engine is None:
            return f"sudo sysctl kernel.yama.ptrace_scope=0   (or: sudo hangtui {pid})"
        case Obstacle.NAMESPACE:
            return _outside(its, here, pid)
        case Obstacle.MODULE:
            return _module(here, pid)
    if here.engine is None:
        return _on_the_host(pid)
    if here.engine is Engine.KUBERNETES:
        return _kubernetes(here, pid, same_container=same_container)
    if not same_container:
        return _sidecar(its, here)
    as_its_user = obstacle is Obstacle.USER and its.dumpable and its.permitted == 0
    return _engine(here, pid, its if as_its_user else None)


def unfiltered(here: Place) -> str:
    """What lets ptrace pass."""
    if here.engine is Engine.KUBERNETES:
        return "in the pod's YAML: securityContext: {seccompProfile: {type: Unconfined}}"
    if here.engine is None:
        return "start hangtui outside the service or sandbox that filters its system calls"
    return (  # a container beside it has a filter of its own
        f"{_program(here)} run --rm -it --pid container:{here.name} --cap-add SYS_PTRACE hangtui"
        f"   (or start it with: {_program(here)} run --security-opt seccomp=unconfined)"
    )


def _on_the_host(pid: int) -> str:
    if os.geteuid() != 0:
        return f"sudo hangtui {pid}"
    return (
        f"start hangtui {pid} where root has CAP_SYS_PTRACE, which it has lost here"
        "   (in a service of systemd: CapabilityBoundingSet=CAP_SYS_PTRACE)"
    )


def _engine(here: Place, pid: int, its: Credentials | None) -> str:
    """With ``exec`` into the container that we are in; *its*: whose user may look into it."""
    program = _program(here)
    rights = f"-u {its.uids[1]}:{its.gids[1]}" if its else "--privileged -u 0"
    return (
        f"{program} exec -it {rights} {here.name} hangtui {pid}"
        f"   (or start it with: {program} run --cap-add SYS_PTRACE)"
    )


def _sidecar(its: Credentials, here: Place) -> str:
    """With another container beside the target's."""
    target = (number(its.groups) or "NAME")[:SHORT]
    return f"{_program(here)} run --rm -it --pid container:{target} --cap-add SYS_PTRACE hangtui"


def _kubernetes(here: Place, pid: int, *, same_container: bool) -> str:
    """With an ephemeral container; the profile gives it SYS_PTRACE."""
    namespace = f" -n {here.namespace}" if here.namespace else ""
    target = "CONTAINER" if same_container else "ITS_CONTAINER"
    return (
        f"kubectl debug -it{namespace} {here.name} --image=hangtui --target={target}"
        f" --profile=general -- hangtui {pid}   (or in the pod's YAML: {YAML})"
    )


def _outside(its: Credentials, here: Place, pid: int) -> str:
    """From the user namespace in which the target's began."""
    if here.engine is None:
        return f"sudo hangtui {pid}   (as root of the host, outside every user namespace)"
    target = number(its.groups)
    where = f", for container {target[:SHORT]}" if target else ""
    return f"on the host: sudo hangtui   (its PID is another one there{where})"


def _module(here: Place, pid: int) -> str:
    if here.engine is None:
        return f"sudo hangtui {pid}   (SELinux: sudo setsebool deny_ptrace off)"
    if here.engine is Engine.KUBERNETES:
        return "in the pod's YAML: securityContext: {appArmorProfile: {type: Unconfined}}"
    program = _program(here)
    return (
        f"{program} run --security-opt apparmor=unconfined --security-opt label=disable ..."
        f"   (when it runs already: {program} exec -it --privileged -u 0 {here.name} hangtui {pid})"
    )


def _program(here: Place) -> str:
    """The engine's command."""
    return "podman" if here.engine is Engine.PODMAN else "docker"
