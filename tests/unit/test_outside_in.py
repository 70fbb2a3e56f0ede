"""Who waits in other processes for those of a finding, from the outside in."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.diagnosis import diagnose
from hangtui.findings.engine_schedulers import has_no_request
from hangtui.findings.outside.engine_workers import (
    others_at_work,
    starting,
    told_at_work,
    told_starting,
    workers_at_work,
)
from hangtui.findings.outside_in import outside_in
from hangtui.findings.rest.engine_rests import resting_engine
from hangtui.findings.told_outside_in import with_outside
from hangtui.findings.words import ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    JobPlace,
    NodeId,
    NodeKind,
    Process,
    Progress,
    PythonFrame,
    Resumer,
    RingEnd,
    Scheduler,
    Severity,
    Surroundings,
    Task,
    TaskState,
    Thread,
)
from tests.unit.factories import capture, holds, lock, python_frame, stood, thread, waits

SITE = "/venv/lib/python3.12/site-packages"
PROTOCOL = f"{SITE}/vllm/v1/executor/multiproc_executor.py"
DEQUEUE = python_frame("MessageQueue.dequeue", 975, f"{SITE}/vllm/shm_broadcast.py")
ASKS = python_frame("Executor.collective_rpc.<locals>.get_response", 440, PROTOCOL)
SERVES = python_frame("WorkerProc.worker_busy_loop", 1041, PROTOCOL)
REDUCES = python_frame("all_reduce", 2501, f"{SITE}/torch/distributed/distributed_c10d.py")
OWN = python_frame("train", 41, "/app/train.py")
BATCH = lock("DataLoader worker 0", 1, NodeKind.WORKER)


def main_of(pid: int, *stack: PythonFrame) -> Thread:
    return replace(thread("MainThread", pid, python=stack), pid=pid)


def family(*mains: Thread, place: dict[int, int] | None = None, parent: int = 50) -> Capture:
    """Processes of these main threads, the first of which started the others unless it is said
    who did; *place*: ranks by PID."""
    made = capture(*mains)
    return replace(
        made, processes=tuple(_placed(one, (place or {}).get(one.pid), mains, parent)
                              for one in made.processes)
    )  # fmt: skip


def _placed(one: Process, rank: int | None, mains: tuple[Thread, ...], parent: int) -> Process:
    around = Surroundings(job=None if rank is None else JobPlace(rank=rank, size=2))
    first = mains[0].pid
    own = parent if rank is not None or one.pid == first else first
    return replace(one, ppid=own, around=around)


def told(made: Capture, *nodes: NodeId) -> list[tuple[int, bool]]:
    return [(one.actor.pid, one.inferred) for one in outside_in(made, build(made), nodes)]


def test_who_asks_its_workers_waits_for_the_one_that_hangs() -> None:
    engine, worker = main_of(300, DEQUEUE, ASKS), main_of(301, OWN, SERVES)
    assert told(family(engine, worker), worker.id) == [(300, True)]


@pytest.mark.parametrize("caller", [SERVES, OWN])
def test_who_waits_for_a_command_asks_nobody(caller: PythonFrame) -> None:
    engine, worker = main_of(300, DEQUEUE, caller), main_of(301, OWN, SERVES)
    assert told(family(engine, worker), worker.id) == []


def test_ranks_wait_for_the_one_that_waits_for_its_loader() -> None:
    waiting, away = main_of(201, REDUCES, OWN), main_of(200, OWN)
    loader = main_of(210, python_frame("__getitem__", 29, "/app/train.py"))
    made = family(waiting, away, loader, place={200: 0, 201: 1})
    wait, hold = waits(away, BATCH), holds(BATCH, loader)
    made = replace(made, waits=(wait,), holds=(hold,), resources=(BATCH,))
    assert told(made, loader.id) == [(201, True), (200, False)]


def test_nobody_waits_for_a_rank_that_has_come_to_the_operation() -> None:
    both = main_of(201, REDUCES, OWN), main_of(200, REDUCES, OWN)
    assert told(family(*both, place={200: 0, 201: 1}), both[0].id) == []


def test_of_one_process_alone_there_is_none() -> None:
    worker = main_of(301, OWN, SERVES)
    assert told(family(worker), worker.id) == []


CORE = python_frame("EngineCoreProc.run_busy_loop", 1300, f"{SITE}/vllm/v1/engine/core.py")
GENERATE = python_frame("AsyncLLM.generate", 540, f"{SITE}/vllm/v1/engine/async_llm.py")
HANDLER = python_frame("output_handler", 700, f"{SITE}/vllm/v1/engine/async_llm.py")


def server(*frames: PythonFrame) -> Capture:
    """A server with a task for each of these frames, its engine and a worker that hangs."""
    front, engine = main_of(300, OWN), main_of(301, DEQUEUE, ASKS, CORE)
    worker = main_of(302, OWN, SERVES)
    made = family(front, engine, worker)
    placed = [replace(p, ppid={300: 50, 301: 300, 302: 301}[p.pid]) for p in made.processes]
    tasks = tuple(
        Task(300, number, f"Task-{number}", None, TaskState.WAITING, 1, 300, (frame,))
        for number, frame in enumerate(frames, 1)
    )
    return replace(made, processes=tuple(placed), tasks=tasks)


def test_the_requests_of_a_server_wait_for_its_engine() -> None:
    made = server(HANDLER, GENERATE, GENERATE)
    worker = made.processes[2].threads[0]
    found = outside_in(made, build(made), (worker.id,))
    assert [(one.actor.pid, one.requests) for one in found] == [(300, 2), (301, 0)]


def test_a_server_without_requests_waits_for_nobody() -> None:
    made = server(HANDLER)
    worker = made.processes[2].threads[0]
    assert told(made, worker.id) == [(301, True)]


def test_a_ring_is_told_from_the_requests_down() -> None:
    made = server(GENERATE)
    worker = made.processes[2].threads[0]
    finding = Finding(
        id="deadlock",
        severity=Severity.ERROR,
        certainty=Certainty.PROVEN,
        title="Deadlock",
        sentence="Neither can go on.",
        threads=(ref(worker),),
    )
    (said,) = with_outside([finding], made, build(made))
    assert said.sentence.endswith(
        "From the outside in: 1 request of process 300 (main.py) waits at async_llm.py:540 "
        "(AsyncLLM.generate) for process 301; process 301 (main.py) waits at "
        "multiproc_executor.py:440 (get_response), for answers of its workers, and so for "
        "process 302."
    )
    assert [one.pid for one in said.victims] == [301]
    for lie, taken in ((0, "has taken the last command"), (2, "has not taken the last 2 commands")):
        ends = (RingEnd(302, "psm_1", writes=False, untaken=lie),)
        (said,) = with_outside([finding], replace(made, ring_ends=ends), build(made))
        assert f"and so for process 302, which {taken}" in said.sentence


def test_the_worker_whose_answer_an_engine_waits_for_is_told_with_the_command() -> None:
    made = server(GENERATE)
    front, engine, worker = made.processes
    waiting = replace(worker, threads=(main_of(302, REDUCES, OWN, SERVES),), ppid=301)
    rests = replace(worker, pid=303, threads=(main_of(303, DEQUEUE, SERVES),), ppid=301)
    ranks = [
        replace(one, around=Surroundings(job=JobPlace(rank=rank, size=2)))
        for rank, one in enumerate((waiting, rests))
    ]
    ends = (
        RingEnd(301, "psm_2", writes=False, untaken=0, asked="load_weights"),
        RingEnd(302, "psm_2", writes=True, untaken=0),
        RingEnd(302, "psm_1", writes=False, untaken=0),
        RingEnd(303, "psm_1", writes=False, untaken=0),
        RingEnd(303, "psm_3", writes=True, untaken=1),
    )
    made = replace(made, processes=(front, engine, *ranks), ring_ends=ends)
    (finding,) = (one for one in diagnose(made).findings if one.id == "rank-elsewhere")
    assert finding.title == (
        "Rank 0 (process 302) waits in all_reduce at train.py:41 (train), rank 1 (process 303) "
        "waits for the next command"
    )
    assert "waits for its next command (vLLM), and has taken all that were sent" in finding.sentence
    seen = tuple(
        Progress(one.id, 5, 2.0, 2.0 * (one.pid == 302), 0.0, same_line=one.pid == 302)
        for one in made.threads()
        if one.pid in (302, 303)
    )
    looked = diagnose(replace(made, progress=seen)).findings
    assert [one.severity for one in looked if one.id == finding.id] == [Severity.WARNING]
    finding = replace(finding, severity=Severity.WARNING)
    (said,) = with_outside([finding], made, build(made))
    assert said.sentence.endswith(
        "process 301 (main.py) waits at multiproc_executor.py:440 (get_response) for rank 0 "
        "(process 302) to answer load_weights, which it has taken."
    )


def test_a_worker_that_has_not_taken_its_command_stands_behind_another() -> None:
    made = server(GENERATE)
    front, engine, worker = made.processes
    waiting = replace(worker, threads=(main_of(302, REDUCES, SERVES),), ppid=301)
    away = replace(worker, pid=303, threads=(main_of(303, DEQUEUE, SERVES),), ppid=301)
    ranks = [
        replace(one, around=Surroundings(job=JobPlace(rank=rank, size=2)))
        for rank, one in enumerate((waiting, away))
    ]
    ends = (RingEnd(303, "psm_1", writes=False, untaken=1),)
    made = replace(made, processes=(front, engine, *ranks), ring_ends=ends)
    finding = Finding(
        id="held-from-outside",
        severity=Severity.WARNING,
        certainty=Certainty.CERTAIN,
        title="stopped",
        sentence="It is stopped.",
        threads=(ref(away.threads[0]),),
    )
    (said,) = with_outside([finding], made, build(made))
    assert said.sentence.endswith(
        " Rank 1 (process 303) has not taken the last command, which lies in its ring of messages."
    )


def test_the_rank_that_nobody_serves_comes_before_those_that_wait_for_it() -> None:
    away = main_of(
        200, python_frame("Condition.wait", 327, "/usr/lib/python3.12/threading.py"), OWN
    )
    waiting = main_of(201, REDUCES, OWN)
    jobs = lock("jobs", 1, NodeKind.QUEUE, pid=200)
    made = family(away, waiting, place={200: 0, 201: 1})
    ticks = replace(thread("gloo_tcp_loop", 260, python=None), pid=200, is_python=False,
                    comm="gloo_tcp_loop", still=False)  # fmt: skip
    processes = [
        replace(p, threads=(*p.threads, ticks)) if p.pid == 200 else p for p in made.processes
    ]
    made = replace(made, processes=tuple(processes), waits=(waits(away, jobs),), resources=(jobs,))
    first = diagnose(stood(made)).findings[0]
    assert first.id == "nobody-left-to-wake"
    assert first.sentence.endswith("Rank 1 waits for rank 0 in all_reduce at train.py:41 (train).")


def test_requests_of_an_engine_that_has_nothing_to_run() -> None:
    rests = replace(CORE, function="EngineCoreProc._process_input_queue", line=1588)
    made = server(replace(GENERATE, line=611))
    front, engine, worker = made.processes
    idle = replace(engine, threads=(main_of(301, rests, CORE),))
    asks = replace(made.tasks[0], python_stack=(GENERATE, python_frame("rollout", 43)))
    made = replace(made, processes=(front, idle, worker), tasks=(asks,), progress=())
    engine_of = resting_engine(front, [asks], words_of(stood(made), build(stood(made))))
    assert engine_of is not None
    assert "process 301, which is to answer, has nothing to run" in engine_of.short
    assert "1 request waits for process 301" in engine_of.told
    assert "core.py:1588 (EngineCoreProc._process_input_queue)" in engine_of.told
    for other in (made, stood(replace(made, processes=(front, engine, worker)))):
        assert resting_engine(front, [asks], words_of(other, build(other))) is None
    assert resting_engine(front, [], words_of(stood(made), build(stood(made)))) is None


@pytest.mark.parametrize(
    ("scheduler", "short", "told"),
    [
        (Scheduler(301, "PAUSED_ALL", 4), "is paused", "paused (PAUSED_ALL) with 4 requests in"),
        (Scheduler(301, None, 0), "has nothing to run", "is not paused, and has no request: they,"),
        (Scheduler(301, None, 1), "has nothing to run", "is not paused, and has 1 request."),
    ],
)
def test_a_scheduler_that_is_paused_or_not(scheduler: Scheduler, short: str, told: str) -> None:
    rests = replace(CORE, function="EngineCoreProc._process_input_queue", line=1588)
    front, engine, worker = server(replace(GENERATE, line=611)).processes
    idle = replace(engine, threads=(main_of(301, rests, CORE),))
    made = server(replace(GENERATE, line=611))
    asks = replace(made.tasks[0], python_stack=(GENERATE, python_frame("rollout", 43)))
    made = replace(
        made, processes=(front, idle, worker), tasks=(asks,), progress=(), schedulers=(scheduler,)
    )
    engine_of = resting_engine(front, [asks], words_of(stood(made), build(stood(made))))
    assert engine_of is not None
    assert short in engine_of.short
    assert told in engine_of.told


def test_who_would_resume_it_waits_for_its_requests() -> None:
    rests = replace(CORE, function="EngineCoreProc._process_input_queue", line=1588)
    made = server(replace(GENERATE, line=611), HANDLER)
    front, engine, worker = made.processes
    idle = replace(engine, threads=(main_of(301, rests, CORE),))
    asks, train = made.tasks
    asks = replace(asks, python_stack=(GENERATE, python_frame("rollout", 43)))
    train = replace(train, python_stack=(python_frame("drain", 51),))
    made = replace(
        made,
        processes=(front, idle, worker),
        tasks=(asks, train),
        progress=(),
        schedulers=(Scheduler(301, "PAUSED_ALL", 1),),
        resumers=(Resumer(train.id, "engine.resume_generation()", "main.py:52"),),
        waits=(waits(train.id, asks.id, where="main.py:51"),),
    )
    engine_of = resting_engine(front, [asks], words_of(stood(made), build(stood(made))))
    assert engine_of is not None
    assert "which comes to engine.resume_generation(), waits for these requests" in engine_of.short
    assert "is seen to come to engine.resume_generation() (main.py:52), and waits" in engine_of.told
    assert engine_of.told.endswith("So they wait for each other.")


def test_an_engine_without_requests_has_nothing_to_do() -> None:
    rests = replace(CORE, function="EngineCoreProc._process_input_queue", line=1588)
    front, engine, worker = server().processes
    thread_of = main_of(301, rests, CORE)
    made = replace(
        server(), processes=(front, replace(engine, threads=(thread_of,)), worker), schedulers=()
    )
    for scheduler, idle in (
        ((), False),
        ((Scheduler(301, None, 0),), True),
        ((Scheduler(301, None, 1),), False),
        ((Scheduler(301, "PAUSED_ALL", 0),), False),
    ):
        assert has_no_request(thread_of, replace(made, schedulers=scheduler)) is idle


@pytest.mark.parametrize("compiles", [True, False])
def test_who_waits_for_an_engine_whose_worker_gets_on_is_not_warned_of(compiles: bool) -> None:
    takes = python_frame("get_output", 993, f"{SITE}/vllm/v1/engine/core_client.py")
    popen = python_frame("Popen.communicate", 1196, "/usr/lib/python3.12/subprocess.py")
    front = main_of(300, takes, OWN)
    engine = main_of(301, DEQUEUE, ASKS, CORE)
    worker = main_of(302, *([popen] if compiles else [REDUCES]), SERVES)
    made = family(front, engine, worker)
    placed = [replace(p, ppid={300: 50, 301: 300, 302: 301}[p.pid]) for p in made.processes]
    made = replace(made, processes=tuple(placed))
    words = words_of(made, build(made))
    assert [one.pid for one in workers_at_work(300, words)] == ([302] if compiles else [])
    assert "process 302" in told_at_work(workers_at_work(300, words), words) or not compiles


@pytest.mark.parametrize("gets_on", [True, False])
def test_who_waits_for_an_engine_that_starts_is_warned_of_where_nobody_gets_on(
    gets_on: bool,
) -> None:
    startup = f"{SITE}/vllm/v1/engine/utils.py"
    front = main_of(300, python_frame("wait_for_engine_startup", 1398, startup), OWN)
    engine = main_of(301, python_frame("WorkerProc.wait_for_ready", 799, PROTOCOL), CORE)
    worker = main_of(302, python_frame("<module>", 16, "/app/main.py"))
    made = stood(family(front, engine, replace(worker, state="R" if gets_on else "S")))
    placed = [replace(p, ppid={300: 50, 301: 300, 302: 301}[p.pid]) for p in made.processes]
    made = replace(made, processes=tuple(placed))
    words = words_of(made, build(made))
    assert [one.pid for one in starting(300, words)] == ([302] if gets_on else [])
    assert starting(302, words) == []
    assert others_at_work(300, "vllm", words) is gets_on
    told = told_starting(starting(300, words), words)
    assert told == (" Still at its start: process 302 at main.py:16 (<module>)." * gets_on)
