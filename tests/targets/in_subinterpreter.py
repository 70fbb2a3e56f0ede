"""Code that waits in a sub-interpreter: ``in_subinterpreter.py lock|lock-in-thread|deadlock|busy``.

The main thread calls into it; with ``lock-in-thread`` and ``busy`` a thread of its own does.
"""

import os
import sys
import threading

from ready import ready

try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters

LOCK = """
import os, threading
lock = threading.Lock()
lock.acquire()
def waits_inside():
    lock.acquire()
os.write(%d, b"!")
waits_inside()
"""
DEADLOCK = """
import os, threading
left, right = threading.Lock(), threading.Lock()
both = threading.Barrier(2)
def take(first, second):
    with first:
        both.wait()
        with second:
            pass
threads = [
    threading.Thread(target=take, args=(left, right), name="inner-one"),
    threading.Thread(target=take, args=(right, left), name="inner-two"),
]
for thread in threads:
    thread.start()
os.write(%d, b"!")
for thread in threads:
    thread.join()
"""
BUSY = """
import os, threading, time
left, right = threading.Lock(), threading.Lock()
os.write(%d, b"!")
while True:
    with left:
        with right:
            sum(range(2000))
    time.sleep(0.001)
"""


def create():
    """An interpreter whose threads are allowed, shared GIL or not."""
    if sys.version_info >= (3, 13):
        return interpreters.create("legacy")
    if sys.version_info >= (3, 9):
        return interpreters.create(isolated=False)
    return interpreters.create()


def calls_it(script, writer):
    interpreter = create()
    call = getattr(interpreters, "exec", interpreters.run_string)
    call(interpreter, script % writer)


def say_when_it_is_there(reader, count):
    left = count
    while left:
        left -= len(os.read(reader, left))
    ready()


if __name__ == "__main__":
    kind = sys.argv[1]
    if kind == "lock":
        # Nobody else is there to say it: the FIFO itself is written to.
        calls_it(LOCK, os.open(os.environ["HANGTUI_READY"], os.O_WRONLY))
    reader, writer = os.pipe()
    scripts = {"lock-in-thread": [LOCK], "deadlock": [DEADLOCK], "busy": [BUSY, BUSY]}[kind]
    threads = [
        threading.Thread(target=calls_it, args=(script, writer), name="caller")
        for script in scripts
    ]
    for thread in threads:
        thread.start()
    say_when_it_is_there(reader, len(scripts))
    for thread in threads:
        thread.join()
