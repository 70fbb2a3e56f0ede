"""How libraries command processes of their own: in which functions one side waits for an answer,
and in which loop the other waits for the next command. Data, for each library."""

from hangtui.dataclass import dataclass
from hangtui.findings.stack_queries import name_of
from hangtui.model import PythonFrame, Thread


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
    ),
)


def awaits_answer(thread: Thread) -> bool:
    """Whether somebody owes it the answer to a command of such a protocol."""
    callers = ((one, one.called_by(thread)) for one in PROTOCOLS)
    return any(frame is not None and name_of(frame) in one.asks for one, frame in callers)
