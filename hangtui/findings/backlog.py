"""Connections that stand in a listener's queue: nobody has accepted them, so nobody answers."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.words import Words

_LISTENS = "and has not accepted the connection"
"""What evidence says of a process that has the other end only in its queue of new connections."""


def unaccepted(wait: Edge, words: Words) -> bool:
    """Whether all who could answer it would have to accept the connection first."""
    holds = words.graph.holders_of(wait.target)
    return bool(holds) and all(_LISTENS in hold.evidence.text for hold in holds)
