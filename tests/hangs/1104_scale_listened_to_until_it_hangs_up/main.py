import asyncio
import os
import threading
import tty

import serial_asyncio

READS_TO_THE_END = True


class Scale:
    def __init__(self):
        self.inside, outside = os.openpty()
        tty.setraw(outside)
        self.name = os.ttyname(outside)
        threading.Thread(target=self.answer, name="scale", daemon=True).start()

    def answer(self):
        weight = 100
        while os.read(self.inside, 1) == b"W":
            weight += 1
            os.write(self.inside, b"%d g\n" % weight)


class Counter:
    def __init__(self, device):
        self.device = device
        self.weights = []

    async def plug_in(self):
        self.reader, self.writer = await serial_asyncio.open_serial_connection(
            url=self.device, baudrate=9600
        )

    async def weigh(self):
        self.writer.write(b"W")
        if READS_TO_THE_END:
            return await self.reader.read()
        return await self.reader.readline()

    async def sell(self):
        await self.plug_in()
        while True:
            self.weights.append(await self.weigh())
            del self.weights[:-10]
            await asyncio.sleep(0.02)


if __name__ == "__main__":
    counter = Counter(Scale().name)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(counter.sell())
