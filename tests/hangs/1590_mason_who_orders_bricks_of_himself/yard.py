import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
import time

from streaq import Worker


def start_store():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    place = tempfile.mkdtemp()
    store = subprocess.Popen(
        ["redis-server", "--port", str(port), "--save", "", "--dir", place],
        stdout=subprocess.DEVNULL,
    )
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.05)
    return store, place, port


class Yard:
    """A queue of jobs for masons; walls need bricks, which are jobs as well."""

    def __init__(self, port, hands):
        self.worker = Worker(
            redis_url="redis://127.0.0.1:%d" % port,
            concurrency=hands,
            queue_name="yard",
            handle_signals=False,
        )
        self.walls = 0
        self.bricks = self.worker.task(name="bricks")(self.burn_bricks)
        self.wall = self.worker.task(name="wall")(self.build_wall)

    async def burn_bricks(self, count):
        await asyncio.sleep(0.02)
        return count * 2

    async def build_wall(self, length):
        order = await self.bricks.enqueue(length)
        delivered = await order.result()
        self.walls += 1
        return delivered.result

    async def foreman(self):
        while True:
            await self.wall.enqueue(3)
            await asyncio.sleep(0.5)

    async def smoke(self):
        while True:
            await asyncio.sleep(0.4)

    async def open(self):
        async with asyncio.TaskGroup() as group:
            group.create_task(self.worker.run_async(), name="masons")
            await asyncio.sleep(1)
            group.create_task(self.foreman(), name="foreman")
            group.create_task(self.smoke(), name="smoke")
            print("MARK main pid=%d" % os.getpid(), flush=True)


def run(hands):
    store, place, port = start_store()
    try:
        asyncio.run(Yard(port, hands).open())
    finally:
        store.kill()
        shutil.rmtree(place, ignore_errors=True)
