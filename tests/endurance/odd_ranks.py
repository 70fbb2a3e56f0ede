"""Jobs of four ranks that hang in ways that the trackers of their libraries know, and their twins:
what is so of each, and whether that is what is said first. script/odd-ranks is the command line."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hangtui.backends.process.cgroup import MemoryGroup
from tests.endurance.jobs import ROOT, TARGETS
from tests.endurance.machines import running
from tests.waiting import until

RANKS = 4
_READY_S = 90.0
_SETTLED_S = 4.0
"""After all ranks have begun: each comes to where it stays."""
_LAUNCHER = """\
import os, signal, subprocess, sys, time
if group := os.environ.pop("MEMORY_GROUP", ""):
    with open(group + "/cgroup.procs", "w") as stream:
        stream.write(str(os.getpid()))
ranks = [
    subprocess.Popen(sys.argv[1:], env={**os.environ, "RANK": str(rank), "LOCAL_RANK": str(rank)})
    for rank in range(int(os.environ["WORLD_SIZE"]))
]
while True:
    time.sleep(3600)
"""
_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
_OF_MPI = frozenset({"odd_mpi", "odd_comms"})
_Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Truth:
    """What is so of a case."""

    odd: tuple[int, ...]
    """The ranks that hold up the others."""
    says: tuple[str, ...] = ()
    """Words of what they wait in."""
    marks: tuple[str, ...] = ("odd",)
    """Marks of the lines that are named; of several, one of them."""
    program: str = "odd_torch"
    """The file of the case, among `TARGETS`."""
    memory_mb: int | None = None
    """What its cgroup is given, in MiB; None: it has none of its own."""


CASES = {
    "uneven_batches": Truth((3,), ("barrier",)),
    "checkpoint_on_one": Truth((0,), ("barrier",)),
    "failed_rank": Truth((2,), ("reporter",)),
    "key_of_nobody": Truth((0,), ("store",)),
    "mutual_sends": Truth((0, 1), ("send",)),
    "group_of_some": Truth((2,), ("barrier",)),
    "killed_rank": Truth((3,), ("init_process_group",), ("others",)),
    "rank_without_memory": Truth(
        (3,), ("init_process_group", "for want of memory"), ("others",), memory_mb=3000
    ),
    "other_order": Truth((1,), ("broadcast",)),
    "synchronous_sends": Truth((0, 1), ("ssend",), program="odd_mpi"),
    "root_is_away": Truth((0,), ("bcast",), program="odd_mpi"),
    "other_tag": Truth((2,), ("recv",), program="odd_comms"),
    "split_without_one": Truth((0,), ("gather", "split"), program="odd_comms"),
    "barrier_under_lock": Truth((0,), ("barrier", "lock"), program="odd_waits"),
    "silent_server": Truth((1,), ("the tcp connection",), ("worker", "odd"), program="odd_waits"),
    "key_for_one": Truth((3,), ("key", "store"), program="odd_waits"),
    "barrier_after_error": Truth((1,), ("barrier",), program="odd_waits"),
    "checkpoint_in_rank_zero": Truth((0,), ("barrier",), program="odd_lightning"),
}
RECORDED = {
    "uneven_batches": Truth((3,), ("barrier",)),
    "checkpoint_on_one": Truth((0,), ("barrier",)),
    "failed_rank": Truth((2,), ("all_reduce",), ("others",)),
    "mutual_sends": Truth((0, 1), ("barrier",), ("others",)),
    "group_of_some": Truth((2,), ("barrier",)),
    "other_order": Truth((1,), ("broadcast",)),
    "barrier_under_lock": Truth((1, 2, 3), ("barrier",), program="odd_waits"),
    "silent_server": Truth((1,), ("all_reduce",), ("others",), program="odd_waits"),
    "key_for_one": Truth((3,), ("barrier",), ("others",), program="odd_waits"),
    "barrier_after_error": Truth((1,), ("barrier",), program="odd_waits"),
}
"""What the records of torch's flight recorder tell of them: of those that wait for something else
than a collective operation, only what they never called. The others have no records that tell."""


@dataclass(slots=True)
class Verdict:
    """What came of one job."""

    case: str
    first: str = ""
    wrong: list[str] = field(default_factory=list)


def judged(
    case: str,
    python: str,
    port: int,
    *,
    well: bool,
    records: bool = False,
    keep: Path | None = None,
) -> Verdict:
    """Start a job, look at it, and compare what is said with what is so. *records*: what torch's
    flight recorder has written is looked at alone."""
    truth, verdict = (RECORDED if records else CASES)[case], Verdict(case)
    source = TARGETS / f"{truth.program}.py"
    command = [python, str(source), case, *(["well"] if well else [])]
    settings = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": f"{port}", "WORLD_SIZE": f"{RANKS}"}
    if truth.program in _OF_MPI:
        command = ["mpirun", "--oversubscribe", "-n", f"{RANKS}", *command]
    else:
        command = [sys.executable, "-c", _LAUNCHER, *command]
    with tempfile.TemporaryDirectory() as folder, memory_group(truth.memory_mb) as group:
        log = Path(folder) / "log"
        path = keep or Path(folder) / "job.hang"
        settings["MEMORY_GROUP"] = str(group or "")
        if records:
            settings |= {"RECORDS": folder, "TORCH_FR_BUFFER_SIZE": "2000"}
        with running(command, log, {**settings, **_ROOT}) as launcher:
            begun = time.monotonic()
            while log.read_text().count("ready") < RANKS:
                if time.monotonic() - begun > _READY_S or launcher.poll() is not None:
                    verdict.wrong.append(f"it did not start: {log.read_text()[-300:]}")
                    return verdict
                time.sleep(0.1)
            if group is not None and not well:
                until(MemoryGroup(group, None).kills)
            time.sleep(_SETTLED_S)
            look = ["record", str(launcher.pid), "--children", "--looks", "5", "-o", str(path)]
            if records:
                files = [Path(folder) / f"trace_rank_{rank}" for rank in range(RANKS)]
                until(lambda: all(file.exists() for file in files))
            done = None if records else _hangtui(*look)
        if done is not None and done.returncode:
            verdict.wrong.append(done.stderr.strip())
            return verdict
        told = map(str, files) if records else (str(path),)
        report = json.loads(_hangtui("dump", *told, "--json").stdout)
        if records and keep:
            keep.mkdir()
            for file in files:
                shutil.copy(file, keep)
    _compare(verdict, truth, report, source, well=well)
    return verdict


@contextmanager
def memory_group(limit_mb: int | None) -> Iterator[Path | None]:
    """A cgroup with so much memory, in MiB; None: without a limit.

    Raises:
        OSError: none can be made here.
    """
    if limit_mb is None:
        yield None
        return
    old = Path("/sys/fs/cgroup/memory")
    root, limit = (old, "memory.limit_in_bytes") if old.exists() else (old.parent, "memory.max")
    folder = root / f"hangtui-{os.getpid()}"
    folder.mkdir()
    try:
        (folder / limit).write_text(str(limit_mb << 20))
        yield folder
    finally:
        until(lambda: not (folder / "cgroup.procs").read_text())
        folder.rmdir()


def _hangtui(*words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "hangtui", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def _compare(verdict: Verdict, truth: Truth, report: _Json, source: Path, *, well: bool) -> None:
    findings = report["findings"]
    if findings:
        first = findings[0]
        verdict.first = f"{first['severity']} {first['id']}: {first['title']}"
    if well:
        bad = [one for one in findings if one["severity"] != "note"]
        verdict.wrong += [f"{one['severity']} {one['id']}: {one['title']}" for one in bad]
        return
    if not findings or first["severity"] == "note":
        verdict.wrong.append("no error and no warning")
        return
    text = f"{first['title']} {first['sentence']}"
    lower = text.lower()
    many = "ranks " + ("-" if len(truth.odd) > 2 else ", ").join(map(str, truth.odd))
    named = all(f"rank {rank}" in lower for rank in truth.odd) or many in lower
    range_ = f"ranks {truth.odd[0]}-{truth.odd[-1]}"
    if not named and range_ not in lower:
        verdict.wrong.append(f"{many} not named")
    verdict.wrong += [f"{word!r} not said" for word in truth.says if word not in lower]
    lines = source.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"def {verdict.case}("))
    places = []
    for mark in truth.marks:
        number = next(i for i, line in enumerate(lines[start:], start + 1) if f"# {mark}" in line)
        places.append(f"{source.name}:{number}")
    if not any(place in text for place in places):
        verdict.wrong.append(f"{' or '.join(places)} not named")
