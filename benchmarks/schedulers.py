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

from tests.integration.capturing import diagnose
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


def capturing(pid: int, expected: int) -> float:
    """Processor seconds of one capture with all that is found in it."""
    began = time.process_time()
    found = diagnose(pid)
    used = time.process_time() - began
    assert len(found.capture.tasks) >= expected, len(found.capture.tasks)
    return used


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
    print(f"{'what':40} {'hangtui':>9} {'asyncio ps':>11} {'ratio':>6}")
    for package, program, arguments in (
        ("gevent", "greenlets", ("many",)),
        ("trio", "trio_tasks", ("trio", "many")),
    ):
        for one in having(package):
            with running(program, one.path, asleep=False, arguments=arguments) as target:
                used = min(capturing(target.pid, 2_000) for _ in range(rounds))
            print(f"{f'2,000 of {package}, CPython {one.version}':40} {used:8.2f}s")
    with tempfile.TemporaryDirectory() as folder:
        many = Path(folder) / "asyncio_many.py"
        many.write_text(ASYNCIO % str(ROOT / "tests" / "targets"))
        for one in interpreters(("3.8", "3.11", "3.12", "3.13", "3.14")):
            with running(str(many.with_suffix("")), one.path) as target:
                used = min(capturing(target.pid, 10_000) for _ in range(rounds))
                other = ratio = ""
                if one.version == "3.14":
                    beside = min(asked(one.path, target.pid) for _ in range(rounds))
                    other, ratio = f"{beside:10.2f}s", f"{used / beside:6.2f}"
            print(f"{f'10,000 of asyncio, CPython {one.version}':40} {used:8.2f}s {other} {ratio}")


if __name__ == "__main__":
    main()
