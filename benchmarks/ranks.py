"""What a job of many ranks costs: its captures opened, merged and judged, from 10 to 10,000 ranks.

python benchmarks/ranks.py [RANKS ...]

The captures are made from one of a real job (``snapshots/ddp_loader.hang``): each node has 8 ranks
of 8 threads, and PIDs that all nodes have. All ranks wait in the all-reduce of the gradients but
one, which waits for a lock on a file.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from measure import ROOT

sys.path.insert(0, str(ROOT))

from hangtui.capture_file import load, save
from hangtui.cli.collector import spared
from hangtui.cli.several import combine
from hangtui.diagnosis import diagnose
from hangtui.model import Capture, JobPlace, Process, Surroundings, Thread

RANKS = (10, 100, 1_000, 10_000)
PER_NODE, THREADS = 8, 8
ODD = 3
"""The rank that does not come."""


def template() -> tuple[Capture, Process, Process]:
    """A capture, and of its processes a rank that waits for the others, and one that is away."""
    capture = load(ROOT / "snapshots" / "ddp_loader.hang")
    ranks = {p.around.job.rank: p for p in capture.processes
             if p.around and p.around.job and p.ppid in _launchers(capture)}  # fmt: skip
    return capture, ranks[0], ranks[1]


def _launchers(capture: Capture) -> set[int]:
    """Who started the ranks: processes without a rank."""
    return {p.pid for p in capture.processes if not (p.around and p.around.job)}


def rank(process: Process, number: int, size: int) -> Process:
    """*process* as that rank of a job, the first of whose PIDs on a node is 1,000."""
    pid = 1_000 + 100 * (number % PER_NODE)
    threads: list[Thread] = [*process.threads]
    while len(threads) < THREADS:
        threads.append(replace(threads[-1], name=f"pool-{len(threads)}"))
    threads = threads[:THREADS]
    around = Surroundings(job=JobPlace(number, number % PER_NODE, size))
    return replace(
        process,
        pid=pid,
        ppid=900,
        threads=tuple(replace(t, pid=pid, tid=pid + i) for i, t in enumerate(threads)),
        around=around,
    )


def nodes(size: int) -> Iterator[Capture]:
    """The captures of all nodes."""
    capture, waiting, away = template()
    for first in range(0, size, PER_NODE):
        numbers = range(first, min(first + PER_NODE, size))
        yield Capture(
            capture.taken_at,
            f"node-{first // PER_NODE}",
            processes=tuple(rank(away if n == ODD else waiting, n, size) for n in numbers),
        )


def write(size: int, folder: Path) -> int:
    """Write them; their bytes."""
    for node in nodes(size):
        save(node, folder / f"{node.host}.hang")
    return sum(path.stat().st_size for path in folder.iterdir())


def measured(folder: Path) -> None:
    """Open and judge what is in a folder, as `hangtui open` does; print how long that took."""
    start, cpu = time.monotonic(), time.process_time()
    with spared():
        captures = [load(path) for path in sorted(folder.iterdir())]
        opened = time.monotonic()
        whole = combine(captures)
        merged = time.monotonic()
    found = diagnose(whole)
    end = time.monotonic()
    first = found.findings[0]
    odd = any(thread.pid == _odd(whole) for thread in first.threads[:1])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{opened - start:.2f} {merged - opened:.2f} {end - merged:.2f} {end - start:.2f} "
        f"{time.process_time() - cpu:.2f} {memory:.0f} {first.id} {'yes' if odd else 'NO'}"
    )


def _odd(capture: Capture) -> int:
    return next(
        p.pid for p in capture.processes if p.around and p.around.job and p.around.job.rank == ODD
    )


def main() -> int:
    """A line for each size, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ranks", nargs="*", type=int, default=RANKS)
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        measured(options.measure)
        return 0
    print("| ranks | on disk | open | merge | judge | all | processor | memory | first | odd one |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for size in options.ranks:
        with tempfile.TemporaryDirectory() as folder:
            disk = write(size, Path(folder)) / 2**20
            command = [sys.executable, __file__, "--measure", folder]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        opened, merged, judged, whole, cpu, memory, first, odd = done.stdout.split()
        print(
            f"| {size:,} | {disk:.1f} MB | {opened} s | {merged} s | {judged} s | {whole} s "
            f"| {cpu} s | {memory} MB | {first} | {odd} |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
