"""Where the functions of vLLM have the ends of its rings, and its scheduler; what has that go on.
Data."""

from hangtui.dataclass import dataclass

_EXECUTOR = "/vllm/v1/executor/multiproc_executor.py"
_CORE = "/vllm/v1/engine/core.py"
_SHARED = "/vllm/distributed/device_communicators/shm_broadcast.py"


@dataclass(frozen=True, slots=True)
class Place:
    """A variable of a function, and the attributes that lead on from it."""

    file: str
    """How the name of its file ends."""
    function: str
    path: tuple[str, ...]
    command: str | None = None
    """Where the function waits there for the answer to a command: its variable with that."""


RINGS = (
    Place(_EXECUTOR, "worker_busy_loop", ("self", "rpc_broadcast_mq")),
    Place(_EXECUTOR, "worker_busy_loop", ("self", "worker_response_mq")),
    Place(_EXECUTOR, "get_response", ("mq",), "method"),
    Place(_CORE, "run_busy_loop", ("self", "model_executor", "rpc_broadcast_mq")),
)
READS_RING = "acquire_read"
OWN_RINGS = (
    Place(_SHARED, "acquire_write", ("self",)),
    Place(_SHARED, READS_RING, ("self",)),
    Place(_SHARED, "wait_until_ready", ("self",)),
)
"""Of a program that uses such rings itself: where it waits at one of their ends. Who does something
else meanwhile has its end in a variable of its own, or in an attribute of an object in one, once
*RING_MODULE* is there."""
RING_MODULE = "vllm.distributed.device_communicators.shm_broadcast"
SCHEDULERS = (Place(_CORE, "run_busy_loop", ("self", "scheduler")),)
ASKS = ("/vllm/v1/engine/async_llm.py", "/vllm/v1/engine/core_client.py")
"""How the names of the files end whose functions wait for an engine."""
RESUMES = frozenset({"resume_generation", "resume_scheduler", "wake_up"})
"""Methods that have a paused one go on."""
