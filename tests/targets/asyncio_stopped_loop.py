"""A thread waits for a coroutine that it gave to an event loop which has stopped before."""

import asyncio
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


radio = Radio()
radio.call(radio.send("on"))
radio.loop.call_soon_threadsafe(radio.loop.stop)
radio.thread.join()
threading.Timer(0.3, ready).start()
radio.call(radio.send("off"))
