"""A thread that waits in a library, and has a lock meanwhile which another one needs."""

from dataclasses import replace

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    Nearness,
    NodeKind,
    Progress,
    Severity,
    Syscall,
)
from tests.unit.factories import (
    capture,
    evidence,
    holds,
    lock,
    native_frame,
    python_frame,
    thread,
    waits,
)

DATASETS = "/venv/lib/python3.11/site-packages/datasets/arrow_dataset.py"
DILL = "/venv/lib/python3.11/site-packages/dill/_dill.py"
LOCK = lock("the import lock of module corpus", 1, NodeKind.IMPORT_LOCK, pid=100)
MAIN = thread(
    "MainThread",
    100,
    100,
    python=[
        python_frame("Dataset.map", 3627, DATASETS),
        python_frame("prepare", 12, "/app/corpus.py"),
    ],
)
TASKS = thread("Thread-2 (_handle_tasks)", 102, 100, python=[python_frame("_import", 70, DILL)])


def made(certainty: Certainty = Certainty.CERTAIN, *, stood_s: float = 2.0) -> Capture:
    found = capture(
        *(MAIN, TASKS),
        resources=[LOCK],
        waits=[waits(TASKS, LOCK, Certainty.PROVEN)],
        holds=[holds(LOCK, MAIN, certainty)],
    )
    seen = (
        Progress(MAIN.id, 5, 2.0, 0.0, 0.0, same_line=True, asks=True, wakes=9),
        Progress(TASKS.id, 5, 2.0, stood_s, 0.0, same_line=True),
    )
    return replace(found, progress=seen)


def test_the_lock_of_the_module_that_is_imported() -> None:
    finding = findings.run(made())[0]
    assert (finding.id, finding.severity) == ("waiting-in-library", Severity.WARNING)
    assert finding.title.endswith(
        ", and has the import lock of module corpus, for which Thread-2 (_handle_tasks) waits"
    )
    assert "MainThread has the import lock of module corpus meanwhile" in finding.sentence
    assert "__main__" in finding.advice[0]


def test_who_waits_for_the_lock_is_the_only_one_who_could_end_that() -> None:
    queue = lock("Diary.queue", 2, NodeKind.QUEUE)
    found = made()
    wait = replace(waits(MAIN, queue, Certainty.PROVEN, expires=True), call="Queue.join")
    ahead = CouldWake(
        queue.id, TASKS.id, Complement.TASK_DONE, Nearness.AHEAD, evidence("it comes to it")
    )
    found = replace(
        found,
        resources=(*found.resources, queue),
        waits=(*found.waits, wait),
        could_wake=(ahead,),
    )
    finding = findings.run(found)[0]
    assert finding.title.endswith("waits, alone on the way to end that")
    assert "neither goes on before that wait gives up by the clock." in finding.sentence


def test_the_only_connection_of_a_store_is_kept_by_who_waits_for_a_key() -> None:
    module = "/venv/lib/python3.11/site-packages/torch/lib/libtorch_cpu.so"
    mutex = lock("the mutex in libtorch_cpu.so", 3, NodeKind.MUTEX, pid=100)
    reads = thread(
        *("MainThread", 100, 100),
        python=[python_frame("read_plan", 20, "/app/main.py")],
        native=[native_frame("c10d::TCPStore::get(std::string const&)", module)],
        syscall=Syscall("poll", "1 descriptor"),
    )
    sets = thread(
        *("planner", 102, 100),
        python=[python_frame("publish_plans", 15, "/app/main.py")],
        native=[native_frame("c10d::TCPStore::set(std::string const&)", module)],
        syscall=Syscall("futex", "wait"),
    )
    found = capture(
        *(reads, sets),
        resources=[mutex],
        waits=[waits(sets, mutex)],
        holds=[holds(mutex, reads)],
    )
    seen = [Progress(one.id, 5, 2.0, 2.0, 0.0, same_line=True) for one in (reads, sets)]
    (finding,) = findings.run(replace(found, progress=tuple(seen)))
    assert (finding.id, finding.severity) == ("waiting-in-library", Severity.WARNING)
    assert "waits for a key of the store" in finding.sentence
    assert "for which planner waits at main.py:15 (publish_plans)" in finding.sentence


def test_what_is_not_sure_is_not_told() -> None:
    for other in (made(Certainty.INFERRED), made(stood_s=0.0)):
        assert all(", and has " not in one.title for one in findings.run(other))


def test_a_stopped_process_has_what_another_one_asks_for_again_and_again() -> None:
    stopped = thread("MainThread", 200, 200, state="T", python=[python_frame("download", 39)])
    asks = thread("MainThread", 100, 100, still=False, python=[python_frame("load_model", 47)])
    file = lock("the file lock /srv/hub/model.lock", 9, NodeKind.FILE_LOCK, pid=0)
    found = capture(
        *(stopped, asks),
        resources=[file],
        waits=[replace(waits(asks, file, Certainty.INFERRED), expires=True)],
        holds=[holds(file, stopped)],
    )
    processes = tuple(replace(one, state="T") if one.pid == 200 else one for one in found.processes)
    finding = findings.run(replace(found, processes=processes))[0]
    assert finding.id == "held-from-outside"
    assert finding.title.endswith(
        "and has the file lock model.lock, wanted by MainThread of process 100 at main.py:47 "
        "(load_model)"
    )
    assert "gives it back only when it goes on" in finding.sentence
    assert [one.pid for one in finding.victims] == [100]


def test_a_stopped_process_has_a_lock_and_is_awaited_at_a_connection_too() -> None:
    stopped = thread("MainThread", 200, 200, state="T", python=[python_frame("download", 39)])
    asks = thread("MainThread", 100, 100, python=[python_frame("load_model", 47)])
    hub = thread("hub", 101, 100, python=[python_frame("serve", 20)])
    file = lock("the file lock /srv/hub/model.lock", 9, NodeKind.FILE_LOCK, pid=0)
    line = lock("the TCP connection to 127.0.0.1:80", 10, NodeKind.SOCKET, pid=0)
    found = capture(
        *(stopped, asks, hub),
        resources=[file, line],
        waits=[waits(asks, file), waits(hub, line)],
        holds=[holds(file, stopped), holds(line, stopped)],
    )
    processes = tuple(replace(one, state="T") if one.pid == 200 else one for one in found.processes)
    finding = findings.run(replace(found, processes=processes))[0]
    assert "wanted by MainThread of process 100 at main.py:47 (load_model)" in finding.title
    assert "gives it back only when it goes on" in finding.sentence
    assert "hub waits at main.py:20 (serve) for the TCP connection" in finding.sentence
