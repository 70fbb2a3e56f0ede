"""Requests that wait are told once: by whichever finding knows more of them."""

from collections.abc import Sequence

from hangtui.model import Finding, Reason

REQUEST = "request-waits"
"""The finding that tells of a request's task where nothing else does."""


def without_told_requests(findings: Sequence[Finding]) -> list[Finding]:
    """*findings* without such of which the first task is told by another one that does not
    reassure, and is no less severe."""
    others = [one for one in findings if one.id != REQUEST and one.reason is not Reason.REASSURANCE]
    told = {(task, one.severity.rank) for one in others for task in one.tasks}

    def known(finding: Finding) -> bool:
        own = {(task, rank) for task, rank in told if task == finding.subject}
        return any(rank <= finding.severity.rank for _, rank in own)

    return [one for one in findings if one.id != REQUEST or not known(one)]
