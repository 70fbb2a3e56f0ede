"""One way to hang after the other, and a few to be healthy: ``hangs.py NAME``.

Each function says ready() when nothing but the hang itself is left to happen.
"""

import asyncio
import concurrent.futures
import ctypes
import gc
import hashlib
import multiprocessing
import os
import pdb  # noqa: T100
import pty
import queue
import re
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

from ready import keeping, ready, releasing

FORK = multiprocessing.get_context("fork")


def start(function, name):
    """A daemon thread that has begun."""
    thread = threading.Thread(target=function, name=name, daemon=True)
    thread.start()
    return thread


PAGES = queue.Queue()


def fetch(page):
    PAGES.put(page + "/more")


def pages_that_only_fetch_would_put():
    """The first page was taken; what is to put more is called by nobody."""
    PAGES.put("/")
    PAGES.get()
    ready()
    PAGES.get()


# -- nobody is left ---------------------------------------------------------------------------


def lost_notify():
    condition = threading.Condition()
    ready()

    def consume():
        with condition:
            condition.wait()

    consume()


def lost_event():
    loaded = threading.Event()

    def serve():
        loaded.wait()

    server = start(serve, "server")
    ready()
    server.join()


def lost_task_done():
    jobs = queue.Queue()

    def work():
        while True:
            jobs.get()

    start(work, "worker")
    jobs.put(1)
    ready()
    jobs.join()


def waits_for_a_signal():
    """Healthy: a handler ends it."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    ready()
    stop.wait()


def handler_takes_lock():
    ledger_lock = threading.Lock()

    def rotate(number, frame):
        ready()
        with ledger_lock:
            pass

    def write_entries():
        with ledger_lock:
            signal.raise_signal(signal.SIGHUP)

    signal.signal(signal.SIGHUP, rotate)
    write_entries()


def starved_pool():
    pool = concurrent.futures.ThreadPoolExecutor(max_workers=2)

    def inner():
        return 1

    def outer():
        time.sleep(0.1)  # so that the other one has a worker too
        return pool.submit(inner).result()

    results = [pool.submit(outer) for _ in range(2)]
    ready()
    results[0].result()


# -- locks without an owner -------------------------------------------------------------------


def lock_of_the_dead():
    state = threading.RLock()
    saver = start(state.acquire, "saver")
    saver.join()
    ready()

    def checkpoint():
        with state:
            pass

    checkpoint()


def lock_across_fork():
    state = threading.RLock()
    taken = threading.Event()

    def hold():
        with state:
            taken.set()
            time.sleep(600)

    start(hold, "holder")
    taken.wait()
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        ready()
        with state:
            os._exit(0)
    os.wait()


# -- finalizers -------------------------------------------------------------------------------


class Log:
    def __init__(self):
        self.lock = threading.Lock()

    def write(self):
        with self.lock:
            Session(self)
            gc.collect()


class Session:
    def __init__(self, log):
        self.log, self.me = log, self

    def __del__(self):
        with self.log.lock:
            pass


def finalizer_takes_lock():
    ready()
    Log().write()


# -- other processes --------------------------------------------------------------------------


def zombies():
    for _ in range(3):
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    ready()
    while True:
        time.sleep(0.2)


def answer_nobody_reads(watched=False, closed=False):
    """The answer has come, but who waits for it has started nothing that reads it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        if not os.fork():
            with server.accept()[0] as connection:
                signal.alarm(120)
                connection.sendall(b"answered")
                closed or connection.recv(1)
            os._exit(0)
        connection = socket.create_connection(server.getsockname())
    if watched:
        loop = selectors.DefaultSelector()
        loop.register(connection, selectors.EVENT_READ)
    answered = threading.Condition()
    ready()
    with answered:
        answered.wait()


def stream_that_is_not_read():
    """The task waits beside its stream, which is full: nobody reads on, nor hears of its end."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        if not os.fork():
            with server.accept()[0] as connection:
                signal.alarm(120)
                connection.sendall(bytes(8 << 20))
                connection.recv(1)
            os._exit(0)

    async def subscribe():
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1000)
        await reader.readexactly(1)
        loop = asyncio.get_event_loop()
        loop.call_later(0.2, ready)
        await loop.create_future()
        writer.close()

    asyncio.get_event_loop_policy().new_event_loop().run_until_complete(subscribe())


def answer_an_event_loop_would_read():
    answer_nobody_reads(watched=True)


def last_words_of_a_server():
    """As a connection that is kept for the next request, and that the server has closed."""
    answer_nobody_reads(closed=True)


def signal_of_a_failed_child():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    child = os.fork()
    if child == 0:
        os._exit(1)  # before it tells its parent that it is ready
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    ready()
    signal.sigwait({signal.SIGUSR1})


def signal_of_a_living_child():
    """Healthy: it may come yet."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGTERM})
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        signal.pause()
    ready()
    signal.sigwait({signal.SIGUSR1, signal.SIGTERM})


def die(_):
    os.kill(os.getpid(), signal.SIGKILL)


def killed_worker():
    pool = FORK.Pool(2)
    ready()
    pool.map(die, range(1))


def imap_of_nothing():
    """Healthy: the iterable has nothing yet, so no worker can have anything to do."""
    orders = queue.Queue()
    pool = FORK.Pool(2)
    results = pool.imap(abs, iter(orders.get, None))
    ready()
    for result in results:
        print(result)


def stopped():
    ready()
    os.kill(os.getpid(), signal.SIGSTOP)


def reads_in_background():
    """A job in the background of a shell, whose terminal nobody else has."""
    if not pty.fork()[0]:
        if not os.fork():
            os.setpgid(0, 0)
            ready()
            input()
        time.sleep(600)
    time.sleep(600)


def slow_server():
    silent_server(45)


def silent_server(seconds=600):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(1)
    kept = []

    def accept():
        kept.append(listener.accept())
        time.sleep(seconds)

    start(accept, "server")

    def download():
        urllib.request.urlopen("http://127.0.0.1:%d/" % listener.getsockname()[1])

    ready()
    download()


def full_pipe():
    reading, writing = os.pipe()
    sleeper = subprocess.Popen(["sleep", "600"], stdin=reading)
    os.close(reading)
    ready()

    def report():
        os.write(writing, b"x" * (1 << 20))

    report()
    sleeper.wait()


def typist():
    """Somebody else who could write to our standard input, and does not."""
    reading, writing = os.pipe()
    subprocess.Popen(["sleep", "600"], stdout=writing)
    os.close(writing)
    os.dup2(reading, 0)
    ready()


def breakpoint_left_in():
    typist()
    sys.stdin = os.fdopen(0)

    def load_rows():
        pdb.set_trace()  # noqa: T100
        return 1

    load_rows()


def asks_a_question():
    typist()

    def confirm():
        input()

    confirm()


BOTH_ENDS = socket.socketpair()


def exit_joins_thread():
    def listen():
        BOTH_ENDS[0].recv(1)

    threading.Thread(target=listen, name="listener").start()
    ready()


# -- busy -------------------------------------------------------------------------------------


def computes():
    ready()

    def sieve():
        total = 0
        while True:
            for i in range(1000):
                total += i * i

    sieve()


def asks():
    """It asks for what a thread can only do with the lock that it keeps."""
    lock, prepared = threading.Lock(), []

    def prepare():
        with lock:
            prepared.append(True)

    def ask():
        while not prepared:
            pass

    with lock:
        threading.Thread(target=prepare, name="preparer").start()
        ready()
        ask()


def collects():
    heap = [[i] for i in range(300000)]
    ready()
    while heap:
        gc.collect()


def spins():
    lock = ctypes.c_int(1)

    def publish():
        releasing().spin_lock(ctypes.byref(lock))

    publisher = start(publish, "publisher")
    ready()
    publisher.join()


def derives():
    def derive():
        hashlib.pbkdf2_hmac("sha256", b"secret", b"salt", 1 << 30)

    deriver = start(derive, "deriver")
    ready()
    deriver.join()


def start_heartbeat():
    def beat():
        while True:
            time.sleep(0.01)

    start(beat, "heartbeat")


def backtracks():
    start_heartbeat()

    def parse(text):
        ready()
        re.match("(a+)+$", text)

    parse("a" * 60 + "b")


def hogs():
    lock = ctypes.c_int(1)
    start_heartbeat()

    def optimize():
        ready()
        keeping().spin_lock(ctypes.byref(lock))

    optimize()


def kept_by_reader_of_its_own():
    """Waits, with a lock, until there are no readers, and is one itself; the others go on."""
    changing, gone, readers = threading.Lock(), threading.Condition(), [0]

    def enters():
        with gone:
            readers[0] += 1

    def leaves():
        with gone:
            readers[0] -= 1
            gone.notify_all()

    def reads():
        while True:
            enters()
            time.sleep(0.02)
            leaves()
            time.sleep(0.02)

    def changes():
        with changing, gone:
            gone.wait_for(lambda: readers[0] == 0)

    enters()
    start(reads, "reader")
    start(changes, "editor")
    start(changes, "typist")
    ready()
    time.sleep(600)


# -- healthy ----------------------------------------------------------------------------------


def contends():
    total_lock = threading.Lock()

    def add():
        while True:
            with total_lock:
                time.sleep(0.02)

    for number in range(4):
        start(add, "adder-%d" % number)
    ready()
    time.sleep(600)


def idles():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(1)
    pool = concurrent.futures.ThreadPoolExecutor(max_workers=2)
    pool.submit(int).result()
    ready()
    listener.accept()


def listens_and_is_woken():
    """Healthy: somebody may connect, and a pipe may wake it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        loop = selectors.DefaultSelector()
        loop.register(server, selectors.EVENT_READ)
        loop.register(os.pipe()[0], selectors.EVENT_READ)
        ready()
        loop.select()
        with server.accept()[0]:
            loop.select()


globals()[sys.argv[1]]()
