"""Builds of CPython that differ from the usual: stripped, free-threaded, several interpreters."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from hangtui.backends.capture import visibility
from hangtui.backends.cpython import layouts, runtime
from hangtui.model import Certainty, GilState, Hold, NodeKind, Severity, Source, Wait
from tests.integration.capturing import Diagnosis, diagnose
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


@pytest.mark.every_python
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


@pytest.mark.every_python
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


# -- what is not known must be said, and never misread ---------------------------------------------


def _claims_of_the_reader(found: Diagnosis) -> tuple[list[Wait], list[Hold]]:
    """Waits and holds that need to know the interpreter; its semaphores are the C library's."""
    waits = [wait for wait in found.capture.waits if wait.evidence.source is Source.CPYTHON]
    return waits, [hold for hold in found.capture.holds if hold.evidence.source is Source.CPYTHON]


def test_an_unknown_version_is_read_by_other_means(
    python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if ".pythons" in python.parts:
        pytest.skip("py-spy reads neither free-threaded builds nor what ld.so was told to start")
    monkeypatch.setattr(layouts, "SUPPORTED", ())
    with running("abba", python) as target:
        found = diagnose(target.pid)
    assert "memory layout of CPython 3" in " ".join(n.message for n in found.capture.notices)
    assert _claims_of_the_reader(found) == ([], [])
    assert found.graph.cycles == ()
    teller = found.thread("teller-1")
    assert teller.python_stack is not None
    assert teller.python_stack[0].function == "transfer"
    assert teller.native_stack
    assert teller.syscall is not None


@pytest.mark.usefixtures("compiler")
def test_native_locks_of_an_unknown_version(
    any_python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layouts, "SUPPORTED", ())
    with running("mutex_abba", any_python) as target:
        found = diagnose(target.pid)
    assert found.certainties() == {Certainty.CERTAIN}
    assert found.finding("deadlock").severity is Severity.ERROR


def test_a_free_threaded_build_says_so() -> None:
    built = interpreters(("3.13t",))
    if not built:
        pytest.skip("script/build-free-threaded has not been run")
    with running("abba", built[0].path) as target:
        found = diagnose(target.pid)
    (process,) = found.capture.processes
    assert process.python is not None
    assert process.python.free_threaded
    assert process.python.title.endswith("free-threaded")
    assert [r for r in found.capture.resources if r.kind is NodeKind.GIL] == []
    assert {thread.gil for thread in process.threads} == {None}


@pytest.mark.usefixtures("compiler")
def test_a_free_threaded_build_with_its_gil_switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    built = interpreters(("3.13t",))
    if not built:
        pytest.skip("script/build-free-threaded has not been run")
    monkeypatch.setenv("PYTHON_GIL", "1")
    with running("rwlock_gil", built[0].path) as target:
        found = diagnose(target.pid)
    assert found.members(NodeKind.GIL) == {"GIL"}
    assert found.finding("deadlock").certainty is Certainty.CERTAIN


def test_an_unknown_free_threaded_build_is_told_from_others() -> None:
    with pytest.raises(layouts.LayoutError, match=r"free-threaded CPython 3\.12"):
        layouts.load((3, 12, 0), free_threaded=True)


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("code.co_filename", 8),
        ("object.ob_type", 8),
        ("tstate.next", 8),
        ("interp.threads.head", -8),
        ("ascii.length", 8),
        ("var.ob_size", 8),
    ],
)
def test_a_wrong_layout_is_not_believed(
    field: str, change: int, python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*arguments: object, **options: object) -> layouts.Layout:
        layout = load(*arguments, **options)  # type: ignore[arg-type]
        offsets = {**layout.offsets, field: layout.offsets[field] + change}
        places = {name: at for name, at in layout.debug_offsets.items() if name != field}
        return replace(layout, offsets=offsets, debug_offsets=places)

    load = layouts.load
    monkeypatch.setattr(runtime, "load", wrong)
    monkeypatch.setattr(
        visibility, "_YOUNG_S", 0.0
    )  # an interpreter that starts looks like this, too
    with running("abba", python) as target:
        found = diagnose(target.pid)
    assert "unknown" in " ".join(n.message for n in found.capture.notices)
    assert _claims_of_the_reader(found) == ([], [])


@pytest.mark.every_python
@pytest.mark.parametrize(
    "found", interpreters(("3.11", "3.12", "3.13", "3.14", "3.15")), ids=lambda found: found.id
)
def test_how_many_threads_have_run_its_code(found: Interpreter) -> None:
    """By the count of the interpreter, which numbers them."""
    with running("abba", found.path) as target:
        (process,) = diagnose(target.pid).capture.processes
    alive = len([thread for thread in process.threads if thread.is_python])
    assert process.python is not None
    assert process.python.threads_ever in range(alive, alive + 3)
