import asyncio
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


class Carrier:
    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.receipts = []

    async def deliver(self, crate):
        self.writer.write(crate.encode() + b"\n")
        await self.writer.drain()
        self.receipts.append(await self.reader.readline())

    async def close(self):
        self.writer.close()
        await self.writer.wait_closed()


async def open_depot():
    depot = await asyncio.create_subprocess_exec(
        sys.executable,
        os.path.join(HERE, "depot.py"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    return int(await depot.stdout.readline())


async def run_carrier():
    port = await open_depot()
    carrier = Carrier(*await asyncio.open_connection("127.0.0.1", port))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        for crate in CRATES:
            await carrier.deliver(crate)
        carrier.receipts.clear()
        await asyncio.sleep(0.05)


CRATES = ["12 plums", "30 pears", "9 apples", "4 melons"]


if __name__ == "__main__":
    asyncio.run(run_carrier())
