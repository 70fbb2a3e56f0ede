import asyncio
import os
import socket


class Counter:
    def __init__(self, name, tickets):
        self.name = name
        self.tickets = tickets

    async def attend(self, door):
        loop = asyncio.get_running_loop()
        while self.tickets:
            visitor, _ = await loop.sock_accept(door)
            self.tickets -= 1
            await self.hand_out(visitor)

    async def hand_out(self, visitor):
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(visitor, b"ticket of %s\n" % self.name.encode())
        visitor.close()


class Station:
    def __init__(self):
        self.door = socket.create_server(("127.0.0.1", 0))
        self.door.setblocking(False)
        self.counters = [Counter(name, count) for name, count in COUNTERS]
        self.tasks = []

    def open(self):
        for counter in self.counters:
            task = asyncio.create_task(counter.attend(self.door), name=counter.name)
            self.tasks.append(task)
        return self.door.getsockname()[1]


async def visit(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    ticket = await reader.readline()
    writer.close()
    return ticket


async def run_day():
    station = Station()
    port = station.open()
    await asyncio.sleep(0.05)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await visit(port)
        await asyncio.sleep(0.02)


COUNTERS = [("north", 10_000_000), ("south", 20)]


if __name__ == "__main__":
    asyncio.run(run_day())
