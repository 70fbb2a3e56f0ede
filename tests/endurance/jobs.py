"""Jobs of eight ranks on machines of their own, started by real engines: Slurm, Open MPI, ssh,
Dask, Ray; one rank hangs for a reason of its own, or none. script/jobs is the command line."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.endurance.machines import HEAD, Machines, put, running
from tests.waiting import until

ROOT = Path(__file__).parents[2]
TARGETS = ROOT / "tests" / "targets" / "jobs"
VENV = ROOT / ".pythons" / "jobs"
PACKAGES = ("mpi4py", "distributed", "ray", "torch")
RANKS = 8
_SETTLED_S = 2.0
"""After a rank hangs: the others come to where they wait for it."""
_WAITED_S = 180.0
"""Ray takes a minute to start where others compute."""
_Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Site:
    """Where a job is started."""

    folder: Path
    python: str
    machines: Machines

    def program(self, name: str, *words: str) -> list[str]:
        """The command line of one of the programs in `TARGETS`."""
        return [self.python, str(TARGETS / f"{name}.py"), *words]

    def on_all(
        self, stack: contextlib.ExitStack, words: Sequence[str]
    ) -> list["subprocess.Popen[bytes]"]:
        """Start a program on each machine; ``NODE`` and ``ADDRESS`` in its words are the
        machine's."""
        return [
            stack.enter_context(
                running(
                    self.machines.on(
                        name,
                        [
                            word.replace("NODE", name).replace(
                                "ADDRESS", self.machines.address(name)
                            )
                            for word in words
                        ],
                    ),
                    self.folder / f"{name}.log",
                )
            )
            for name in self.machines.names
        ]


@contextlib.contextmanager
def ssh(site: Site, way: str) -> Iterator[list[str]]:
    """Ranks that somebody started by hand on machines with servers of ssh."""
    with contextlib.ExitStack() as stack:
        _servers(site, stack)
        shares = (range(3), range(3, 6), range(6, RANKS))
        for name, ranks in zip(site.machines.names, shares, strict=True):
            for rank in ranks:
                told = {"RANK": f"{rank}", "WORLD_SIZE": f"{RANKS}", **_MASTER}
                words = site.machines.on(name, site.program("torch_ranks", way))
                stack.enter_context(running(words, site.folder / "ranks.log", told))
        yield ["ssh", *site.machines.names]


_MASTER = {"MASTER_ADDR": "10.77.0.1", "MASTER_PORT": "29500"}
_SERVER = """\
HostKey {folder}/host
AuthorizedKeysFile {folder}/key.pub
StrictModes no
PidFile none
UsePAM no
PermitRootLogin yes
SetEnv PATH={path}
"""
_CLIENT = """\
Host *
  User root
  IdentityFile {folder}/key
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile {folder}/known
  LogLevel ERROR
"""


def _servers(site: Site, stack: contextlib.ExitStack) -> None:
    """A server of ssh on each machine, which our own client reaches without a question."""
    for name in ("key", "host"):
        words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(site.folder / name)]
        subprocess.run(words, check=True)
    config = site.folder / "sshd_config"
    config.write_text(_SERVER.format(folder=site.folder, path=os.environ["PATH"]))
    home = site.folder / "home"
    home.mkdir()
    (home / "config").write_text(_CLIENT.format(folder=site.folder))
    put(str(Path.home() / ".ssh"), home)
    Path("/run/sshd").mkdir(exist_ok=True)
    server = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin") or "sshd"
    site.on_all(stack, [server, "-D", "-e", "-f", str(config), "-p", "22"])
    for name in site.machines.names:
        log = site.folder / f"{name}.log"
        until(lambda log=log: "Server listening" in log.read_text())  # type: ignore[misc]


@contextlib.contextmanager
def mpi(site: Site, way: str) -> Iterator[list[str]]:
    """Open MPI on machines that it reaches by ssh."""
    with contextlib.ExitStack() as stack:
        _servers(site, stack)
        each = RANKS // len(site.machines.names)
        hosts = ",".join(f"{site.machines.address(one)}:{each}" for one in site.machines.names)
        words = ["mpirun", "--host", hosts, "-n", f"{RANKS}", "-x", "HANGTUI_JOB"]
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        program = site.program("mpi_ranks", way)
        log = site.folder / "mpirun.log"
        launcher = stack.enter_context(running([*words, *program], log, root))
        yield ["mpi", str(launcher.pid)]


_SLURM = """\
ClusterName=jobs
SlurmctldHost=head({head})
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
ReturnToService=2
SlurmdParameters=config_overrides
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@contextlib.contextmanager
def slurm(site: Site, way: str) -> Iterator[list[str]]:
    """A job step of Slurm, with a daemon on each machine."""
    names = site.machines.names
    nodes = [
        f"NodeName={name} NodeAddr={site.machines.address(name)} CPUs=4 State=UNKNOWN"
        for name in names
    ]
    text = _SLURM.format(head=HEAD, folder=site.folder, nodes="\n".join(nodes))
    (site.folder / "slurm.conf").write_text(text)
    (site.folder / "state").mkdir()
    (site.folder / "munge.key").write_bytes(os.urandom(1024))
    (site.folder / "munge.key").chmod(0o600)
    os.environ["SLURM_CONF"] = str(site.folder / "slurm.conf")
    with contextlib.ExitStack() as stack:
        socket = site.folder / "munge"
        munge = ["munged", "--foreground", "--force", "--num-threads=2", f"--socket={socket}"]
        kinds = ("key", "log", "pid", "seed")
        munge += [f"--{kind}-file={site.folder}/munge.{kind}" for kind in kinds]
        stack.enter_context(running(munge, site.folder / "munged.log"))
        until(socket.exists)
        stack.enter_context(running(["slurmctld", "-D", "-c"], site.folder / "slurmctld.out"))
        site.on_all(stack, ["slurmd", "-D", "-N", "NODE"])
        until(lambda: _said("sinfo", "--noheader", "--format=%t %D") == [f"idle {len(names)}"])
        job = ["srun", f"--nodes={len(names)}", f"--ntasks={RANKS}", "--mem=0"]
        words = [*job, *site.program("torch_ranks", way)]
        stack.enter_context(running(words, site.folder / "srun.log", _MASTER))
        (number,) = until(lambda: _said("squeue", "--noheader", "--states=R", "--format=%A"))
        yield ["slurm", number]


def _said(*words: str) -> list[str]:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return [line.strip() for line in done.stdout.splitlines()]


@contextlib.contextmanager
def dask(site: Site, way: str) -> Iterator[list[str]]:
    """A cluster of Dask, four workers with nannies on each machine."""
    scheduler = f"tcp://{HEAD}:8786"
    tool = [str(Path(site.python).parent / "dask")]
    start = [*tool, "scheduler", "--host", HEAD, "--port", "8786", "--no-dashboard"]
    each = str(RANKS // len(site.machines.names))
    worker = [*tool, "worker", scheduler, "--nworkers", each, "--nthreads", "1"]
    with contextlib.ExitStack() as stack:
        stack.enter_context(running(start, site.folder / "scheduler.log"))
        place = ["--host", "ADDRESS", "--no-dashboard", "--local-directory", str(site.folder)]
        site.on_all(stack, [*worker, *place])
        logs = [site.folder / f"{name}.log" for name in site.machines.names]
        begun = time.monotonic()
        while sum(log.read_text().count("Registered to") for log in logs) < RANKS:
            assert time.monotonic() - begun < _WAITED_S, logs[0].read_text()[-2000:]
            time.sleep(0.2)
        words = site.program("dask_job", way, scheduler)
        stack.enter_context(running(words, site.folder / "client.log"))
        yield ["dask", scheduler, "--python", site.python]


@contextlib.contextmanager
def ray(site: Site, way: str) -> Iterator[list[str]]:
    """A cluster of Ray over machines."""
    tool = str(Path(site.python).parent / "ray")
    address = f"{HEAD}:6379"
    calm = {
        "RAY_AUTH_MODE": "disabled",
        "RAY_raylet_start_wait_time_s": "120",
        "RAY_DISABLE_MEMORY_MONITOR": "1",
    }
    os.environ.update(calm, RAY_USAGE_STATS_ENABLED="0", RAY_ADDRESS=address)
    common = ["--block", "--disable-usage-stats", f"--temp-dir={site.folder}/r"]
    small = ["--object-store-memory=100000000", "--num-cpus=4"]
    head = [tool, "start", "--head", f"--node-ip-address={HEAD}", "--port=6379", "--num-cpus=0"]
    head += ["--include-dashboard=false", "--object-store-memory=100000000", *common]
    with contextlib.ExitStack() as stack:
        del os.environ["RAY_ADDRESS"]
        stack.enter_context(running(head, site.folder / "head.log"))
        until(lambda: "--block" in (site.folder / "head.log").read_text())
        node = [tool, "start", f"--address={address}", "--node-ip-address=ADDRESS", *small]
        site.on_all(stack, [*node, "--block", "--disable-usage-stats"])
        words = site.program("ray_job", way)
        stack.enter_context(running(words, site.folder / "driver.log", {"RAY_ADDRESS": address}))
        yield ["ray", address, "--python", site.python, "--within", "4m"]


@dataclass(frozen=True, slots=True)
class Engine:
    """What starts jobs."""

    start: Callable[[Site, str], contextlib.AbstractContextManager[list[str]]]
    machines: int
    way: str
    """How the odd rank hangs: a function of ``tests/targets/jobs/odd.py``."""
    ids: tuple[str, ...]
    """What the first finding may be."""
    ranks: bool = True
    """Whether processes have been told a rank."""


ENGINES = {
    "ssh": Engine(ssh, 3, "lost_worker", ("rank-elsewhere", "lost-wakeup", "dead-worker")),
    "slurm": Engine(slurm, 4, "full_pipe", ("output-blocked",)),
    "mpi": Engine(mpi, 2, "lock_ring", ("deadlock",)),
    "dask": Engine(dask, 2, "own_lock", ("self-deadlock",), ranks=False),
    "ray": Engine(ray, 2, "join_under_lock", ("deadlock",), ranks=False),
}


@dataclass(slots=True)
class Verdict:
    """What came of one job."""

    engine: str
    way: str
    seconds: float = 0.0
    processes: int = 0
    first: str = ""
    wrong: list[str] = field(default_factory=list)


def judged(name: str, way: str, python: str, keep: Path | None = None) -> Verdict:
    """Start a job, gather it, and compare what is said with what is so."""
    engine = ENGINES[name]
    verdict = Verdict(name, way)
    with tempfile.TemporaryDirectory(prefix="jobs-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        os.environ.update(HANGTUI_JOB=made, PYTHONPATH=str(TARGETS))  # Dask and Ray import `odd`
        _hangtui_on_path(folder)
        machines = Machines(engine.machines, folder)
        with engine.start(Site(folder, python, machines), way) as words:
            begun = time.monotonic()
            while not (folder / "odd").exists():
                if time.monotonic() - begun > _WAITED_S:
                    logs = {one.name: one.read_text()[-300:] for one in folder.glob("*.log")}
                    verdict.wrong.append(f"it did not start: {logs}")
                    return verdict
                time.sleep(0.1)
            time.sleep(_SETTLED_S)
            path = keep or folder / "job.hang"
            begun = time.monotonic()
            done = _hangtui("gather", *words, "-o", str(path))
            verdict.seconds = time.monotonic() - begun
            if done.returncode:
                verdict.wrong.append(done.stderr.strip())
                return verdict
            report = json.loads(_hangtui("dump", str(path), "--json").stdout)
            odd = (folder / "odd").read_text().split()
    verdict.processes = sum(one["python"] is not None for one in report["processes"])
    _compare(verdict, engine, report, odd)
    return verdict


def _compare(verdict: Verdict, engine: Engine, report: _Json, odd: Sequence[str]) -> None:
    findings = report["findings"]
    if findings:
        first = findings[0]
        verdict.first = f"{first['severity']} {first['id']}: {first['title']}"
    if verdict.way == "well":
        verdict.wrong += [
            f"{one['severity']} {one['id']}: {one['title']}"
            for one in findings
            if one["severity"] != "note"
        ]
        return
    if not findings:
        verdict.wrong.append("nothing is said")
        return
    if first["severity"] == "note":
        verdict.wrong.append("it is a note")
    if first["id"] not in engine.ids:
        verdict.wrong.append(f"it is told as {first['id']}")
    host, pid = odd
    text = first["title"] + first["sentence"]
    if engine.ranks and "rank 5" not in text:
        verdict.wrong.append("rank 5 is not named")
    if host not in text and not any(host in str(one["pid"]) for one in first["threads"]):
        verdict.wrong.append(f"{host} is not named")
    if not any(str(one["pid"]).partition("@")[0] == pid for one in first["threads"]):
        verdict.wrong.append(f"process {pid} is not among the threads")
    where = first.get("where") or {}
    if where.get("line") != _line(verdict.way):
        verdict.wrong.append(f"its line is {where.get('filename')}:{where.get('line')}")


def _line(way: str) -> int:
    """Where a rank hangs that hangs in this way."""
    lines = (TARGETS / "odd.py").read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"def {way}("))
    return next(i for i, line in enumerate(lines[start:], start + 1) if "# HERE" in line)


def _hangtui(*words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "hangtui", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def _hangtui_on_path(folder: Path) -> None:
    """So that every machine has it."""
    place = folder / "bin"
    place.mkdir()
    program = place / "hangtui"
    program.write_text(f'#!/bin/sh\ncd {ROOT}\nexec {sys.executable} -m hangtui "$@"\n')
    program.chmod(0o755)
    os.environ["PATH"] = f"{place}:{os.environ['PATH']}"
