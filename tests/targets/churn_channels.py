"""Healthy programs whose threads, processes and connections live for milliseconds around channels:
``churn_channels.py NAME``. Nothing is wrong in any of them, at any moment.

Each goes on until whoever started it ends its process group.
"""

import asyncio
import concurrent.futures
import ctypes
import fcntl
import itertools
import multiprocessing
import os
import queue
import random
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import warnings

from ready import PYTHON, ready

warnings.simplefilter("ignore", DeprecationWarning)  # that threads and fork go badly together
context = multiprocessing.get_context("fork")
libc = ctypes.CDLL(None, use_errno=True)
RECORD = struct.Struct("hhqqi4x")
OFD_SETLKW = 38
LOCK_AND_UNLOCK = (fcntl.LOCK_EX, fcntl.LOCK_UN)
INITIAL_PIDS = "pid:[4026531836]"
"""linux/proc_ns.h: PROC_PID_INIT_INO."""
IPC_PRIVATE, IPC_RMID, SETVAL = 0, 0, 16


def moment():
    """Zero to four milliseconds, mostly few: long enough to be seen, short enough to be missed."""
    time.sleep(random.random() ** 3 * 0.004)


def thread(play, *arguments):
    made = threading.Thread(target=play, args=arguments, daemon=True)
    made.start()
    return made


def fork(play, *arguments):
    """Run *play* in a child that says nothing when it ends."""
    pid = os.fork()
    if pid:
        return pid
    try:
        libc.prctl(1, signal.SIGKILL)
        random.seed()
        play(*arguments)
    finally:
        os._exit(0)


def keep(count, play, *arguments):
    """Threads that do it again and again."""

    def again():
        while True:
            play(*arguments)

    for _ in range(count):
        thread(again)


def go():
    ready()
    while True:
        time.sleep(1)


# -- pipes ----------------------------------------------------------------------------------------


def pipe_threads():
    """The main thread reads a pipe of its own process; threads that write one byte and end are
    started by another thread, which joins them."""
    reader, writer = os.pipe()
    lock = threading.Lock()

    def write():
        moment()
        with lock:
            os.write(writer, b".")

    def start():
        started = [thread(write) for _ in range(3)]
        for one in started:
            one.join()

    keep(1, start)
    ready()
    while True:
        os.read(reader, 1)


def pipe_children():
    """Threads that each read what a child writes, which lives for no longer than that."""

    def once():
        reader, writer = os.pipe()

        def write():
            moment()
            os.write(writer, b".")

        pid = fork(write)
        os.close(writer)
        os.read(reader, 1)
        os.close(reader)
        os.waitpid(pid, 0)

    keep(3, once)
    go()


def pipe_relays():
    """One process answers another through pipes; each time another child does it."""
    ask, asked = os.pipe()
    answer, answered = os.pipe()

    def reply():
        for _ in range(3):
            os.read(ask, 1)
            moment()
            os.write(answered, b".")

    def serve():
        os.waitpid(fork(reply), 0)

    keep(1, serve)
    ready()
    while True:
        os.write(asked, b"?")
        os.read(answer, 1)


def full_pipes():
    """A short-lived child writes more than a pipe holds, a short-lived thread reads it all."""

    def drain(reader):
        while os.read(reader, 1 << 16):
            moment()
        os.close(reader)

    def once():
        reader, writer = os.pipe()
        pid = fork(os.write, writer, b"x" * (1 << 18))
        os.close(writer)
        thread(drain, reader).join()
        os.waitpid(pid, 0)

    keep(2, once)
    go()


# -- sockets --------------------------------------------------------------------------------------


def pairs():
    """Two threads talk over a socket pair, and end."""

    def talk(end, starts):
        for _ in range(3):
            if starts:
                end.send(b".")
            end.recv(1)
            moment()
            if not starts:
                end.send(b".")

    def once():
        left, right = socket.socketpair()
        both = [thread(talk, left, True), thread(talk, right, False)]
        for one in both:
            one.join()
        left.close(), right.close()

    keep(3, once)
    go()


def pair_children():
    """A child at the other end of a socket pair, which answers once and ends."""

    def once():
        left, right = socket.socketpair()

        def answer():
            left.close()
            right.recv(1)
            moment()
            right.send(b".")

        pid = fork(answer)
        right.close()
        left.send(b".")
        left.recv(1)
        left.close()
        os.waitpid(pid, 0)

    keep(3, once)
    go()


def connections(family, address):
    """A server with a thread for each connection, and clients that live for one question."""
    listener = socket.socket(family)
    listener.bind(address)
    listener.listen(8)

    def answer(connection):
        connection.recv(1)
        moment()
        connection.send(b".")
        connection.close()

    def serve():
        while True:
            thread(answer, listener.accept()[0])

    def ask():
        with socket.socket(family) as connection:
            connection.connect(listener.getsockname())
            connection.send(b"?")
            connection.recv(1)

    thread(serve)
    keep(2, lambda: thread(ask).join())
    keep(1, lambda: os.waitpid(fork(ask), 0))
    go()


def tcp():
    connections(socket.AF_INET, ("127.0.0.1", 0))


def tcp6():
    connections(socket.AF_INET6, ("::1", 0))


def unix():
    connections(socket.AF_UNIX, "\0hangtui-churn-%d" % os.getpid())


def datagrams():
    """A server on UDP whose clients live for one question."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 0))

    def serve():
        _, address = server.recvfrom(16)
        server.sendto(b".", address)

    def ask():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
            own.settimeout(1)
            own.sendto(b"?", server.getsockname())
            try:
                own.recvfrom(16)
            except OSError:
                pass

    keep(1, serve)
    keep(2, lambda: thread(ask).join())
    go()


def prefork():
    """Several processes accept on one listener; one of them ends and is replaced all the time."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(8)

    def serve():
        for _ in range(3):
            connection = listener.accept()[0]
            moment()
            connection.close()

    def ask():
        with socket.create_connection(listener.getsockname()) as connection:
            connection.recv(1)

    keep(3, lambda: os.waitpid(fork(serve), 0))
    keep(2, ask)
    go()


# -- what wakes a program up ----------------------------------------------------------------------


def event_loops():
    """Event loops that live for one sleep, each in a thread of its own."""

    async def rest():
        await asyncio.sleep(random.random() * 0.004)

    def run():
        loop = asyncio.new_event_loop()
        other = thread(lambda: (moment(), loop.call_soon_threadsafe(loop.stop)))
        resting = loop.create_task(rest())
        loop.run_forever()
        loop.run_until_complete(resting)
        other.join()
        loop.close()

    keep(3, lambda: thread(run).join())
    go()


def wakeup_pairs():
    """Threads that poll a socket pair or a pipe of their own until another thread writes to it."""

    def once(wait):
        left, right = socket.socketpair()
        reader, writer = os.pipe()

        def wake():
            moment()
            right.send(b".")
            os.write(writer, b".")

        waker = thread(wake)
        wait([left.fileno(), reader])
        waker.join()
        wait([left.fileno()])
        wait([reader])
        left.close(), right.close(), os.close(reader), os.close(writer)

    def poll(fds):
        asked = select.poll()
        for fd in fds:
            asked.register(fd, select.POLLIN)
        asked.poll()

    def epoll(fds):
        with select.epoll() as asked:
            for fd in fds:
                asked.register(fd, select.EPOLLIN)
            asked.poll()

    keep(1, once, poll)
    keep(1, once, epoll)
    keep(1, once, lambda fds: select.select(fds, [], []))
    go()


def signals():
    """The main thread waits for signals by a socket that the handler writes to; children send
    them."""
    left, right = socket.socketpair()
    right.setblocking(False)
    signal.signal(signal.SIGUSR1, lambda *_: None)
    signal.set_wakeup_fd(right.fileno(), warn_on_full_buffer=False)
    parent = os.getpid()

    def kick():
        moment()
        os.kill(parent, signal.SIGUSR1)

    keep(1, lambda: os.waitpid(fork(kick), 0))
    ready()
    while True:
        left.recv(16)


# -- file locks -----------------------------------------------------------------------------------


def locked(lock, unlock):
    """Children and threads that take two files' locks in order, give them back, and end.

    To close a file is not enough where a lock belongs to the open file: a child that was forked
    meanwhile has it open as well.
    """
    folder = tempfile.mkdtemp()
    names = [os.path.join(folder, name) for name in "ab"]
    for name in names:
        open(name, "w").close()

    def take():
        with open(names[0], "r+") as first:
            lock(first)
            moment()
            with open(names[1], "r+") as second:
                lock(second)
                moment()
                unlock(second)
            unlock(first)

    keep(2, lambda: os.waitpid(fork(take), 0))
    keep(1, lambda: thread(take).join())
    go()


def flocks():
    locked(*(lambda file, how=how: fcntl.flock(file, how) for how in LOCK_AND_UNLOCK))


def record_locks():
    locked(*(lambda file, how=how: fcntl.lockf(file, how) for how in LOCK_AND_UNLOCK))


def open_file_locks():
    wanted = [RECORD.pack(how, os.SEEK_SET, 0, 0, 0) for how in (fcntl.F_WRLCK, fcntl.F_UNLCK)]
    locked(*(lambda file, how=how: fcntl.fcntl(file, OFD_SETLKW, how) for how in wanted))


def inherited_flocks():
    """A lock that a parent takes and its children, which share the open file, give back."""
    with tempfile.NamedTemporaryFile("w+", delete=False) as made:
        name = made.name

    def release(file):
        moment()
        fcntl.flock(file, fcntl.LOCK_UN)

    def once():
        with open(name, "r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            os.waitpid(fork(release, file), 0)

    keep(3, once)
    go()


# -- semaphores -----------------------------------------------------------------------------------


def shared(lock):
    def take():
        with lock:
            moment()

    def process():
        made = context.Process(target=take)
        made.start()
        made.join()

    keep(3, process)
    keep(2, lambda: thread(take).join())
    go()


def shared_locks():
    shared(context.Lock())


def shared_rlocks():
    shared(context.RLock())


def shared_semaphores():
    shared(context.BoundedSemaphore(2))


def shared_conditions():
    """Children that wait to be notified, once, by others that end right after."""
    condition = context.Condition()

    def wait():
        with condition:
            condition.wait(1)

    def notify():
        moment()
        with condition:
            condition.notify_all()

    keep(2, lambda: os.waitpid(fork(wait), 0))
    keep(1, lambda: os.waitpid(fork(notify), 0))
    go()


def queues():
    """Children that put one thing into a queue that a thread gets it from."""
    things = context.Queue()

    def put():
        made = context.Process(target=things.put, args=("x" * random.choice([1, 100000]),))
        made.start()
        made.join()

    keep(2, put)
    ready()
    while True:
        things.get()


def system_v():
    """Idle workers at one System V semaphore, and others that take and give another one."""
    libc.semctl.argtypes = [ctypes.c_int] * 4
    known = libc.semget(IPC_PRIVATE, 2, 0o600)
    libc.semctl(known, 0, SETVAL, 1)
    libc.semctl(known, 1, SETVAL, 0)
    parent = os.getpid()

    def remove():
        libc.prctl(1, 0)
        while os.getppid() == parent:
            time.sleep(0.05)
        libc.semctl(known, 0, IPC_RMID, 0)

    def operate(index, amount):
        libc.semop(known, struct.pack("<Hhh", index, amount, 0), 1)

    def take():
        operate(0, -1)
        moment()
        operate(0, 1)

    def work():
        operate(1, -1)
        moment()

    def feed():
        time.sleep(0.05)
        operate(1, 1)

    fork(lambda: (os.setsid(), remove()))
    keep(2, lambda: os.waitpid(fork(take), 0))
    keep(3, lambda: os.waitpid(fork(work), 0))
    keep(1, feed)
    go()


# -- the end of processes and threads -------------------------------------------------------------


def children():
    """Threads that wait for a child each, one way after the other."""
    ways = itertools.cycle(range(4))

    def once():
        way = next(ways)
        if way == 0:
            os.waitpid(fork(moment), 0)
        elif way == 1:
            os.waitid(os.P_PID, fork(moment), os.WEXITED)
        elif way == 2:
            made = context.Process(target=moment)
            made.start()
            made.join()
        else:
            subprocess.call(["true"])

    keep(4, once)
    go()


def any_child():
    """The main thread waits for whichever child ends next, and starts another one."""
    for _ in range(4):
        fork(moment)
    ready()
    while True:
        os.wait()
        fork(moment)


def late_wait():
    """Children are fetched a moment after they ended: each is a zombie for as long."""
    started = []
    ready()
    while True:
        while len(started) < 6:
            started.append(subprocess.Popen(["sleep", "%.3f" % random.uniform(1.0, 1.4)]))
        time.sleep(0.02)
        started = [one for one in started if one.poll() is None]


def interpreters():
    """Interpreters start, do nothing, and end: several at any time."""

    def once():
        subprocess.call([PYTHON, "-S", "-c", "pass"])

    keep(3, once)
    go()


def pools():
    """Pools of processes and threads that live for a few tasks."""

    def processes():
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as made:
            list(made.map(abs, range(4)))

    def threads():
        with concurrent.futures.ThreadPoolExecutor(3) as made:
            list(made.map(lambda _: moment(), range(6)))

    def replaced():
        with context.Pool(2, maxtasksperchild=1) as made:
            made.map(abs, range(8), chunksize=1)

    keep(1, lambda: os.waitpid(fork(processes), 0))
    keep(1, lambda: os.waitpid(fork(replaced), 0))
    keep(2, threads)
    go()


def joins():
    """Chains of threads that wait for each other's end."""

    def chain(length):
        if length:
            thread(chain, length - 1).join()
        moment()

    keep(3, chain, 4)
    things = queue.Queue()
    keep(1, lambda: thread(things.put, None).join())
    keep(1, things.get)
    go()


def numbers_again():
    """Threads and children that get the numbers of those that have just ended.

    That is asked for in a PID namespace of its own alone (``unshare -pf --mount-proc``): in the
    machine's, numbers come again after thousands of others.
    """
    first = os.getpid() + 20
    own = os.readlink("/proc/self/ns/pid") != INITIAL_PIDS
    lock, (reader, writer) = threading.RLock(), os.pipe()

    def take():
        with lock:
            os.write(writer, b".")
            moment()

    def once():
        if own:
            with open("/proc/sys/kernel/ns_last_pid", "w") as last:
                last.write(str(first))
        started = [thread(take) for _ in range(3)]
        child = fork(moment)
        for one in started:
            one.join()
        os.waitpid(child, 0)

    keep(1, once)
    keep(1, os.read, reader, 1)
    go()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
