"""``hangtui gather`` over machines with servers of ssh.

They are namespaces of this machine, with hosts and PIDs of their own, which are really equal.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hangtui.capture_file import load
from hangtui.diagnosis import diagnose
from hangtui.model import host_of, own
from tests.integration.targets import FOLDER
from tests.waiting import until

ROOT = Path(__file__).parents[2]
_SSHD = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:/sbin") or ""
_NEEDED = ("ssh", "ssh-keygen", "unshare")
pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or not _SSHD or not all(map(shutil.which, _NEEDED)),
    reason="needs root, unshare and a server of ssh (script/packages containers)",
)
_START = """\
hostname "$1"
HANGTUI_READY="$2/$1.ready" "$3" "$4" &
exec {sshd} -D -e -f "$2/sshd_config" -p "$5"
"""
_SERVER = """\
HostKey {folder}/host
AuthorizedKeysFile {folder}/key.pub
StrictModes no
PidFile none
UsePAM no
PermitRootLogin yes
SetEnv PATH={folder}/bin:/usr/bin:/bin
"""
_CLIENT = """\
Host node-*
  HostName 127.0.0.1
  User root
  IdentityFile {folder}/key
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile {folder}/known
"""


@dataclass(frozen=True, slots=True)
class Nodes:
    """Three machines, of which the second hangs, and one that is down."""

    folder: Path

    def gather(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run the command over all of them."""
        path = f"{self.folder}/client:{os.environ['PATH']}"
        return subprocess.run(
            [sys.executable, "-m", "hangtui", "gather", "ssh", *words],
            env={**os.environ, "PATH": path},
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _program(path: Path, *lines: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(("#!/bin/sh", *lines, "")))
    path.chmod(0o755)


@pytest.fixture
def nodes(tmp_path: Path, some_python: Path) -> Iterator[Nodes]:
    """Servers of ssh, each beside one program."""
    Path("/run/sshd").mkdir(exist_ok=True)  # where it separates privileges
    for name in ("key", "host"):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / name)]
        subprocess.run(command, check=True)
    (tmp_path / "sshd_config").write_text(_SERVER.format(folder=tmp_path))
    client = _CLIENT.format(folder=tmp_path)
    _program(tmp_path / "bin" / "hangtui", f"cd {ROOT}", f'exec {sys.executable} -m hangtui "$@"')
    _program(
        tmp_path / "client" / "ssh", f'exec {shutil.which("ssh")} -F {tmp_path}/ssh_config "$@"'
    )
    started = []
    programs = {"node-1": "healthy_http", "node-2": "abba", "node-3": "healthy_http"}
    try:
        for name, program in programs.items():
            port = _free_port()
            client += f"Host {name}\n  Port {port}\n"
            ready = tmp_path / f"{name}.ready"
            os.mkfifo(ready)
            script = [_START.format(sshd=_SSHD), "node", name, str(tmp_path)]
            script += [str(some_python), str(FOLDER / f"{program}.py"), str(port)]
            namespaces = ["--uts", "--pid", "--fork", "--mount-proc", "--kill-child"]
            with (tmp_path / f"{name}.log").open("wb") as log:
                started.append(
                    subprocess.Popen(
                        ["unshare", *namespaces, "sh", "-c", *script],
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=log,
                        start_new_session=True,
                    )
                )
            with ready.open("rb") as file:
                file.read()
        client += f"Host node-4\n  Port {_free_port()}\n"
        (tmp_path / "ssh_config").write_text(client)
        logs = [tmp_path / f"{name}.log" for name in programs]
        until(lambda: all("Server listening" in log.read_text() for log in logs))
        yield Nodes(tmp_path)
    finally:
        for process in started:
            os.killpg(process.pid, signal.SIGKILL)  # the kernel ends all of a PID namespace
            process.wait()


def test_many_machines_are_one_capture(nodes: Nodes, tmp_path: Path) -> None:
    path = tmp_path / "job.hang"

    done = nodes.gather("node-1", "node-2", "node-3", "node-4", "-o", str(path))

    assert done.returncode == 0, done.stderr
    assert "4 of 4" in done.stderr
    capture = load(path)
    assert sorted(capture.hosts) == ["node-1", "node-2", "node-3"]
    processes = [process for process in capture.processes if process.python]
    assert {host_of(one.pid) for one in processes} == set(capture.hosts)
    assert len({own(one.pid) for one in processes}) < len(processes)
    (notice,) = [one for one in capture.notices if one.source == "gather"]
    assert "node-4: ssh: connect to host 127.0.0.1" in notice.message
    first, *others = diagnose(capture).findings
    assert first.id == "deadlock"
    assert {host_of(ref.pid) for ref in first.threads} == {"node-2"}
    assert all(one.severity == "note" for one in others)


def test_nobody_has_it(nodes: Nodes, tmp_path: Path) -> None:
    (nodes.folder / "bin" / "hangtui").unlink()

    done = nodes.gather("node-1", "node-2", "-o", str(tmp_path / "job.hang"))

    assert done.returncode == 2
    assert "hangtui is not installed there" in done.stderr
    assert "--carry" in done.stderr
    assert not (tmp_path / "job.hang").exists()
