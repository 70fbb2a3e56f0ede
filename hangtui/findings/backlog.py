"""Connections that stand in a listener's queue: nobody has accepted them, so nobody answers."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.words import Words


def unaccepted(wait: Edge, words: Words) -> bool:
    """Whether all who could answer it would have to accept the connection first."""
    resource = words.resource(wait.target)
    listened_to = bool(words.graph.holders_of(wait.target))
    return listened_to and resource is not None and resource.unaccepted
