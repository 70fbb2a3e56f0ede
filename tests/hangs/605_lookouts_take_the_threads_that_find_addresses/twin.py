import asyncio
import os
import signal
import threading

import aioftp

signal.alarm(120)


class Harbour:
    def __init__(self, lookouts):
        self.lookouts = lookouts
        self.ship = threading.Event()

    def look_out(self):
        self.ship.wait()

    async def send(self, port):
        async with aioftp.Client.context("localhost", port) as client:
            await client.get_current_directory()
        self.ship.set()


async def trade(lookouts):
    harbour = Harbour(lookouts)
    server = aioftp.Server()
    await server.start("127.0.0.1", 0)
    async with asyncio.TaskGroup() as work:
        for _ in range(harbour.lookouts):
            work.create_task(asyncio.to_thread(harbour.look_out))
        await asyncio.sleep(0.1)
        work.create_task(harbour.send(server.server_port))
    await server.close()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        asyncio.run(trade(2))
