"""A thread that has asked over a connection, and to whom nothing ever came over that."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.by_the_clock import all_go_on, moves
from hangtui.findings.outside.peer_end import answerers
from hangtui.findings.stack_queries import other_side_works
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import Thread


def never_answered(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether it sent something over a second ago, never got anything, and whoever should answer is
    not seen to go on; nor did it come round to this from an earlier request, which was answered."""
    if not wait.expires and moves(thread, words):
        return False
    resource = words.resource(wait.target)
    traffic = resource.traffic if resource else None
    if traffic is None or traffic.accepted:
        return False
    silent = traffic.received_s is None and (traffic.sent_s or 0.0) >= STILL_S
    works = other_side_works(wait, words) or all_go_on(answerers(thread, wait, words), words)
    return silent and not works
