"""Builds of CPython that differ from the usual: stripped, free-threaded, several interpreters."""

import shutil
import subprocess
from pathlib import Path

import pytest

from hangtui.model import Certainty, GilState, NodeKind
from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running

_SHARED = [
    found
    for found in interpreters()
    if list(found.path.resolve().parents[1].glob(f"lib/libpython{found.version}*.so.*"))
]
_WITH_OWN_GILS = [
    found for found in interpreters(("3.12", "3.13", "3.14", "3.15")) if found.origin != "system"
]


@pytest.fixture(params=_SHARED, ids=lambda found: found.id)
def stripped(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A CPython whose library has no symbols but the exported ones."""
    if shutil.which("strip") is None:
        pytest.skip("no strip")
    found: Interpreter = request.param
    (library,) = found.path.resolve().parents[1].glob(f"lib/libpython{found.version}*.so.*")
    copy = tmp_path / library.name
    subprocess.run(["strip", "-s", "-o", copy, library], check=True)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    return found.path


def _runs_copy(pid: int, folder: Path) -> bool:
    return str(folder) in Path(f"/proc/{pid}/maps").read_text()


def test_python_locks_of_a_stripped_interpreter(stripped: Path, tmp_path: Path) -> None:
    with running("abba", stripped) as target:
        assert _runs_copy(target.pid, tmp_path)
        found = diagnose(target.pid)
    assert found.finding("deadlock").certainty is Certainty.PROVEN
    assert found.members(NodeKind.LOCK) == {
        "checking.lock (threading.Lock)",
        "savings.lock (threading.Lock)",
    }


@pytest.mark.usefixtures("compiler")
def test_the_gil_of_a_stripped_interpreter(stripped: Path, tmp_path: Path) -> None:
    with running("rwlock_gil", stripped) as target:
        assert _runs_copy(target.pid, tmp_path)
        found = diagnose(target.pid)
    assert found.finding("deadlock").certainty is Certainty.CERTAIN
    assert found.members(NodeKind.GIL) == {"GIL"}
    with running("gil_blocked", stripped) as target:
        found = diagnose(target.pid)
    assert found.thread("ticker").gil is GilState.WAITS
    assert found.finding("gil-held-while-blocked").certainty.supports_claim


@pytest.fixture(params=_WITH_OWN_GILS, ids=lambda found: found.id)
def python_of_several(request: pytest.FixtureRequest) -> Interpreter:
    """CPythons whose sub-interpreters have GILs of their own."""
    found: Interpreter = request.param
    return found


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize(
    ("where", "label", "members"),
    [
        ("main", "GIL of the main interpreter", {"MainThread", "launcher"}),
        ("own", "GIL of interpreter 2", {"second", "launcher-inside"}),
    ],
)
def test_each_interpreter_has_a_gil(
    where: str, label: str, members: set[str], python_of_several: Interpreter
) -> None:
    if where == "own" and python_of_several.version == "3.12":
        pytest.skip("ctypes of CPython 3.12 cannot be loaded into such an interpreter")
    with running("subinterpreters", python_of_several.path, arguments=(where,)) as target:
        found = diagnose(target.pid)
    gils = {r.label for r in found.capture.resources if r.kind is NodeKind.GIL}
    assert gils == {"GIL of the main interpreter", "GIL of interpreter 1", "GIL of interpreter 2"}
    assert found.members(NodeKind.GIL) == {label}
    names = {thread.split(" ")[0] for thread in found.members(NodeKind.THREAD)}
    assert names == members
    assert found.certainties() == {Certainty.CERTAIN}


def test_threads_inside_of_interpreters(python_of_several: Interpreter) -> None:
    with running("subinterpreters", python_of_several.path, arguments=("main",)) as target:
        found = diagnose(target.pid)
    for name in ("first", "second"):
        thread = found.thread(name)
        assert thread.python_stack is not None
        inside, *outside = [frame.function for frame in thread.python_stack]
        assert inside == "<module>"
        assert outside[-1].endswith("_bootstrap")
        wait = found.graph.wait_of(thread.id)
        assert wait is not None
        (hold,) = found.graph.holders_of(wait.target)
        assert hold.target == found.thread(f"keeper-{name}").id
        assert hold.evidence.certainty is Certainty.PROVEN
