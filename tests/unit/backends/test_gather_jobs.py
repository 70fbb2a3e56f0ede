"""Machines of jobs that engines have started: MPI, Dask, Ray, and this one."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hangtui.backends.gather.errands import Errand, answers
from hangtui.backends.gather.place import Place, Wanted
from hangtui.backends.gather.places import places
from hangtui.model import TargetError, UsageError
from tests.procfs import has_ended

pytestmark = pytest.mark.processes

_MPIRUN = """\
#!/bin/sh
[ "$1" = -host ] && shift 4 && exec "$@"
exec sleep 300
"""
_DASK = '''
"""Stands in for Dask: what it is asked to run runs here."""
import asyncio

WORKERS = {
    "tcp://10.0.0.1:1": {"host": "10.0.0.1", "nanny": None},
    "tcp://10.0.0.1:2": {"host": "10.0.0.1", "nanny": "tcp://10.0.0.1:3"},
    "tcp://10.0.0.1:4": {"host": "10.0.0.1", "nanny": "tcp://10.0.0.1:5"},
    "tcp://10.0.0.2:1": {"host": "10.0.0.2", "nanny": None},
    "tcp://10.0.0.3:1": {"host": "10.0.0.3", "nanny": "tcp://10.0.0.3:2"},
}

class Client:
    def __init__(self, address, timeout, set_as_default):
        print("words of its own")
        assert address == "tcp://10.0.0.1:8786" and float(timeout)

    def scheduler_info(self, n_workers):
        assert n_workers == -1
        return {"workers": WORKERS}

    def run(self, function, *arguments, workers, nanny):
        (one,) = workers
        if one == "tcp://10.0.0.3:1":
            return {}
        assert bool(WORKERS[one]["nanny"]) == nanny
        return {one: asyncio.run(function(*arguments))}
'''
_RAY = '''
"""Stands in for Ray: what it is asked to run runs here."""

def init(address, **_):
    print("words of its own")
    assert address == "auto"

def nodes():
    def one(name, address, number, alive=True):
        return {"NodeManagerHostname": name, "NodeManagerAddress": address, "NodeID": number,
                "Alive": alive}
    return [one("a", "10.0.0.1", "f1"), one("b", "10.0.0.2", "f2"),
            one("b", "10.0.0.2", "f3"), one("c", "10.0.0.3", "f4", alive=False)]

class remote:
    def __init__(self, function):
        self.function = function

    def options(self, *, name, num_cpus, max_retries, scheduling_strategy):
        assert not num_cpus and not max_retries and not scheduling_strategy.soft
        return self

    def remote(self, *arguments):
        return self.function(*arguments)

def get(found, timeout):
    assert timeout
    return found
'''
_STRATEGIES = """
class NodeAffinitySchedulingStrategy:
    def __init__(self, node_id, soft):
        self.node_id, self.soft = node_id, soft
"""


@pytest.fixture
def launched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Iterator[_Launched]":
    """Starts what says that it is mpirun."""
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    launcher = _Launched(tmp_path)
    yield launcher
    for one in launcher.started:
        with one:
            one.kill()


class _Launched:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: list[subprocess.Popen[bytes]] = []
        program = folder / "mpirun"
        program.write_text(_MPIRUN)
        program.chmod(0o755)

    def pid(self, *words: str, name: str = "mpirun") -> str:
        """The PID of a launcher with such a command line."""
        started = subprocess.Popen(
            [name, "-c", "import sys; print(flush=True); sys.stdin.read()", *words],
            executable=sys.executable,
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.started.append(started)
        assert started.stdout is not None
        started.stdout.readline()
        return str(started.pid)


def names(found: list[Place]) -> list[str]:
    return [one.name for one in found]


def asked(place: Place, errand: Errand) -> tuple[bytes, str | None]:
    return asked_all([place], errand)[place.name]


def asked_all(found: list[Place], errand: Errand) -> dict[str, tuple[bytes, str | None]]:
    async def ask() -> dict[str, tuple[bytes, str | None]]:
        return {one.place.name: (one.data, one.problem) async for one in answers(found, errand)}

    return asyncio.run(ask())


def test_a_job_that_was_told_of_no_hosts_is_here(launched: _Launched) -> None:
    pid = launched.pid("-n", "8", "python", "train.py")

    (one,) = places("mpi", Wanted((pid,)))

    assert one.name == socket.gethostname()
    assert one.pids == (int(pid),)
    assert one.command("x") == ["sh", "-c", "x"]


@pytest.mark.parametrize(
    "words",
    [
        ("--host", "node-1:4,node-2"),
        ("-H", "node-1,node-2", "-n", "4"),
        ("--hostfile", "hosts"),
        ("-machinefile", "hosts"),
    ],
)
def test_other_hosts_are_reached_by_a_second_launcher(
    launched: _Launched, words: tuple[str, ...]
) -> None:
    (launched.folder / "hosts").write_text("node-1 slots=4  # first\n\n# none\nnode-2:2\n-x\n")
    pid = launched.pid(*words, "python", "train.py")

    found = places("mpi", Wanted((pid,)))

    assert names(found) == ["node-1", "node-2"]
    command = found[1].command("echo $((6 * 7))")
    assert command[-7:-3] == ["-host", "node-2", "-n", "1"]
    assert subprocess.check_output(command) == b"42\n"


def test_this_host_among_others_needs_no_second_launcher(launched: _Launched) -> None:
    pid = launched.pid("-host", f"{socket.gethostname()},node-2")

    here, other = places("mpi", Wanted((pid,)))

    assert here.pids == (int(pid),)
    assert other.name == "node-2"
    assert not other.pids


def test_a_list_of_hosts_that_is_no_file_is_not_opened(launched: _Launched) -> None:
    os.mkfifo(launched.folder / "hosts")
    pid = launched.pid("--hostfile", "hosts")

    with pytest.raises(TargetError, match="list of hosts of process"):
        places("mpi", Wanted((pid,)))


def test_who_is_no_launcher_is_said(launched: _Launched) -> None:
    pid = launched.pid(name="python3")

    with pytest.raises(TargetError, match="no launcher of MPI") as caught:
        places("mpi", Wanted((pid,)))

    assert f"hangtui gather local {pid}" in str(caught.value.fix)


def test_who_has_ended_is_said(launched: _Launched) -> None:
    pid = launched.pid()
    launched.started[0].kill()
    launched.started[0].wait()

    with pytest.raises(TargetError, match="there is no process"):
        places("mpi", Wanted((pid,)))


@pytest.mark.parametrize("carrier", ["mpi", "local"])
def test_what_is_no_number_is_no_process(carrier: str) -> None:
    with pytest.raises(UsageError, match="'node-1' is not a PID"):
        places(carrier, Wanted(("node-1",)))


def test_this_machine_is_looked_at_by_this_very_program() -> None:
    (everybody,) = places("local", Wanted(()))
    (some,) = places("local", Wanted(("7", "8")))

    assert not everybody.pids
    assert some.pids == (7, 8)
    assert some.program[0] == sys.executable


def test_whom_to_look_at_is_said_there(tmp_path: Path) -> None:
    program = tmp_path / "looks here"
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)

    data, _ = asked(Place("x", (), pids=(7, 8), program=(str(program),)), Errand("none"))

    assert data == b"record --children 7 8 --looks 1 --native none -o /dev/stdout\n"


@pytest.fixture
def engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Packages that stand in for those of clusters, and a hangtui that is found there."""
    (tmp_path / "distributed.py").write_text(_DASK)
    scheduling = tmp_path / "ray" / "util"
    scheduling.mkdir(parents=True)
    (tmp_path / "ray" / "__init__.py").write_text(_RAY)
    (scheduling / "__init__.py").write_text("")
    (scheduling / "scheduling_strategies.py").write_text(_STRATEGIES)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    return tmp_path


def hangtui(folder: Path, program: str) -> None:
    """Let hangtui be *program*, lines for a shell."""
    (folder / "bin" / "hangtui").write_text(f"#!/bin/sh\n{program}\n")
    (folder / "bin" / "hangtui").chmod(0o755)


_CLUSTERS = [
    pytest.param("dask", ("tcp://10.0.0.1:8786",), ["10.0.0.1", "10.0.0.2", "10.0.0.3"], id="dask"),
    pytest.param("ray", (), ["a", "b"], id="ray"),
]


@pytest.mark.parametrize(("engine", "words", "machines"), _CLUSTERS)
def test_each_machine_of_a_cluster_is_asked_once(
    engines: Path, engine: str, words: tuple[str, ...], machines: list[str]
) -> None:
    hangtui(engines, 'printf "\\001%s" "$*"; echo complaint >&2')

    found = places(engine, Wanted(words))

    assert names(found) == machines
    said = asked_all(found[:2], Errand("none"))
    assert set(said) == set(machines[:2])
    assert set(said.values()) == {
        (b"\x01record --all --looks 1 --native none -o /dev/stdout", None)
    }


@pytest.mark.parametrize(("engine", "words", "machines"), _CLUSTERS)
def test_what_fails_there_is_said_here(
    engines: Path, engine: str, words: tuple[str, ...], machines: list[str]
) -> None:
    first = places(engine, Wanted(words))[0]
    assert asked(first, Errand("none")) == (b"", "hangtui is not installed there")

    hangtui(engines, "echo 'no permission' >&2; exit 2")
    first = places(engine, Wanted(words))[0]
    assert asked(first, Errand("none")) == (b"", "no permission")
    assert len(machines) > 1


@pytest.mark.parametrize(("engine", "words", "machines"), _CLUSTERS)
def test_what_hangs_there_is_ended_there(
    engines: Path, engine: str, words: tuple[str, ...], machines: list[str]
) -> None:
    hangtui(engines, "sleep 300")

    first = places(engine, Wanted(words, within_s=1))[0]

    assert asked(first, Errand("none", within_s=60)) == (b"", "no answer in time")
    assert len(machines) > 1


@pytest.mark.parametrize(("engine", "words", "machines"), _CLUSTERS)
def test_a_cluster_is_joined_once_and_left_when_all_have_answered(
    engines: Path, engine: str, words: tuple[str, ...], machines: list[str]
) -> None:
    package = engines / ("distributed.py" if engine == "dask" else "ray/__init__.py")
    joined = engines / "joined"
    with package.open("a") as file:
        file.write(
            f"\nimport os\nwith open({str(joined)!r}, 'a') as f: print(os.getpid(), file=f)\n"
        )
    hangtui(engines, "echo")

    asked_all(places(engine, Wanted(words)), Errand("none"))

    (client,) = joined.read_text().split()
    assert has_ended(int(client))
    assert len(machines) > 1


@pytest.mark.parametrize(("engine", "words", "machines"), _CLUSTERS)
def test_what_is_carried_comes_through_the_client(
    engines: Path, engine: str, words: tuple[str, ...], machines: list[str]
) -> None:
    home = engines / "build" / "hangtui-portable"
    home.mkdir(parents=True)
    (home / "hangtui").write_text("#!/bin/sh\necho carried\n")
    (home / "hangtui").chmod(0o755)
    archive = engines / "build.tar.gz"
    subprocess.run(["tar", "-czf", archive, "-C", home.parent, home.name], check=True)

    first = places(engine, Wanted(words))[0]

    assert asked(first, Errand("none", carried=archive)) == (b"carried\n", None)
    assert len(machines) > 1


def test_a_nanny_that_does_not_answer_costs_its_machine(engines: Path) -> None:
    hangtui(engines, "echo")

    *_, last = places("dask", Wanted(("tcp://10.0.0.1:8786",)))

    assert asked(last, Errand("none")) == (b"", "nobody answers there")


@pytest.mark.parametrize(
    ("python", "message"),
    [("/bin/false", "/bin/false has no package 'ray'"), ("/nowhere", "/nowhere has no package")],
)
def test_an_interpreter_without_the_package_is_said(
    engines: Path, python: str, message: str
) -> None:
    del engines
    with pytest.raises(TargetError, match=message) as caught:
        places("ray", Wanted((), python=python))

    assert "--python" in str(caught.value.fix)


def test_a_cluster_that_does_not_answer_says_why(engines: Path) -> None:
    with pytest.raises(TargetError, match="AssertionError"):
        places("ray", Wanted(("10.0.0.9:6379",)))
    with pytest.raises(UsageError, match="one scheduler"):
        places("dask", Wanted(("a", "b")))
    with pytest.raises(UsageError, match="where does dask look"):
        places("dask", Wanted(()))
    del engines
