"""A task that reads from a socket which another one closes without a word to the event loop."""

import asyncio
import socket

from ready import ready


async def listen(line):
    return await asyncio.get_running_loop().sock_recv(line, 100)


async def main():
    line, far = socket.socketpair()
    line.setblocking(False)
    listener = asyncio.create_task(listen(line), name="listener")
    await asyncio.sleep(0.1)
    line.close()
    asyncio.get_running_loop().call_later(0.1, ready)
    await listener
    far.close()


asyncio.run(main())
