"""A thread waits for a coroutine that it gave to an event loop which has stopped before."""

import asyncio
import sys
import threading

from ready import ready


class Radio:
    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="radio")
        self.thread.start()

    async def send(self, command):
        return command.upper()

    def call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

    async def tell(self, done, coroutine):
        await coroutine
        done.set()

    def call_and_wait(self, coroutine):
        done = threading.Event()
        asyncio.run_coroutine_threadsafe(self.tell(done, coroutine), self.loop)
        done.wait()


radio = Radio()
radio.call(radio.send("on"))
radio.loop.call_soon_threadsafe(radio.loop.stop)
radio.thread.join()
threading.Timer(0.3, ready).start()
if sys.argv[1:] == ["event"]:
    radio.call_and_wait(radio.send("off"))
radio.call(radio.send("off"))
