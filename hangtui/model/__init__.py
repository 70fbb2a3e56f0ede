"""The data model: what a capture is, in frozen dataclasses without any I/O."""

from hangtui.model.actor_pool import ActorPool
from hangtui.model.capture import SCHEMA, Capture, Notice, Part, Tool
from hangtui.model.collective import Collective
from hangtui.model.connection import Network, TcpEnd
from hangtui.model.could_wake import Complement, CouldWake, Nearness
from hangtui.model.crash import (
    NULL_PAGES,
    Access,
    Crash,
    Instruction,
    MessageKind,
    Operand,
    PointerKind,
    Region,
    Register,
)
from hangtui.model.database import DatabaseKept, DatabaseLock, DatabaseSession, DatabaseUse
from hangtui.model.dispatched import Dispatched
from hangtui.model.entered_twice import EnteredTwice
from hangtui.model.errors import HangtuiError, InputError, TargetError, UsageError
from hangtui.model.evidence import Certainty, Evidence, Source, weakest
from hangtui.model.executor import Executor, Helper, Turnover
from hangtui.model.far_end import FarEnd
from hangtui.model.finding import Finding, Reason, Severity, ThreadRef, Where
from hangtui.model.frame import FrameMark, NativeFrame, PythonFrame
from hangtui.model.handled import Handled
from hangtui.model.inward import Inward
from hangtui.model.joining import Collected, Exchange, Joining, MessageSenders, StoreKeys
from hangtui.model.meeting import Meetings
from hangtui.model.model_engine import Resumer, RingEnd, Scheduler, Tuner
from hangtui.model.node import (
    OF_THREAD,
    SHARED,
    NodeId,
    NodeKind,
    greenlet_id,
    process_id,
    resource_id,
    shared_id,
    task_id,
    thread_id,
)
from hangtui.model.pid import HostPid, Pid, host_number, host_of, own
from hangtui.model.polled import OWN_THREAD, Changer, CommonMemory, LoneMemory, Looking, Polled
from hangtui.model.process import Gap, GilState, Process, PythonInfo, Syscall, Thread
from hangtui.model.progress import (
    LOOKS_THAT_TELL,
    Arrivals,
    Growth,
    Handover,
    Progress,
    Stay,
    Unheld,
    Visit,
)
from hangtui.model.remote_call import RemoteCall, RpcWorker
from hangtui.model.resource import (
    Ended,
    Hold,
    NoHolder,
    OwnQueue,
    Resource,
    Unbegun,
    Wait,
    label_of,
    object_label,
)
from hangtui.model.retried import Retried
from hangtui.model.sighting import Sighting
from hangtui.model.sleep import Sleep
from hangtui.model.sockets import (
    UNIX,
    Ends,
    Listening,
    Traffic,
    Unattended,
    Unconnected,
    Watched,
    bracketed,
)
from hangtui.model.stuck import largest_stuck
from hangtui.model.surroundings import (
    Child,
    GpuUse,
    JobPlace,
    OpenFiles,
    OpenKind,
    RayNode,
    RayUse,
    Surroundings,
)
from hangtui.model.task import FIRST_TASK, EventLoop, LoopState, Task, TaskState
from hangtui.model.text import clean
from hangtui.model.transfers import Transfers
from hangtui.model.worker_queue import WorkerQueue

__all__ = [
    "FIRST_TASK",
    "LOOKS_THAT_TELL",
    "NULL_PAGES",
    "OF_THREAD",
    "OWN_THREAD",
    "SCHEMA",
    "SHARED",
    "UNIX",
    "Access",
    "ActorPool",
    "Arrivals",
    "Capture",
    "Certainty",
    "Changer",
    "Child",
    "Collected",
    "Collective",
    "CommonMemory",
    "Complement",
    "CouldWake",
    "Crash",
    "DatabaseKept",
    "DatabaseLock",
    "DatabaseSession",
    "DatabaseUse",
    "Dispatched",
    "Ended",
    "Ends",
    "EnteredTwice",
    "EventLoop",
    "Evidence",
    "Exchange",
    "Executor",
    "FarEnd",
    "Finding",
    "FrameMark",
    "Gap",
    "GilState",
    "GpuUse",
    "Growth",
    "Handled",
    "Handover",
    "HangtuiError",
    "Helper",
    "Hold",
    "HostPid",
    "InputError",
    "Instruction",
    "Inward",
    "JobPlace",
    "Joining",
    "Listening",
    "LoneMemory",
    "Looking",
    "LoopState",
    "Meetings",
    "MessageKind",
    "MessageSenders",
    "NativeFrame",
    "Nearness",
    "Network",
    "NoHolder",
    "NodeId",
    "NodeKind",
    "Notice",
    "OpenFiles",
    "OpenKind",
    "Operand",
    "OwnQueue",
    "Part",
    "Pid",
    "PointerKind",
    "Polled",
    "Process",
    "Progress",
    "PythonFrame",
    "PythonInfo",
    "RayNode",
    "RayUse",
    "Reason",
    "Region",
    "Register",
    "RemoteCall",
    "Resource",
    "Resumer",
    "Retried",
    "RingEnd",
    "RpcWorker",
    "Scheduler",
    "Severity",
    "Sighting",
    "Sleep",
    "Source",
    "Stay",
    "StoreKeys",
    "Surroundings",
    "Syscall",
    "TargetError",
    "Task",
    "TaskState",
    "TcpEnd",
    "Thread",
    "ThreadRef",
    "Tool",
    "Traffic",
    "Transfers",
    "Tuner",
    "Turnover",
    "Unattended",
    "Unbegun",
    "Unconnected",
    "Unheld",
    "UsageError",
    "Visit",
    "Wait",
    "Watched",
    "Where",
    "WorkerQueue",
    "bracketed",
    "clean",
    "greenlet_id",
    "host_number",
    "host_of",
    "label_of",
    "largest_stuck",
    "object_label",
    "own",
    "process_id",
    "resource_id",
    "shared_id",
    "task_id",
    "thread_id",
    "weakest",
]
