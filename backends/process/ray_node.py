"""What the scheduler of a node of Ray writes down about itself, every few seconds, in its logs.

A raylet keeps `debug_state.txt` (`debug_dump_period_milliseconds`, ten seconds), and beside it, on
the head node, Ray's autoscaler reports every five what is asked for and cannot be had. These files
are read as they lie there: nobody is asked, and nothing is started.
"""

import re
import time
from collections.abc import Sequence
from pathlib import Path

from hangtui.backends.door import Budget, Root
from hangtui.backends.procfs.files import raw_cmdline, text
from hangtui.model import RayNode, RayUse, clean

_PROGRAM = "raylet"
_SESSION = "--session_dir="
_STATE, _REPORTS = "logs/debug_state.txt", "logs/monitor.log"
_MOST_STATE, _MOST_REPORTS = 1 << 16, 1 << 15
"""Bytes: the queues stand in the first kilobyte, and 32 KiB of reports are those of two minutes."""
_STALE_S = 60.0
"""Of a node that has not written for so long nothing is said: it hangs, or writes elsewhere."""
_INFEASIBLE = re.compile(r"^Infeasible queue length: (\d{1,9})$", re.MULTILINE)
_WAITING = re.compile(r"^num_waiting_for_(?:remote_node_)?resources?: (\d{1,9})$", re.MULTILINE)
_REPORT = re.compile(r"^=+ Autoscaler status: .*\n(?:(?!=)(?!\d{4}-).*\n)*", re.MULTILINE)
_NODES = re.compile(r"^Active:\n((?: .*\n)+)", re.MULTILINE)
_COUNTS = re.compile(r"^ (\d{1,6}) ", re.MULTILINE)
"""Of `` 1 node_2da7e7ec``."""
_USE = re.compile(r"^ (([\d.]{1,12})/([\d.]{1,12}) \w{1,20})(?: \(.{1,100}\))?$", re.MULTILINE)
_DEMANDS = re.compile(r"^Pending Demands:\n((?: .*\n)+)", re.MULTILINE)
_REFUSED = re.compile(r"No available node types can fulfill resource request (\{.{1,200}?\})")
_RESOURCES = re.compile(r"\{.{1,200}?\}")
_RESOURCE = re.compile(r"'[^']{1,100}': [^,}]{1,40}")
_USES = re.compile(r"^Resource usage \{\n((?: .*\n)+)", re.MULTILINE)
_ONE_USE = re.compile(
    r"^ +- \(language=\w{1,20} actor_or_task(.{0,200}?)(?:\.__init__)? pid=(\d{1,10}) "
    r"worker_id=\w{1,80}\): \{(.{1,400})\}$",
    re.MULTILINE,
)
"""Of a worker to which something was given; Ray writes no space before the name."""
_IN_GROUP = re.compile(r"_group_\w{1,80}(?=: )")
_MOST_USES = 256
_NO_DEMANDS = "(no resource demands)"
_MOST_DEMANDS, _MOST_CHARACTERS = 3, 120


def is_one(process: Path) -> bool:
    """Whether the process with this folder below ``/proc`` is called as the scheduler of a node.

    Raises:
        OSError: it is gone.
    """
    return text(process / "comm") == f"{_PROGRAM}\n"


def read(process: Path) -> RayNode | None:
    """What the raylet with this folder below ``/proc`` wrote last; None: it is none, or has not
    written lately.

    Raises:
        OSError: what it wrote cannot be read.
    """
    if not is_one(process):
        return None
    sessions = [word for word in raw_cmdline(process) if word.startswith(_SESSION)]
    if not sessions:
        return None
    session = sessions[0].removeprefix(_SESSION)
    with Root.of_process(int(process.name), Budget(max_bytes=_MOST_STATE + _MOST_REPORTS)) as root:
        age_s = _age_s(root, f"{session}/{_STATE}")
        written = root.read(f"{session}/{_STATE}", _MOST_STATE).decode(errors="replace")
        infeasible = _INFEASIBLE.search(written)
        if infeasible is None or age_s > _STALE_S:
            return None
        waiting = sum(map(int, _WAITING.findall(written)))
        reports = _tail(root, f"{session}/{_REPORTS}")
    return _node(age_s, int(infeasible[1]), waiting, reports, _uses(written))


def _age_s(root: Root, path: str) -> float:
    return max(0.0, time.time() - root.facts(path).st_mtime)


def _tail(root: Root, path: str) -> str:
    """The end of what the autoscaler wrote; empty without one, which only the head node has."""
    try:
        if _age_s(root, path) > _STALE_S:
            return ""
        with root.open_file(path) as file:
            file.seek(max(0, file.seek(0, 2) - _MOST_REPORTS))
            return file.read(_MOST_REPORTS).decode(errors="replace")
    except OSError:
        return ""


def _uses(written: str) -> tuple[RayUse, ...]:
    """What workers have of the node."""
    found = _USES.search(written)
    ones = _ONE_USE.findall(found[1]) if found else []
    return tuple(
        RayUse(int(pid), clean(name, _MOST_CHARACTERS), clean(_used(what), _MOST_CHARACTERS))
        for name, pid, what in ones[:_MOST_USES]
    )


def _used(what: str) -> str:
    """``CPU: 2, GPU: 1``, in whatever placement group that is; Ray writes them in any order, and a
    bundle of a group as a resource of its own."""
    parts = (_IN_GROUP.sub("", one.strip()) for one in what.split(","))
    return ", ".join(sorted({one for one in parts if not one.startswith("bundle")}))


def _node(
    age_s: float, infeasible: int, waiting: int, reports: str, uses: tuple[RayUse, ...]
) -> RayNode:
    """What a node wrote, with the autoscaler's last report."""
    last = ["", *_REPORT.findall(reports)][-1]
    found = _DEMANDS.search(last)
    lines = [line.strip() for line in found[1].splitlines()] if found else []
    demands = [line for line in lines if line != _NO_DEMANDS][:_MOST_DEMANDS]
    never = {_resources(one) for one in _REFUSED.findall(reports)}
    refused = [line for line in demands if _resources(line) in never]
    nodes = _NODES.search(last)
    used_up = [use for use, used, of in _USE.findall(last) if used == of]
    return RayNode(
        age_s,
        infeasible,
        waiting,
        _cleaned(demands),
        _cleaned(refused),
        sum(map(int, _COUNTS.findall(nodes[1]))) if nodes else None,
        _cleaned(used_up[:_MOST_DEMANDS]),
        uses,
    )


def _resources(line: str) -> frozenset[str]:
    """What a line asks for, which Ray writes in one order here and in another there."""
    found = _RESOURCES.match(line)
    return frozenset(_RESOURCE.findall(found[0])) if found else frozenset((line,))


def _cleaned(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(clean(line, _MOST_CHARACTERS) for line in lines)
