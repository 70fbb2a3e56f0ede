"""Who asks over a connection, and a server that takes one question after the other.

Usage: questions.py thread|task thread|task hung|slow
The first names the client, the second its server, in a process of its own.
hung: the server leaves the third question unanswered; slow: it takes its time for each.
"""

import asyncio
import os
import socket
import sys
import time

from ready import ready

CLIENT, SERVER, STATE = sys.argv[1:4]
SLOW_S = 0.4


def page(count):
    return b"page %d\n" % count


def archive(connection):
    count = 0
    with connection.makefile("rwb") as file:
        for _ in file:
            count += 1
            if STATE == "slow":
                time.sleep(SLOW_S)
            elif count == 3:
                continue
            file.write(page(count))
            file.flush()


async def archive_in_a_task(connection):
    reader, writer = await asyncio.open_connection(sock=connection)
    count = 0
    while await reader.readline():
        count += 1
        if STATE == "slow":
            await asyncio.sleep(SLOW_S)
        elif count == 3:
            continue
        writer.write(page(count))


class Clerk:
    def __init__(self, connection):
        self.connection = connection

    def work(self):
        self.file = self.connection.makefile("rwb")
        for number in range(1000):
            if number == 2:
                ready()
            self.ask(number)

    def ask(self, number):
        self.file.write(b"%d\n" % number)
        self.file.flush()
        return self.file.readline()

    async def work_in_a_task(self):
        self.reader, self.writer = await asyncio.open_connection(sock=self.connection)
        lock = asyncio.Lock()
        for number in range(1000):
            if number == 2:
                ready()
            async with lock:
                await self.ask_in_a_task(number)

    async def ask_in_a_task(self, number):
        self.writer.write(b"%d\n" % number)
        return await self.reader.readline()


def main():
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        ours.close()
        if SERVER == "thread":
            archive(theirs)
        else:
            asyncio.run(archive_in_a_task(theirs))
        return
    theirs.close()
    clerk = Clerk(ours)
    if CLIENT == "thread":
        clerk.work()
    else:
        asyncio.run(clerk.work_in_a_task())


if __name__ == "__main__":
    main()
