"""Tasks of asyncio whose event loop hears nothing of what they wait for: ``unwatched.py NAME``.

``accept``: of two tasks in `sock_accept` the second has taken the first one's place, and ended.
``forked``: a child closed its copy of the connection, by the event loop that it has a copy of.
``closed``: the connection whose protocol would set the future was closed; ``open``: it is open.
"""

import asyncio
import os
import socket
import sys

from ready import ready


class Line(asyncio.Protocol):
    def __init__(self):
        self.waiting = []

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.waiting.pop(0).set_result(data)


class Desk:
    def __init__(self, line):
        self.line = line

    async def ask(self):
        answer = asyncio.get_event_loop().create_future()
        self.line.waiting.append(answer)
        return await answer


async def accept():
    loop = asyncio.get_event_loop()
    door = socket.socket()
    door.bind(("127.0.0.1", 0))
    door.listen(1)
    door.setblocking(False)
    first = asyncio.ensure_future(loop.sock_accept(door))
    second = asyncio.ensure_future(loop.sock_accept(door))
    await asyncio.sleep(0)
    with socket.create_connection(door.getsockname()):
        await second
    loop.call_soon(ready)
    await first


async def forked():
    near, far = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=near)
    await asyncio.sleep(0.01)  # so that the loop watches it
    child = os.fork()
    if child == 0:
        writer.close()
        os._exit(0)
    os.waitpid(child, 0)
    asyncio.get_event_loop().call_soon(ready)
    await reader.readline()
    far.close()


async def ask():
    near, far = socket.socketpair()
    _, line = await asyncio.get_event_loop().create_connection(Line, sock=near)
    if NAME == "closed":
        line.transport.close()
    await asyncio.sleep(0.01)
    asyncio.get_event_loop().call_soon(ready)
    await Desk(line).ask()
    far.close()


NAME = sys.argv[1]
PLAYS = {"accept": accept, "forked": forked, "closed": ask, "open": ask}
asyncio.get_event_loop_policy().new_event_loop().run_until_complete(PLAYS[NAME]())
