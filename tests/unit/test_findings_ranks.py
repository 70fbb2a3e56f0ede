"""Rules over several processes, and over what no test can start here: GPUs, ranks, OpenMP."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from hangtui import findings
from hangtui.analysis.progress import with_progress
from hangtui.analysis.waitgraph import build
from hangtui.findings.collectives import collective, polls, seeks_store
from hangtui.findings.jobs import jobs
from hangtui.findings.outside import rank_elsewhere
from hangtui.findings.roles import ranks_told, roles_of
from hangtui.model import (
    Capture,
    Certainty,
    Child,
    Collective,
    Exchange,
    Finding,
    FrameMark,
    GpuUse,
    JobPlace,
    NativeFrame,
    NodeKind,
    NoHolder,
    Polled,
    Progress,
    RemoteCall,
    Severity,
    Sleep,
    Surroundings,
    Syscall,
    Thread,
    Traffic,
    Unconnected,
    Visit,
    Watched,
    process_id,
)
from tests.unit.factories import capture, holds, lock, native_frame, python_frame, thread, waits

TORCH = "/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py"


def rank(pid: int, *functions: tuple[str, str, int]) -> Thread:
    stack = [python_frame(name, line, file) for name, file, line in functions]
    return replace(thread("MainThread", pid, python=stack), pid=pid)


def job(*mains: Thread) -> Capture:
    """Processes with one parent."""
    made = [capture(main).processes[0] for main in mains]
    return replace(capture(), processes=tuple(replace(one, ppid=50) for one in made))


def test_a_rank_that_is_not_where_the_others_wait() -> None:
    waiting = rank(201, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    away = rank(200, ("save_checkpoint", "/app/main.py", 27), ("train", "/app/main.py", 43))
    made = job(away, waiting)
    (once,) = (one for one in findings.run(made) if one.id == "rank-elsewhere")
    assert once.severity is Severity.NOTE  # ranks come to a collective one after the other
    seen = {one.pid: Progress(one.id, 5, 2.0, 2.0, 0.0) for one in made.threads()}
    finding = findings.run(replace(made, progress=tuple(seen.values())))[0]

    assert (finding.id, finding.severity) == ("rank-elsewhere", Severity.WARNING)
    assert "Process 201 waits in the collective operation all_reduce" in finding.sentence
    assert "Process 200 is elsewhere at main.py:27 (save_checkpoint)" in finding.sentence
    assert [one.pid for one in finding.threads] == [200, 201]

    moves = replace(seen[200], unchanged_s=0.1)  # it reads data, line for line
    slow = findings.run(replace(made, progress=(seen[201], moves)))
    assert Severity.WARNING not in [one.severity for one in slow if one.id == "rank-elsewhere"]


@pytest.mark.parametrize(("left_s", "severity"), [(2.0, Severity.NOTE), (600.0, Severity.WARNING)])
def test_a_rank_that_the_clock_lets_go_on_is_slow(left_s: float, severity: Severity) -> None:
    waiting = rank(201, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    call = Syscall("clock_nanosleep", sleep=Sleep(left_s, left_s))
    away = replace(rank(200, ("cool_down", "/app/main.py", 27)), syscall=call)
    made = job(away, waiting)
    seen = tuple(Progress(one.id, 5, 2.0, 2.0, 0.0) for one in made.threads())
    found = findings.run(replace(made, progress=seen))
    (finding,) = (one for one in found if one.id == "rank-elsewhere")
    assert finding.severity is severity


@pytest.mark.parametrize(
    ("operation", "severity"), [("broadcast", Severity.NOTE), ("all_reduce", Severity.WARNING)]
)
def test_ranks_that_follow_one_which_waits_for_requests(operation: str, severity: Severity) -> None:
    following = rank(201, (operation, TORCH, 2501), ("follow", "/app/main.py", 41))
    leads = rank(200, ("serve", "/app/main.py", 27))
    port = lock("the TCP port 0.0.0.0:80", 1, NodeKind.SOCKET, pid=200)
    accepts = replace(waits(leads, port), operation="accept")
    made = replace(job(leads, following), resources=(port,), waits=(accepts,))
    seen = tuple(Progress(one.id, 5, 2.0, 2.0, 0.0) for one in made.threads())
    found = findings.run(replace(made, progress=seen))
    (finding,) = (one for one in found if one.id == "rank-elsewhere")
    assert finding.severity is severity


@pytest.mark.parametrize("joint", [True, False])
def test_a_message_whose_other_rank_is_not_known(joint: bool) -> None:
    half = native_frame("c10d::ProcessGroupGloo::RecvWork::wait(long)", TORCH_CPU)
    talks = replace(rank(200, ("exchange", "/app/main.py", 41)), native_stack=(half,))
    stack = (("barrier", TORCH, 5000), ("save", "/app/main.py", 9))
    other = rank(201, *stack[not joint :])
    made = []
    for number, main in enumerate((talks, other)):
        place = Surroundings(job=JobPlace(number, number, 2), devices=())
        made.append(replace(capture(main).processes[0], ppid=50, around=place))
    found = replace(capture(), processes=tuple(made))
    seen = tuple(Progress(one.id, 5, 2.0, 2.0, 0.0) for one in found.threads())
    first = findings.run(replace(found, progress=seen))[0]
    if joint:
        assert (first.id, first.severity) == ("collective-mismatch", Severity.ERROR)
        assert "in recv at main.py:41 (exchange), until another rank takes part" in first.sentence
    else:
        assert first.id == "rank-elsewhere"
        assert "waits in recv at main.py:41 (exchange) until another rank takes" in first.sentence


SERVER = "/usr/lib/python3.11/multiprocessing/forkserver.py"


@pytest.mark.parametrize(
    ("stack", "away"),
    [
        ((("main", "/usr/lib/python3.11/multiprocessing/resource_tracker.py", 175),), False),
        ((("select", "/usr/lib/python3.11/selectors.py", 468), ("main", SERVER, 218)), False),
        ((("load", "/app/main.py", 9), ("_serve_one", SERVER, 313), ("main", SERVER, 274)), True),
    ],
)
def test_what_multiprocessing_starts_for_itself_is_no_rank(
    stack: tuple[tuple[str, str, int], ...], away: bool
) -> None:
    call = ("all_reduce", TORCH, 2501)
    waiting = [rank(200 + number, call, ("train", "/app/main.py", 41)) for number in range(2)]
    made = job(rank(199, *stack), *waiting)

    assert ("rank-elsewhere" in [one.id for one in findings.run(made)]) is away


def test_who_starts_ranks_in_a_step_of_slurm_is_none_of_them() -> None:
    call = ("all_reduce", TORCH, 2501)
    starter = capture(rank(100, ("run", "/app/torchrun", 3))).processes[0]
    starter = replace(starter, ppid=1, around=Surroundings(job=JobPlace(0, 0, 1)))
    ranks = [
        capture(rank(200 + number, call, ("train", "/app/main.py", 41))).processes[0]
        for number in range(3)
    ]
    ranks = [
        replace(one, ppid=100, around=Surroundings(job=JobPlace(number, number, 3)))
        for number, one in enumerate(ranks)
    ]
    made = replace(capture(), processes=(starter, *ranks))

    assert "rank-elsewhere" not in [one.id for one in findings.run(made)]
    assert roles_of(made) == {200: "rank 0", 201: "rank 1", 202: "rank 2"}


def test_the_kernel_of_a_notebook_is_called_that() -> None:
    (client,), (kernel,) = (
        capture(replace(thread("MainThread", pid), pid=pid)).processes for pid in (100, 200)
    )
    kernel = replace(kernel, cmdline=("python", "-m", "ipykernel_launcher", "-f", "desk.json"))
    assert roles_of(replace(capture(), processes=(client, kernel))) == {200: "Jupyter kernel"}


TORCH_CPU = "/venv/lib/python3.11/site-packages/torch/lib/libtorch_cpu.so"


def test_a_rank_that_waits_for_what_it_started_is_in_a_collective() -> None:
    called = native_frame("c10d::Work::wait(std::chrono::duration<long>)", TORCH_CPU)
    joining = replace(rank(201, ("reduce_later", "/app/main.py", 7)), native_stack=(called,))
    away = rank(200, ("read_config", "/app/main.py", 27))
    (finding,) = (one for one in findings.run(job(away, joining)) if one.id == "rank-elsewhere")
    assert "in an operation started before (Work.wait) at main.py:7" in finding.sentence

    reduced = native_frame("c10d::Reducer::finalize_backward()", TORCH_CPU)
    both = replace(joining, native_stack=(called, reduced))
    (finding,) = (one for one in findings.run(job(away, both)) if one.id == "rank-elsewhere")
    assert "all_reduce of the gradients" in finding.title


@pytest.mark.parametrize(
    ("outer", "title"),
    [
        ("c10d::Work::wait(std::chrono::duration<long>)", "waits in all_reduce at main.py:7"),
        ("torch::jit::PythonFutureWrapper::wait()", "waits in all_reduce at main.py:7"),
        (
            "c10d::ProcessGroupGloo::~ProcessGroupGloo()",
            "waits in all_reduce (started before its process group ends) at main.py:7",
        ),
    ],
)
def test_which_operation_gloo_runs_for_a_rank_that_waits(outer: str, title: str) -> None:
    runs = native_frame("c10d::AsyncAllreduceWork::run()", TORCH_CPU)
    gloo = replace(thread("pt_gloo_runloop", 301, native=[runs]), pid=201)
    stack = (native_frame(outer, TORCH_CPU),)
    waiting = replace(rank(201, ("finish", "/app/main.py", 7)), native_stack=stack)
    away = rank(200, ("read_config", "/app/main.py", 27))
    made = job(away, waiting)
    first, second = made.processes
    second = replace(second, threads=(*second.threads, gloo))
    found = findings.run(replace(made, processes=(first, second)))
    (finding,) = (one for one in found if one.id == "rank-elsewhere")
    assert title in finding.title


@pytest.mark.parametrize("busy", [False, True])
def test_gradients_that_nobody_sums(busy: bool) -> None:
    made = []
    for number in range(2):
        pid = 200 + number
        stack = [native_frame("c10d::Reducer::finalize_backward()", TORCH_CPU)]
        tensor = ("Tensor.backward", "/venv/lib/python3.11/site-packages/torch/_tensor.py", 623)
        main = replace(
            rank(pid, tensor, ("train_step", "/app/main.py", 40)), native_stack=tuple(stack)
        )
        runs = [native_frame("c10d::ProcessGroupGloo::runLoop(int)", TORCH_CPU)]
        runs = [native_frame("c10d::AsyncAllreduceWork::run()", TORCH_CPU), *runs][not busy :]
        waits_ = native_frame("pthread_cond_wait", "/usr/lib/libc.so.6")
        gloo = replace(thread("pt_gloo_runloop", pid + 100, native=[waits_, *runs]), pid=pid)
        process = job(main).processes[0]
        place = Surroundings(job=JobPlace(number, number, 2), devices=())
        gloo = replace(gloo, comm="pt_gloo_runloop", is_python=False)
        made.append(replace(process, threads=(main, gloo), around=place))
    found = replace(capture(), processes=tuple(made))
    seen = [Progress(one.id, 5, 2.0, 2.0, 0.0, same_line=True) for one in found.threads()]
    told = findings.run(replace(found, progress=tuple(seen)))
    first = next(one for one in told if one.id == "waiting-in-library")
    assert "so that none of them is missing" in first.sentence
    assert ("gloo carries out nothing for any of them" in first.sentence) is not busy
    assert (first.severity is Severity.WARNING) is not busy


@pytest.mark.parametrize("waits_for", [NodeKind.QUEUE, NodeKind.SOCKET])
def test_gradients_that_a_thread_of_the_only_rank_keeps(waits_for: NodeKind) -> None:
    stack = [native_frame("c10d::Reducer::finalize_backward()", TORCH_CPU)]
    tensor = "/venv/lib/python3.11/site-packages/torch/_tensor.py"
    backward = replace(python_frame("Tensor.backward", 623, tensor), package="torch 2.13")
    step = python_frame("train_step", 40, "/app/main.py")
    main = thread("MainThread", 200, 200, python=[backward, step], native=stack)
    mixer = thread("mixer", 201, 200, python=[python_frame("mix", 19, "/app/main.py")])
    loop = [native_frame("pthread_cond_wait", "/usr/lib/libc.so.6")]
    loop += [native_frame("c10d::ProcessGroupGloo::runLoop(int)", TORCH_CPU)]
    gloo = replace(thread("pt_gloo_runloop", 202, 200, native=loop), comm="pt_gloo_runloop")
    run = native_frame("gloo::transport::tcp::Loop::run()", TORCH_CPU)
    polls = [replace(run, package="torch 2.13")]
    tcp = thread("gloo_tcp_loop", 203, 200, native=polls, syscall=Syscall("epoll_wait"))
    natives = [replace(one, is_python=False) for one in (gloo, tcp)]
    kept = lock("BUCKETS", 7, waits_for, pid=200)
    made = capture(main, mixer, *natives, resources=[kept], waits=[waits(mixer, kept)])
    seen = [Progress(one.id, 5, 2.0, 2.0, 0.0, same_line=True) for one in made.threads()]
    made = replace(made, unconnected=(Unconnected(200),), progress=tuple(seen))
    first = next(one for one in findings.run(made) if "train_step" in one.title)
    kept_inside = waits_for is NodeKind.QUEUE
    assert (first.severity is Severity.WARNING) is kept_inside
    assert ("mixer waits at main.py:19 (mix) for BUCKETS" in first.sentence) is kept_inside


def test_what_a_library_calls_an_operation_for() -> None:
    fsdp = "/venv/lib/python3.11/site-packages/torch/distributed/fsdp/_fully_shard/group.py"
    stack = (("all_gather_single", TORCH, 4000), ("wait_for_unshard", fsdp, 9))
    waiting = rank(201, *stack, ("train", "/app/main.py", 41))
    assert collective(waiting) == "all_gather of the parameters (FSDP)"


def test_a_rank_that_waits_for_a_key_of_the_store_is_said_to() -> None:
    waiting = rank(201, ("barrier", TORCH, 2501), ("train", "/app/main.py", 41))
    asks = native_frame("c10d::TCPStore::doWait(c10::ArrayRef<std::string>)", TORCH_CPU)
    away = replace(rank(200, ("fetch", "/app/main.py", 27)), native_stack=(asks,))
    (finding,) = (one for one in findings.run(job(away, waiting)) if one.id == "rank-elsewhere")
    assert "(fetch), waiting for a key that another rank has to set" in finding.sentence


@pytest.mark.parametrize("call", ["init_process_group", "new_group"])
def test_a_rank_that_has_not_joined_the_job_is_one_elsewhere(call: str) -> None:
    joining = rank(201, (call, TORCH, 1700), ("main", "/app/main.py", 12))
    away = rank(200, ("read_config", "/app/main.py", 27), ("main", "/app/main.py", 9))
    (finding,) = (one for one in findings.run(job(away, joining)) if one.id == "rank-elsewhere")
    assert f"Process 201 waits in {call} at main.py:12 (main)" in finding.sentence


@pytest.mark.parametrize("state", ["S", "T"])
def test_a_rank_that_is_kept_elsewhere_is_warned_of(state: str) -> None:
    engine = "/venv/lib/python3.11/site-packages/engine/worker.py"
    call = ("all_reduce", TORCH, 2501)
    waiting, away = rank(201, call, ("run", engine, 41)), rank(200, ("spin", engine, 7))
    made = job(replace(away, state=state), waiting)
    seen = tuple(Progress(one.id, 5, 2.0, 2.0, 0.0, same_line=True) for one in made.threads())
    found = findings.run(replace(made, progress=seen))
    assert ("rank-elsewhere", Severity.WARNING) in [(one.id, one.severity) for one in found]


def test_a_rank_that_is_merely_slow_is_told_as_one_at_work() -> None:
    call = ("wait", "/venv/lib/python3.11/site-packages/torch/distributed/wrapper.py", 83)
    waiting = rank(201, call, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    away = replace(rank(200, ("augment", "/app/main.py", 27), ("train", "/app/main.py", 40)),
                   state="R", still=False)  # fmt: skip
    made = job(away, waiting)
    threads = {one.pid: one.id for one in made.threads()}
    place = Visit("main.py:27 (augment)", "augment", 5)
    seen = (Progress(threads[200], 5, 2.0, 0.0, 1.9, (place,)),
            Progress(threads[201], 5, 2.0, 2.0, 0.0, same_line=True))  # fmt: skip
    found = findings.run(replace(made, progress=seen))

    assert {one.severity for one in found} == {Severity.NOTE}, found
    finding = found[0]
    assert finding.id == "rank-elsewhere"
    assert "Process 200 is at work elsewhere at main.py:27 (augment)" in finding.sentence
    assert any("used 95% of a CPU over 2.0 s" in line for line in finding.evidence)
    assert "whether they are merely slower than the others" in finding.unknown


def test_what_keeps_the_rank_away_is_followed_to_its_end() -> None:
    away = rank(200, ("save_checkpoint", "/app/main.py", 27))
    waiting = rank(201, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    uploader = thread("uploader", 209, 200, python=[python_frame("upload", 33)])
    held, done = lock("disk_lock", 1, pid=200), lock("done", 2, pid=200)
    made = capture(
        away,
        uploader,
        waiting,
        resources=(held, done),
        waits=(waits(away, held), waits(uploader, done, where="/app/main.py:33")),
        holds=(holds(held, uploader),),
    )
    (finding,) = rank_elsewhere.check(made, build(made))

    assert "all_reduce at main.py:41 (train)" in finding.sentence
    assert "waiting for disk_lock, which uploader holds, and itself waits at" in finding.sentence
    assert "main.py:33 (upload) for done" in finding.sentence
    assert sum("disk_lock" in line for line in finding.evidence) == 2


def test_a_rank_that_looks_for_a_file_is_told_with_that_file() -> None:
    waiting = rank(201, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    away = rank(200, ("load_index", "/app/main.py", 29))
    looks = Polled(away.id, ("exists()",), "main.py:29", file="/tmp/index.npy", is_there=False)
    made = replace(job(away, waiting), polled=(looks,))
    (finding,) = rank_elsewhere.check(made, build(made))
    assert (
        "(load_index), where it looks again and again at exists() of /tmp/index.npy, which is not "
        "there. It goes on once somebody makes that file; who should is not known. As long"
    ) in finding.sentence


def test_ranks_in_several_operations_are_told_apart_while_one_is_elsewhere() -> None:
    first = rank(201, ("barrier", TORCH, 5356), ("save", "/app/main.py", 41))
    second = rank(202, ("all_gather", TORCH, 4287), ("save", "/app/main.py", 44))
    made = job(rank(200, ("load_index", "/app/main.py", 29)), first, second)
    (finding,) = rank_elsewhere.check(made, build(made))
    assert (
        "Process 201 waits in the collective operation barrier at main.py:41 (save) and process "
        "202 in the collective operation all_gather at main.py:44 (save) until every rank"
    ) in finding.sentence


def test_a_rank_that_waits_for_a_signal_or_a_remote_call_is_told_so() -> None:
    waiting = rank(201, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    away = rank(200, ("hear", "/app/main.py", 29))
    signals = Syscall("rt_sigtimedwait", None, signals=("SIGUSR1",))
    made = job(replace(away, syscall=signals), waiting)
    (finding,) = rank_elsewhere.check(made, build(made))
    assert "elsewhere at main.py:29 (hear), waiting for SIGUSR1. As long" in finding.sentence

    call = RemoteCall(away.id, "stage1", "price", "main.py:29", expires=False)
    made = replace(job(away, waiting), remote_calls=(call,))
    (finding,) = rank_elsewhere.check(made, build(made))
    assert "waiting for the answer of price at stage1 (rpc_sync). As long" in finding.sentence


@pytest.mark.parametrize("kind", [NodeKind.SOCKET, NodeKind.PIPE])
def test_what_stands_at_the_other_end_of_what_a_rank_waits_for(kind: NodeKind) -> None:
    waiting = rank(201, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    away, answer = rank(200, ("finish", "/app/main.py", 22)), lock("answer", 1, kind, pid=200)
    saver = rank(210, ("all_gather", TORCH, 4287))
    sleeper = rank(211, ("retry", "/app/save.py", 3))
    placed = [
        replace(one, ppid={210: 200, 211: 210}.get(one.pid, 50))
        for one in capture(away, saver, sleeper, waiting).processes
    ]
    wait = replace(waits(away, answer), answering=(saver.id,) if kind is NodeKind.SOCKET else ())
    held = [] if wait.answering else [holds(answer, process_id(one)) for one in (210, 211)]
    made = replace(
        capture(), processes=tuple(placed), waits=(wait,), resources=(answer,), holds=tuple(held)
    )
    (finding,) = rank_elsewhere.check(made, build(made))
    there = "waits in all_gather until every rank of its group has called it. As long"
    if held:
        there = "waits at save.py:3 (retry). As long"
    assert ", where MainThread of process 210 waits" in finding.sentence
    assert there in finding.sentence


def test_ranks_that_are_all_in_the_collective_are_no_finding() -> None:
    ranks = [rank(pid, ("all_reduce", TORCH, 2501)) for pid in (200, 201)]
    assert "rank-elsewhere" not in [finding.id for finding in findings.run(job(*ranks))]


NCCL = "/venv/lib/python3.11/site-packages/nvidia/nccl/lib/libnccl.so.2"
CUDA = "/usr/lib/libcuda.so.580.159.04"
PROXY = [
    native_frame("ncclProxyService(void*)", NCCL),
    native_frame("clone3", "/usr/lib/libc.so.6"),
]


def in_nccl(pid: int, *functions: tuple[str, str, int]) -> Thread:
    """A main thread that asks for its peers, which looks busy."""
    native = [
        native_frame("ncclSocketProgress(ncclSocket*)", NCCL),
        native_frame("c10d::ProcessGroupNCCL::recv", TORCH_CPU),
        native_frame("_PyEval_EvalFrameDefault"),
    ]
    main = rank(pid, *functions)
    return replace(main, state="R", still=False, busy=0.9, native_stack=tuple(native))


def ranks_of_two(*mains: Thread, beside: Sequence[Thread] = ()) -> Capture:
    """A whole job of two ranks; several looks saw them as they are."""
    made = job(*mains)
    processes = [
        replace(
            one,
            threads=(*one.threads, *(t for t in beside if t.pid == one.pid)),
            around=Surroundings(job=JobPlace(number, number, 2), devices=("/dev/nvidia0",)),
        )
        for number, one in enumerate(made.processes)
    ]
    seen = [
        Progress(one.id, 5, 2.0, 2.0 if one.still else 0.0, 1.8, same_line=True, same_frames=FRAMES)
        for one in mains
    ]
    return replace(made, processes=tuple(processes), progress=tuple(seen))


def test_all_ranks_receive_over_nccl_and_none_sends() -> None:
    call = (("irecv", TORCH, 2450), ("recv", TORCH, 2520), ("exchange", "/app/main.py", 41))
    finding = findings.run(ranks_of_two(in_nccl(200, *call), in_nccl(201, *call)))[0]
    assert (finding.id, finding.severity) == ("collective-mismatch", Severity.WARNING)
    assert finding.title == "All ranks of a job wait for one another in irecv, and none answers"
    sends = (("isend", TORCH, 2400), ("send", TORCH, 2410), ("exchange", "/app/main.py", 39))
    pair = findings.run(ranks_of_two(in_nccl(200, *call), in_nccl(201, *sends)))
    assert "collective-mismatch" not in [one.id for one in pair]


def test_a_rank_that_nccl_cannot_connect_to() -> None:
    call = (("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    away = rank(201, ("load_batch", "/app/main.py", 27))
    finding = findings.run(ranks_of_two(in_nccl(200, *call), away))[0]
    assert (finding.id, finding.severity) == ("rank-elsewhere", Severity.WARNING)
    assert finding.title == (
        "rank 0 waits in all_reduce at main.py:41 (train), "
        "rank 1 elsewhere at main.py:27 (load_batch)"
    )


FRAMES = tuple(FrameMark(address, 1) for address in (0x30, 0x31, 0x32, 0x33, 0x34))


@pytest.mark.parametrize("away", [True, False])
def test_a_rank_that_never_started_what_the_gpu_of_another_waits_for(away: bool) -> None:
    native = [
        replace(native_frame("", CUDA), address=0x33),
        replace(native_frame("cuStreamSynchronize", CUDA), address=0x31),
        replace(native_frame("_PyEval_EvalFrameDefault"), address=0x30),
    ]
    main = rank(200, ("train", "/app/main.py", 41))
    main = replace(main, state="R", still=False, busy=0.9, native_stack=tuple(native))
    beside = [replace(thread("python3", 300 + n, native=PROXY), pid=200 + n) for n in range(2)]
    other = (
        rank(201, ("load_batch", "/app/main.py", 27)) if away else replace(main, pid=201, tid=201)
    )
    found = findings.run(ranks_of_two(main, other, beside=beside))
    assert (found[0].id == "rank-elsewhere") is away
    if away:
        assert found[0].severity is Severity.WARNING
        assert found[0].title == (
            "rank 0 waits for work of the GPU, which may be a collective operation of NCCL at "
            "main.py:41 (train), rank 1 elsewhere at main.py:27 (load_batch)"
        )
        assert "waiting-for-gpu" not in [one.id for one in found]


def test_a_collective_that_takes_its_time_is_no_warning() -> None:
    call = ("wait", "/venv/lib/python3.11/site-packages/torch/distributed/wrapper.py", 83)
    inside = (call, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    made = job(rank(200, *inside), rank(201, *inside))
    seen = tuple(Progress(one.id, 5, 2.0, 2.0, 0.0, same_line=True) for one in made.threads())
    found = findings.run(replace(made, progress=seen))
    assert [one.id for one in found][:1] == ["waiting-in-library"]
    assert {one.severity for one in found} == {Severity.NOTE}


def on_gpu(around: Surroundings) -> Finding:
    """What is said of a thread inside of the driver."""
    native = [
        NativeFrame("poll", "/usr/lib/libc.so.6", 1),
        NativeFrame("cuStreamSynchronize", "/usr/lib/libcuda.so.1", 2),
        native_frame("_PyEval_EvalFrameDefault"),
    ]
    main = thread("MainThread", native=native, python=[python_frame("infer", 7)])
    made = capture(main)
    made = replace(made, processes=(replace(made.processes[0], around=around),))
    finding = findings.run(made)[0]
    assert finding.id == "waiting-for-gpu"
    return finding


def test_a_thread_inside_the_driver_of_a_gpu() -> None:
    finding = on_gpu(Surroundings(devices=("/dev/nvidia0",)))

    assert "cuStreamSynchronize (libcuda.so.1), called at main.py:7 (infer)" in finding.sentence
    assert "/dev/nvidia0" in finding.sentence
    assert "what the device does" in finding.unknown[0]


def test_a_wait_for_a_gpu_is_warned_of_once_it_lasts() -> None:
    native = [NativeFrame("cuStreamSynchronize", "/usr/lib/libcuda.so.1", 2)]
    main = thread("MainThread", native=native, python=[python_frame("infer", 7)])
    made = capture(replace(main, runs=7, cpu_ns=10**9))
    now = datetime.fromisoformat(made.taken_at)
    looks = [replace(made, taken_at=(now + timedelta(seconds=n)).isoformat()) for n in range(3)]

    assert on_gpu(Surroundings()).severity is Severity.NOTE
    assert findings.run(with_progress(looks))[0].severity is Severity.WARNING


def test_what_the_gpu_does_says_what_may_be_waited_for() -> None:
    busy = GpuUse(0, "NVIDIA H200", "/dev/nvidia0", 12 * 2**30, 1.0)
    idle = replace(busy, busy=0.0)
    devices = ("/dev/nvidia0", "/dev/nvidia1")
    of_busy = on_gpu(Surroundings(devices=devices, gpus=(busy,)))
    of_idle = on_gpu(Surroundings(devices=devices, gpus=(idle,)))
    of_both = on_gpu(Surroundings(devices=devices, gpus=(busy, replace(idle, index=1))))
    silent = on_gpu(Surroundings(devices=devices, gpus=(replace(busy, busy=None),)))

    assert "GPU 0 (NVIDIA H200) was busy for 100 %" in of_busy.sentence
    assert "until the other ranks have come to it" in of_busy.sentence
    assert "not a long computation" not in of_busy.sentence
    assert (
        "GPU 0 (NVIDIA H200) was idle in the last second, so this is not a long" in of_idle.sentence
    )
    assert "12.0 GiB of this process, busy 100 %" in of_busy.evidence[-1]
    assert "which of them this thread waits for" in of_both.unknown
    for undecided in (of_both, silent):
        assert "or the device hangs" in undecided.sentence
    assert "what the device does" in silent.unknown[0]


def forked(native: list[NativeFrame], parent: int | None) -> Capture:
    main = thread("MainThread", native=native, python=[python_frame("whiten", 15)])
    made = capture(main)
    process = replace(made.processes[0], around=Surroundings(forked_from=parent))
    return replace(made, processes=(process,))


def test_a_pool_of_openmp_that_did_not_come_along() -> None:
    native = [
        NativeFrame(None, "/opt/torch/lib/libgomp.so.1", 1),
        NativeFrame("GOMP_parallel", "/opt/torch/lib/libgomp.so.1", 2),
        NativeFrame("at::native::addmm", "/opt/torch/lib/libtorch_cpu.so", 3),
        native_frame("_PyEval_EvalFrameDefault"),
    ]
    (finding,) = findings.run(forked(native, 99))

    assert finding.id == "threads-lost-in-fork"
    for word in ("OpenMP (libgomp)", "whiten", "libtorch_cpu.so", "fork"):
        assert word in finding.sentence
    assert all(one.id != "threads-lost-in-fork" for one in findings.run(forked(native, None)))


def test_a_plain_lock_in_a_forked_process_is_inferred_to_be_orphaned() -> None:
    main = replace(thread("MainThread", python=[python_frame("handle", 5)]), is_python=True)
    held = replace(lock("cache_lock (threading.Lock)", 1), no_holder=NoHolder.UNTOLD)
    made = capture(main, resources=[held], waits=[waits(main, held)])
    around = Surroundings(forked_from=99)
    child = replace(made, processes=(replace(made.processes[0], around=around),))
    (finding,) = findings.run(child)

    assert (finding.id, finding.severity) == ("lock-held-across-fork", Severity.WARNING)
    assert "a plain lock records no owner" in " ".join(finding.unknown)
    assert all(one.id != "lock-held-across-fork" for one in findings.run(made))


def with_place(made: Capture, places: dict[int, JobPlace]) -> Capture:
    """*made*, whose processes have been told their places in a job."""
    told = (replace(p, around=Surroundings(job=places.get(p.pid))) for p in made.processes)
    return replace(made, processes=tuple(told))


def waited(made: Capture, *pids: int) -> Capture:
    """*made* at the end of five looks in 2 s, in which the main threads of *pids* stood still."""
    ids = [one.id for one in made.threads() if one.pid in pids]
    return replace(made, progress=tuple(Progress(one, 5, 2.0, 2.0, 0.0) for one in ids))


def test_a_rank_at_work_may_come_to_the_collective_yet() -> None:
    waiting = rank(201, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    away = replace(rank(200, ("train", "/app/main.py", 43)), state="R", still=False)
    made = waited(job(away, waiting), 201)
    (finding,) = (one for one in findings.run(made) if one.id == "rank-elsewhere")
    assert finding.severity is Severity.NOTE


def test_ranks_are_called_by_their_numbers_and_what_they_started_is_none() -> None:
    waiting = rank(201, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    away = rank(200, ("save_checkpoint", "/app/main.py", 27))
    child = replace(rank(203, ("copy", "/app/main.py", 3)))
    places = {200: JobPlace(1), 201: JobPlace(0), 203: JobPlace(1)}
    made = with_place(job(away, waiting, child), places)
    own = tuple(replace(p, ppid=200) if p.pid == 203 else p for p in made.processes)
    made = waited(replace(made, processes=own), 200, 201, 203)
    finding = findings.run(made)[0]
    assert (finding.id, finding.severity) == ("rank-elsewhere", Severity.WARNING)
    assert "Rank 0 (process 201) waits in the collective operation" in finding.sentence
    assert "Rank 1 (process 200) is elsewhere at main.py:27" in finding.sentence
    assert {one.pid for one in finding.threads} == {200, 201}
    assert finding.unknown == ()


def test_what_a_rank_started_is_not_told_for_the_rank_by_its_record() -> None:
    waiting = rank(201, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    away = rank(200, ("save_checkpoint", "/app/main.py", 27))
    loader = rank(203, ("read", "/app/data.py", 3))
    places = {200: JobPlace(1), 201: JobPlace(0), 203: JobPlace(1)}
    made = with_place(job(away, waiting, loader), places)
    own = tuple(replace(p, ppid=200) if p.pid == 203 else p for p in made.processes)
    records = (
        Collective(0, "default_pg", (0, 1), 1, "all_reduce", "Float [8]", done=True),
        Collective(1, "default_pg", (0, 1), 1, "all_reduce", "Float [8]", done=True),
        Collective(0, "default_pg", (0, 1), 2, "all_reduce", "Float [8]", done=False),
    )
    found = findings.run(replace(made, processes=own, collectives=records))
    (finding,) = (one for one in found if one.id == "collective-order")
    assert {one.pid for one in finding.threads} == {200}
    assert "data.py" not in finding.sentence


def test_the_backward_pass_of_ddp_is_a_collective() -> None:
    native = [native_frame("c10d::Reducer::finalize_backward()", "/venv/libtorch_cpu.so")]
    waiting = replace(rank(201, ("train", "/app/main.py", 41)), native_stack=tuple(native))
    away = rank(200, ("load", "/app/main.py", 27))
    finding = findings.run(waited(job(away, waiting), 200, 201))[0]
    assert (finding.id, finding.severity) == ("rank-elsewhere", Severity.WARNING)
    assert "all_reduce of the gradients" in finding.title


def test_ranks_in_different_collectives_wait_for_ever() -> None:
    summing = rank(201, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    sending = rank(200, ("broadcast", TORCH, 2102), ("train", "/app/main.py", 43))
    made = job(sending, summing)
    (once,) = (one for one in findings.run(made) if one.id == "collective-mismatch")
    assert once.severity is Severity.NOTE
    finding = findings.run(waited(made, 200, 201))[0]
    assert (finding.id, finding.severity) == ("collective-mismatch", Severity.WARNING)
    assert "process 200 in broadcast at main.py:43 (train)" in finding.sentence
    assert "process 201 in all_reduce at main.py:41 (train)" in finding.sentence


def test_ranks_that_come_to_one_collective_from_different_lines_are_no_finding() -> None:
    one = rank(201, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    other = rank(200, ("all_reduce", TORCH, 2501), ("evaluate", "/app/main.py", 63))
    told = findings.run(waited(job(one, other), 200, 201))
    assert "rank-elsewhere" not in [finding.id for finding in told]


def test_ranks_that_stand_in_one_collective_at_different_lines_are_told() -> None:
    """Rows and columns of ranks, whose operations they call in different orders."""
    row = rank(201, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    column = rank(200, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 43))
    places = {200: JobPlace(0, 0, 2), 201: JobPlace(1, 1, 2)}
    made = without_gpus(with_place(job(row, column), places))

    (finding,) = (
        one for one in findings.run(waited(made, 200, 201)) if one.id == "collective-mismatch"
    )

    assert finding.severity is Severity.WARNING
    assert finding.title == "All ranks of a job wait in all_reduce, at different lines"
    assert "rank 0 (process 200) in all_reduce at main.py:43 (train)" in finding.sentence
    loops = [
        replace(thread("gloo_tcp_loop", pid + 9, pid, state="R", still=False), is_python=False)
        for pid in (200, 201)
    ]
    busy = replace(
        made,
        processes=tuple(
            replace(one, threads=(*one.threads, *(t for t in loops if t.pid == one.pid)))
            for one in made.processes
        ),
    )

    def seen(*seconds: float) -> Capture:
        pairs = zip(loops, seconds, strict=False)
        ends = tuple(Watched(t.id, "TCP connection", Traffic(s, s, None)) for t, s in pairs)
        return waited(replace(busy, watched=ends), 200, 201)

    assert findings.run(seen(30.0))[0].title == finding.title, "nothing is sent at one of two ends"
    for other in (
        made,  # one look: each comes to it in its turn
        seen(),
        seen(0.1),
        seen(30.0, 0.1),
        waited(with_place(made, {200: JobPlace(0, 0, 3), 201: JobPlace(1, 1, 3)}), 200, 201),
        waited(with_place(job(row, column), places), 200, 201),  # they may have GPUs
    ):
        assert "collective-mismatch" not in [one.id for one in findings.run(other)]


def without_gpus(made: Capture) -> Capture:
    processes = tuple(
        replace(one, around=replace(one.around, devices=())) if one.around else one
        for one in made.processes
    )
    return replace(made, processes=processes)


def over_nodes(size: int, *numbers: int) -> Capture:
    """Ranks of a job, each started by another parent; the first one is not in the all-reduce."""
    away = rank(200, ("save_checkpoint", "/app/main.py", 27))
    waiting = [
        rank(200 + index, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
        for index in range(1, len(numbers))
    ]
    made = job(away, *waiting)
    placed = [
        replace(one, ppid=5000 + index, around=Surroundings(job=JobPlace(number, size=size)))
        for index, (one, number) in enumerate(zip(made.processes, numbers, strict=True))
    ]
    return replace(made, processes=tuple(placed))


def test_ranks_of_several_machines_are_one_job() -> None:
    (finding,) = findings.run(over_nodes(8, 3, 0, 1, 2, 4, 5, 6, 7))

    assert finding.id == "rank-elsewhere"
    assert finding.title.startswith(
        "ranks 0-2, 4-7 wait in all_reduce at main.py:41 (train), rank 3 elsewhere at main.py:27"
    )
    assert finding.sentence.startswith("Ranks 0-2, 4-7 wait in the collective operation all_reduce")
    assert "Rank 3 (process 200) is elsewhere at main.py:27 (save_checkpoint)" in finding.sentence


def test_ranks_in_different_operations_are_told_by_line_the_fewest_first() -> None:
    made = over_nodes(512, *range(512))
    first, *others = made.processes
    barrier = rank(200, ("barrier", TORCH, 4000), ("save", "/app/main.py", 8)).python_stack
    odd = replace(first, threads=(replace(first.threads[0], python_stack=barrier),))
    (finding,) = (
        one
        for one in findings.run(replace(made, processes=(odd, *others)))
        if one.id == "collective-mismatch"
    )

    assert finding.sentence.startswith(
        "No rank gets on: rank 0 (process 200) in barrier at main.py:8 (save); "
        "ranks 1-511 in all_reduce at main.py:41 (train)."
    )


def test_a_rank_that_has_ended_is_missed() -> None:
    made = over_nodes(4, 3, 0, 1)
    _, *waiting = made.processes
    starter = capture(rank(50, ("run", "/app/start.py", 3))).processes[0]
    ended = Surroundings(children=(Child(203, "python", "Z"),))
    waiting = [replace(one, ppid=50) for one in waiting]
    made = replace(made, processes=(replace(starter, pid=50, around=ended), *waiting))

    (finding,) = (one for one in findings.run(made) if one.id == "rank-gone")

    assert finding.title == (
        "ranks 0-1 wait in all_reduce at main.py:41 (train), ranks 2-3 are gone: process 203 "
        "(python) has ended"
    )
    assert "process 203 (python) has ended, a child of who started the others" in finding.sentence
    alive = replace(starter, pid=50, around=Surroundings(children=(Child(203, "python", "S"),)))
    made = replace(made, processes=(alive, *waiting))
    assert "rank-gone" not in [one.id for one in findings.run(made)]


@pytest.mark.parametrize(
    ("kills", "told"), [(None, ""), (0, ""), (1, "1 process"), (3, "3 processes")]
)
def test_that_the_kernel_has_killed_for_want_of_memory_is_told(
    kills: int | None, told: str
) -> None:
    made = over_nodes(4, 3, 0, 1)
    _, *waiting = made.processes
    starter = capture(rank(50, ("run", "/app/start.py", 3))).processes[0]
    ended = Surroundings(children=(Child(203, "python", "Z"),))
    waiting = [
        replace(one, ppid=50, around=replace(one.around or Surroundings(), oom_kills=kills))
        for one in waiting
    ]
    made = replace(made, processes=(replace(starter, pid=50, around=ended), *waiting))

    (finding,) = (one for one in findings.run(made) if one.id == "rank-gone")

    killed = f"kernel has killed {told} of their cgroup for want of memory"
    assert (killed in finding.title) is bool(told)
    assert (killed in finding.sentence) is bool(told)


def mpi(pid: int, call: str, line: int) -> Thread:
    """A rank of MPI, which asks again and again while it waits."""
    made = replace(rank(pid, ("train", "/app/main.py", line)), state="R", still=False, busy=1.0)
    return replace(made, calling=f"mpi4py.MPI.Intracomm.{call}", runnable=1.0)


def polled(made: Capture, *, returned: bool = False, still: tuple[int, ...] = ()) -> Capture:
    """Several looks saw all threads below one line; some of them never ran."""
    looks = [
        Progress(one.id, 5, 2.0, 2.0 if one.pid in still else 0.0, 2.0, same_line=True,
                 returned=returned)
        for one in made.threads()
    ]  # fmt: skip
    return replace(made, progress=tuple(looks))


def _worst(made: Capture) -> tuple[str, Severity]:
    first = findings.run(made)[0]
    return first.id, first.severity


def test_ranks_of_mpi_wait_by_asking() -> None:
    away = rank(200, ("load", "/app/main.py", 27))
    made = job(away, mpi(201, "Allgatherv", 41), mpi(202, "Allgatherv", 41))

    finding = findings.run(polled(made, still=(200,)))[0]

    assert (finding.id, finding.severity) == ("rank-elsewhere", Severity.WARNING)
    assert "wait in the collective operation Allgatherv at main.py:41 (train)" in finding.sentence
    assert "busy" not in {one.id for one in findings.run(made)}
    assert _worst(polled(made)) == ("rank-elsewhere", Severity.NOTE)  # it reads data, or sleeps
    assert _worst(polled(made, returned=True)) == ("rank-elsewhere", Severity.NOTE)


@pytest.mark.parametrize(
    "call", ["Intracomm.Split", "Comm.Dup", "Intracomm.Create_cart", "Win.Fence", "File.Write_all"]
)
def test_what_ranks_of_mpi_make_together_is_a_collective_operation(call: str) -> None:
    made = [mpi(200, "gather", 39), mpi(201, "gather", 37), mpi(202, "gather", 37)]
    parting = [replace(one, calling=f"mpi4py.MPI.{call}") for one in made[1:]]
    finding = findings.run(polled(job(made[0], *parting)))[0]
    name = call.partition(".")[2]
    assert (finding.id, finding.severity) == ("collective-mismatch", Severity.WARNING)
    assert f"process 200 in gather at main.py:39 (train); process 201, process 202 in {name}" in (
        finding.sentence
    )

    own = [replace(one, calling="mpi4py.MPI.Datatype.Free") for one in parting]
    assert findings.run(polled(job(made[0], *own)))[0].id == "rank-elsewhere"


@pytest.mark.parametrize(
    ("calls", "lasts"),
    [(("ssend", "ssend"), True), (("recv", "Recv"), True), (("ssend", "recv"), False)],
)
def test_ranks_of_mpi_that_all_send_do_not_get_on(calls: tuple[str, str], lasts: bool) -> None:
    pair = [mpi(200 + number, call, 10 + number) for number, call in enumerate(calls)]
    made = polled(job(*pair, mpi(202, "barrier", 41)))

    finding = findings.run(made)[0]

    assert finding.id == "rank-elsewhere"
    assert finding.severity is (Severity.WARNING if lasts else Severity.NOTE)
    assert f"at main.py:10 (train) in {calls[0]}, until another rank takes part" in finding.sentence


def asking(pid: int, line: int) -> Thread:
    """A rank that waits for a key of the store."""
    asks = native_frame("c10d::TCPStore::doWait(c10::ArrayRef<std::string>)", TORCH_CPU)
    return replace(rank(pid, ("meet", "/app/main.py", line)), native_stack=(asks,))


@pytest.mark.parametrize(("size", "said"), [(3, True), (4, False)])
def test_a_job_that_waits_for_its_store_as_a_whole(size: int, said: bool) -> None:
    made = job(asking(200, 7), asking(201, 9), asking(202, 9))
    placed = [
        replace(one, around=Surroundings(job=JobPlace(number, size=size)))
        for number, one in enumerate(made.processes)
    ]
    found = findings.run(waited(replace(made, processes=tuple(placed)), 200, 201, 202))

    stored = [one for one in found if one.id == "store-keys"]
    assert bool(stored) is said
    if stored:
        assert stored[0].severity is Severity.WARNING
        assert "rank 0 (process 200) for a key of the job's store at main.py:7" in (
            stored[0].sentence
        )
    once = [one for one in findings.run(replace(made, processes=tuple(placed)))
            if one.id == "store-keys"]  # fmt: skip
    assert {one.severity for one in once} <= {Severity.NOTE}


def test_two_jobs_of_one_size_are_told_apart_by_who_started_them() -> None:
    ids = [one.id for one in findings.run(over_nodes(2, 0, 1, 0, 1))]

    assert "rank-elsewhere" not in ids


def test_a_waiting_rank_is_not_told_again_as_one_that_stands_still() -> None:
    made = over_nodes(3, 1, 0, 2)
    looks = [Progress(one.id, 5, 2.0, 2.0, 0.0) for one in made.threads()]
    told = findings.run(replace(made, progress=tuple(looks)))
    quiet = {ref.pid for one in told if one.id == "quiet" for ref in one.threads}

    assert quiet <= {200}


@pytest.mark.parametrize(
    ("numbers", "said"),
    [([3], "rank 3"), ([0, 1, 2], "ranks 0-2"), ([2, 0, 5, 4], "ranks 0, 2, 4-5")],
)
def test_ranks_in_short(numbers: list[int], said: str) -> None:
    assert ranks_told(numbers) == said


CPU_ONLY = Surroundings(devices=())


def ranks(*mains: Thread, around: Surroundings = CPU_ONLY, size: int | None = None) -> Capture:
    """A job whose ranks have been told their places, with the other threads of each."""
    made = job(*mains)
    places = [JobPlace(number, number, size or len(mains)) for number in range(len(mains))]
    processes = [
        replace(one, around=replace(around, job=place))
        for one, place in zip(made.processes, places, strict=True)
    ]
    return replace(made, processes=tuple(processes))


def seen_standing(made: Capture) -> Capture:
    """*made*, all threads of which have been seen in one place for two seconds."""
    seen = (Progress(one.id, 5, 2.0, 2.0, 0.0, same_line=True) for one in made.threads())
    return replace(made, progress=tuple(seen))


def mismatch(made: Capture) -> Finding:
    (finding,) = (one for one in findings.run(made) if one.id == "collective-mismatch")
    return finding


SAVES = rank(200, ("barrier", TORCH, 5356), ("save_checkpoint", "/app/main.py", 13))
REPORTS = rank(201, ("all_gather", TORCH, 4270), ("report_loss", "/app/main.py", 18))


def test_ranks_in_different_operations_of_which_none_is_left_to_come() -> None:
    finding = mismatch(seen_standing(ranks(SAVES, REPORTS)))
    assert (finding.severity, finding.certainty) == (Severity.ERROR, Certainty.INFERRED)
    assert "rank 0 (process 200) in barrier at main.py:13 (save_checkpoint)" in finding.sentence
    assert "rank 1 (process 201) in all_gather at main.py:18 (report_loss)" in finding.sentence


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(ranks(SAVES, REPORTS, size=3), id="one rank was not looked at"),
        pytest.param(
            ranks(SAVES, REPORTS, around=Surroundings(devices=("/dev/nvidia0",))), id="a GPU"
        ),
        pytest.param(ranks(SAVES, REPORTS, around=Surroundings()), id="whether a GPU is unknown"),
        pytest.param(job(SAVES, REPORTS), id="nobody told them that they are ranks"),
    ],
)
def test_a_job_that_may_get_on_is_only_warned_of(made: Capture) -> None:
    assert mismatch(seen_standing(made)).severity is Severity.WARNING


def test_a_thread_that_moves_data_may_end_the_operation() -> None:
    made = ranks(SAVES, REPORTS)
    moving = replace(thread("gloo_tcp_loop", 77, 201), is_python=False, state="R", still=False)
    (first, second) = made.processes
    second = replace(second, threads=(*second.threads, moving))
    made = seen_standing(replace(made, processes=(first, second)))
    assert mismatch(made).severity is Severity.WARNING


def beside_main(pid: int, *functions: tuple[str, str, int]) -> Thread:
    return replace(rank(pid, *functions), tid=pid + 50, name="checkpoint-saver")


def with_savers(made: Capture, *savers: Thread) -> Capture:
    processes = (
        replace(one, threads=(*one.threads, *(t for t in savers if t.pid == one.pid)))
        for one in made.processes
    )
    return replace(made, processes=tuple(processes))


ENDS = [rank(pid, ("barrier", TORCH, 5356), ("finish", "/app/main.py", 30)) for pid in (200, 201)]
SAVERS = [
    beside_main(pid, ("all_gather", TORCH, 4270), ("sizes", "/app/main.py", 18))
    for pid in (200, 201)
]


def test_two_threads_of_each_rank_in_collectives_are_in_no_order() -> None:
    made = with_savers(ranks(*ENDS), *SAVERS)
    assert "collective-mismatch" not in [
        one.id for one in findings.run(made)
    ]  # they may come through
    finding = mismatch(seen_standing(made))
    assert finding.severity is Severity.ERROR
    assert "barrier and all_gather" in finding.title
    for words in ("rank 0", "rank 1", "checkpoint-saver", "(finish)", "(sizes)", "the same order"):
        assert words in finding.sentence
    assert any("new_group" in line for line in finding.advice)


def test_one_process_alone_is_no_job() -> None:
    made = seen_standing(with_savers(job(ENDS[0]), SAVERS[0]))
    assert "collective-mismatch" not in [one.id for one in findings.run(made)]


def test_a_rank_whose_second_thread_has_not_come_yet_is_no_crossing() -> None:
    made = with_savers(ranks(*ENDS), SAVERS[0])
    assert "collective-mismatch" not in [one.id for one in findings.run(seen_standing(made))]


FSDP = "/venv/lib/python3.11/site-packages/torch/distributed/fsdp/_fully_shard/_param_group.py"


def test_what_fsdp_has_started_before_is_named() -> None:
    called = native_frame("c10d::Work::wait(std::chrono::duration<long>)", TORCH_CPU)
    inside = rank(200, ("wait_for_unshard", FSDP, 400), ("validate", "/app/main.py", 20))
    finding = mismatch(ranks(replace(inside, native_stack=(called,)), REPORTS))
    assert "all_gather of the parameters (FSDP)" in finding.title
    assert "at main.py:20 (validate)" in finding.sentence


@pytest.mark.parametrize("name", ["all_gather_single", "broadcast_object_list", "gather_object"])
def test_operations_are_known_by_how_their_names_begin(name: str) -> None:
    finding = mismatch(ranks(rank(200, (name, TORCH, 4394), ("run", "/app/main.py", 20)), REPORTS))
    assert f"{name} and all_gather" in finding.title


def started_by(main: Thread, *children: Thread, comm: str = "pt_gloo_runloop") -> Capture:
    """A process with a thread called *comm*, and ranks from 1 on that it has started."""
    made = ranks(main, *children)
    first, *others = made.processes
    runs = replace(thread(comm, 99, main.pid), is_python=False, comm=comm)
    first = replace(first, threads=(*first.threads, runs), around=CPU_ONLY)
    others = [replace(one, ppid=first.pid) for one in others]
    return replace(made, processes=(first, *others))


def test_who_starts_all_other_ranks_and_takes_part_is_the_rank_that_is_left() -> None:
    finding = mismatch(seen_standing(started_by(SAVES, REPORTS)))
    assert finding.severity is Severity.ERROR
    assert "rank 0 (process 200) in barrier" in finding.sentence


def test_an_agent_that_has_lost_a_rank_is_none() -> None:
    agent = rank(200, ("wait", "/venv/lib/python3.11/site-packages/torch/run.py", 41))
    made = seen_standing(started_by(agent, REPORTS, comm="pt_tcpstore_uv"))
    assert not [one for one in findings.run(made) if "rank 0" in one.sentence]


def test_of_a_pipe_is_told_who_has_its_other_end_open() -> None:
    waiting = rank(201, ("all_reduce", TORCH, 2501), ("train", "/app/main.py", 41))
    away = rank(200, ("fetch", "/app/main.py", 27))
    loop = replace(thread("gloo_tcp_loop", 209, 200), is_python=False)
    pipe = lock("the pipe within process 200", 1, NodeKind.PIPE, pid=0)
    made = capture(away, loop, waiting, resources=(pipe,), waits=(waits(away, pipe),),
                   holds=(holds(pipe, loop),))  # fmt: skip
    (finding,) = (one for one in findings.run(made) if one.id == "rank-elsewhere")
    assert "whose other end process 200 itself has open" in finding.sentence


def test_what_is_done_somewhere_was_called_by_all() -> None:
    """Records that are written while the job is at work are of several moments."""

    def of(rank: int, number: int, *, done: bool, name: str = "all_reduce") -> Collective:
        return Collective(rank, "default_pg", (0, 1, 2), number, name, "Float [8]", done=done)

    def told(name: str, *, done: bool) -> list[str]:
        before = [of(number, 1, done=True, name=name) for number in range(3)]
        later = [of(1, 2, done=False, name=name), of(2, 2, done=done, name=name)]
        made = replace(capture(), collectives=(*before, *later))
        return [one.id for one in findings.run(made)]

    assert told("all_reduce", done=True) == []
    assert told("all_reduce", done=False) == ["collective-order"]
    assert told("broadcast", done=True) == ["collective-order"], "who sends goes on"


SHARED = "shm_cc_ops::shm_cc_loop<float>(ThreadSHMContext*, long)"
VLLM = "/venv/lib/python3.11/site-packages/vllm"


def test_a_worker_that_spins_at_shared_memory_waits_for_the_others() -> None:
    reduces = python_frame("CpuCommunicator.all_reduce", 85, f"{VLLM}/distributed/cpu.py")
    spins = [native_frame(SHARED, f"{VLLM}/_C.abi3.so")]
    one = thread("MainThread", state="R", still=False, python=[reduces], native=spins)
    assert (collective(one), polls(one)) == ("all_reduce", True)
    assert not polls(replace(one, native_stack=()))


def test_what_zero_waits_for_has_its_name() -> None:
    file = "/venv/lib/python3.11/site-packages/deepspeed/runtime/zero/coordinator.py"
    assert (
        collective(thread("MainThread", python=[python_frame("C.fetch_sub_module", 1, file)]))
        == "all_gather of the parameters (ZeRO)"
    )


def test_who_connects_to_a_store_seeks_it() -> None:
    connects = [native_frame("c10d::detail::TCPClient::connect(c10d::SocketAddress)", TORCH)]
    assert seeks_store(thread("MainThread", native=connects))
    assert not seeks_store(thread("MainThread", native=[]))


def _placed(capture_: Capture, *places: JobPlace | None) -> Capture:
    """The processes of a job, each with its place."""
    processes = (
        replace(one, around=Surroundings(children=(), job=place))
        for one, place in zip(capture_.processes, places, strict=True)
    )
    return replace(capture_, processes=tuple(processes))


def test_a_rank_that_has_not_come_to_the_call_which_tells_it_its_place() -> None:
    waiting = [rank(pid, ("init_process_group", TORCH, 9), ("work", "/app/main.py", 4))
               for pid in (201, 202)]  # fmt: skip
    away = rank(203, ("load", "/app/main.py", 7))
    known = JobPlace(0, None, 3, member=True), JobPlace(2, None, 3, member=True)
    made = _placed(job(*waiting, away), *known, None)
    (finding,) = (one for one in findings.run(made) if one.id == "rank-elsewhere")
    assert finding.title.startswith(
        "ranks 0, 2 wait in init_process_group at main.py:4 (work), rank 1"
    )
    assert any("same job" in one for one in finding.unknown)
    two = _placed(job(*waiting, away, replace(away, pid=204, tid=204)), *known, None, None)
    assert not [one for one in findings.run(two) if one.id == "rank-elsewhere"]


def test_a_thread_beside_the_main_thread_takes_part_in_the_job() -> None:
    train = "/venv/lib/python3.11/site-packages/ray/train/v2/_internal/execution/context.py"
    loop = ("main_loop", "/venv/lib/python3.11/site-packages/ray/_private/worker.py", 9)
    calls = [(("_sync_checkpoint_dir_name_across_ranks", train, 1), ("report", "/app/main.py", 4)),
             (("all_reduce", TORCH, 1), ("average", "/app/main.py", 7))]  # fmt: skip
    made = job(*(rank(pid, loop) for pid in (201, 202)))
    processes = []
    for number, (process, stack) in enumerate(zip(made.processes, calls, strict=True)):
        runs = replace(rank(process.pid, *stack), tid=process.pid + 50, name="train")
        around = Surroundings(children=(), job=JobPlace(number, None, 2, member=True))
        threads, words = (*process.threads, runs), ("ray::RayTrainWorker",)
        processes.append(replace(process, threads=threads, around=around, cmdline=words))
    made = replace(made, processes=tuple(processes))
    (finding,) = (one for one in findings.run(made) if one.id == "collective-mismatch")
    assert "ray.train.report at main.py:4 (report)" in finding.sentence
    assert "all_reduce at main.py:7 (average)" in finding.sentence
    assert dict(roles_of(made)) == {201: "rank 0", 202: "rank 1"}


def test_jobs_of_one_size_are_told_apart_by_where_their_ranks_meet() -> None:
    made = job(*(rank(pid, ("main", "/app/main.py", 4)) for pid in (201, 202, 203, 204)))
    met = [JobPlace(number % 2, None, 2, member=True, port=port)
           for number, port in enumerate((7, 7, 8, 8))]  # fmt: skip
    assert [[one.pid for one in ranks] for ranks in jobs(_placed(made, *met))] == [
        [201, 202],
        [203, 204],
    ]
    unknown = [replace(one, port=None) for one in met]
    assert len(jobs(_placed(made, *unknown))) == 1  # all that is known is their parent


def test_halves_of_a_message_whose_tags_differ() -> None:
    sends = rank(200, ("send", TORCH, 2753), ("send_halo", "/app/main.py", 12))
    receives = rank(201, ("recv", TORCH, 2799), ("receive_halo", "/app/main.py", 16))
    made = seen_standing(ranks(sends, receives))
    halves = Exchange(sends.id, "send", 1, 0), Exchange(receives.id, "recv", 0, 1)
    for busy, found in ((False, "collective-mismatch"), (True, "message-unmatched")):
        native = replace(thread("gloo", 260, python=None), pid=200, is_python=False, state="R")
        first, second = made.processes
        beside = replace(first, threads=(*first.threads, *([native] if busy else [])))
        told = findings.run(replace(made, processes=(beside, second), exchanges=halves))[0]
        assert told.id == found
        assert told.title == (
            "Rank 0 sends to rank 1 with tag 0 at main.py:12 (send_halo), and rank 1 waits for a "
            "message of rank 0 with tag 1 at main.py:16 (receive_halo): these never meet"
        )
    alike = Exchange(sends.id, "send", 1, 0), Exchange(receives.id, "recv", 0, 0)
    assert not any("tag 0" in one.title for one in findings.run(replace(made, exchanges=alike)))


AGENT = "/venv/lib/python3.11/site-packages/torch/distributed/elastic"
SPAWN = "/venv/lib/python3.11/site-packages/torch/multiprocessing/spawn.py"


def launched(*mains: Thread) -> Capture:
    """The launcher of ranks, which looks after these, and they."""
    frames = [
        python_frame("SimpleElasticAgent._invoke_run", 923, f"{AGENT}/agent/server/api.py"),
        python_frame("launch", 19, "/app/main.py"),
    ]
    agent = replace(thread("MainThread", 50, python=frames), pid=50)
    agent = replace(agent, syscall=Syscall("clock_nanosleep", sleep=Sleep(0.1, 0.1)))
    made = replace(job(*mains), processes=(*capture(agent).processes, *job(*mains).processes))
    seen = [
        Progress(one.id, 5, 3.0, 0.1, 0.1, same_line=True, same_stack=True)
        for one in made.threads()
    ]
    return replace(made, progress=tuple(seen))


def test_a_launcher_that_looks_after_its_ranks_is_no_warning() -> None:
    at_work = rank(200, ("train", "/app/main.py", 10))
    told = {one.id: one for one in findings.run(launched(at_work))}
    finding = told["waiting-in-library"]
    assert finding.severity is Severity.NOTE
    assert "for its ranks to end, at which it looks again and again" in finding.title
    assert "That is process 200. There, MainThread of process 200" in finding.sentence
    alone = {one.id: one for one in findings.run(launched())}
    assert alone["waiting-in-library"].severity is Severity.WARNING


def test_the_line_of_a_rank_that_a_launcher_started_with_a_function_of_the_program() -> None:
    started = ("_wrap", f"{AGENT}/multiprocessing/api.py", 600)
    waiting = rank(
        201,
        ("all_reduce", TORCH, 2501),
        ("train", "/app/main.py", 16),
        started,
        ("_wrap", SPAWN, 87),
    )
    away = rank(200, ("train", "/app/main.py", 15), started, ("_wrap", SPAWN, 87))
    (finding,) = (one for one in findings.run(job(away, waiting)) if one.id == "rank-elsewhere")
    assert "in all_reduce at main.py:16 (train)" in finding.title


def test_a_rank_that_is_an_actor_without_a_call_is_told_so() -> None:
    loop = "/venv/lib/python3.12/site-packages/ray/_private/worker.py"
    waiting = rank(201, ("recv", TORCH, 99), ("pull", "/app/main.py", 20))
    made = job(rank(202, ("Worker.main_loop", loop, 1069)), waiting)
    processes = [replace(one, cmdline=("ray::Stage",)) for one in made.processes]
    places = {201: JobPlace(1, 1, 2), 202: JobPlace(0, 0, 2)}
    made = with_place(replace(made, processes=tuple(processes)), places)
    (finding,) = rank_elsewhere.check(made, build(made))

    assert "the actor Stage of Ray, runs no call" in finding.title
    assert "is the actor Stage of Ray, which runs no call now." in finding.sentence
    assert "only a call of that actor would lead it there" in finding.sentence
    assert "Look at which actors the driver calls" in finding.advice[0]


@pytest.mark.parametrize(
    ("file", "operation"),
    [("elastic/utils/store.py", None), ("distributed_c10d.py", "barrier")],
)
def test_what_launchers_wait_in_for_each_other_is_no_operation_of_ranks(
    file: str, operation: str | None
) -> None:
    frame = python_frame(
        "barrier", 9, f"/venv/lib/python3.11/site-packages/torch/distributed/{file}"
    )
    assert collective(thread("MainThread", python=[frame])) == operation
