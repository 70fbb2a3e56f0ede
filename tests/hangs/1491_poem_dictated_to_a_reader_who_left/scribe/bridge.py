import asyncio
import queue
import threading

DONE = object()


class LoopThread(threading.Thread):
    def __init__(self):
        super().__init__(name="service-loop", daemon=True)
        self.loop = asyncio.new_event_loop()

    def run(self):
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()

    def submit(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop)


class Bridge:
    """Gives the items of an asynchronous generator to a thread."""

    def __init__(self, service, size):
        self.service = service
        self.size = size

    def stream(self, generator):
        box = queue.Queue(maxsize=self.size)
        self.service.submit(self._produce(generator, box))
        while (item := box.get()) is not DONE:
            yield item

    async def _produce(self, generator, box):
        try:
            async for item in generator:
                box.put(item)
        finally:
            box.put(DONE)
