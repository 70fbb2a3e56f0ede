"""Captures healthy programs again and again while they work, and counts what is said of them.

script/healthy-fleet is its command line; tests/integration/test_fleet.py runs it with small counts.
"""

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from hangtui.analysis.waitgraph import build
from hangtui.backends.capture.collector import collect
from hangtui.findings import run
from hangtui.model import Capture, Severity
from hangtui.provider import CaptureRequest, NativeMode
from tests.integration.families import settle
from tests.integration.targets import FOLDER, Interpreter, await_ready, interpreters

_ROOT = Path(__file__).parents[2]
VENVS = _ROOT / ".pythons" / "fleet"
"""A virtual environment with packages per version of Python: ``3.12/bin/python``."""
PACKAGES = (
    *("gunicorn", "uvicorn", "joblib", "dask[array]", "pytest", "pytest-xdist", "numpy"),
    *("cffi", "cython", "pybind11", "setuptools"),
)
TORCH = "torch==2.13.0"
_START_LIMIT_S = 90
PROGRESS_LIMIT_S = 20.0
"""How long its CPU time may need to grow."""
_CAPTURE_LIMIT_S = 30
"""What one capture may take at the very most, for the limit on a target's life."""


@dataclass(frozen=True, slots=True)
class Program:
    """A healthy program; see the files ``fleet_*.py`` among the targets."""

    name: str
    file: str
    arguments: tuple[str, ...] = ()
    children: bool = False
    """It has child processes, which are captured with it."""
    package: str | None = None
    """The distribution that it needs."""
    idle: bool = False
    """It has nothing to do, so that its CPU time need not grow."""
    watches_input: bool = False
    """It ends when its standard input does."""
    nice: int = 15
    """By default much nicer than the reader, which would hardly run beside so many threads."""


def _of(file: str, names: str, children: bool = False) -> list[Program]:
    return [Program(name, file, (name,), children) for name in names.split()]


PROGRAMS = (
    *_of(
        "fleet_threads",
        "contention_with contention_acquire lock_handover managers rlock_nesting semaphore_pool"
        " conditions barriers_and_events queue_pipeline nested_submits short_threads logs"
        " native_work imports files",
    ),
    Program("managers_early", "fleet_threads", ("managers", "early")),
    Program("http_server", "healthy_http"),
    Program("idle_thread_pool", "healthy_pool", idle=True),
    Program("asyncio_echo", "healthy_asyncio"),
    Program("asyncio_idle", "healthy_asyncio_idle", idle=True),
    *(Program(f"asyncio_{n}", "fleet_asyncio", (n,)) for n in ("locks", "threads")),
    Program("asyncio_subprocesses", "fleet_asyncio", ("subprocesses",), True),
    *_of("fleet_processes", "pool executor queues pipes shared_locks ticking pipelines", True),
    Program("waiting_for_children", "fleet_processes", ("waiting_for_children",), True),
    Program("gunicorn", "fleet_packages", ("gunicorn",), True, "gunicorn"),
    Program("uvicorn", "fleet_packages", ("uvicorn",), True, "uvicorn"),
    Program("joblib", "fleet_packages", ("joblib",), True, "joblib"),
    Program("dask", "fleet_packages", ("dask",), package="dask"),
    Program("numpy", "fleet_packages", ("numpy",), package="numpy"),
    Program("pytest_xdist", "fleet_packages", ("pytest_xdist",), True, "pytest-xdist"),
    Program("torch_dataloader", "fleet_packages", ("torch_dataloader",), True, "torch"),
)


@dataclass(slots=True)
class Tally:
    """What was seen of one program under one interpreter."""

    program: str
    interpreter: str
    captures: int = 0
    waits: int = 0
    """Waits in all captures: none at all would mean that nothing was read."""
    surely_held: int = 0
    """Holds that support a claim."""
    cycles: int = 0
    severities: Counter[Severity] = field(default_factory=Counter)
    titles: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Severity and title of each finding; numbers that differ from run to run are in it."""
    details: list[str] = field(default_factory=list)
    """The first errors and warnings, in full."""
    silent: int = 0
    """Captures of which nothing was said, not even that it works or rests."""
    seconds: float = 0.0
    failure: str | None = None
    """Why it could not be captured as often as wanted."""

    def add(self, capture: Capture) -> None:
        """Count one capture."""
        graph = build(capture)
        self.captures += 1
        self.waits += len(capture.waits)
        self.surely_held += sum(hold.evidence.certainty.supports_claim for hold in capture.holds)
        self.cycles += len(graph.cycles)
        found = run(capture, graph)
        self.silent += not found
        for finding in found:
            self.severities[finding.severity] += 1
            self.titles[finding.severity.value, f"{finding.id}: {finding.title}"] += 1
            if finding.severity is not Severity.NOTE and len(self.details) < 3:
                lines = (finding.title, finding.sentence, *finding.evidence)
                self.details.append("\n    ".join(lines))


def places(program: Program, versions: tuple[str, ...]) -> list[Interpreter]:
    """The interpreters of these versions that can run *program*."""
    if program.package is None:
        # One for each version: pyenv's before others, since those are built in the usual way.
        found: dict[str, Interpreter] = {}
        for interpreter in interpreters(versions):
            found.setdefault(interpreter.version, interpreter)
        return list(found.values())
    return [
        Interpreter(VENVS / version / "bin" / "python", version, "venv")
        for version in versions
        if list((VENVS / version).glob(f"lib/*/site-packages/{_folder(program.package)}-*"))
    ]


def _folder(package: str) -> str:
    return package.replace("-", "_")


def observe(program: Program, interpreter: Interpreter, captures: int, native: NativeMode) -> Tally:
    """Capture a program while it works. Never raises."""
    tally = Tally(program.name, interpreter.id)
    started = time.monotonic()
    try:
        with running(program, interpreter, captures) as target:
            if program.idle:
                settle(target.pid)  # nice as it is, it may be ready long before it rests
            before = cpu_seconds(target.pid)
            started = time.monotonic()
            for _ in range(captures):
                request = CaptureRequest((target.pid,), program.children, native)
                *_, capture = collect(request)
                tally.add(capture)
            if not program.idle:
                await_progress(target.pid, before)
            if target.poll() is not None:
                tally.failure = f"it ended with {target.returncode}"
    except Exception as error:  # noqa: BLE001  one program must not end the whole fleet
        tally.failure = f"{type(error).__name__}: {error}"
    tally.seconds = time.monotonic() - started
    return tally


@contextlib.contextmanager
def running(
    program: Program, interpreter: Interpreter, captures: int
) -> "Iterator[subprocess.Popen[bytes]]":
    """The program in a process group of its own, which is ended as a whole.

    Raises:
        RuntimeError: it did not get ready, or, where the block did not fail, it wrote of an error.
    """
    path = FOLDER / f"{program.file}.py"
    with tempfile.TemporaryDirectory(prefix="hangtui-fleet-") as folder:
        fifo = Path(folder) / "ready"
        os.mkfifo(fifo)
        environment = {
            **os.environ,
            "HANGTUI_READY": str(fifo),
            "HANGTUI_TARGET_LIMIT": str(_START_LIMIT_S + captures * _CAPTURE_LIMIT_S),
            "HANGTUI_PYTHON": str(interpreter.path),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OMP_NUM_THREADS": "2",
            "TMPDIR": folder,
        }
        with (Path(folder) / "errors").open("wb") as errors:
            target = subprocess.Popen(
                ["nice", "-n", str(program.nice), interpreter.path, path, *program.arguments],
                env=environment,
                cwd=folder,
                stdin=subprocess.PIPE if program.watches_input else subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                process_group=0,
            )
        try:
            _await_ready(target, fifo, Path(folder) / "errors")
            yield target
            _require_silence(program, Path(folder) / "errors")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(target.pid, signal.SIGKILL)
            if target.stdin is not None:
                target.stdin.close()
            target.wait()


def _require_silence(program: Program, errors: Path) -> None:
    """Those with packages may write what they like."""
    text = errors.read_text(errors="replace")
    if text and program.package is None:
        raise RuntimeError(f"it wrote: {text[-2000:]}")


def _await_ready(target: "subprocess.Popen[bytes]", fifo: Path, errors: Path) -> None:
    try:
        await_ready(target, fifo)
    except AssertionError as error:
        raise RuntimeError(f"{error}: {errors.read_text(errors='replace')[-300:]}") from error


def await_progress(pid: int, before: float) -> None:
    """CPU time is counted in steps of ten milliseconds, which may take a moment to be used."""
    deadline = time.monotonic() + PROGRESS_LIMIT_S
    while cpu_seconds(pid) <= before:
        if time.monotonic() > deadline:
            raise RuntimeError("it did not work while it was captured")
        time.sleep(0.01)


def cpu_seconds(pid: int) -> float:
    """CPU time of a process, of its children and of those it has waited for."""
    process = psutil.Process(pid)
    total = sum(process.cpu_times()[:4])
    for child in process.children(recursive=True):
        with contextlib.suppress(psutil.Error):
            total += sum(child.cpu_times()[:4])
    return float(total)


def make_environments(versions: tuple[str, ...]) -> None:
    """Virtual environments with the packages, for the versions that can have them."""
    for interpreter in interpreters(versions):
        folder = VENVS / interpreter.version
        if interpreter.origin != "pyenv" or folder.exists():
            continue
        try:
            subprocess.run([interpreter.path, "-m", "venv", folder], check=True)
            pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "-q"]
            subprocess.run([*pip, *PACKAGES], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"no packages for CPython {interpreter.version}: {error}")
            continue
        if interpreter.version == "3.11":  # others would have to load hundreds of megabytes
            subprocess.run([*pip, TORCH], check=False)
