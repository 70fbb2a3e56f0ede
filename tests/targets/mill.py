"""mill.py KIND STATE: sacks are brought, ground by two stones and stored, over two short queues.

KIND: threads, tasks (of asyncio), streams (of anyio).
cross: the stones put back into the queue that only they take from. died: the store has failed.
idle: no sack is brought yet. slow: the stones take their time. busy: everybody works.
"""

import asyncio
import queue
import socket
import sys
import threading
import time

from ready import ready

KIND, STATE = sys.argv[1:3]
SLOW_S = 100


def quiet_place():
    """Where somebody listens and says nothing."""
    return socket.create_server(("127.0.0.1", 0))


class ThreadMill:
    def __init__(self):
        self.sacks, self.flour = queue.Queue(2), queue.Queue(2)
        self.place = quiet_place()

    def bring(self):
        if STATE == "idle":
            self.place.accept()
        while True:
            self.sacks.put("sack")

    def grind(self):
        while True:
            sack = self.sacks.get()
            if STATE == "slow":
                time.sleep(SLOW_S)
            while STATE == "cross":
                self.sacks.put(sack)
            self.flour.put(sack)

    def store(self):
        while True:
            self.flour.get()
            if STATE == "died":
                raise ValueError("torn")
            time.sleep(0.005)

    def run(self):
        works = (self.bring, self.grind, self.grind, self.store)
        threads = [threading.Thread(target=one, name=one.__name__) for one in works]
        for thread in threads:
            thread.daemon = True
            thread.start()
        time.sleep(0.2)
        ready()
        for thread in threads:
            thread.join()


class TaskMill:
    """Of tasks; each kind gives and takes in its own way."""

    async def bring(self):
        if STATE == "idle":
            place = quiet_place()
            place.setblocking(False)
            await asyncio.get_running_loop().sock_accept(place)
        while True:
            await self.give_sack("sack")

    async def grind(self):
        while True:
            sack = await self.take_sack()
            if STATE == "slow":
                await asyncio.sleep(SLOW_S)
            while STATE == "cross":
                await self.give_sack(sack)
            await self.give_flour(sack)

    async def store(self):
        try:
            while True:
                await self.take_flour()
                if STATE == "died":
                    raise ValueError("torn")
                await asyncio.sleep(0.005)
        except ValueError:
            pass

    async def tell(self):
        await asyncio.sleep(0.2)
        ready()


class QueueMill(TaskMill):
    async def give_sack(self, sack):
        await self.sacks.put(sack)

    async def take_sack(self):
        return await self.sacks.get()

    async def give_flour(self, bag):
        await self.flour.put(bag)

    async def take_flour(self):
        return await self.flour.get()

    async def run(self):
        self.sacks, self.flour = asyncio.Queue(2), asyncio.Queue(2)
        works = self.bring(), self.grind(), self.grind(), self.store(), self.tell()
        await asyncio.gather(*works)


class StreamMill(TaskMill):
    async def give_sack(self, sack):
        await self.sacks_in.send(sack)

    async def take_sack(self):
        return await self.sacks_out.receive()

    async def give_flour(self, bag):
        await self.flour_in.send(bag)

    async def take_flour(self):
        return await self.flour_out.receive()

    async def run(self):
        self.sacks_in, self.sacks_out = anyio.create_memory_object_stream(2)
        self.flour_in, self.flour_out = anyio.create_memory_object_stream(2)
        async with anyio.create_task_group() as group:
            for work in (self.bring, self.grind, self.grind, self.store, self.tell):
                group.start_soon(work)


if KIND == "threads":
    ThreadMill().run()
elif KIND == "tasks":
    asyncio.run(QueueMill().run())
else:
    import anyio

    anyio.run(StreamMill().run)
