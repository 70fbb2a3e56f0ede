import asyncio
import os


class Limit:
    def __init__(self, slots):
        self.free = slots
        self.changed = asyncio.Condition()

    async def acquire(self, count):
        async with self.changed:
            while self.free < count:
                await self.changed.wait()
            self.free -= count

    async def release(self, count):
        async with self.changed:
            self.free += count
            self.changed.notify_all()


class Proxy:
    def __init__(self, slots):
        self.limit = Limit(slots)
        self.drafts = []

    async def stream(self, prompt, slots):
        await self.limit.acquire(slots)
        yield "queued"
        try:
            for word in prompt.split():
                await asyncio.sleep(0.005)
                yield word
        finally:
            await self.limit.release(slots)


async def chat(proxy, prompt):
    return [word async for word in proxy.stream(prompt, 2)]


async def peek(proxy, prompt):
    stream = proxy.stream(prompt, 1)
    first = await anext(stream)
    if LOOKS_TWICE:
        first = await anext(stream)
    await stream.aclose()
    return first


async def serve(proxy):
    number = 0
    while True:
        async with asyncio.TaskGroup() as group:
            group.create_task(chat(proxy, "one two three"), name="chat-%d" % number)
            group.create_task(peek(proxy, "four five"), name="peek-%d" % number)
        number += 1


LOOKS_TWICE = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(serve(Proxy(6)))
