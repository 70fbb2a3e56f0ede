"""Captures that were recorded before facts had fields of their own: these are read from the words
that stood for them. Only files are read so, and nothing but what those versions wrote."""

import re
from dataclasses import replace

from hangtui.model import Capture, NodeKind, NoHolder, Process, Resource, Syscall, Wait

_MARK = b'"no_holder"'
"""A key that each resource has by now."""
_CALL_MARK = b'"timed"'
"""A key that each system call has by now: of a capture without resources that tells it."""
_UNNAMED = re.compile(r"(?P<type>\w[\w.]*) at 0x[0-9a-f]+")
_IN_BRACKETS = re.compile(r"(?P<name>.+?) \((?P<inside>[^()]+)\)")
_IN_MODULE = re.compile(r"(?P<name>.+?) in \S+")
_CALL = re.compile(r"(?P<call>\w+\.\w+): ")
_DESCRIPTOR = re.compile(r"fd (?P<fd>-?\d+)(?: (?P<file>[^,]+))?(?:, |$)")
_TIMEOUT = re.compile(r"(?:^|, |with a )(?P<no>no )?timeout(?: \d+ ms)?$")
_TYPELESS = {NodeKind.PIPE, NodeKind.SOCKET, NodeKind.FILE_LOCK, NodeKind.PROCESS}
_KINDS = {kind.value for kind in NodeKind}
_HOLDERS = (
    ("whoever took it has ended", NoHolder.TAKER_ENDED),
    ("it is locked, and nothing tells by w", NoHolder.UNTOLD),
)


def is_older(capture: Capture, data: bytes | bytearray) -> bool:
    """Whether the JSON of a capture lacks the fields."""
    return (_MARK if capture.resources else _CALL_MARK) not in data


def completed(capture: Capture) -> Capture:
    """*capture* with the fields that follow from its words."""
    return replace(
        capture,
        processes=tuple(map(_with_calls, capture.processes)),
        resources=tuple(map(named, capture.resources)),
        waits=tuple(map(called, capture.waits)),
    )


def named(resource: Resource) -> Resource:
    """*resource* with the name, the type and the detail that its label shows."""
    note, label = resource.note or "", resource.label
    no_holder = next((value for words, value in _HOLDERS if words in note), None)
    resource = replace(resource, no_holder=no_holder)
    if resource.kind is NodeKind.GIL:
        return replace(resource, name=label)
    if found := _UNNAMED.match(label):
        kind = found["type"]
        return replace(resource, type_name=None if kind in _KINDS else kind)
    if found := _IN_BRACKETS.fullmatch(label):
        inside = found["inside"]
        if resource.kind in _TYPELESS or resource.module is not None or " " in inside:
            return replace(resource, name=found["name"], detail=inside)
        return replace(resource, name=found["name"], type_name=inside)
    found = _IN_MODULE.fullmatch(label) if resource.module is not None else None
    return replace(resource, name=found["name"] if found else label)


def called(wait: Wait) -> Wait:
    found = _CALL.match(wait.evidence.text)
    return replace(wait, call=found["call"]) if found else wait


def _with_calls(process: Process) -> Process:
    threads = [
        replace(thread, syscall=syscall(thread.syscall)) if thread.syscall else thread
        for thread in process.threads
    ]
    return replace(process, threads=tuple(threads))


def syscall(call: Syscall) -> Syscall:
    """*call* with the descriptor and the timeout that its detail tells of."""
    detail = call.detail or ""
    found, limit = _DESCRIPTOR.match(detail), _TIMEOUT.search(detail)
    if call.name == "futex":
        timed: bool | None = limit is not None
    else:
        timed = limit["no"] is None if limit else None
    fd = int(found["fd"]) if found else None
    return replace(call, fd=fd, file=found["file"] if found else None, timed=timed)
