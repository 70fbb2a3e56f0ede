"""Requests that wait are told once: by whichever finding knows more of them."""

from collections.abc import Collection, Sequence

from hangtui.model import Finding, NodeId, Reason, Severity, thread_id

REQUEST = "request-waits"
"""The finding that tells of a request's task where nothing else does."""


def without_told_requests(
    findings: Sequence[Finding], comforts: Collection[str] = ()
) -> list[Finding]:
    """*findings* without such of which the first task or thread is told by another one that does
    not reassure, and is no less severe; of a warning, which is none of *comforts*: these know no
    more than that nothing moves."""
    others = [one for one in findings if one.id != REQUEST and one.reason is not Reason.REASSURANCE]
    told: dict[NodeId, int] = {}
    for one in others:
        if one.severity is Severity.WARNING and one.id in comforts:
            continue
        threads = (thread_id(ref.pid, ref.tid) for ref in (*one.threads, *one.victims))
        for node in (*one.tasks, *threads):
            told[node] = min(one.severity.rank, told.get(node, one.severity.rank))

    def known(finding: Finding) -> bool:
        rank = told.get(finding.subject) if finding.subject is not None else None
        return rank is not None and rank <= finding.severity.rank

    return [one for one in findings if one.id != REQUEST or not known(one)]
