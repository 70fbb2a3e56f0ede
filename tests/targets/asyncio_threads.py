"""A thread with a lock waits for a task, that for a thread of a pool, and that for the lock."""

import asyncio
import threading

from ready import ready

ledger_lock = threading.Lock()


def write():
    with ledger_lock:
        return 1


async def report():
    return await asyncio.get_event_loop().run_in_executor(None, write)


def serve(loop):
    asyncio.set_event_loop(loop)
    loop.call_later(0.1, ready)
    loop.run_forever()


def close_books(loop):
    with ledger_lock:
        asyncio.run_coroutine_threadsafe(report(), loop).result()


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    threading.Thread(target=serve, args=(loop,), name="loop", daemon=True).start()
    clerk = threading.Thread(target=close_books, args=(loop,), name="clerk", daemon=True)
    clerk.start()
    clerk.join()
