"""A task sends to a peer that does not read, through a library's own protocol on asyncio, while
another waits for what that peer says.
"""

import asyncio
import os
import socket
import subprocess
import sys

from ready import PYTHON, ready

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "near_ends_of/site-packages"))  # fmt: skip  # noqa: E501

import tinychat

LISTENS = "import socket, time; s = socket.create_connection(('127.0.0.1', %d)); time.sleep(1e5)"


async def hear(feed):
    return await feed.answer()


async def tell(feed):
    while True:
        await feed.send(b"x" * (1 << 20))


async def main():
    loop = asyncio.get_event_loop()
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    subprocess.Popen([PYTHON, "-c", LISTENS % listener.getsockname()[1]])
    accepted, _ = listener.accept()
    _, feed = await loop.create_connection(tinychat.Feed, sock=accepted)
    listens = asyncio.ensure_future(hear(feed))
    loop.call_later(0.5, ready)
    await tell(feed)
    await listens


asyncio.get_event_loop_policy().new_event_loop().run_until_complete(main())
