import asyncio
import signal


class House:
    def __init__(self):
        self.closing = asyncio.Event()

    def ring(self, number, frame):
        self.closing.set()

    def listen(self):
        signal.signal(signal.SIGUSR1, self.ring)

    async def wait_for_the_bell(self):
        await self.closing.wait()
