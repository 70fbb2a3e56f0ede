"""Greenlets that a program switches between by hand, on one thread: ``plain_greenlets.py NAME
[healthy]``."""

import asyncio
import sys
import threading
import time
from collections import deque

from greenlet import getcurrent, greenlet
from ready import ready

LIBRARY = """
class Player:
    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.runner = greenlet(self.loop.run_forever)

    def result(self, coroutine):
        future, caller = self.loop.create_task(coroutine), getcurrent()
        future.add_done_callback(lambda _: caller.switch())
        while not future.done():
            self.runner.switch()
        return future.result()
"""
HEALTHY = "healthy" in sys.argv
lock = threading.Lock()
done = threading.Event()
turns = deque()


def pause():
    turns.append(getcurrent())
    getcurrent().parent.switch()


def schedule(*functions):
    turns.extend(map(greenlet, functions))
    while turns:
        turns.popleft().switch()
        time.sleep(0.005)


def keep():
    while True:
        with lock:
            if not HEALTHY:
                pause()
        pause()


def take():
    while True:
        with lock:
            pass
        pause()


def held():
    """One is left while it has a lock, the next one waits for it and stops them all."""
    schedule(keep, take)


def promise():
    while True:
        pause()
        done.set()


def rely():
    while True:
        if HEALTHY:
            pause()
            pause()
        done.wait()
        done.clear()


def event():
    """One waits for what another one sets, which is never its turn."""
    schedule(promise, rely)


def own():
    """Another thread has the lock for a while, whatever greenlets there are."""

    def work():
        while True:
            with lock:
                time.sleep(0.05)

    threading.Thread(target=work, daemon=True).start()
    schedule(take, take)


async def answer():
    await (asyncio.sleep(0.005) if HEALTHY else asyncio.Event().wait())


def ask(player):
    while True:
        player.result(answer())


def library():
    """A library runs its event loop in a greenlet of its own while its caller waits."""
    exec(compile(LIBRARY, "/venv/lib/python3/site-packages/player/sync.py", "exec"), globals())
    ask(Player())  # noqa: F821


ready()
{"held": held, "event": event, "own": own, "library": library}[sys.argv[1]]()
