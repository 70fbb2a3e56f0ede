"""A loop that keeps none of asyncio's own fields, as one that is written in C, run by a thread that
calls it directly: its task waits for the lock that another task of it has, for ever."""

import asyncio
import queue
import threading

from ready import ready


class Loop(asyncio.AbstractEventLoop):
    def __init__(self):
        self.calls = queue.Queue()

    def get_debug(self):
        return False

    def is_running(self):
        return True

    def create_future(self):
        return asyncio.Future(loop=self)

    def create_task(self, coroutine, **options):
        return asyncio.Task(coroutine, loop=self, **options)

    def call_soon(self, callback, *arguments, context=None):
        self.calls.put(lambda: callback(*arguments))

    def call_exception_handler(self, context):
        pass

    def run_forever(self):
        asyncio._set_running_loop(self)
        while True:
            self.calls.get()()


async def keep(lock):
    async with lock:
        await loop.create_future()


async def ask(lock):
    async with lock:
        pass


async def both():
    lock = asyncio.Lock()
    tasks.append(loop.create_task(keep(lock)))
    tasks.append(loop.create_task(ask(lock)))
    loop.call_soon(ready)


loop, tasks = Loop(), []
loop.call_soon(lambda: tasks.append(loop.create_task(both())))
runner = threading.Thread(target=loop.run_forever, name="loop-runner")
runner.start()
runner.join()
