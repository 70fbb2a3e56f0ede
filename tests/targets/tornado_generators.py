"""Coroutines of ``gen.coroutine``, no tasks of asyncio, take turns with a lock and sleep."""

from ready import ready
from tornado import gen, ioloop, locks

LOCK = locks.Lock()


@gen.coroutine
def take_turns():
    while True:
        with (yield LOCK.acquire()):
            yield gen.sleep(0.5)


@gen.coroutine
def main():
    both = [take_turns(), take_turns()]
    ready()
    yield both


ioloop.IOLoop.current().run_sync(main)
