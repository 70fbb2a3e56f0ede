"""Both ends of a connection wait for each other, as tasks of asyncio: in one process, or in two.

Names of what hangs: ``answer`` (the server reads to the end of a connection that the client keeps
open for its answer), ``half`` (too few bytes were sent), ``room`` (both send more than the
connection holds before they read), ``deaf`` (the server waits for an event before it reads).
``processes`` before one of them: the client is another process.
Healthy, for somebody else is to begin: ``timer``, ``pipe`` (its bytes are passed on), ``ticker`` (a
task that finds the streams by a global name), ``third`` (a client of another process is to write).
"""

import asyncio
import os
import subprocess
import sys

from ready import PYTHON, ready

KEPT = set()
BLOCK = b"x" * (1 << 20)


async def send_all(writer):
    for _ in range(64):
        writer.write(BLOCK)
        await writer.drain()


async def pass_on(reader, writer):
    KEPT.add(writer)
    while True:
        line = await reader.readline()
        if not line:
            return
        for one in KEPT:
            one.write(line)


async def serve(reader, writer):
    if NAME == "answer":
        body = await reader.read()
        writer.write(b"%d\n" % len(body))
    elif NAME == "half":
        while True:
            writer.write(await reader.readexactly(16))
    elif NAME == "room":
        await send_all(writer)
        await reader.read()
    elif NAME == "deaf":
        await asyncio.Event().wait()
    else:
        await pass_on(reader, writer)


async def ask(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    asyncio.get_event_loop().call_later(0.3, ready)
    if NAME == "room":
        await send_all(writer)
        return
    if NAME == "timer":
        asyncio.get_event_loop().call_later(3600, writer.write, b"now\n")
    elif NAME == "pipe":
        mine = os.pipe()[0]
        asyncio.get_event_loop().add_reader(mine, lambda: writer.write(os.read(mine, 100)))
    elif NAME in ("answer", "half"):
        writer.write(b"0123456789")
    await reader.readline()


async def tick():
    while True:
        await asyncio.sleep(3600)
        for one in KEPT:
            one.write(b"tick\n")


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    if "processes" in sys.argv:
        command = [PYTHON, __file__, NAME, "client", str(port)]
        subprocess.Popen(command)
        await asyncio.get_event_loop().create_future()
    elif NAME == "third":
        line = "import socket, time; s = socket.create_connection(('127.0.0.1', %d))" % port
        subprocess.Popen([PYTHON, "-c", line + "; time.sleep(1e5)"])
        await ask(port)
    elif NAME == "ticker":
        task = asyncio.ensure_future(tick())
        await ask(port)
        task.cancel()
    else:
        await ask(port)


NAME = next(word for word in sys.argv[1:] if word not in ("processes", "client"))
start = ask(int(sys.argv[-1])) if "client" in sys.argv else main()
asyncio.get_event_loop_policy().new_event_loop().run_until_complete(start)
