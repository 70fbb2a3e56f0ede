"""A node of the wait-for graph, with what is known of its resource, as a JSON object."""

from typing import Any

from hangtui.analysis.waitgraph import Node
from hangtui.model import Ended, OwnQueue, Resource, Unbegun
from hangtui.report.json_sockets import ends_to_dict, traffic_to_dict

Json = dict[str, Any]


def node_to_dict(node: Node, resource: Resource | None) -> Json:
    """A node; *resource*: what it is, unless it is a thread, a task or a process."""
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
        "name": resource.name if resource else None,
        "type": resource.type_name if resource else None,
        "no_holder": resource.no_holder if resource else None,
        "wakers_known": resource.wakers_known if resource else False,
        "ended": [_ended(one) for one in resource.ended] if resource else [],
        "enders": list(resource.enders) if resource else [],
        "ending_code": list(resource.ending_code) if resource else [],
        "named_by": list(resource.named_by) if resource else [],
        "givers": list(resource.givers) if resource else [],
        "timer_s": resource.timer_s if resource else None,
        "ended_by_signals": list(resource.signals) if resource else [],
        "enders_loop": resource.enders_loop if resource else False,
        "own_queue": _own_queue(resource.own_queue) if resource and resource.own_queue else None,
        "kept": list(resource.kept) if resource else [],
        "unshared": resource.unshared if resource else False,
        "bare": resource.bare if resource else False,
        "unbegun": _unbegun(resource.unbegun) if resource and resource.unbegun else None,
        "age_s": resource.age_s if resource else None,
        "noted_ended": list(resource.noted_ended) if resource else [],
        "unaccepted": resource.unaccepted if resource else False,
        "decrypted_by_reader": resource.decrypted_by_reader if resource else False,
        "traffic": traffic_to_dict(resource.traffic if resource else None),
        "ends": ends_to_dict(resource.ends if resource else None),
        "pool": _pool(resource) if resource and resource.lends else None,
    }


def _ended(one: Ended) -> Json:
    return {"task": one.name, "error": one.error, "where": one.place, "function": one.function}


def _own_queue(one: OwnQueue) -> Json:
    return {"name": one.name, "taken_in": one.taken_in}


def _unbegun(one: Unbegun) -> Json:
    return {
        "function": one.function,
        "where": one.place,
        "kept": one.kept,
        "begun": one.begun,
    }


def _pool(resource: Resource) -> Json:
    """What a pool or limiter has beyond other resources."""
    return {
        "package": resource.package,
        "lends": resource.lends,
        "size": resource.size,
        "out": resource.out,
        "failed": resource.failed,
        "accounted": resource.accounted,
        "on_behalf": list(resource.on_behalf),
        "kept_in": list(resource.kept_in),
        "waiting": resource.waiting,
    }
