"""loader_and_server.py NAME: a loader of samples, and a server with an engine behind it."""

import asyncio
import multiprocessing
import os
import queue
import signal
import socket
import sys
import tempfile
import threading
import time

from ready import ready

NAME = sys.argv[1]
FORK = multiprocessing.get_context("fork")


class Loader:
    """A thread that reads ahead, by way of processes."""

    def __init__(self):
        self.batches = queue.Queue(2)
        self.asked, self.read = FORK.Queue(), FORK.Queue()
        self.stop = threading.Event()
        self.feed = os.path.join(tempfile.mkdtemp(), "feed")
        os.mkfifo(self.feed)
        self.kept = os.open(self.feed, os.O_RDWR)
        for number in range(2):
            FORK.Process(target=self.work, name=f"reader{number}", daemon=True).start()
        self.thread = threading.Thread(target=self.fill, name="prefetch", daemon=True)
        self.thread.start()

    def work(self):
        while True:
            self.read.put(self.sample(self.asked.get()))

    def sample(self, number):
        if NAME == "reader_at_a_pipe" and number == 5:
            with open(self.feed, "rb") as file:
                return file.read()
        if NAME == "reader_killed" and number == 5:
            time.sleep(0.2)  # what its queue writes is written, and the lock around that given back
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    def fill(self):
        while not self.stop.is_set():
            for number in range(8):
                self.asked.put(number)
            for _ in range(8):
                self.batches.put(self.read.get())
            if NAME == "prefetch_failed":
                sys.exit()

    def __iter__(self):
        while True:
            yield self.batches.get()

    def close(self):
        self.stop.set()
        self.thread.join()


def listen(server):
    """What comes from outside: commands, of which there are none."""
    while True:
        server.accept()[0].close()


def train():
    server = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=listen, args=(server,), name="control", daemon=True).start()
    loader = Loader()
    threading.Timer(1.5, ready).start()
    for count, _ in enumerate(loader):
        time.sleep(0.01)
        if NAME == "closed_while_full" and count == 3:
            time.sleep(0.3)
            loader.close()


class Engine:
    """Steps in a thread of its own."""

    def __init__(self, loop, deliver):
        self.loop, self.deliver = loop, deliver
        self.changed = threading.Condition()
        self.waiting = []
        self.thread = threading.Thread(target=self.run, name="engine", daemon=True)
        self.thread.start()

    def submit(self, number):
        with self.changed:
            self.waiting.append(number)
            if not (NAME == "lost_notify" and number == 3):
                self.changed.notify()

    def abort(self):
        with self.changed:
            self.changed.wait()

    def run(self):
        while True:
            with self.changed:
                while not self.waiting:
                    self.changed.wait()
                number = self.waiting.pop()
            if NAME == "engine_aborts_itself" and number == 3:
                self.abort()
            if NAME == "engine_ended" and number == 3:
                return
            self.loop.call_soon_threadsafe(self.deliver, number)


class Server:
    def __init__(self):
        self.outputs = asyncio.Queue()
        self.engine = Engine(asyncio.get_running_loop(), self.outputs.put_nowait)
        self.asked = 0

    async def generate(self):
        self.asked += 1
        self.engine.submit(self.asked)
        return await self.outputs.get()

    async def handle(self, reader, writer):
        while await reader.readline():
            writer.write(b"%d\n" % await self.generate())


def ask(port):
    link = socket.create_connection(("127.0.0.1", port))
    answers = link.makefile("rb")
    for number in range(1, 1_000_000):
        if NAME == "idle" and number == 3:
            signal.pause()
        link.sendall(b"prompt\n")
        answers.readline()
        time.sleep(0.02)


async def serve():
    server = Server()
    listening = await asyncio.start_server(server.handle, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    FORK.Process(target=ask, args=(port,), name="client", daemon=True).start()
    asyncio.get_running_loop().call_later(1.5, ready)
    await asyncio.Event().wait()


def one_of_both():
    """A process that has left the end of its child open."""
    mine, theirs = FORK.Pipe()
    threading.Thread(target=time.sleep, args=(600,), name="clock", daemon=True).start()
    FORK.Process(target=echo, args=(theirs,), name="core", daemon=True).start()
    ready()
    mine.recv()


def echo(end):
    time.sleep(600)
    end.send("done")


if NAME == "end_left_open":
    one_of_both()
elif NAME in ("busy", "idle", "lost_notify", "engine_aborts_itself", "engine_ended"):
    asyncio.run(serve())
else:
    train()
