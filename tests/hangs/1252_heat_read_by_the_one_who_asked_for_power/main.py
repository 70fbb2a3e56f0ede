import asyncio
import os
import socket
import threading
import time


class Meter:
    def __init__(self, line):
        self.line = line
        self.values = {}

    async def reading(self, kind):
        loop = asyncio.get_running_loop()
        while kind not in self.values:
            arrived = loop.create_future()
            self.watch(loop, arrived)
            await arrived
            self.sort_in()
        return self.values.pop(kind)

    def watch(self, loop, arrived):
        def on_bytes():
            loop.remove_reader(self.line)
            if not arrived.done():
                arrived.set_result(None)

        loop.add_reader(self.line, on_bytes)

    def sort_in(self):
        for part in self.line.recv(4096).decode().split():
            kind, _, value = part.partition("=")
            self.values[kind] = float(value)


async def watch_house(meter):
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(0.01)
        await loop.sock_sendall(meter.line, b"?")
        if ONE_AT_A_TIME:
            await meter.reading("heat")
            await meter.reading("power")
        else:
            await asyncio.gather(
                asyncio.create_task(meter.reading("heat"), name="heat"),
                asyncio.create_task(meter.reading("power"), name="power"),
            )


def answer(line):
    number = 0
    while line.recv(1):
        time.sleep(0.05)
        line.sendall(b"heat=%d power=%d " % (number, number))
        number += 1


ONE_AT_A_TIME = False


if __name__ == "__main__":
    near, far = socket.socketpair()
    near.setblocking(False)
    threading.Thread(target=answer, args=(far,), name="boiler", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(watch_house(Meter(near)))
