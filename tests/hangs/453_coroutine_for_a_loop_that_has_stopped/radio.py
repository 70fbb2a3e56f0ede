import asyncio
import threading


class Radio:
    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.run, name="radio", daemon=True)
        self.thread.start()

    def run(self):
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()

    def call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

    async def send(self, command):
        await asyncio.sleep(0.02)
        return command.upper()

    def connection_lost(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
