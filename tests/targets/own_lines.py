"""own_lines.py KIND STATE: four clerks of a shop share two lines to a desk, by a pool of the
program's own: of a semaphore, a condition (timed: looked at again by the clock), a queue, or tasks
of asyncio.

nested: who has a line wants a second one, while all are out. slow: the desk answers after a while.
busy: it answers at once. stopped: the desk, a process of its own, is stopped.
"""

import asyncio
import collections
import contextlib
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time

from ready import PYTHON, ready

KIND, STATE = sys.argv[1:3]
DESK = """
import socket, sys, threading, time

def serve(line):
    while line.recv(100):
        time.sleep(float(sys.argv[1]))
        line.sendall(b"price\\n")

place = socket.create_server(("127.0.0.1", 0))
print(place.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(place.accept()[0],), daemon=True).start()
"""


def open_desk():
    pause = "20" if STATE in ("slow", "stopped") else "0.005"
    desk = subprocess.Popen([PYTHON, "-c", DESK, pause], stdout=subprocess.PIPE)
    return desk, int(desk.stdout.readline())


DESK_PROCESS, PORT = open_desk()


class Line:
    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", PORT))

    def ask(self):
        self.socket.sendall(b"price?")
        return self.socket.recv(100)


class SemaphorePool:
    def __init__(self):
        self.free = threading.Semaphore(2)
        self.lines = collections.deque(Line() for _ in range(2))

    def take(self):
        self.free.acquire()
        return self.lines.popleft()

    def put_back(self, line):
        self.lines.append(line)
        self.free.release()


class ConditionPool:
    def __init__(self):
        self.changed = threading.Condition()
        self.lines = [Line() for _ in range(2)]

    def take(self):
        with self.changed:
            while not self.lines:
                self.changed.wait()
            return self.lines.pop()

    def put_back(self, line):
        with self.changed:
            self.lines.append(line)
            self.changed.notify()


class TimedPool(ConditionPool):
    def take(self):
        with self.changed:
            while not self.lines:
                self.changed.wait(0.1)
            return self.lines.pop()


class QueuePool:
    def __init__(self):
        self.lines = queue.LifoQueue(2)
        for _ in range(2):
            self.lines.put(Line())

    def take(self):
        return self.lines.get()

    def put_back(self, line):
        self.lines.put(line)


@contextlib.contextmanager
def line_of(pool):
    line = pool.take()
    try:
        yield line
    finally:
        pool.put_back(line)


class Shop:
    def __init__(self, pool):
        self.pool = pool

    def price(self):
        with line_of(self.pool) as line:
            line.ask()
            if STATE == "nested":
                time.sleep(0.1)
                with line_of(self.pool) as second:
                    second.ask()

    def clerk(self):
        while True:
            self.price()
            time.sleep(0.005)

    def run(self):
        clerks = [threading.Thread(target=self.clerk, name="clerk-%d" % i) for i in range(4)]
        for one in clerks:
            one.daemon = True
            one.start()
        time.sleep(0.4)
        ready()
        for one in clerks:
            one.join()


class TaskLine:
    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", PORT)
        return self

    async def ask(self):
        self.writer.write(b"price?")
        return await self.reader.readline()


class TaskPool:
    async def open(self):
        self.lines = asyncio.Queue(2)
        for _ in range(2):
            self.lines.put_nowait(await TaskLine().open())

    async def take(self):
        return await self.lines.get()

    async def put_back(self, line):
        self.lines.put_nowait(line)


@contextlib.asynccontextmanager
async def task_line_of(pool):
    line = await pool.take()
    try:
        yield line
    finally:
        await pool.put_back(line)


class TaskShop:
    async def price(self):
        async with task_line_of(self.pool) as line:
            await line.ask()
            if STATE == "nested":
                await asyncio.sleep(0.1)
                async with task_line_of(self.pool) as second:
                    await second.ask()

    async def clerk(self):
        while True:
            await self.price()
            await asyncio.sleep(0.005)

    async def tell(self):
        await asyncio.sleep(0.4)
        if STATE == "stopped":
            os.kill(DESK_PROCESS.pid, signal.SIGSTOP)
        ready()

    async def run(self):
        self.pool = TaskPool()
        await self.pool.open()
        await asyncio.gather(*(self.clerk() for _ in range(4)), self.tell())


if KIND == "tasks":
    asyncio.run(TaskShop().run())
else:
    pools = {
        "semaphore": SemaphorePool,
        "condition": ConditionPool,
        "timed": TimedPool,
        "queue": QueuePool,
    }
    Shop(pools[KIND]()).run()
