"""A finding as plain values, as the JSON report and what asks for findings alone have it."""

from dataclasses import asdict
from typing import Any

from hangtui.model import Finding, ThreadRef, host_of

Json = dict[str, Any]


def _thread_ref(thread: ThreadRef) -> Json:
    """It has its host if that is another one than the capture's own: PIDs are its host's."""
    host = host_of(thread.pid)
    named = {"host": host} if host else {}
    return {"pid": thread.pid, "tid": thread.tid, "name": thread.name, **named}


def finding_to_dict(finding: Finding) -> Json:
    """A finding as plain values."""
    return {
        "id": finding.id,
        "severity": finding.severity,
        "certainty": finding.certainty,
        "title": finding.title,
        "sentence": finding.sentence,
        "threads": list(map(_thread_ref, finding.threads)),
        "resources": list(finding.resources),
        "evidence": list(finding.evidence),
        "unknown": list(finding.unknown),
        "advice": list(finding.advice),
        "victims": list(map(_thread_ref, finding.victims)),
        "tasks": list(finding.tasks),
        "processes": list(finding.processes),
        "subject": finding.subject,
        "reason": finding.reason,
        "where": finding.where and asdict(finding.where),
    }
