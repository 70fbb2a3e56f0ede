"""Tasks wait for a lock that nobody gives back, beside a connection that nobody reads from.

With ``reading`` as argument a task reads from it: what comes there may bring somebody on the way.
"""

import asyncio
import os
import signal
import socket
import sys

from ready import ready

READING = sys.argv[1:] == ["reading"]


async def use(turn):
    await turn.acquire()


async def read(reader):
    await reader.read(1)


async def main(end):
    reader, writer = await asyncio.open_connection(sock=end)
    turn = asyncio.Lock()
    tasks = [asyncio.ensure_future(use(turn)) for _ in range(3)]
    if READING:
        tasks.append(asyncio.ensure_future(read(reader)))
    asyncio.get_event_loop().call_later(0.2, ready)
    await asyncio.gather(*tasks)
    writer.close()


if __name__ == "__main__":
    own, other = socket.socketpair()
    if os.fork() == 0:
        own.close()
        signal.alarm(120)
        while other.recv(1):
            pass
        os._exit(0)
    other.close()
    asyncio.get_event_loop_policy().new_event_loop().run_until_complete(main(own))
