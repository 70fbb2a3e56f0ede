"""Test suites of others, their results, and what to think of results that differ.

Pure: what installs and runs them is ``suite_runs.py``; script/foreign-suites is the command line.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from xml.etree import ElementTree as ET

CPYTHON = "cpython"
"""The package of suites that come with the interpreter."""
VERSIONS = ("3.11", "3.12", "3.13")


@dataclass(frozen=True, slots=True)
class Suite:
    """A package's tests, or one file of the interpreter's own."""

    package: str
    tests: tuple[str, ...] = ("tests",)
    """Files and folders in the source distribution; with *installed* names of modules."""
    needs: tuple[str, ...] = ()
    """Distributions beside the package and pytest."""
    installed: bool = False
    """The tests come with the package as it is installed."""
    options: tuple[str, ...] = ()
    """More words for pytest, or for ``-m test``."""
    release: str = ""
    """Which one to take, if not the newest."""

    @property
    def name(self) -> str:
        """What the command line calls it."""
        return self.tests[0] if self.package == CPYTHON else self.package


def _without(*words: str) -> tuple[str, ...]:
    """For pytest: leave tests out by their names."""
    return ("-k", " and ".join(f"not {word}" for word in words))


PACKAGES = (
    Suite("filelock", needs=("pytest-mock", "pytest-asyncio", "virtualenv"), release="<3.20"),
    Suite("readerwriterlock"),
    Suite("asgiref", needs=("pytest-asyncio",)),
    Suite("portalocker", ("portalocker_tests",), ("pytest-rerunfailures", "redis")),
    Suite("fasteners", needs=("eventlet", "diskcache", "more-itertools")),
    Suite("janus", needs=("pytest-asyncio",)),
    Suite("watchdog"),
    Suite("execnet", ("testing",)),
    Suite(
        "anyio",
        (
            *("tests/test_from_thread.py", "tests/test_to_thread.py", "tests/test_to_process.py"),
            *("tests/test_subprocesses.py", "tests/test_synchronization.py"),
        ),
        ("pytest-mock", "trio", "hypothesis", "psutil", "trustme", "exceptiongroup"),
    ),
    Suite("trio", ("trio._tests",), ("trustme", "pyopenssl", "astor", "async-generator"), True),
    Suite("tornado", ("tornado.test",), installed=True),
    Suite("pyzmq", needs=("pytest-asyncio", "tornado")),
    Suite(
        "joblib",
        ("joblib.test",),
        ("numpy", "threadpoolctl", "pytest-asyncio"),
        True,
        ("-m", "not network"),
    ),
    Suite("loky", needs=("psutil", "packaging"), options=_without("docker")),
    Suite("psutil", needs=("pytest-instafail",)),
    Suite("pexpect", needs=("ptyprocess",)),
    Suite("billiard", ("t/unit",)),
    Suite("waitress"),
    Suite("pebble", ("test",)),
    Suite("cachetools"),
    Suite("tenacity", needs=("tornado", "typeguard", "pytest-asyncio")),
    Suite("diskcache", needs=("django",)),
)
"""Those whose tests use threads, processes, sockets, file locks and event loops heavily."""

_FILES = (
    *("test_threading", "test_thread", "test_queue", "test_concurrent_futures", "test_asyncio"),
    *("test_multiprocessing_fork", "test_multiprocessing_forkserver", "test_subprocess"),
    *("test_multiprocessing_spawn", "test_socket", "test_socketserver", "test_selectors"),
    *("test_signal", "test_threadsignals", "test_fcntl", "test_interpreters", "test_logging"),
    *("test_threadedtempfile", "test_importlib", "test_threaded_import", "test_gc", "test_sched"),
    *("test_contextlib", "test_fork1", "test_wait4", "test_pty", "test_poll", "test_select"),
    *("test_xmlrpc", "test_httpservers", "test_ftplib", "test_threading_local"),
    *("test_io", "test_mmap", "test__xxsubinterpreters", "test__interpreters"),
)
_LEFT_OUT = {"test_socket": ("-i", "*VSOCK*")}
"""Words for tests that hang by themselves: these where a machine has half of what they need."""
INTERPRETER = tuple(
    Suite(CPYTHON, (name,), options=_LEFT_OUT.get(name, ())) for name in dict.fromkeys(_FILES)
)
"""Files of CPython's own tests; those that a version does not have are left out there."""
SUITES = (*PACKAGES, *INTERPRETER)


def chosen(words: Sequence[str] | None) -> list[Suite]:
    """Suites by their names; ``cpython`` means all of the interpreter's own, None: all there are.

    Raises:
        ValueError: there is no suite of a name.
    """
    if words is None:
        return list(SUITES)
    unknown = set(words) - {suite.name for suite in SUITES} - {CPYTHON}
    if unknown:
        raise ValueError(f"no such suite: {', '.join(sorted(unknown))}")
    return [suite for suite in SUITES if {suite.name, suite.package} & set(words)]


class Result(StrEnum):
    """What became of a test."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"
    MISSING = "missing"
    """It did not run, or not to its end."""


_CHILDREN = {"failure": Result.FAILED, "error": Result.ERROR, "skipped": Result.SKIPPED}


def results(path: Path) -> dict[str, Result]:
    """Tests by their names, from a file of JUnit's format; a test that is there twice is as bad as
    its worst. Nothing if there is no such file, as where the suite was ended."""
    found: dict[str, Result] = {}
    try:
        cases = list(ET.parse(path).iter("testcase"))
    except (FileNotFoundError, ET.ParseError):
        return found
    for case in cases:
        name = f"{case.get('classname') or ''}::{case.get('name') or ''}"
        each = (_CHILDREN.get(child.tag, Result.PASSED) for child in case)
        result = min(each, key=_badness, default=Result.PASSED)
        found[name] = min(result, found.get(name, result), key=_badness)
    return found


def _badness(result: Result) -> int:
    return (Result.ERROR, Result.FAILED, Result.MISSING, Result.SKIPPED, Result.PASSED).index(
        result
    )


@dataclass(frozen=True, slots=True)
class Change:
    """A test whose result was another one while it was observed."""

    test: str
    alone: Result
    observed: Result


def changes(alone: Mapping[str, Result], observed: Mapping[str, Result]) -> list[Change]:
    """Tests that did not come out alike."""
    missing = Result.MISSING
    pairs = (
        (name, alone.get(name, missing), observed.get(name, missing))
        for name in dict.fromkeys((*alone, *observed))
    )
    return [Change(*pair) for pair in pairs if pair[1] is not pair[2]]


class Judgement(StrEnum):
    """What a change means."""

    FLAKY = "flaky"
    """Without observation it comes out like that as well."""
    UNSTEADY = "unsteady"
    """Under observation it came out as without in another run."""
    CHANGED = "changed"
    """Observation changed it each time, and nothing else did."""


def judged(
    change: Change, alone: Iterable[Mapping[str, Result]], observed: Iterable[Mapping[str, Result]]
) -> Judgement:
    """What *change* means, by other runs without and under observation."""
    if any(run.get(change.test, Result.MISSING) is not change.alone for run in alone):
        return Judgement.FLAKY
    if any(run.get(change.test, Result.MISSING) is change.alone for run in observed):
        return Judgement.UNSTEADY
    return Judgement.CHANGED
