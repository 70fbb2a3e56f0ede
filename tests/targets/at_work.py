"""at_work.py NAME [hung]: healthy programs whose parts wait for each other, each at its own pace,
and rest; with "hung" the same in which one part keeps what the others wait for.
"""

import asyncio
import http.server
import itertools
import multiprocessing
import queue
import socketserver
import subprocess
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from ready import HERE, PYTHON, ready

HUNG = sys.argv[2:] == ["hung"]
NEVER = threading.Event()


def pause(seconds):
    """Work that takes a while; of one that hangs, for ever."""
    if HUNG:
        NEVER.wait()
    time.sleep(seconds)


async def pause_task(seconds):
    await (asyncio.Event().wait() if HUNG else asyncio.sleep(seconds))


def crowd(*plays):
    threads = [threading.Thread(target=one, name=f"{one.__name__}-{n}", daemon=True)
               for n, one in enumerate(plays)]  # fmt: skip
    for one in threads:
        one.start()
    ready()
    for one in threads:
        one.join()


class _Events(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if HUNG:
            NEVER.wait()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"data: begun\n\n")
        self.wfile.flush()
        time.sleep(100)

    def log_message(self, *_):
        pass


def serve_events():
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Events) as server:
        server.daemon_threads = True
        print(server.server_address[1], flush=True)
        server.serve_forever()


def event_stream():
    """Reads events line by line, of which none has come for a while."""
    command = [PYTHON, f"{HERE}/at_work.py", "serve_events", *sys.argv[2:]]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        address = f"http://127.0.0.1:{int(server.stdout.readline())}/"
        threading.Timer(0.5, ready).start()
        listen(address)


def listen(address):
    with urllib.request.urlopen(address) as events:
        for line in events:
            print(line)


def both_ways():
    """Bounded queues with an answer for every third order."""
    orders, answers = queue.Queue(2), queue.Queue(1)

    def order():
        for number in itertools.count():
            orders.put(number)
            if number % 3 == 2:
                answers.get()

    def deliver():
        for number in itertools.count():
            orders.get()
            pause(0.1)
            if number % 3 == 2:
                answers.put(number)

    crowd(order, deliver)


def leaders():
    """One leads at a time; the others wait at a condition."""
    turn, leading = threading.Condition(), []

    def lead():
        while True:
            with turn:
                while leading:
                    turn.wait()
                leading.append(1)
            pause(0.1)
            with turn:
                leading.clear()
                turn.notify()
            time.sleep(0.02)

    crowd(*[lead] * 4)


def permits():
    """More threads than permits."""
    gate = threading.BoundedSemaphore(2)

    def call():
        while True:
            with gate:
                pause(0.1)

    crowd(*[call] * 6)


def drained():
    """Waits until all that lies in a queue is done."""
    jobs = queue.Queue()
    for number in range(1000):
        jobs.put(number)

    def work():
        while True:
            jobs.get()
            pause(0.4)
            jobs.task_done()

    for _ in range(2):
        threading.Thread(target=work, daemon=True).start()
    ready()
    close(jobs)


def close(jobs):
    jobs.join()


def mapped():
    """Threads of an executor with long jobs."""
    with ThreadPoolExecutor(2) as pool:
        threading.Timer(0.3, ready).start()
        print(list(pool.map(pause, [20] * 10)))


def _answer(end):
    while True:
        number = end.recv()
        pause(0.7)
        end.send(number)


def conversation():
    """Two processes that ask and answer in turn."""
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe()
    context.Process(target=_answer, args=(theirs,), daemon=True).start()
    threading.Timer(0.3, ready).start()
    for number in itertools.count():
        ask(mine, number)


def ask(end, number):
    end.send(number)
    return end.recv()


async def _together(*plays):
    tasks = [asyncio.ensure_future(one()) for one in plays]
    asyncio.get_event_loop().call_later(0.3, ready)
    await asyncio.wait(tasks)


def task_permits():
    """Many tasks for one lock and two permits."""

    async def run():
        gate, lock = asyncio.Semaphore(2), asyncio.Lock()

        async def call():
            while True:
                async with gate:
                    async with lock:
                        await pause_task(0.05)

        await _together(*[call] * 12)

    asyncio.run(run())


def task_queues():
    """Bounded queues of tasks, in both directions."""

    async def run():
        orders, answers = asyncio.Queue(2), asyncio.Queue(1)

        async def order():
            while True:
                await orders.put(1)
                await answers.get()

        async def deliver():
            while True:
                await orders.get()
                await pause_task(0.2)
                await answers.put(1)

        await _together(order, deliver)

    asyncio.run(run())


def closing():
    """A server of asyncio that drains its last connection before it ends."""

    async def handle(reader, writer):
        await reader.readline()
        await pause_task(50)
        writer.close()

    async def run():
        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(b"hello\n")
        await writer.drain()
        asyncio.get_event_loop().call_later(0.3, ready)
        await reader.read()

    asyncio.run(run())


if __name__ == "__main__":
    globals()[sys.argv[1]]()
