import asyncio
import itertools
import os
import queue
import socket
import tempfile
import threading

from dbus_fast.aio import MessageBus
from dbus_fast.errors import AuthError

NAMES = dict.fromkeys(range(1, 10**6), "guest")


class Hall:
    def __init__(self, path):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        self.guests = queue.Queue()
        self.greeted = []

    def let_in(self):
        while True:
            link, _ = self.listener.accept()
            self.guests.put(link)

    def greet(self, number, link):
        link.recv(4096)
        self.greeted.append(NAMES[number])
        link.sendall(b"REJECTED EXTERNAL\r\n")
        link.close()
        del self.greeted[:-10]

    def attend(self):
        for number in itertools.count(1):
            self.greet(number, self.guests.get())

    def open(self):
        threading.Thread(target=self.let_in, name="door", daemon=True).start()
        threading.Thread(target=self.attend, name="porter", daemon=True).start()


class Visitor:
    def __init__(self, path):
        self.path = path
        self.refused = 0

    async def call_in(self):
        return await MessageBus(bus_address="unix:path=" + self.path).connect()

    async def visit(self):
        try:
            bus = await self.call_in()
            bus.disconnect()
        except (AuthError, OSError, EOFError):
            self.refused += 1


async def main():
    path = os.path.join(tempfile.mkdtemp(), "hall")
    Hall(path).open()
    visitor = Visitor(path)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await visitor.visit()
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(main())
