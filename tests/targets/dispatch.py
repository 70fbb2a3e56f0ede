"""dispatch.py KIND STATE: an office whose orders go from one thread to another, by a loop or an
executor of its own, or a lock file.

Loops (queue, deque, list, poll) sleep in select until a byte comes over a pair of sockets. idle: no
order comes before a signal does; busy: orders all the time; slow: each takes two seconds; unwoken:
an order is put into the queue, and no byte is sent; kept: the loop has the last orders in a deque.

errand (an executor of the program's own, beside one of the standard library): slow; silent: the
errand waits for a letter that nobody writes.
last: of several parcels one waits for a stamp that nobody brings; slow: it takes two seconds.
lock (flock by a function in a variable): itself: the process has it by another open file; free.
name (a lock file with a PID): itself: the process has made it before; free.
web: a server of one thread, asked by its own process again and again; slow.
counter: the main thread asks a clerk over a connection, who waits for a letter that nobody writes;
slow: who takes two seconds.
sensor: the thread that was to bring a reading has ended.
joined: the main thread waits for the end of a clerk who waits for letters, beside an event loop.
"""

import asyncio
import collections
import fcntl
import http.client
import http.server
import os
import queue
import select
import selectors
import signal
import socket
import sys
import tempfile
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from ready import ready

KIND, STATE = sys.argv[1:3]
FOLDER = tempfile.mkdtemp()


def work():
    if STATE == "slow":
        time.sleep(2)
    elif STATE == "busy":
        end = time.monotonic() + 0.02
        while time.monotonic() < end:
            sum(number * number for number in range(1000))
    else:
        time.sleep(0.01)


class Loop:
    """Runs what other threads hand it, once it is woken."""

    def __init__(self):
        self.own, self.other = socket.socketpair()
        self.own.setblocking(False)
        kinds = {"deque": collections.deque, "list": list}
        self.orders = kinds.get(KIND, queue.Queue)()
        self.recent = collections.deque()
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.own, selectors.EVENT_READ)
        self.poll = select.poll()
        self.poll.register(self.own, select.POLLIN)
        self.thread = threading.Thread(target=self.run, name="dispatcher", daemon=True)

    def run(self):
        while True:
            if KIND == "poll":
                self.poll.poll()
            else:
                self.selector.select()
            self.own.recv(100)
            self.carry_out()

    def carry_out(self):
        if KIND == "deque":
            while self.orders:
                self.one(self.orders.popleft())
        elif KIND == "list":
            orders, self.orders = self.orders, []
            for order in orders:
                self.one(order)
        else:
            while not self.orders.empty():
                self.one(self.orders.get())

    def one(self, order):
        errand, done = order
        errand()
        self.recent.append(order)
        while len(self.recent) > 3:
            self.recent.popleft()
        done.set()

    def ask(self, errand):
        done = threading.Event()
        if KIND in ("deque", "list"):
            self.orders.append((errand, done))
        else:
            self.orders.put((errand, done))
        if STATE != "unwoken":
            self.other.send(b"!")
        done.wait()


def dispatch():
    loop = Loop()
    loop.thread.start()
    threading.Timer(0.5, ready).start()
    if STATE == "idle":
        signal.pause()
    if STATE == "kept":
        for _ in range(5):
            loop.ask(work)
        threading.Event().wait()
    while True:
        loop.ask(work)


class Errand:
    def __init__(self, call):
        self.call, self.future = call, Future()

    def run(self):
        self.future.set_result(self.call())


class Messenger:
    """An executor whose only thread is the main one."""

    def __init__(self):
        self.errands, self.letters = queue.Queue(), queue.Queue()

    def fetch(self):
        if STATE == "silent":
            return self.letters.get()
        return work()

    async def office(self):
        await asyncio.get_running_loop().run_in_executor(None, work)
        ready()
        while True:
            errand = Errand(self.fetch)
            self.errands.put(errand)
            await asyncio.wrap_future(errand.future)

    def run(self):
        threading.Thread(target=lambda: asyncio.run(self.office()), name="office").start()
        while True:
            self.errands.get().run()


class Post:
    def __init__(self):
        self.pool, self.stamps = ThreadPoolExecutor(3, "parcel"), queue.Queue()

    def send(self, number):
        work()
        if STATE == "silent" and number == 2:
            self.stamps.get()

    def run(self):
        threading.Timer(0.5, ready).start()
        while True:
            pending = {self.pool.submit(self.send, number) for number in range(3)}
            while pending:
                _, pending = wait(pending, return_when=FIRST_COMPLETED)


class Drawer:
    """A lock on a file, tried again and again."""

    def __init__(self):
        self.file = open(os.path.join(FOLDER, "drawer.lock"), "a")

    def open(self):
        lock = fcntl.flock
        while True:
            try:
                return lock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                time.sleep(0.1)

    def close(self):
        fcntl.flock(self.file, fcntl.LOCK_UN)


class Name:
    """A file with the PID of who works."""

    def __init__(self):
        self.path = os.path.join(FOLDER, "office.pid")

    def open(self):
        while True:
            try:
                made = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
            except FileExistsError:
                time.sleep(0.1)
            else:
                os.write(made, b"%d" % os.getpid())
                return os.close(made)

    def close(self):
        os.unlink(self.path)


def locked(kind):
    other = kind()
    if STATE == "itself":
        other.open()
        ready()
    mine = kind()
    while True:
        mine.open()
        if not os.path.exists(FOLDER + "/told"):
            open(FOLDER + "/told", "w").close()
            ready()
        work()
        mine.close()
        time.sleep(0.05)


class Window(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        work()
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()


def web():
    server = http.server.HTTPServer(("127.0.0.1", 0), Window)
    threading.Thread(target=server.serve_forever, name="window", daemon=True).start()
    threading.Timer(0.5, ready).start()
    while True:
        customer = http.client.HTTPConnection("127.0.0.1", server.server_port)
        customer.request("GET", "/")
        customer.getresponse().read()


def counter():
    place = socket.create_server(("127.0.0.1", 0))
    letters = queue.Queue()

    def serve():
        customer = place.accept()[0]
        while customer.recv(100):
            if STATE == "silent":
                letters.get()
            work()
            customer.sendall(b"done")

    threading.Thread(target=serve, name="clerk", daemon=True).start()
    asked = socket.create_connection(place.getsockname())
    threading.Timer(0.5, ready).start()
    while True:
        asked.sendall(b"letter?")
        asked.recv(100)


async def sensor():
    reading = asyncio.get_running_loop().create_future()
    threading.Thread(target=lambda: None, name="reader").start()
    await asyncio.sleep(0.5)
    ready()
    await reading


def joined():
    letters = queue.Queue()

    def clerk():
        while True:
            letters.get()

    thread = threading.Thread(target=clerk, name="clerk", daemon=True)
    thread.start()
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="bell", daemon=True).start()
    ready()
    thread.join()


if KIND in ("queue", "deque", "list", "poll"):
    dispatch()
elif KIND == "errand":
    Messenger().run()
elif KIND == "last":
    Post().run()
elif KIND == "lock":
    locked(Drawer)
elif KIND == "name":
    locked(Name)
elif KIND == "web":
    web()
elif KIND == "counter":
    counter()
elif KIND == "sensor":
    asyncio.run(sensor())
else:
    joined()
