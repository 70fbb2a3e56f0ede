"""A thread waits for an event that a call would set which it gave to an event loop of asyncio; the
loop's thread waits for that thread: ``queued_elsewhere.py hung``, or ``free``: it does not.
"""

import asyncio
import sys
import threading

from ready import ready

done = threading.Event()


def file_letters(loop):
    threading.Timer(0.3, ready).start()
    while True:
        loop.call_soon_threadsafe(done.set)
        done.wait()
        done.clear()


async def run_office():
    loop = asyncio.get_event_loop()
    clerk = threading.Thread(target=file_letters, args=(loop,), name="clerk", daemon=True)
    clerk.start()
    if sys.argv[1] == "hung":
        clerk.join()
    await asyncio.sleep(3600)


asyncio.get_event_loop_policy().new_event_loop().run_until_complete(run_office())
