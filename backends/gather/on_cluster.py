"""Runs a command on a machine of a cluster; a program of its own, for the cluster's Python.

    on_cluster.py dask|ray ADDRESS SECONDS                  a line for each machine: name, handle
    on_cluster.py dask|ray ADDRESS SECONDS HANDLE WORDS...  runs WORDS there

They get our standard input, and we end as they did. Of Dask a machine is reached by a nanny, the
process beside a worker that starts it again: it answers whatever the worker does. A worker without
one is asked itself. Of Ray it is a task that needs no CPU, so that it runs beside all that hang.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

_OWN = "worker="
"""Before the address of a worker that has no nanny."""
_ENDING_S = 5.0

Said = tuple[int, bytes, bytes]
"""Exit status, standard output, standard error."""


def run(words: list[str], given: bytes, limit_s: float) -> Said:
    """What a command says, where this runs; it is ended after so many seconds."""
    pipe = subprocess.PIPE
    started = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    late = b""
    for number, seconds in ((signal.SIGTERM, limit_s), (signal.SIGKILL, _ENDING_S)):
        try:
            said, complained = started.communicate(given, timeout=seconds)
            break
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, number)
            late = b"\nno answer in time"
    else:
        said, complained = started.communicate()
    return started.returncode, said, complained + late


class Dask:
    """A cluster of Dask."""

    def __init__(self, address: str, limit_s: float) -> None:
        from distributed import Client

        self._limit_s = limit_s
        self._client: Any = Client(address, timeout=limit_s, set_as_default=False)

    def machines(self) -> Iterator[tuple[str, str]]:
        """Names and handles: one worker of each machine, best one with a nanny."""
        found: dict[str, str] = {}
        for address, worker in self._client.scheduler_info()["workers"].items():
            if worker.get("nanny") or worker["host"] not in found:
                found[worker["host"]] = address if worker.get("nanny") else f"{_OWN}{address}"
        yield from found.items()

    def run(self, handle: str, words: list[str], given: bytes) -> Said | None:
        """What a command says there; None: nobody answers."""
        worker = handle.removeprefix(_OWN)

        async def there(words: list[str], given: bytes, limit_s: float) -> Said:
            import asyncio

            # Beside the loop, which has others to answer.
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(None, run, words, given, limit_s)

        arguments = (words, given, self._limit_s)
        found: dict[str, Said] = self._client.run(
            there, *arguments, workers=[worker], nanny=worker == handle
        )
        return next(iter(found.values()), None)


class Ray:
    """A cluster of Ray."""

    def __init__(self, address: str, limit_s: float) -> None:
        import ray

        self._limit_s = limit_s
        self._ray: Any = ray
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")

    def machines(self) -> Iterator[tuple[str, str]]:
        """Names and handles of the nodes, each machine once."""
        alive = [node for node in self._ray.nodes() if node["Alive"]]
        for node in {node["NodeManagerAddress"]: node for node in alive}.values():
            yield node["NodeManagerHostname"], node["NodeID"]

    def run(self, handle: str, words: list[str], given: bytes) -> Said | None:
        """What a command says there."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        there = NodeAffinitySchedulingStrategy(handle, soft=False)
        task = self._ray.remote(run).options(num_cpus=0, max_retries=0, scheduling_strategy=there)
        asked = task.remote(words, given, self._limit_s)
        found: Said = self._ray.get(asked, timeout=self._limit_s)
        return found


def main() -> int:
    """List the machines, or run the command on one."""
    engine, address, limit, *rest = sys.argv[1:]
    # No word of the engine's own may come between those of the answer.
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    kind = Dask if engine == "dask" else Ray
    cluster: Dask | Ray = kind(address, float(limit))
    if not rest:
        for name, handle in cluster.machines():
            answer.write(f"{name} {handle}\n".encode())
        answer.close()
        return 0
    handle, *words = rest
    found = cluster.run(handle, words, sys.stdin.buffer.read())
    if found is None:
        sys.exit("nobody answers there")
    status, said, complained = found
    answer.write(said)
    answer.close()
    sys.stderr.buffer.write(complained or f"exit status {status}".encode())
    return status if 0 <= status < 256 else 1


if __name__ == "__main__":
    sys.exit(main())
