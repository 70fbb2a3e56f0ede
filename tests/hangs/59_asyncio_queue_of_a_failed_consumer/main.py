import asyncio
import os
import signal

signal.alarm(120)
seen = []


def handle_event(event):
    seen.append(event["kind"])


async def consume_events(events):
    while True:
        event = await events.get()
        handle_event(event)
        events.task_done()


async def publish_events(events, batch):
    for event in batch:
        await events.put(event)
    await events.join()


async def stream(batch):
    events = asyncio.Queue()
    consumer = asyncio.create_task(consume_events(events), name="consumer")
    await publish_events(events, batch)
    consumer.cancel()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(stream([{"kind": "text"}, {"tool": "search"}, {"kind": "end"}]))
