"""reported_hangs.py NAME [healthy]: hangs as they were reported to the projects of schedulers and
of what is built on them, in programs of our own; or twins that get on.
"""

import asyncio
import functools
import os
import sys
import tempfile
import threading
import time

from ready import ready

NAME = sys.argv[1]
HEALTHY = sys.argv[2:] == ["healthy"]


async def tick():
    while True:
        await asyncio.sleep(0.05)


def run(main):
    """It, beside something that ticks."""

    async def both():
        ticking = asyncio.ensure_future(tick())
        await main()
        del ticking

    asyncio.run(both())


# -- python/cpython 155418, 128550: a group that was aborted before its eager child was in it ------


async def third():
    raise ValueError("the third one failed")


async def second(group):
    if HEALTHY:
        await asyncio.sleep(0.001)
    else:
        group.create_task(third())
        await asyncio.Event().wait()


def eager_group():
    async def main():
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
        while True:
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(second(group))
            except* ValueError:
                pass
            await asyncio.sleep(0.01)

    run(main)


# -- python-trio/trio-asyncio 143: a limiter that is taken once more by who has a token ------------


def limiter_twice():
    import trio

    async def submit(limiter):
        async with limiter:
            await trio.sleep(0.02)
            await trio.to_thread.run_sync(time.sleep, 0.001, limiter=None if HEALTHY else limiter)

    async def main():
        limiter = trio.CapacityLimiter(2)
        while True:
            async with trio.open_nursery() as tasks:
                for _ in range(3):
                    tasks.start_soon(submit, limiter)

    trio.run(main)


# -- empicano/aiomqtt 174: a callback of the loop waits for what the loop is to run ----------------


async def add_writer():
    await asyncio.sleep(0)


def on_register_write(loop):
    asked = asyncio.run_coroutine_threadsafe(add_writer(), loop)
    if not HEALTHY:
        asked.result()


def callback():
    async def main():
        loop = asyncio.get_running_loop()
        while True:
            loop.call_soon(on_register_write, loop)
            await asyncio.sleep(0.02)

    run(main)


# -- PrefectHQ/prefect 7897: two loops in two threads, each blocked by a wait for the other one ----


async def set_it(event):
    event.set()


def work_elsewhere(loop, event):
    async def finish():
        setting = asyncio.run_coroutine_threadsafe(set_it(event), loop)
        if HEALTHY:
            await asyncio.wrap_future(setting)
        else:
            setting.result()

    asyncio.run(finish())


def two_loops():
    async def main():
        loop, event = asyncio.get_running_loop(), asyncio.Event()
        while True:
            worker = threading.Thread(target=work_elsewhere, args=(loop, event), name="worker")
            worker.start()
            if HEALTHY:
                await event.wait()
                await loop.run_in_executor(None, worker.join)
            worker.join()
            event.clear()

    run(main)


# -- lbryio/lbry-sdk 939: a lock of threads held over a yield of Twisted ---------------------------


def lock_over_yield():
    from twisted.internet import defer, reactor, task

    writing = threading.Lock()

    @defer.inlineCallbacks
    def save_blob(number):
        while True:
            if HEALTHY:
                with writing:
                    pass
                yield task.deferLater(reactor, 0.02)
            else:
                with writing:
                    yield task.deferLater(reactor, 0.1)

    reactor.callWhenRunning(save_blob, 1)
    reactor.callLater(0.05, save_blob, 2)
    reactor.run()


# -- twisted/twisted 10124: a thread asks a reactor that has stopped -------------------------------


def reactor_stopped():
    from twisted.internet import reactor, task, threads

    def answer():
        return 1

    def ask():
        time.sleep(0.2)
        while HEALTHY:
            threads.blockingCallFromThread(reactor, answer)
            time.sleep(0.01)
        threads.blockingCallFromThread(reactor, answer)

    reactor.callWhenRunning(threads.deferToThread, ask)
    if not HEALTHY:
        reactor.callLater(0.1, reactor.stop)
    task.LoopingCall(lambda: None).start(0.02)
    reactor.run()


# -- fsspec/s3fs 914: a forked child asks the loop whose thread its parent has ---------------------


async def read_key():
    await asyncio.sleep(0.001)


def serve(loop):
    asyncio.set_event_loop(loop)
    loop.run_forever()


def fetch(loop):
    asyncio.run_coroutine_threadsafe(read_key(), loop).result()


def forked_loop():
    loop = asyncio.new_event_loop()
    threading.Thread(target=serve, args=(loop,), name="IO loop", daemon=True).start()
    fetch(loop)
    if HEALTHY:
        while True:
            fetch(loop)
            time.sleep(0.01)
    child = os.fork()
    if not child:
        fetch(loop)
        os._exit(0)
    os.waitpid(child, 0)


# -- itamarst/crochet 43: a module that waits for the loop while it is imported --------------------

SETTINGS = """
import asyncio
loop = None
def load(main):
    return asyncio.run_coroutine_threadsafe(main.look_up(), main.LOOP).result()
import __main__
value = load(__main__)
"""
LOOP = None


async def look_up():
    if not HEALTHY:
        import slow_settings

        return slow_settings
    await asyncio.sleep(0.001)


def import_waits():
    global LOOP
    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, "slow_settings.py"), "w") as file:
        file.write(SETTINGS)
    sys.path.insert(0, folder)
    LOOP = asyncio.new_event_loop()
    threading.Thread(target=serve, args=(LOOP,), name="IO loop", daemon=True).start()
    while True:
        import slow_settings

        del slow_settings, sys.modules["slow_settings"]
        time.sleep(0.01)


# -- dask/distributed 4557: the loop's own thread waits for an event that the loop is to set -------


def own_event():
    async def main():
        loop = asyncio.get_running_loop()
        while True:
            done = threading.Event()
            loop.call_soon_threadsafe(done.set)
            if HEALTHY:
                await asyncio.sleep(0.01)
            done.wait()

    run(main)


# -- gevent/gevent 1479: a greenlet that is killed between acquire() and release() -----------------


def killed_holder():
    import gevent
    from gevent.lock import BoundedSemaphore

    turn = BoundedSemaphore(1)

    def make_call():
        turn.acquire()
        gevent.sleep(0.02)
        turn.release()

    def serve_one():
        while True:
            turn.acquire()
            turn.release()
            gevent.sleep(0.01)

    def beat():
        while True:
            gevent.sleep(0.05)

    gevent.spawn(beat)
    making = gevent.spawn(make_call)
    gevent.sleep(0.01)
    if not HEALTHY:
        making.kill()
    gevent.joinall([gevent.spawn(serve_one), gevent.spawn(serve_one)])


# -- agronholm/anyio 49: a stream of which one sending end stays open ------------------------------


def open_end():
    import anyio

    async def produce(sending):
        async with sending:
            await sending.send(1)

    async def consume(receiving):
        async for _ in receiving:
            await anyio.sleep(0.001)

    async def main():
        while True:
            sending, receiving = anyio.create_memory_object_stream(1)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(produce, sending.clone())
                tasks.start_soon(consume, receiving)
                if HEALTHY:
                    sending.close()
            sending.close()

    run(main)


def own_end():
    """Who takes from it keeps an end for those who send, and nothing ticks beside."""
    import anyio

    async def produce(sending):
        async with sending:
            await sending.send(1)

    async def collect():
        while True:
            sending, receiving = anyio.create_memory_object_stream(1)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(produce, sending.clone())
                if HEALTHY:
                    sending.close()
                async for _ in receiving:
                    await anyio.sleep(0.001)

    anyio.run(collect)


def unset_event():
    """Made before any loop runs, as a module does; the loop goes on ticking."""
    import anyio

    opened = anyio.Event()

    async def open_shop():
        opened.set()

    async def serve():
        await opened.wait()

    async def tick():
        while True:
            if HEALTHY:
                await open_shop()
            await anyio.sleep(0.05)

    async def main():
        while True:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(serve)
                tasks.start_soon(tick)

    anyio.run(main)


# -- tornadoweb/tornado 1464: notified before anybody waits ----------------------------------------


def notified_early():
    from tornado.locks import Condition

    async def wait_for_news(news):
        await asyncio.sleep(0.02)
        await news.wait()

    async def publish(news):
        news.notify_all()
        while HEALTHY:
            await asyncio.sleep(0.01)
            news.notify_all()

    async def main():
        news = Condition()
        publishing = asyncio.ensure_future(publish(news))
        while True:
            await wait_for_news(news)
        await publishing

    run(main)


# -- a generator that nobody closes, with a lock in it ---------------------------------------------


def open_generator():
    async def rows(lock):
        async with lock:
            for number in range(10):
                yield number

    async def first_row(lock):
        found = rows(lock)
        async for row in found:
            break
        if HEALTHY:
            await found.aclose()
        await use(lock)
        return row

    async def use(lock):
        async with lock:
            await asyncio.sleep(0.001)

    async def main():
        lock = asyncio.Lock()
        while True:
            await first_row(lock)

    run(main)


def settled():
    time.sleep(1)
    ready()


if __name__ == "__main__":
    if NAME not in ("forked_loop",) or HEALTHY:
        threading.Thread(target=settled, daemon=True).start()
    else:
        functools.partial(ready)()
    globals()[NAME]()
