"""How libraries command processes of their own: in which functions one side waits for an answer,
and in which loop the other waits for the next command. Data, for each library."""

from hangtui.dataclass import dataclass
from hangtui.findings.stack_queries import index_of, name_of
from hangtui.model import Process, PythonFrame, Task, Thread


@dataclass(frozen=True, slots=True)
class Protocol:
    """How one library does."""

    file: str
    """How the name of the file ends that has both sides."""
    asks: frozenset[str]
    """Functions that wait for answers."""
    serves: str
    """The loop of a worker."""
    waits: str
    """What both call to wait for a message, in whatever file."""
    name: str
    gives_up: str
    """When it waits no more, and what comes then."""

    def has(self, frame: PythonFrame) -> bool:
        """Whether a frame runs code of that file."""
        return frame.filename.endswith(self.file)

    def called_by(self, thread: Thread) -> PythonFrame | None:
        """The frame of that file that called what waits for a message; None: it does not."""
        stack = thread.python_stack or ()
        for index, frame in enumerate(stack):
            if name_of(frame) == self.waits and index + 1 < len(stack):
                caller = stack[index + 1]
                return caller if self.has(caller) else None
        return None


PROTOCOLS = (
    Protocol(
        "/vllm/v1/executor/multiproc_executor.py",
        frozenset({"get_response", "_wait_for_response"}),
        "worker_busy_loop",
        "dequeue",
        "vLLM",
        "vLLM waits for a step of the model for VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS (300 unless "
        "set); then the engine fails, and with it the server and all of its requests. For other "
        "commands it may wait for ever",
    ),
)


@dataclass(frozen=True, slots=True)
class Server:
    """A server whose requests wait for an engine, which is a process of its own."""

    files: tuple[str, ...]
    """How the names of the files end that have the server's side."""
    asks: frozenset[str]
    """Functions there in which a request waits for the engine."""
    engine: str
    """How the name of the file ends that has the engine's loop."""
    loops: frozenset[str]
    rests: frozenset[str] = frozenset()
    """In which functions below that loop the engine waits while it has no request to run."""


_SERVERS = (
    Server(
        ("/vllm/v1/engine/async_llm.py", "/vllm/v1/engine/core_client.py"),
        frozenset({"generate", "encode", "get_output", "call_utility", "_call_utility_async"}),
        "/vllm/v1/engine/core.py",
        frozenset({"run_busy_loop"}),
        frozenset({"_process_input_queue"}),
    ),
    Server(
        ("/sglang/srt/managers/tokenizer_manager.py",),
        frozenset({"_wait_one_response"}),
        "/sglang/srt/managers/scheduler.py",
        frozenset({"event_loop_normal", "event_loop_overlap"}),
    ),
)


_STARTS = (
    ("/vllm/v1/engine/utils.py", "wait_for_engine_startup"),
    ("/vllm/v1/executor/multiproc_executor.py", "wait_for_ready"),
)
"""Where a server waits for its engine to be there, and that for its workers."""


def starts_others(thread: Thread) -> bool:
    """Whether it waits for processes that it has started to come to their loops."""
    return any(index_of(thread, {name}, file) is not None for file, name in _STARTS)


def asked(thread: Thread) -> PythonFrame | None:
    """Where it waits for the answer to a command of such a protocol; None: nobody owes it one."""
    for one in PROTOCOLS:
        frame = one.called_by(thread)
        if frame is not None and name_of(frame) in one.asks:
            return frame
    return None


def awaits_answer(thread: Thread) -> bool:
    """Whether somebody owes it the answer to a command of such a protocol."""
    return asked(thread) is not None


def awaits_command(thread: Thread) -> Protocol | None:
    """By which protocol it is a worker's that waits for its next command; None: it is none, or is
    at one."""
    for one in PROTOCOLS:
        frame = one.called_by(thread)
        if frame is not None and name_of(frame) == one.serves:
            return one
    return None


def servers_of(engine: Process) -> tuple[Server, ...]:
    """The kinds of servers whose engine a process is."""
    frames = [frame for thread in engine.threads for frame in thread.python_stack or ()]
    return tuple(
        one
        for one in _SERVERS
        if any(f.filename.endswith(one.engine) and name_of(f) in one.loops for f in frames)
    )


def requested(actor: Task | Thread, servers: tuple[Server, ...]) -> PythonFrame | None:
    """Where a request waits for the engine of one of these servers; None: it is none."""
    for frame in actor.python_stack or ():
        for one in servers:
            if name_of(frame) in one.asks and frame.filename.endswith(one.files):
                return frame
    return None


def rests_in(engine: Thread, servers: tuple[Server, ...]) -> PythonFrame | None:
    """Where an engine's thread waits for its next request, having none; None: it does not."""
    for frame in engine.python_stack or ():
        for one in servers:
            if name_of(frame) in one.rests and frame.filename.endswith(one.engine):
                return frame if engine.blocked else None
    return None
