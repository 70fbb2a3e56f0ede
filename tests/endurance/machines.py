"""Machines for jobs: namespaces of this one, each with a name, PIDs and an address of its own.

`alone` first moves the program into namespaces of its own, so that whatever ends it ends all that
it started, and nothing of this machine's network or folders is changed.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.waiting import until

HEAD = "10.77.0.100"
"""The address of the machine on which all begins."""
_WITHIN = "HANGTUI_JOBS_WITHIN"
_NODE = """\
hostname "$1"
ip link set lo up
mount -t tmpfs none /dev/shm
echo > "$2"
read -r _
ip addr add "$3/24" dev "$1"
ip link set "$1" up
echo > "$2.up"
exec sleep infinity
"""
_ALONE = """\
set -e
hostname head
ip link set lo up
ip link add bridge0 type bridge
ip addr add {head}/24 dev bridge0
ip link set bridge0 up
exec "$@"
"""


def alone() -> None:
    """Go on in namespaces of our own, of which this program is the first process."""
    if os.environ.get(_WITHIN):
        return
    os.environ[_WITHIN] = "1"
    spaces = ["--net", "--uts", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"]
    program = [sys.executable, *sys.argv]
    script = _ALONE.format(head=HEAD)
    os.execvp("unshare", ["unshare", *spaces, "sh", "-c", script, "sh", *program])


class Machines:
    """Some machines, and what runs on them."""

    def __init__(self, count: int, folder: Path) -> None:
        self.names = [f"node-{number}" for number in range(count)]
        self.folder = folder
        self._first: dict[str, int] = {}
        hosts = [f"{self.address(name)} {name}" for name in self.names]
        lines = ["127.0.0.1 localhost", f"{HEAD} head", *hosts]
        (folder / "hosts").write_text("\n".join(lines) + "\n")
        put("/etc/hosts", folder / "hosts")
        for number, name in enumerate(self.names):
            self._start(name, f"10.77.0.{number + 1}")

    def address(self, name: str) -> str:
        """Its address."""
        return f"10.77.0.{self.names.index(name) + 1}"

    def _start(self, name: str, address: str) -> None:
        sign = self.folder / f"{name}.sign"
        spaces = ["--net", "--uts", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"]
        words = [name, str(sign), address]
        program = subprocess.Popen(
            ["unshare", *spaces, "sh", "-c", _NODE, "sh", *words], stdin=subprocess.PIPE
        )
        until(sign.exists)
        (inside,) = _children(program.pid)
        self._first[name] = inside
        cable = ["ip", "link", "add", name, "netns", str(inside), "type", "veth"]
        subprocess.run([*cable, "peer", "name", f"to-{name}"], check=True)
        subprocess.run(["ip", "link", "set", f"to-{name}", "master", "bridge0", "up"], check=True)
        assert program.stdin is not None
        program.stdin.write(b"\n")
        program.stdin.flush()
        until(Path(f"{sign}.up").exists)

    def on(self, name: str, words: Sequence[str]) -> list[str]:
        """The command that runs *words* there."""
        spaces = ["--net", "--uts", "--mount", "--pid"]
        return ["nsenter", "--target", str(self._first[name]), *spaces, "--", *words]


def _children(pid: int) -> list[int]:
    done = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in done.stdout.split()]


def put(path: str, content: Path) -> None:
    """Let *path* be *content*, for us and all that is started from now on."""
    kind = Path(path)
    if content.is_dir():
        kind.mkdir(parents=True, exist_ok=True)
    elif not kind.exists():
        kind.parent.mkdir(parents=True, exist_ok=True)
        kind.touch()
    subprocess.run(["mount", "--bind", str(content), path], check=True)


@contextlib.contextmanager
def running(
    words: Sequence[str], log: Path, environment: dict[str, str] | None = None
) -> Iterator["subprocess.Popen[bytes]"]:
    """A program that goes with us, and what it says in a file."""
    with log.open("ab") as file:
        started = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
        )
    try:
        yield started
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, 15)
        with contextlib.suppress(subprocess.TimeoutExpired):
            started.wait(10)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, 9)
        started.wait()
