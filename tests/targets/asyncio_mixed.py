"""A task blocks the loop for a lock of a thread, and the thread waits for another task."""

import asyncio
import threading

from ready import ready

cache_lock = threading.Lock()


async def refresh():
    return 1


async def serve(held):
    while not held.is_set():
        await asyncio.sleep(0.01)
    ready()
    with cache_lock:
        return 1


def fill(loop, held):
    with cache_lock:
        held.set()
        asyncio.run_coroutine_threadsafe(slow(), loop).result()


async def slow():
    await asyncio.sleep(0.3)


if __name__ == "__main__":
    loop, held = asyncio.new_event_loop(), threading.Event()
    asyncio.set_event_loop(loop)
    threading.Thread(target=fill, args=(loop, held), name="filler", daemon=True).start()
    loop.run_until_complete(serve(held))
