import asyncio
import multiprocessing
import os
import socket
import time


def run_station(line, other):
    other.close()
    while True:
        line.sendall(b"wind 12 knots\n")
        line.recv(16)
        time.sleep(0.01)


class Tower:
    def __init__(self):
        self.lines = []
        self.log = []

    async def follow(self, line):
        reader, writer = await asyncio.open_connection(sock=line)
        self.lines.append(writer)
        while True:
            self.log.append(await reader.readline())
            writer.write(b"noted\n")
            if len(self.log) % 100 == 0:
                self.print_chart()

    def print_chart(self):
        child = os.fork()
        if child == 0:
            try:
                self.draw()
            finally:
                os._exit(0)
        os.waitpid(child, 0)

    def draw(self):
        if TIDY:
            for writer in self.lines:
                writer.close()
        with open(os.devnull, "w") as chart:
            for line in self.log[-100:]:
                chart.write(repr(line))


async def keep_watch(line):
    tower = Tower()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await tower.follow(line)


TIDY = False


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    ours, theirs = socket.socketpair()
    station = context.Process(target=run_station, args=(theirs, ours), name="station", daemon=True)
    station.start()
    theirs.close()
    asyncio.run(keep_watch(ours))
