"""A capture with its graph and findings as one JSON object, for scripts and probes.

The keys are a contract, versioned by ``schema``: keys are added, never renamed or removed.
"""

import json
from typing import Any

from hangtui.analysis.waitgraph import Edge
from hangtui.diagnosis import Diagnosis
from hangtui.model import (
    CouldWake,
    Notice,
    Progress,
    own,
)
from hangtui.report.json_crash import crash_to_dict
from hangtui.report.json_finding import finding_to_dict
from hangtui.report.json_meanwhile import handled_to_dict, polled_to_dict
from hangtui.report.json_node import node_to_dict
from hangtui.report.json_process import event_loop_to_dict, process_to_dict, task_to_dict
from hangtui.report.json_ranks import rank_classes_to_dicts
from hangtui.report.json_sockets import sockets_to_dict

Json = dict[str, Any]


def to_json(diagnosis: Diagnosis, indent: int | None = 2) -> str:
    """A capture as JSON text in ASCII, so that no output encoding can spoil it."""
    return json.dumps(to_dict(diagnosis), indent=indent)


def to_dict(diagnosis: Diagnosis) -> Json:
    """A capture, and what follows from it, as plain values."""
    capture, graph = diagnosis.capture, diagnosis.graph
    operations = {(wait.waiter, wait.target): wait.operation for wait in capture.waits}
    resources = {resource.id: resource for resource in capture.resources}
    result = {
        "schema": capture.schema,
        "taken_at": capture.taken_at,
        "host": capture.host,
        "tool": {"name": capture.tool.name, "version": capture.tool.version},
        "took_ms": capture.took_ms,
        "pending": list(capture.pending),
        "notices": [notice_to_dict(notice) for notice in capture.notices],
        "processes": [
            {
                **process_to_dict(diagnosis, process, operations),
                "event_loops": [
                    event_loop_to_dict(one) for one in capture.event_loops if one.pid == process.pid
                ],
                "tasks": [
                    task_to_dict(one, graph) for one in capture.tasks if one.pid == process.pid
                ],
            }
            for process in capture.processes
        ],
        "rank_classes": rank_classes_to_dicts(diagnosis),
        "nodes": [node_to_dict(node, resources.get(node.id)) for node in graph.nodes],
        "edges": [_edge(edge) for edge in graph.edges],
        "could_wake": [could_wake_to_dict(one) for one in capture.could_wake],
        "handled": [handled_to_dict(one) for one in capture.handled],
        "polled": [polled_to_dict(one) for one in capture.polled],
        "spinning": [polled_to_dict(one) for one in capture.spinning],
        "worker_queues": [
            {
                "pid": one.pid,
                "name": one.name,
                "taken_in": one.taken_in,
                "items": one.items,
                "takers": list(one.takers),
                "ends": one.ends,
                "may_end": list(one.may_end),
                "unwoken": one.unwoken,
            }
            for one in capture.worker_queues
        ],
        "looking": [
            {
                "waiter": one.waiter,
                "endless": one.endless,
                "alters": one.alters,
                "asks_children": one.asks_children,
                "tells": one.tells,
            }
            for one in capture.looking
        ],
        "dispatched": [
            {
                "waiter": one.waiter,
                "package": one.package,
                "called": one.called,
                "loop": one.loop,
                "alone": one.alone,
            }
            for one in capture.dispatched
        ],
        "entered_twice": [
            {
                "thread": one.thread,
                "manager": one.manager,
                "entered": one.entered,
                "same": one.same,
                "by": one.by,
            }
            for one in capture.entered_twice
        ],
        "retried": [
            {
                "actor": one.actor,
                "call": one.call,
                "times": one.times,
                "inside": one.inside,
                "lasted_s": one.lasted_s,
            }
            for one in capture.retried
        ],
        "cycles": [list(cycle.nodes) for cycle in graph.cycles],
        "progress": [progress_to_dict(one) for one in capture.progress],
        **sockets_to_dict(capture),
        "findings": [finding_to_dict(finding) for finding in diagnosis.findings],
        "crash": crash_to_dict(capture),
        "origin": capture.origin,
    }
    return _with_own_numbers(result) if capture.hosts else result


def _with_own_numbers(value: Any) -> Any:
    """*value* with each PID and TID as its own machine gives it."""
    if isinstance(value, dict):
        return {key: _with_own_numbers(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_with_own_numbers(one) for one in value]
    return own(value) if isinstance(value, int) else value


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


def could_wake_to_dict(one: CouldWake) -> Json:
    """Who could end a wait as plain values."""
    return {
        "resource": one.resource,
        "candidate": one.candidate,
        "complement": one.complement,
        "nearness": one.nearness,
        "call": one.call,
        "call_line": one.call_line,
        "call_function": one.call_function,
        "gives_back": one.gives_back,
        "certainty": one.evidence.certainty,
        "source": one.evidence.source,
        "evidence": one.evidence.text,
        "where": one.evidence.where,
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
        "natives": [{"place": v.place, "looks": v.looks} for v in progress.natives],
        "common": list(progress.common),
        "collecting": progress.collecting,
        "same_stack": progress.same_stack,
        "same_line": progress.same_line,
        "gil_kept_ms": progress.gil_kept_ms,
        "asks": progress.asks,
        "returned": progress.returned,
        "wakes": progress.wakes,
    }
