"""A task asks the event loop for what comes to a plain socket: ``open``, or closed meanwhile; or to
one of a pair of Unix sockets, of which the process has both: ``pair``."""

import asyncio
import socket
import sys

from ready import ready


async def listen(loop, line):
    return await loop.sock_recv(line, 100)


async def main(how):
    loop = asyncio.get_event_loop()
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen(1)
    line = socket.create_connection(server.getsockname())
    other = None
    if how == "pair":
        line, other = socket.socketpair()
    line.setblocking(False)
    task = asyncio.ensure_future(listen(loop, line))
    await asyncio.sleep(0.1)
    if how == "closed":
        line.close()
    loop.call_later(0.1, ready)
    await task
    print(other)


if __name__ == "__main__":
    asyncio.get_event_loop_policy().new_event_loop().run_until_complete(main(sys.argv[1]))
