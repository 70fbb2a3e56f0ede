"""What it costs to gather the ranks of one machine, against a capture of each by itself.

python benchmarks/gather_local.py [RANKS]

The ranks are really deadlocked processes. Both sides look once. Told is processor time, of hangtui
and of all that it starts: it depends less on what else the machine does.
"""

import contextlib
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import ROOT

sys.path.insert(0, str(ROOT))

from tests.integration.targets import running


def cost(*words: str) -> float:
    """Seconds of processor time that a command of hangtui takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "hangtui", *words]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """A line with both, and their ratio."""
    count = int(sys.argv[1]) if sys.argv[1:] else 64
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        here = Path(sys.executable)
        ranks = [stack.enter_context(running("abba", here)) for _ in range(count)]
        pids = [str(rank.pid) for rank in ranks]
        path = str(Path(folder) / "x.hang")
        single = sum(cost("record", pid, "-o", path) for pid in pids)
        together = cost("gather", "local", *pids, "--looks", "1", "-o", path)
    print(f"{count} ranks: {single:.2f} s one by one, {together:.2f} s gathered")
    print(f"ratio {together / single:.2f} (goal: at most 1.3)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
