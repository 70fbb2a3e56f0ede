import asyncio
import multiprocessing
import os
import tempfile

from scales.office import open_office
from scales.wire import pack, receive


class Sender:
    def __init__(self, path, spare):
        self.path = path
        self.spare = spare
        self.costs = []

    async def connect(self):
        while not os.path.exists(self.path):
            await asyncio.sleep(0.05)
        self.reader, self.writer = await asyncio.open_unix_connection(self.path)

    async def post(self, label):
        self.writer.write(pack({"label": label}, self.spare))
        await self.writer.drain()
        answer = await receive(self.reader)
        self.costs.append(answer["grams"])

    async def lights(self, states):
        while True:
            states.append(len(states) % 2)
            del states[:-4]
            await asyncio.sleep(0.3)

    async def day(self, labels):
        await self.connect()
        lights = asyncio.create_task(self.lights([]), name="lights")
        print("MARK main pid=%d" % os.getpid(), flush=True)
        for label in labels:
            await self.post(label)
        lights.cancel()
        return sum(self.costs)


def main(spare, delay):
    path = os.path.join(tempfile.mkdtemp(), "scales.sock")
    office = multiprocessing.get_context("spawn").Process(
        target=open_office, args=(path, delay), name="office", daemon=True
    )
    office.start()
    print(asyncio.run(Sender(path, spare).day(["Zürich", "Genève", "Basel"])))
