"""Collective operations of a job: which one a thread is inside of, by the names on its stacks."""

from collections.abc import Iterable
from functools import lru_cache

from hangtui.analysis.frame_classifier import asks_peers
from hangtui.findings.stack_queries import index_of, name_of
from hangtui.model import Thread

LIBRARIES = (
    *("/torch/distributed/", "/mpi4py/", "/horovod/", "/jax/experimental/multihost"),
    "/jax/_src/distributed.py",
    *("/vllm/distributed/", "/sglang/srt/distributed/"),
)
_AGENTS = "/torch/distributed/elastic/"
"""Where the launchers of a job on several nodes meet, none of which is a rank."""
_COLLECTIVES = frozenset(
    {
        "all_reduce",
        "all_gather",
        "all_to_all",
        "barrier",
        "broadcast",
        "gather",
        "reduce",
        "reduce_scatter",
        "scatter",
        "monitored_barrier",
        "allreduce",
        "allgather",
        "alltoall",
        "bcast",
        "exscan",
        "scan",
        "synchronize",
    }
)
_KINDS = ("all_gather_", "all_reduce_", "all_to_all_", "broadcast_", "gather_", "reduce_scatter_",
          "scatter_")  # fmt: skip
"""How those begin that torch has of one operation: of objects, of one tensor, of many at once."""
_C10D = "/torch/distributed/distributed_c10d.py"
_JOINING = frozenset({"init_process_group", "new_group", "init_device_mesh"})
_CALLS = _COLLECTIVES | _JOINING
_JAX = frozenset(
    {
        *("assert_equal", "broadcast_one_to_all", "process_allgather", "sync_global_devices"),
        "reached_preemption_sync_point",
    }
)
_RAY_TRAIN = "/ray/train/v2/"
RPC = "the shutdown of remote calls (RPC)"
_BELOW = {
    "_wait_all_workers": ("/torch/distributed/rpc/", RPC),
    "wait_for_unshard": ("/torch/distributed/fsdp/", "all_gather of the parameters (FSDP)"),
    "_unshard": ("/torch/distributed/fsdp/", "all_gather of the parameters (FSDP)"),
    "foreach_reduce": ("/torch/distributed/fsdp/", "reduce_scatter of the gradients (FSDP)"),
    "_reduce_grad": ("/torch/distributed/fsdp/", "reduce_scatter of the gradients (FSDP)"),
    "shutdown": ("/jax/_src/distributed.py", "the shutdown of jax.distributed"),
    "initialize": ("/jax/_src/distributed.py", "jax.distributed.initialize"),
    "fetch_sub_module": ("/deepspeed/runtime/zero/", "all_gather of the parameters (ZeRO)"),
    "_sync_checkpoint_dir_name_across_ranks": (_RAY_TRAIN, "ray.train.report"),
    "barrier": (_RAY_TRAIN, "ray.train.collective.barrier"),
    "broadcast_from_rank_zero": (_RAY_TRAIN, "ray.train.collective.broadcast_from_rank_zero"),
}
"""What libraries wait in: FSDP and ZeRO where they have started the operation before, Ray Train
until all of its workers have called the same, torch's RPC and JAX until all shut it down."""
STARTED = "an operation started before (Work.wait)"
_NATIVE = {
    "c10d::Reducer::finalize_backward": "all_reduce of the gradients (DistributedDataParallel)",
    "c10d::Reducer::finalize_bucket": "all_reduce of the gradients (DistributedDataParallel)",
    "c10d::verify_params_across_processes": "the comparison of parameters",
    "c10d::ProcessGroup::barrier": "barrier",
    "c10d::Work::wait": STARTED,
    "xla::cpu::AllGatherThunk": "all_gather (XLA)",
    "xla::cpu::AllReduceThunk": "all_reduce (XLA)",
    "xla::cpu::AllToAllThunk": "all_to_all (XLA)",
    "xla::cpu::CollectivePermuteThunk": "collective_permute (XLA)",
    "xla::cpu::ReduceScatterThunk": "reduce_scatter (XLA)",
}
"""What C++ code of torch.distributed and of XLA waits in where no Python function tells it, by how
the names of its functions begin; the first that fits counts."""
_WAITS = tuple(_NATIVE)
_CONNECTED, _OVER_OTHERS = "c10d::TCPStore::", ("c10d::PrefixStore::wait", "c10d::FileStore::wait")
"""Functions that wait for a key of the store that all ranks of a job have in common."""
_OF_PROCESS = "c10d::HashStore::"
"""Functions of a store that lies in the memory of one process, for its own threads."""
_ENDS_GROUP = "c10d::ProcessGroupGloo::~ProcessGroupGloo"
"""Where a rank that gives up its group waits for the operations that it has started in it."""
_FUTURES, _WAITS_FOR_FUTURE = "/torch/futures/__init__.py", "torch::jit::PythonFutureWrapper::wait"
_COUNTS = "c10d::TCPStore::waitForWorkers"
"""Where the rank that opens the store looks every 10 ms whether all have come."""
_CONNECTS = "c10d::detail::TCPClient::connect"
_FORMS_GROUP = (
    "gloo::rendezvous::Context::connectFullMesh",
    "c10d::ProcessGroupGloo::ProcessGroupGloo",
)
"""Where a rank waits for the others of a group that is made, wherever it was called from."""


ONLY_RANKS = "Only they could end that: look at all ranks of the job at once."
_SENDS = frozenset({"send", "bsend", "ssend", "isend", "batch_isend_irecv", "send_object_list"})
_RECEIVES = frozenset({"recv", "mprobe", "probe", "irecv", "recv_object_list"})
_HALVES = {
    "c10d::ProcessGroupGloo::SendWork::wait": "send",
    "c10d::ProcessGroupGloo::RecvWork::wait": "recv",
}
"""What C++ code waits in where the message was started before, as by `batch_isend_irecv`."""
_MPI = "mpi4py.MPI."
_MPI_JOINT = {
    "comm": frozenset(
        {
            *("split", "split_type", "dup", "dup_with_info", "clone", "create", "create_group"),
            *("create_cart", "create_graph", "create_dist_graph", "create_intercomm", "merge"),
            *("create_dist_graph_adjacent", "sub", "free", "disconnect"),
        }
    ),
    "win": frozenset({"create", "allocate", "allocate_shared", "create_dynamic", "fence", "free"}),
    "file": frozenset({"open", "close", "set_view", "set_size", "preallocate", "sync"}),
}
"""What else all ranks have to call together, by how the name of the method's class ends."""
_FORMS = ("v", "w", "_init", "_block")
"""What MPI adds to the name of an operation for another form of it: Allgatherv."""


def collective(thread: Thread) -> str | None:
    """The collective operation that it is inside of; what a library calls it for, if that is
    known."""
    called = _called(thread)
    if called is not None:
        return called if _plain(called) in _COLLECTIVES or _is_joint(thread) else None
    if found := _operations(thread):
        return next(filter(says_itself, found), found[0])
    if not _inside(thread, _WAITS):
        return None
    return next((what for start, what in _NATIVE.items() if _inside(thread, start)), None)


def _operations(thread: Thread) -> list[str]:
    """The collective operations of Python that it is inside of, the innermost first."""
    named = (_operation(frame.function, frame.filename) for frame in thread.python_stack or ())
    return [name for name in named if name]


@lru_cache(maxsize=2**12)
def _operation(function: str, filename: str) -> str | None:
    """The collective operation that a function is; ranks have the same ones on their stacks."""
    name = function.rpartition(".")[2]
    if _AGENTS in filename:
        return None
    if name in _CALLS and any(part in filename for part in LIBRARIES):
        return name
    if name in _JAX and "/jax/experimental/multihost" in filename:
        return name
    if name.startswith(_KINDS) and filename.endswith(_C10D):
        return name
    folder, what = _BELOW.get(name, (None, None))
    return what if folder is not None and folder in filename else None


def exchange(thread: Thread) -> str | None:
    """The operation that it is inside of and in which another rank has to take part: ``send``,
    ``recv``."""
    called = _called(thread)
    if called is not None:
        return called if called.lower() in _SENDS | _RECEIVES else None
    for frame in thread.python_stack or ():
        name = name_of(frame)
        if name in _SENDS | _RECEIVES and any(part in frame.filename for part in LIBRARIES):
            return name
    if not _inside(thread, tuple(_HALVES)) or _operations(thread):
        return None
    return next((half for start, half in _HALVES.items() if _inside(thread, start)), None)


def is_message(operation: str) -> bool:
    """Whether one other rank has to take part in it, and not all."""
    return operation.lower() in _SENDS | _RECEIVES


def awaited_of_ranks(thread: Thread) -> str:
    """``for other ranks of its job, in gather``: what it waits for in an operation in which others
    have to take part; empty: it is in none."""
    operation = exchange(thread) or collective(thread)
    if operation and _called(thread):
        operation = thread.calling
    return f"for other ranks of its job, in {operation}" if operation else ""


def one_way(threads: Iterable[Thread]) -> bool:
    """Whether all are in operations that send, or all in such that receive."""
    names = [(exchange(thread) or "").lower() for thread in threads]
    return all(name in _SENDS for name in names) or all(name in _RECEIVES for name in names)


def polls(thread: Thread) -> bool:
    """Whether it waits for other ranks by asking again and again, as MPI and NCCL do, and who waits
    for a key of a store or through an actor."""
    return _called(thread) is not None or asks_peers(thread) or asks_third(thread)


def asks_third(thread: Thread) -> bool:
    """Whether it looks again and again whether others have come, at a third party that they tell:
    a store of torch, be it not open yet, or an actor of Ray Train."""
    if _inside(thread, (_COUNTS, _CONNECTS)):
        return True
    return any(_RAY_TRAIN in one.filename and _operation(one.function, one.filename)
               for one in thread.python_stack or ())  # fmt: skip


def _called(thread: Thread) -> str | None:
    """``allreduce``: the method of MPI that its innermost frame has called."""
    called = thread.calling
    return called.rpartition(".")[2] if called and called.startswith(_MPI) else None


def _is_joint(thread: Thread) -> bool:
    """Whether the method of MPI makes or ends what all ranks of a group have together."""
    kind, _, name = (thread.calling or "").removeprefix(_MPI).lower().rpartition(".")
    if kind == "file" and name.endswith("_all"):
        return True
    return any(kind.endswith(end) and name in names for end, names in _MPI_JOINT.items())


def _plain(name: str) -> str:
    name = name.lower()
    for form in _FORMS:
        if name.removesuffix(form) in _COLLECTIVES:
            return name.removesuffix(form)
    return name


def _inside(thread: Thread, start: str | tuple[str, ...]) -> bool:
    """Whether a native function whose name begins like this is on its stack."""
    for frame in thread.native_stack or ():
        if frame.function and frame.function.startswith(start):
            return True
    return False


def asks_store(thread: Thread) -> bool:
    """Whether it waits for a key of the job's store, and not for the mutex that another thread has,
    which uses the store's only connection."""
    if asks_own_store(thread):
        return False
    if thread.syscall is not None and thread.syscall.name == "futex":
        return _inside(thread, _OVER_OTHERS)
    return _inside(thread, (_CONNECTED, *_OVER_OTHERS))


def asks_own_store(thread: Thread) -> bool:
    """Whether it waits for a key of a store that only threads of its own process can write to."""
    return thread.blocked and _inside(thread, _OF_PROCESS)


def seeks_store(thread: Thread) -> bool:
    """Whether it connects to a job's store again and again, which another rank has to open."""
    return _inside(thread, _CONNECTS)


def forms_group(thread: Thread) -> bool:
    """Whether it waits for the other members of a process group that it makes."""
    return _inside(thread, _FORMS_GROUP)


def reads_file_store(thread: Thread) -> bool:
    """Whether it looks into the file of its job's store for what another rank writes there."""
    return _inside(thread, "c10d::FileStore::")


def awaits_future(thread: Thread) -> bool:
    """Whether it waits for a future of torch."""
    inside = any(frame.filename.endswith(_FUTURES) for frame in thread.python_stack or ())
    return inside or _inside(thread, _WAITS_FOR_FUTURE)


def ends_group(thread: Thread) -> bool:
    """Whether it waits for the operations of a process group that it gives up."""
    return _inside(thread, _ENDS_GROUP)


def runs_remote_call(thread: Thread) -> int | None:
    """The index of the frame below which it runs what another worker has called (torch's RPC)."""
    return index_of(thread, {"_run_function"}, "/torch/distributed/rpc/internal.py")


def says_itself(operation: str) -> bool:
    """Whether it is more than the name of a function that is a collective operation."""
    return operation in _JOINING or " " in operation
