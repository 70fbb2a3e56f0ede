"""A capture with its graph and findings as one JSON object, for scripts and probes.

The keys are a contract, versioned by ``schema``: keys are added, never renamed or removed.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from hangtui import findings
from hangtui.analysis.coverage import gaps
from hangtui.analysis.states import state_of
from hangtui.analysis.waitgraph import Edge, Node, WaitGraph, build
from hangtui.model import (
    Capture,
    EventLoop,
    Finding,
    NativeFrame,
    Notice,
    Process,
    Progress,
    PythonFrame,
    Resource,
    Surroundings,
    Task,
    Thread,
    thread_id,
)
from hangtui.report.json_crash import crash_to_dict

Json = dict[str, Any]
Operations = dict[tuple[str, str], str | None]


# An empty stack and one that could not be read are both []; "unread" tells them apart.
_STACKS = ("python_stack", "native_stack")


def to_json(
    capture: Capture, indent: int | None = 2, *, found: Iterable[Finding] | None = None
) -> str:
    """*capture* as JSON text in ASCII, so that no output encoding can spoil it.

    *found*: what to tell of its findings; None: all.
    """
    return json.dumps(to_dict(capture, found), indent=indent)


def to_dict(capture: Capture, found: Iterable[Finding] | None = None) -> Json:
    """*capture* as plain values."""
    graph = build(capture)
    told = findings.run(capture, graph) if found is None else found
    operations = {(wait.waiter, wait.target): wait.operation for wait in capture.waits}
    resources = {resource.id: resource for resource in capture.resources}
    return {
        "schema": capture.schema,
        "taken_at": capture.taken_at,
        "host": capture.host,
        "tool": {"name": capture.tool.name, "version": capture.tool.version},
        "took_ms": capture.took_ms,
        "pending": list(capture.pending),
        "notices": [notice_to_dict(notice) for notice in capture.notices],
        "processes": [
            {
                **_process(capture, process, graph, operations),
                "event_loops": [
                    _event_loop(one) for one in capture.event_loops if one.pid == process.pid
                ],
                "tasks": [_task(one, graph) for one in capture.tasks if one.pid == process.pid],
            }
            for process in capture.processes
        ],
        "nodes": [_node(node, resources.get(node.id)) for node in graph.nodes],
        "edges": [_edge(edge) for edge in graph.edges],
        "cycles": [list(cycle.nodes) for cycle in graph.cycles],
        "progress": [progress_to_dict(one) for one in capture.progress],
        "findings": [finding_to_dict(finding) for finding in told],
        "crash": crash_to_dict(capture),
        "origin": capture.origin,
    }


def _process(capture: Capture, process: Process, graph: WaitGraph, operations: Operations) -> Json:
    python = process.python
    return {
        "pid": process.pid,
        "ns_pid": process.ns_pid,
        "ppid": process.ppid,
        "cmdline": list(process.cmdline),
        "exe": process.exe,
        "python": python
        and {
            "version": python.version,
            "implementation": python.implementation,
            "free_threaded": python.free_threaded,
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
        "gaps": [asdict(gap) for gap in gaps(capture, process)],
        "around": _around(process.around) if process.around else None,
        "threads": [_thread(thread, graph, operations) for thread in process.threads],
    }


def _around(around: Surroundings) -> Json:
    children = around.children
    return {
        "age_s": around.age_s,
        "children": children
        and [
            {
                "pid": child.pid,
                "name": child.name,
                "state": child.state,
                "age_s": child.age_s,
                "ended_s": child.ended_s,
                "wchan": child.wchan,
                "syscall": child.syscall,
            }
            for child in children
        ],
        "forked_from": around.forked_from,
        "tracer": around.tracer,
        "frozen": around.frozen,
        "oom_kills": around.oom_kills,
        "handles_signals": around.handles_signals,
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
            }
            for gpu in around.gpus
        ],
    }


def _thread(thread: Thread, graph: WaitGraph, operations: Operations) -> Json:
    edge = graph.wait_of(thread.id)
    syscall = thread.syscall
    return {
        "id": thread.id,
        "tid": thread.tid,
        "ns_tid": thread.ns_tid,
        "name": thread.name,
        "comm": thread.comm,
        "state": thread.state,
        "does": state_of(thread, graph).word,
        "still": thread.still,
        "still_ms": thread.still_ms,
        "busy": thread.busy,
        "runnable": thread.runnable,
        "cpu_ns": thread.cpu_ns,
        "runs": thread.runs,
        "gil": thread.gil,
        "gil_kept_ms": thread.gil_kept_ms,
        "collecting": thread.collecting,
        "is_python": thread.is_python,
        "syscall": syscall and {"name": syscall.name, "detail": syscall.detail},
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


def _event_loop(loop: EventLoop) -> Json:
    return {
        "address": loop.address,
        "type": loop.type_name,
        "state": loop.state,
        "tid": loop.tid,
        "task": loop.task,
        "timers": loop.timers,
        "watched": loop.watched,
        "signal_handlers": loop.signal_handlers,
    }


def _task(task: Task, graph: WaitGraph) -> Json:
    edge = graph.wait_of(task.id)
    return {
        "id": task.id,
        "name": task.name,
        "coroutine": task.coroutine,
        "state": task.state,
        "loop": task.loop,
        "thread": thread_id(task.pid, task.loop_tid) if task.loop_tid is not None else None,
        "awaits": task.awaits,
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


def _node(node: Node, resource: Resource | None) -> Json:
    return {
        "id": node.id,
        "kind": node.kind,
        "label": node.label,
        "pid": node.pid,
        **({"tid": node.tid} if node.tid is not None else {"address": node.address}),
        "known": node.known,
        "module": resource.module if resource else None,
        "note": resource.note if resource else None,
        "orphaned": resource.orphaned if resource else False,
    }


def _edge(edge: Edge) -> Json:
    return {
        "from": edge.source,
        "to": edge.target,
        "relation": edge.relation,
        "certainty": edge.evidence.certainty,
        "source": edge.evidence.source,
        "evidence": edge.evidence.text,
        "where": edge.evidence.where,
        "expires": edge.expires,
        "stable": edge.stable,
    }


def notice_to_dict(notice: Notice) -> Json:
    """A notice as plain values."""
    return {
        "source": notice.source,
        "message": notice.message,
        "fix": notice.fix,
        "pid": notice.pid,
    }


def progress_to_dict(progress: Progress) -> Json:
    """What a thread did over several captures as plain values."""
    return {
        "thread": progress.thread,
        "looks": progress.looks,
        "lasted_s": progress.lasted_s,
        "unchanged_s": progress.unchanged_s,
        "cpu_s": progress.cpu_s,
        "visits": [{"place": v.place, "looks": v.looks} for v in progress.visits],
        "common": list(progress.common),
        "collecting": progress.collecting,
        "same_stack": progress.same_stack,
    }


def finding_to_dict(finding: Finding) -> Json:
    """A finding as plain values."""
    return {
        "id": finding.id,
        "severity": finding.severity,
        "certainty": finding.certainty,
        "title": finding.title,
        "sentence": finding.sentence,
        "threads": [{"pid": t.pid, "tid": t.tid, "name": t.name} for t in finding.threads],
        "resources": list(finding.resources),
        "evidence": list(finding.evidence),
        "unknown": list(finding.unknown),
        "advice": list(finding.advice),
        "victims": [{"pid": t.pid, "tid": t.tid, "name": t.name} for t in finding.victims],
    }
