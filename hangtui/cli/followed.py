"""Which processes are looked at although nobody asked for them: those that the others wait for."""

import argparse
import contextlib
import os
from collections.abc import Sequence

from hangtui.cli import targets
from hangtui.model import Capture, NodeKind
from hangtui.provider import NativeMode

_RANK_THREADS = ("pt_gloo", "gloo_tcp", "pt_nccl", "pt_tcpstore", "pt_autograd_dist")
"""How the native threads of torch.distributed begin."""
_MAX_FOLLOWED = 16
"""How many processes are looked at although nobody asked for them."""


def take(words: Sequence[str], args: argparse.Namespace, sysroot: str | None = None) -> Capture:
    """What the words name, and the Python processes that those wait for.

    Raises:
        UsageError, InputError, TargetError: as `targets.take`.
    """

    def captured(words: Sequence[str], native: NativeMode) -> tuple[targets.Targets, Capture]:
        return targets.take(words, children=args.children, native=native, sysroot=sysroot)

    native = NativeMode(args.native)
    # What stops a process is done once, and then said.
    stops = native in (NativeMode.STOP, NativeMode.GDB)
    asked, capture = captured(words, NativeMode.NONE if stops else native)
    more = awaited(capture) if asked.pids and not asked.files else ()
    if not more and not (stops and asked.pids):
        return capture
    return captured([*words, *map(str, more)], native)[1]


def awaited(capture: Capture) -> tuple[int, ...]:
    """Python processes outside of *capture* that threads in it wait for."""
    from hangtui.backends.process.discovery import is_python

    known = {os.getpid(), *(process.pid for process in capture.processes)}
    held = {wait.target for wait in capture.waits if not wait.expires}
    nodes = [*held, *(hold.holder for hold in capture.holds if hold.resource in held)]
    found = {node.pid for node in nodes if node.kind is NodeKind.PROCESS} | _other_ranks(capture)
    found -= known
    return tuple(pid for pid in sorted(found)[:_MAX_FOLLOWED] if is_python(pid))


def _other_ranks(capture: Capture) -> set[int]:
    """The siblings of processes that have a process group of torch.distributed: by design each of
    them waits for all others."""
    found: set[int] = set()
    for process in capture.processes:
        if any((thread.comm or "").startswith(_RANK_THREADS) for thread in process.threads):
            import psutil

            with contextlib.suppress(psutil.Error):
                found |= {child.pid for child in psutil.Process(process.ppid).children()}
    return found
