import os
import queue
import signal

import anyio
from anyio import to_thread

signal.alarm(120)


def count_items(connections):
    connection = connections.get()
    connections.put(connection)
    return connection


async def list_items(connections, limiter):
    await to_thread.run_sync(count_items, connections, limiter=limiter)


async def close_order(connections, limiter):
    connection = connections.get_nowait()
    await anyio.sleep(0.2)
    await to_thread.run_sync(connections.put, connection, limiter=limiter)


async def serve(connections, limiter):
    async with anyio.create_task_group() as group:
        group.start_soon(close_order, connections, limiter, name="close-order")
        await anyio.sleep(0.05)
        group.start_soon(list_items, connections, limiter, name="list-items")


async def main():
    connections = queue.Queue()
    connections.put("connection 1")
    print("MARK main pid=%d" % os.getpid())
    while True:
        await serve(connections, anyio.CapacityLimiter(2))


if __name__ == "__main__":
    anyio.run(main)
