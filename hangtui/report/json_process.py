"""A process with its threads, tasks and event loops as plain values, for JSON."""

from dataclasses import asdict
from typing import Any

from hangtui.analysis.coverage import gaps
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.diagnosis import Diagnosis
from hangtui.model import (
    EventLoop,
    JobPlace,
    NativeFrame,
    NodeId,
    Process,
    PythonFrame,
    Surroundings,
    Task,
    Thread,
    host_of,
    thread_id,
)

Json = dict[str, Any]
Operations = dict[tuple[NodeId, NodeId], str | None]
"""By waiter and target."""
# An empty stack and one that could not be read are both []; "unread" tells them apart.
_STACKS = ("python_stack", "native_stack")


def process_to_dict(diagnosis: Diagnosis, process: Process, operations: Operations) -> Json:
    """A process with its threads; *operations*: what each waiter does with what it waits for."""
    python = process.python
    return {
        "pid": process.pid,
        "host": host_of(process.pid) or diagnosis.capture.host,
        "ns_pid": process.ns_pid,
        "ppid": process.ppid,
        "cmdline": list(process.cmdline),
        "exe": process.exe,
        "python": python
        and {
            "version": python.version,
            "implementation": python.implementation,
            "free_threaded": python.free_threaded,
            "threads_ever": python.threads_ever,
            "threads_ended": list(python.ended),
            "threads_unstarted": list(python.unstarted),
            "threads_not_begun": list(python.not_begun),
        },
        "state": process.state,
        "container": process.container,
        "stopped_for_ms": process.stopped_for_ms,
        "user": process.user,
        "cpu_percent": process.cpu_percent,
        "rss_bytes": process.rss_bytes,
        "tracer_pid": process.tracer_pid,
        "steady": process.steady,
        "incomplete": list(process.incomplete),
        "gaps": [asdict(gap) for gap in gaps(diagnosis.capture, process)],
        "job": _job(process.job) if process.job else None,
        "around": _around(process.around) if process.around else None,
        "threads": [_thread(thread, diagnosis, operations) for thread in process.threads],
    }


def _job(place: JobPlace) -> Json:
    return {"rank": place.rank, "local_rank": place.local_rank, "size": place.size}


def _around(around: Surroundings) -> Json:
    children = around.children
    return {
        "age_s": around.age_s,
        "children": children
        and [
            {
                "pid": child.pid,
                "name": child.name,
                "called": child.called,
                "state": child.state,
                "age_s": child.age_s,
                "ended_s": child.ended_s,
                "exit_status": child.exit_status,
                "wchan": child.wchan,
                "syscall": child.syscall,
            }
            for child in children
        ],
        "forked_from": around.forked_from,
        "background": around.background,
        "tracer": around.tracer,
        "frozen": around.frozen,
        "oom_kills": around.oom_kills,
        "handles_signals": around.handles_signals,
        "ending_signals": around.ending_signals,
        "marking_signals": around.marking_signals,
        "forgotten": around.forgotten,
        "failed": [
            {"pid": child.pid, "name": child.name, "exit_status": child.exit_status}
            for child in around.failed
        ],
        "blocked_signals": around.blocked_signals,
        "streams": around.streams,
        "devices": around.devices,
        "gpus": around.gpus
        and [
            {
                "index": gpu.index,
                "name": gpu.name,
                "path": gpu.path,
                "memory_bytes": gpu.memory_bytes,
                "busy": gpu.busy,
                "own_busy": gpu.own_busy,
            }
            for gpu in around.gpus
        ],
        "ray_node": around.ray_node
        and {
            "age_s": around.ray_node.age_s,
            "infeasible": around.ray_node.infeasible,
            "waiting": around.ray_node.waiting,
            "demands": around.ray_node.demands,
            "refused": around.ray_node.refused,
            "nodes": around.ray_node.nodes,
            "used_up": around.ray_node.used_up,
            "uses": [
                {"pid": use.pid, "name": use.name, "what": use.what} for use in around.ray_node.uses
            ],
        },
    }


def _thread(thread: Thread, diagnosis: Diagnosis, operations: Operations) -> Json:
    graph = diagnosis.graph
    edge = graph.wait_of(thread.id)
    syscall = thread.syscall
    return {
        "id": thread.id,
        "tid": thread.tid,
        "ns_tid": thread.ns_tid,
        "name": thread.name,
        "comm": thread.comm,
        "state": thread.state,
        "does": diagnosis.states[thread.id].code,
        "still": thread.still,
        "still_ms": thread.still_ms,
        "takes_from": thread.takes_from,
        "busy": thread.busy,
        "runnable": thread.runnable,
        "cpu_ns": thread.cpu_ns,
        "transfers": asdict(thread.transfers) if thread.transfers else None,
        "moved": asdict(thread.moved) if thread.moved else None,
        "runs": thread.runs,
        "gil": thread.gil,
        "gil_kept_ms": thread.gil_kept_ms,
        "collecting": thread.collecting,
        "is_python": thread.is_python,
        "syscall": syscall
        and {
            "name": syscall.name,
            "detail": syscall.detail,
            "fd": syscall.fd,
            "file": syscall.file,
            "timed": syscall.timed,
            "timeout_ms": syscall.timeout_ms,
            "signals": list(syscall.signals),
        },
        "wchan": thread.wchan,
        "python_stack": [_python_frame(frame) for frame in thread.python_stack or ()],
        "native_stack": [_native_frame(frame) for frame in thread.native_stack or ()],
        "unread": [name for name in _STACKS if getattr(thread, name) is None],
        "native_sampled": thread.native_sampled,
        "native_complete": thread.native_complete,
        "waits_for": edge.target if edge else None,
        "operation": operations.get((edge.source, edge.target)) if edge else None,
        "holds": [hold.source for hold in graph.held_by(thread.id)],
    }


def event_loop_to_dict(loop: EventLoop) -> Json:
    """An event loop as plain values."""
    return {
        "address": loop.address,
        "type": loop.type_name,
        "state": loop.state,
        "tid": loop.tid,
        "task": loop.task,
        "timers": loop.timers,
        "watched": loop.watched,
        "dropped": loop.dropped,
        "accepting": loop.accepting,
        "buffered": loop.buffered,
        "upkeep": loop.upkeep,
        "due_s": loop.due_s,
        "listeners": list(loop.listeners),
        "protocols": None if loop.protocols is None else list(loop.protocols),
        "owes": list(loop.owes),
        "signal_handlers": loop.signal_handlers,
        "library": loop.library,
        "stopped_clock": loop.stopped_clock,
    }


def task_to_dict(task: Task, graph: WaitGraph) -> Json:
    """A task as plain values."""
    edge = graph.wait_of(task.id)
    return {
        "id": task.id,
        "kind": task.kind,
        "name": task.name,
        "coroutine": task.coroutine,
        "state": task.state,
        "still": task.still,
        "loop": task.loop,
        "thread": thread_id(task.pid, task.loop_tid) if task.loop_tid is not None else None,
        "awaits": task.awaits,
        "cancels": task.cancels,
        "cancelled_at": task.cancelled_at,
        "python_stack": [_python_frame(frame) for frame in task.python_stack or ()],
        "waits_for": edge.target if edge else None,
        "awaited": [wait.target for wait in graph.waits_of(task.id)],
        "expires": edge.expires if edge else None,
        "holds": [hold.source for hold in graph.held_by(task.id)],
    }


def _python_frame(frame: PythonFrame) -> Json:
    return {
        "function": frame.function,
        "filename": frame.filename,
        "line": frame.line,
        "entry": frame.entry,
        "package": frame.package,
        "doc": frame.doc,
        "signal": frame.signal,
    }


def _native_frame(frame: NativeFrame) -> Json:
    return {
        "function": frame.function,
        "module": frame.module,
        "file": frame.file,
        "line": frame.line,
        "package": frame.package,
        "address": frame.address,
        "offset": frame.offset,
    }
