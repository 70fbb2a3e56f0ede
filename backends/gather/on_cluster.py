"""Runs commands on the machines of a cluster; a program of its own, for the cluster's Python.

    on_cluster.py dask|ray ADDRESS SECONDS SOCKET   joins the cluster: to do so takes longest
    on_cluster.py ask SOCKET HANDLE WORDS...        runs WORDS on a machine, through the first one

The first says a line for each machine, name and handle, and an empty one; then it does what it is
asked to at its socket, until its standard input ends. The other hands on standard input and what
comes back, and ends as WORDS did. Of Dask a machine is reached by a nanny, the process beside a
worker that starts it again: it answers whatever the worker does. A worker without one is asked
itself. Of Ray it is a task that needs no CPU, so that it runs beside all that hang.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

_OWN = "worker="
"""Before the address of a worker that has no nanny."""
_TASK = "hangtui gather"
"""How Ray calls our tasks, and the processes that run them."""
_ENDING_S = 5.0
_ASKERS = 256
_PIECE = 1 << 20

Said = tuple[int, bytes, bytes]
"""Exit status, standard output, standard error."""


def run(words: list[str], given: bytes, limit_s: float) -> Said:
    """What a command says, where this runs; it is ended after so many seconds."""
    pipe = subprocess.PIPE
    started = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    with contextlib.suppress(OSError):
        # Ray lowers the priority of its workers, but not its own: with theirs, a look at a machine
        # that is busy would take minutes.
        usual = os.getpriority(os.PRIO_PROCESS, os.getppid())
        os.setpriority(os.PRIO_PROCESS, started.pid, usual)
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
        # Some releases tell of five alone, unless they are asked for all.
        for address, worker in self._client.scheduler_info(n_workers=-1)["workers"].items():
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
        task = self._ray.remote(run).options(
            name=_TASK, num_cpus=0, max_retries=0, scheduling_strategy=there
        )
        asked = task.remote(words, given, self._limit_s)
        found: Said = self._ray.get(asked, timeout=self._limit_s)
        return found


def serve(engine: str, address: str, limit_s: float, path: str) -> None:
    """Say which machines there are, and do what is asked for, until nobody is left to ask."""
    with os.fdopen(os.dup(1), "wb") as said, socket.socket(socket.AF_UNIX) as listener:
        os.dup2(2, 1)  # no word of the engine's own may come between ours
        cluster = Dask(address, limit_s) if engine == "dask" else Ray(address, limit_s)
        listener.bind(path)
        listener.listen(_ASKERS)
        for name, handle in cluster.machines():
            said.write(f"{name} {handle}\n".encode())
        said.write(b"\n")
        said.flush()
        threading.Thread(target=_accept, args=(listener, cluster), daemon=True).start()
        sys.stdin.buffer.read()


def _accept(listener: socket.socket, cluster: Dask | Ray) -> None:
    while True:
        link, _ = listener.accept()
        threading.Thread(target=_answer, args=(link, cluster), daemon=True).start()


def _answer(link: socket.socket, cluster: Dask | Ray) -> None:
    with link, link.makefile("rb") as asked:
        handle, words = json.loads(asked.readline())
        try:
            found = cluster.run(handle, words, asked.read())
        except Exception as error:  # noqa: BLE001  an engine's own, of whatever kind
            found = 1, b"", f"{type(error).__name__}: {error}".encode()
        status, said, complained = found or (1, b"", b"nobody answers there")
        head = json.dumps([status, len(said)]).encode()
        with contextlib.suppress(OSError):  # whoever asked has given up
            link.sendall(head + b"\n" + said + complained)


def ask(path: str, handle: str, words: list[str]) -> int:
    """What words do on a machine; their exit status."""
    with socket.socket(socket.AF_UNIX) as link, link.makefile("rb") as answer:
        link.connect(path)
        link.sendall(json.dumps([handle, words]).encode() + b"\n")
        while piece := sys.stdin.buffer.read(_PIECE):
            link.sendall(piece)
        link.shutdown(socket.SHUT_WR)
        head = answer.readline()
        if not head:
            sys.exit("the client of the cluster has ended")
        status, count = json.loads(head)
        sys.stdout.buffer.write(answer.read(count))
        sys.stdout.buffer.flush()
        sys.stderr.buffer.write(answer.read() or f"exit status {status}".encode())
    return status if 0 <= status < 256 else 1


def main() -> int:
    """Be the client, or ask it."""
    engine, *words = sys.argv[1:]
    if engine == "ask":
        path, handle, *command = words
        return ask(path, handle, command)
    address, limit, path = words
    serve(engine, address, float(limit), path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
