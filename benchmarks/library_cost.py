"""What the search for libraries' pools and for who could wake whom costs of a processor.

python benchmarks/library_cost.py [--rounds N] [--threads 200] [--objects 10000000]

Processor time of reading one process with 200 threads, with and without that search: where its
findings need it (the threads wait for queues, events and a pool's connections) and where they do
not (they wait for a lock). Then the same of a process with few objects and with many.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from unittest.mock import patch

from measure import by_turns, table

from hangtui.backends.capture.collector import collect
from hangtui.backends.cpython.library_facts import LibraryResolver
from hangtui.backends.cpython.polled_files import PolledFiles
from hangtui.provider import CaptureRequest

_TARGET = """
import gc, queue, sys, threading
kind, threads, objects = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
gc.disable()
kept = [[] for _ in range(objects)]
gc.freeze()
jobs, done, lock = queue.Queue(), threading.Event(), threading.Lock()

class Worker:
    def __init__(self, number):
        self.jobs, self.done, self.number = jobs, done, number

    def take(self):
        if kind == "lock":
            with lock:
                return self.number
        return self.jobs.get() if self.number % 2 else self.done.wait()

    def work(self, depth):
        return self.work(depth - 1) if depth else self.take()

lock.acquire()
threading.stack_size(256 * 1024)
for number in range(threads):
    threading.Thread(target=Worker(number).work, args=(10,), daemon=True).start()
print("ready", flush=True)
sys.stdin.readline()
"""


@contextmanager
def target(kind: str, threads: int, objects: int) -> Iterator[int]:
    """The PID of such a process; it is ended afterwards."""
    command = [sys.executable, "-c", _TARGET, kind, str(threads), str(objects)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(1)  # until the last thread waits
            yield process.pid
        finally:
            process.kill()


def reading_ms(pid: int, *, searched: bool) -> float:
    """Processor time of one capture, in milliseconds."""
    start = time.process_time()
    if searched:
        _collect(pid)
    else:
        with (
            patch.object(LibraryResolver, "add", lambda *_: None),
            patch.object(PolledFiles, "polled", lambda _: []),
        ):
            _collect(pid)
    return (time.process_time() - start) * 1000


def _collect(pid: int) -> None:
    for _ in collect(CaptureRequest(pids=(pid,))):
        pass


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=200)
    parser.add_argument("--objects", type=int, default=10_000_000)
    chosen = parser.parse_args()
    for kind, why in (("lock", "nothing to search for"), ("queue", "queues and an event")):
        with target(kind, chosen.threads, 0) as pid:
            ways: dict[str, Callable[[], float]] = {
                "without the search": partial(reading_ms, pid, searched=False),
                "with it": partial(reading_ms, pid, searched=True),
            }
            results = by_turns(ways, chosen.rounds)
        table(f"{chosen.threads} threads, {why}", results, "without the search", "ms")
    few, many = 10_000, chosen.objects
    with target("queue", 20, few) as small, target("queue", 20, many) as large:
        sizes: dict[str, Callable[[], float]] = {
            f"{few} objects": partial(reading_ms, small, searched=True),
            f"{many} objects": partial(reading_ms, large, searched=True),
        }
        results = by_turns(sizes, chosen.rounds)
    table("20 threads, queues and an event", results, f"{few} objects", "ms")


if __name__ == "__main__":
    main()
