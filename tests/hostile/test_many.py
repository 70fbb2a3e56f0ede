"""A process with very many of something costs itself what is known of it, and nobody else anything.

As many as a user of this machine may have; hundreds of thousands are no different, since nothing
is looked at beyond the bounds.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hangtui.backends.ipc import descriptors, offspring
from hangtui.backends.process import cgroup, context
from hangtui.backends.procfs import files, life
from hangtui.model import (
    Certainty,
    NodeKind,
    Severity,
    process_id,
    shared_id,
)
from tests.hostile.misbehaving import INNOCENT, MAPS_A_FILE, attacker, look
from tests.waiting import until

_COMMON = """
import os, resource, select, signal, sys, threading, time, fcntl, tempfile
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
threading.stack_size(1 << 17)
def start(function, count):
    for _ in range(count): threading.Thread(target=function, daemon=True).start()
def ready(*words):
    print("ready", *words, flush=True)
"""
_SAME_PIPE = """
r, w = os.pipe()
for _ in range(min(15_000, hard - 100)): os.dup(w)
ready()
os.read(r, 1)
"""
_CHILDREN = """
for _ in range(int(sys.argv[1])):
    if not os.fork():
        signal.pause()
start(lambda: os.waitpid(-1, 0), 30)
ready()
signal.pause()
"""
_REGISTERED = """
ep, (r, w) = select.epoll(), os.pipe()
for _ in range(min(10_000, hard - 100)): ep.register(os.dup(r), 1)
start(ep.poll, 100)
ready()
ep.poll()
"""
_LOCKS = """
file = tempfile.NamedTemporaryFile()
for i in range(6_000): fcntl.lockf(file, fcntl.LOCK_EX, 1, 2 * i)
for _ in range(300): os.dup(file.fileno())
r, w = os.pipe()
child = os.fork()
if not child:
    other = open(file.name, "r+b")
    def wait(): fcntl.lockf(other, fcntl.LOCK_EX, 12_000, 0)
    start(wait, 20)
    os.write(w, b"x")
    wait()
os.read(r, 1)
ready(child)
os.waitpid(child, 0)
"""
_LIMIT_S = 20.0
"""On a machine with other work; without the bounds it is minutes."""


def test_a_pipe_that_is_open_thousands_of_times() -> None:
    with attacker(_COMMON + _SAME_PIPE) as target:
        found = look(target.pid)
    assert found.took_s < _LIMIT_S
    (hold,) = found.capture.holds
    assert "and 8 more" not in hold.evidence.text
    assert len(hold.evidence.text) < 300
    assert "more" in hold.evidence.text


def test_threads_that_wait_for_any_of_too_many_children() -> None:
    with attacker(_COMMON + _CHILDREN, 400) as target:
        found = look(target.pid)
        said = found.notices(target.pid)
    assert found.took_s < _LIMIT_S
    assert "any of 400 child processes are not followed: that is more than 256" in said
    assert found.capture.waits == ()
    assert [f for f in found.findings if f.severity is Severity.ERROR] == []


def test_too_many_children_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offspring, "MOST_CHILDREN", 50)
    monkeypatch.setattr(context, "MAX_CHILDREN", 50)
    with attacker(_COMMON + _CHILDREN, 60) as target:
        found = look(target.pid)
        said = found.notices(target.pid)
    assert said.count("it has more than 50 child processes") == 3  # no more notices than that
    assert "what 27 other threads wait for cannot be followed either" in said
    assert "child processes: they are left out" in said
    (process,) = found.capture.processes
    assert process.around is not None
    assert process.around.children is None


def test_a_huge_set_of_descriptors_is_read_once_and_not_to_its_end() -> None:
    with attacker(_COMMON + _REGISTERED) as target:
        found = look(target.pid)
    assert found.took_s < _LIMIT_S
    assert found.capture.waits == ()


def test_locks_without_number_are_nobodys_lack_of_locks() -> None:
    with attacker(_COMMON + _LOCKS) as target:
        child = int(target.words[0])
        until(lambda: _in_call(child, "72 ") == 21)  # fcntl
        found = look(target.pid, child)
        said = found.notices(target.pid)
        notes = [one.note for one in found.capture.resources if one.kind == "file-lock"]
    assert found.took_s < _LIMIT_S
    assert "more open files, or locks on them, than are looked at" in said
    (note,) = notes
    assert note is not None
    assert note.startswith("whether others hold a lock on it is not known: not all of process")
    assert str(target.pid) in note
    assert [f for f in found.findings if f.severity is Severity.ERROR] == []


def _in_call(pid: int, call: str) -> int:
    """How many threads of a process sleep in a system call."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum((task / "syscall").read_text().startswith(call) for task in tasks)


def test_whoever_has_too_much_open_does_not_keep_others_from_being_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(descriptors, "MOST_OF_ONE", 1000)
    with attacker(_COMMON + _SAME_PIPE) as hostile, attacker(INNOCENT) as innocent:
        child = int(innocent.words[0])
        found = look(hostile.pid, innocent.pid, child)
    deadlock = next(f for f in found.findings if f.id == "deadlock")
    assert {thread.pid for thread in deadlock.threads} == {innocent.pid, child}
    assert not [f for f in found.findings if any(t.pid == hostile.pid for t in f.threads)
                and f.severity is Severity.ERROR]  # fmt: skip
    waits = [w for w in found.capture.waits if w.waiter.startswith(f"thread:{hostile.pid}:")]
    notes = [one.note or "" for one in found.capture.resources if one.id == waits[0].target]
    assert f"unless one with very many open files has it: process {hostile.pid}" in notes[0]


def test_names_of_a_cgroup_that_are_no_text() -> None:
    places = (Path("/sys/fs/cgroup/unified"), Path("/sys/fs/cgroup"))
    hierarchy = next((place for place in places if (place / "cgroup.procs").exists()), None)
    if hierarchy is None:
        pytest.skip("there are no cgroups of the second version here")
    folder = hierarchy / os.fsdecode(b"hostile-\xff\x1b[31m")
    try:
        folder.mkdir()
    except OSError as error:
        pytest.skip(f"no cgroup can be made here: {error}")
    try:
        with attacker("import os; print('ready', flush=True); os.read(0, 1)") as target:
            (folder / "cgroup.procs").write_text(str(target.pid))
            groups = files.text(files.PROC / str(target.pid) / "cgroup") or ""
            found = look(target.pid)
        assert ("", folder.name) in cgroup.memberships(groups)
        assert found.capture.processes[0].pid == target.pid
    finally:
        until(lambda: _removed(folder))


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return False
    return True


def test_a_cgroup_outside_of_what_we_see_is_no_folder_of_ours() -> None:
    groups = "4:memory:/../../etc\n0::/../secret\nnonsense\n1:cpu:/a\n"
    assert cgroup.memberships(groups) == [("cpu", "a")]


@pytest.mark.parametrize("name", ["x\x1cUid:\t0", "x\x0bTgid:\t1", "x\x85Uid:\t7", "a) S 1 2 (b"])
def test_a_name_that_looks_like_other_lines(name: str) -> None:
    program = f"open('/proc/self/comm', 'w', encoding='utf-8').write({name!r})\n"
    program += "import os; print('ready', flush=True); os.read(0, 1)"
    with attacker(program) as target:
        until(lambda: life.thread_state(target.pid, target.pid) == "S")
        status = files.status_of(files.PROC / str(target.pid))
        found = look(target.pid)
    assert status["Tgid"] == str(target.pid)
    assert status["Uid"].split()[0] == str(os.geteuid())
    assert found.capture.processes[0].threads[0].state == "S"


@pytest.mark.parametrize("name", ["a\rb", "a\x0c7f00-7f01 rwxp", "a\x1c\x1d\x1e", "a\x85b\u2028c"])
def test_a_mapped_file_whose_name_breaks_lines(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(b"x" * 4096)
    with attacker(MAPS_A_FILE, path) as target:
        found = look(target.pid)
        stopped = subprocess.run(
            [sys.executable, "-P", "-m", "hangtui", "dump", str(target.pid), "--native", "stop"],
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
    (process,) = found.capture.processes
    assert process.python is not None
    assert "could not be read" not in found.notices(target.pid)
    assert "guard" not in stopped.stdout + stopped.stderr


def test_more_than_so_many_holders_are_told_as_many() -> None:
    from hangtui.backends.facts import Facts
    from hangtui.backends.ipc.scene import Scene

    facts = Facts()
    scene = Scene({}, facts)
    pipe = shared_id(NodeKind.PIPE, "1")
    for number in range(1000):
        scene.hold(pipe, process_id(number), Certainty.CERTAIN, "has it open")
    assert len(facts.holds) == 257
    assert facts.holds[-1].evidence.certainty is Certainty.UNKNOWN
