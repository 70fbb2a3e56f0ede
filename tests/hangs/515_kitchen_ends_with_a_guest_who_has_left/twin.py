import asyncio
import os
import signal

from a2a.server.events.event_queue_v2 import EventQueueSource
from a2a.types import Message

signal.alarm(120)


class Kitchen:
    def __init__(self, dishes):
        self.dishes = dishes

    async def cook(self, counter):
        for number in range(self.dishes):
            await counter.enqueue_event(Message(message_id="dish %d" % number))
            await asyncio.sleep(0.01)


async def eat(table, hunger):
    for _ in range(hunger):
        await table.dequeue_event()
        table.task_done()


async def serve_evening():
    async with EventQueueSource(max_queue_size=8, create_default_sink=False) as counter:
        table = await counter.tap(max_queue_size=8)
        cooking = asyncio.create_task(Kitchen(12).cook(counter), name="cooking")
        await eat(table, 12)
        await cooking


async def serve_week():
    while True:
        await serve_evening()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(serve_week())
