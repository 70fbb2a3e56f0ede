"""The sockets of a capture as JSON objects: what watches them, and what went over them."""

from typing import Any

from hangtui.model import Capture, Ends, Traffic

Json = dict[str, Any]


def sockets_to_dict(capture: Capture) -> Json:
    """The keys of a capture that tell of sockets."""
    return {
        "watched": [
            {
                "thread": one.thread,
                "name": one.name,
                "traffic": traffic_to_dict(one.traffic),
                "ends": ends_to_dict(one.ends),
                "peers": list(one.peers),
                "accepted": one.accepted,
                "heard_by": one.heard_by or None,
            }
            for one in capture.watched
        ],
        "listening": [
            {"thread": one.thread, "name": one.name, "clients": one.clients}
            for one in capture.listening
        ],
        "unconnected": [
            {"pid": one.pid, "begun": list(one.begun), "pairs": one.pairs}
            for one in capture.unconnected
        ],
        "inward": [
            {"thread": one.thread, "ends": list(one.ends), "accepts": list(one.accepts)}
            for one in capture.inward
        ],
        "far_ends": [
            {
                "task": one.task,
                "name": one.name,
                "pid": one.pid,
                "users": list(one.users),
                "expires": one.expires,
                "paused": one.paused,
            }
            for one in capture.far_ends
        ],
        "unattended": [
            {
                "pid": one.pid,
                "name": one.name,
                "descriptors": one.descriptors,
                "traffic": traffic_to_dict(one.traffic),
                "ends": ends_to_dict(one.ends),
                "paused": one.paused,
                "disarmed": one.disarmed,
            }
            for one in capture.unattended
        ],
    }


def ends_to_dict(ends: Ends | None) -> Json | None:
    """The ends of a connection; None: it has none that are known."""
    return {"local": ends.local, "remote": ends.remote} if ends else None


def traffic_to_dict(traffic: Traffic | None) -> Json | None:
    """What went over a connection last; None: that is not known."""
    if traffic is None:
        return None
    return {
        "sent_s": traffic.sent_s,
        "received_s": traffic.received_s,
        "sent_last": traffic.sent_last,
        "accepted": traffic.accepted,
        "unacknowledged": traffic.unacknowledged,
        "unfetched": traffic.unfetched,
        "unread": traffic.unread,
        "came": traffic.came,
    }
