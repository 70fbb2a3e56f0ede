"""interpreter_waits.py NAME [healthy]: threads of several interpreters of one process that wait for
one another, or get on. Runs under CPython 3.8 and newer.
"""

import os
import sys
import threading
import time

from ready import ready

try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters

NAME = sys.argv[1]
HEALTHY = sys.argv[2:] == ["healthy"]
THREADED = ("ring", "busy", "pool")
"""What starts threads in an interpreter."""


def create():
    """An interpreter whose threads are allowed; from 3.12 on with a GIL of its own if it may."""
    if sys.version_info >= (3, 13):
        return interpreters.create("legacy" if NAME in THREADED else "isolated")
    if sys.version_info >= (3, 9) and NAME in THREADED:
        return interpreters.create(isolated=False)
    return interpreters.create()


def run(script, name, **values):
    """Run *script* in a new interpreter, in a thread of this one."""
    interpreter = create()
    call = getattr(interpreters, "exec", interpreters.run_string)
    text = script % dict(values, healthy=HEALTHY)
    thread = threading.Thread(target=call, args=(interpreter, text), name=name, daemon=True)
    thread.start()
    return thread


RING = """
import threading, time
left, right = threading.Lock(), threading.Lock()
def take(first, second):
    with first:
        time.sleep(0.02)
        with second:
            pass
while True:
    back = (left, right) if %(healthy)s else (right, left)
    one = threading.Thread(target=take, args=(left, right), name="inner-one")
    two = threading.Thread(target=take, args=back, name="inner-two")
    one.start()
    two.start()
    one.join()
    two.join()
"""


def ring():
    """Two threads and two locks of one interpreter."""
    run(RING, "caller").join()


PASS_ON = """
import os
def pass_on():
    data = os.read(%(source)d, 1)
    os.write(%(sink)d, data)
while True:
    pass_on()
"""


def pipes():
    """Two interpreters, each of which waits for what the other one would write."""
    (to_one, by_two), (to_two, by_one) = os.pipe(), os.pipe()
    one = run(PASS_ON, "one", source=to_one, sink=by_one)
    run(PASS_ON, "two", source=to_two, sink=by_two)
    if HEALTHY:
        os.write(by_two, b"x")
    one.join()


WAIT = """
import os
def wait_for_word():
    os.read(%(source)d, 1)
wait_for_word()
"""


def join():
    """The main thread waits for the end of code in an interpreter, which reads what comes next."""
    while True:
        source, sink = os.pipe()
        called = run(WAIT, "called", source=source)
        if HEALTHY:
            os.write(sink, b"x")
        called.join()
        os.write(sink, b"x")
        os.close(source)
        os.close(sink)


LOOP = """
import asyncio, time
async def move(first, second):
    async with first:
        await asyncio.sleep(0.02)
        async with second:
            await asyncio.sleep(0.001)
async def cross():
    while True:
        left, right = asyncio.Lock(), asyncio.Lock()
        back = (left, right) if %(healthy)s else (right, left)
        await asyncio.gather(move(left, right), move(*back))
async def stop():
    while True:
        await asyncio.sleep(0.01)
        time.sleep(0.001 if %(healthy)s else 600)
async def tick():
    while True:
        await asyncio.sleep(0.02)
async def main():
    await asyncio.gather(tick(), %(what)s())
asyncio.run(main())
"""


def tasks():
    """Two tasks and two locks in the event loop of an interpreter."""
    run(LOOP, "looping", what="cross").join()


def loop_blocked():
    """A call that stops such a loop."""
    run(LOOP, "looping", what="stop").join()


POOL = """
import threading, time
from concurrent.futures import ThreadPoolExecutor
pool = ThreadPoolExecutor(4 if %(healthy)s else 2)
def inner():
    time.sleep(0.001)
def outer(gate):
    gate.wait()
    pool.submit(inner).result()
while True:
    gate = threading.Barrier(2)
    for one in [pool.submit(outer, gate), pool.submit(outer, gate)]:
        one.result()
"""


def pool():
    """All threads of a pool of an interpreter wait for jobs that need one."""
    run(POOL, "caller").join()


COUNT = """
import os, time
def count():
    for number in range(1000):
        sum(range(100))
while True:
    count()
    time.sleep(0.001)
"""


def busy():
    """Two that work."""
    run(COUNT, "one").join(0.01)
    run(COUNT, "two").join()


QUEUE = """
from %(module)s import Queue
queue = Queue(%(queue)d)
def take():
    return queue.get()
while True:
    take()
"""


def queue():
    """A queue between interpreters that nobody puts anything into."""
    if sys.version_info >= (3, 14):
        module = "concurrent.interpreters"
    else:
        module = "test.support.interpreters.queues"
    made = __import__(module, fromlist=["create_queue"])
    create_queue = made.create_queue if hasattr(made, "create_queue") else made.create
    shared = create_queue()
    taker = run(QUEUE, "taker", module=module, queue=shared.id)
    while HEALTHY:
        shared.put(1)
        time.sleep(0.005)
    taker.join()


def executor():
    """A pool of interpreters (3.14) whose only one waits for what another job would write."""
    from concurrent.futures import InterpreterPoolExecutor

    source, sink = os.pipe()
    with InterpreterPoolExecutor(2 if HEALTHY else 1) as pool:
        while True:
            first = pool.submit(os.read, source, 1)
            pool.submit(os.write, sink, b"x")
            first.result()


def settled():
    time.sleep(0.7)
    ready()


if __name__ == "__main__":
    threading.Thread(target=settled, daemon=True).start()
    globals()[NAME]()
