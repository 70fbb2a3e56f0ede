"""world_waits.py NAME [healthy]: threads of a free-threaded CPython that wait for one another, and
such as get on.
"""

import asyncio
import ctypes
import gc
import os
import subprocess
import sys
import threading
import time

from ready import ready

NAME = sys.argv[1]
HEALTHY = sys.argv[2:] == ["healthy"]
STOPPED = ("collect", "collect_and_write", "outside")
attached = ctypes.PyDLL(None)
"""Calls C functions without telling the interpreter that they may block."""


def take(first, second):
    with first:
        time.sleep(0.02)
        with second:
            pass


def both(first, second):
    while True:
        one = threading.Thread(target=take, args=(first, second), name="one")
        back = (first, second) if HEALTHY else (second, first)
        two = threading.Thread(target=take, args=back, name="two")
        one.start()
        two.start()
        one.join()
        two.join()


def ring():
    both(threading.Lock(), threading.Lock())


def reentrant():
    both(threading.RLock(), threading.RLock())


def conditions():
    both(threading.Condition(), threading.Condition(threading.Lock()))


def read_attached(source):
    buffer = ctypes.create_string_buffer(1)
    if HEALTHY:
        os.read(source, 1)
    else:
        attached.read(source, buffer, 1)


def collect():
    """One thread asks all to stop, as the garbage collector does; another one never comes to it."""
    source, _sink = os.pipe()
    reader = threading.Thread(target=read_attached, args=(source,), name="reader")
    reader.start()
    time.sleep(0.1)
    while True:
        gc.collect()
        time.sleep(0.01)


def collect_and_write():
    """And that one waits for what the first one would do next."""
    source, sink = os.pipe()
    threading.Thread(target=read_attached, args=(source,), name="reader", daemon=True).start()
    time.sleep(0.1)
    gc.collect()
    os.write(sink, b"x")
    while True:
        gc.collect()
        time.sleep(0.01)


def outside():
    """The same, and what that one waits for would have to come from another process."""
    source, sink = os.pipe()
    child = subprocess.Popen(["sleep", "1000"], pass_fds=(sink,))
    os.close(sink)
    threading.Thread(target=read_attached, args=(source,), name="reader", daemon=True).start()
    time.sleep(0.1)
    while child.poll() is None:
        gc.collect()
        time.sleep(0.01)


def executor():
    """All threads of a pool wait for jobs that need one."""
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(4 if HEALTHY else 2)
    gate = threading.Barrier(2)

    def inner():
        time.sleep(0.001)

    def outer():
        gate.wait()
        pool.submit(inner).result()

    while True:
        for one in [pool.submit(outer), pool.submit(outer)]:
            one.result()


def loop_blocked():
    async def main():
        while True:
            await asyncio.sleep(0.01)
            time.sleep(0.001 if HEALTHY else 600)

    asyncio.run(main())


shared: dict = {}
numbers: list = []


def busy():
    """Many threads that use the same objects all the time."""
    lock = threading.Lock()

    def work(name):
        while True:
            shared[name] = shared.get(name, 0) + 1
            numbers.append(name)
            if len(numbers) > 1000:
                numbers.clear()
            with lock:
                pass
            time.sleep(0.0005)

    for name in range(6):
        threading.Thread(target=work, args=(name,), daemon=True).start()
    while True:
        gc.collect()
        time.sleep(0.005)


def settled():
    time.sleep(0.7)
    ready()


if __name__ == "__main__":
    if NAME in STOPPED and not HEALTHY:
        ready()  # nothing of Python runs once they are where they should be
    else:
        threading.Thread(target=settled, daemon=True).start()
    globals()[NAME]()
