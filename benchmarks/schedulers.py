"""What reading thousands of tasks and greenlets costs, beside ``python -m asyncio ps``.

python benchmarks/schedulers.py [--rounds 3]

2,000 greenlets of gevent and 2,000 tasks of trio, in the environments that script/libraries makes,
and 10,000 tasks of asyncio under each CPython found; for the one with ``python -m asyncio ps``
(3.14) both read the same process in turn. Prints processor time in seconds, the least of the
rounds. The target is never stopped. Garbage is looked for as seldom as the commands do it.
"""

import argparse
import gc
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import ROOT

sys.path.insert(0, str(ROOT))

from hangtui.analysis.waitgraph import build
from hangtui.backends.capture.collector import collect
from hangtui.findings import run
from hangtui.provider import CaptureRequest
from tests.integration.targets import interpreters, running
from tests.integration.test_pools import having

ASYNCIO = """
import asyncio, sys
sys.path.insert(0, %r)
from ready import ready
async def wait(event):
    await event.wait()
async def main():
    event = asyncio.Event()
    tasks = [asyncio.create_task(wait(event)) for _ in range(10_000)]
    await asyncio.sleep(0.1)
    ready()
    await asyncio.gather(*tasks)
asyncio.run(main())
"""


def capturing(pid: int, expected: int, rounds: int) -> str:
    """Processor seconds of reading, and of reading and judging: the least of the rounds."""
    read, whole = [], []
    for _ in range(rounds):
        began = time.process_time()
        *_, capture = collect(CaptureRequest(pids=(pid,)))
        read.append(time.process_time() - began)
        run(capture, build(capture))
        whole.append(time.process_time() - began)
        assert len(capture.tasks) >= expected, len(capture.tasks)
    return f"{min(read):8.2f}s {min(whole):8.2f}s"


def asked(python: Path, pid: int) -> float:
    """Processor seconds of ``python -m asyncio ps``, with its start."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [str(python), "-m", "asyncio", "ps", str(pid)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    gc.set_threshold(100_000, 50, 100)  # as the commands do
    print(f"{'what':40} {'read':>9} {'and judged':>9} {'asyncio ps':>10} {'ratio of reading':>6}")
    for package, program, arguments in (
        ("gevent", "greenlets", ("many",)),
        ("trio", "trio_tasks", ("trio", "many")),
    ):
        for one in having(package):
            with running(program, one.path, asleep=False, arguments=arguments) as target:
                used = capturing(target.pid, 2_000, rounds)
            print(f"{f'2,000 of {package}, CPython {one.version}':40} {used}")
    with tempfile.TemporaryDirectory() as folder:
        many = Path(folder) / "asyncio_many.py"
        many.write_text(ASYNCIO % str(ROOT / "tests" / "targets"))
        for one in interpreters(("3.8", "3.11", "3.12", "3.13", "3.14")):
            with running(str(many.with_suffix("")), one.path) as target:
                used, other = capturing(target.pid, 10_000, rounds), ""
                if one.version == "3.14":
                    beside = min(asked(one.path, target.pid) for _ in range(rounds))
                    ratio = float(used.partition("s")[0]) / beside
                    other = f"{beside:10.2f}s {ratio:6.2f}"
            print(f"{f'10,000 of asyncio, CPython {one.version}':40} {used} {other}")


if __name__ == "__main__":
    main()
