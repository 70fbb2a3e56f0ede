"""The guard's own process: it alone traces, for milliseconds, and dies with its parent.

It is started as ``python -I -S -c ...`` and imports nothing but parts of the standard library that
load in milliseconds. Its order comes as one line of JSON; the answer is one line of JSON, and the
copied memory goes into a file in memory that the parent handed down. If the parent goes away, the
kernel kills the guard; and whenever a tracer dies, the kernel lets its threads run.
"""

import contextlib
import json
import os
import resource
import signal
import sys

from hangtui.backends.linux import PAGE, die_with_parent
from hangtui.backends.ptrace.freezer.freeze import Freeze
from hangtui.backends.ptrace.freezer.order import Copied, Order


def main(parent: int, memory: int) -> int:
    """Carry out one order.

    Args:
        parent: PID of the process that started it.
        memory: descriptor of the file that takes the copied memory.
    """
    if not die_with_parent(parent, signal.SIGKILL):
        return 1
    with contextlib.suppress(OSError, ValueError):  # each thread's state file is kept open
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    order = json.loads(sys.stdin.readline())
    order["also"] = tuple(order["also"])
    order["ranges"] = tuple(map(tuple, order["ranges"]))
    try:
        copied = Freeze(Order(**order)).run()
    except OSError as error:
        answer: dict[str, object] = {"error": error.strerror, "errno": error.errno}
    else:
        if copied.unfinished and os.fork():
            os._exit(0)  # the tracer; its child, which traces nobody, writes down what was copied
        answer = _answer(copied, _write(copied, memory))
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
    # The interpreter's own end costs milliseconds, during which a thread that stops late waits.
    os._exit(0)


def _write(copied: Copied, memory: int) -> list[tuple[int, int, int]]:
    """Put the pieces into the file; address, size and place of each."""
    table, at = [], 0
    for address, data in copied.pieces:
        done = 0
        while done < len(data):
            done += os.pwrite(memory, data[done:], at + done)
        table.append((address, len(data), at))
        at += (len(data) + PAGE - 1) & -PAGE
    return table


def _answer(copied: Copied, table: list[tuple[int, int, int]]) -> dict[str, object]:
    return {
        "stopped_ms": copied.stopped_ms,
        "registers": {str(tid): raw.hex() for tid, raw in copied.registers.items()},
        "untouched": {str(tid): words for tid, words in copied.untouched.items()},
        "skipped": {str(tid): reason for tid, reason in copied.skipped.items()},
        "interrupted": copied.interrupted,
        "pieces": table,
    }
