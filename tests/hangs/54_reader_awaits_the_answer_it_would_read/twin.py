import asyncio
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Session:
    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.replies = []

    async def send(self, command):
        reply = asyncio.get_running_loop().create_future()
        self.replies.append(reply)
        self.writer.write(command.encode() + b"\n")
        return await reply

    async def on_bridge(self, event):
        return await self.send("filter " + event)

    async def listen(self):
        while line := (await self.reader.readline()).decode():
            if line.startswith("event"):
                self.handling = asyncio.create_task(self.on_bridge(line.strip()))
            else:
                self.replies.pop(0).set_result(line)


async def watch_calls(port):
    session = Session(*await asyncio.open_connection("127.0.0.1", port))
    listener = asyncio.create_task(session.listen(), name="listener")
    await listener


if __name__ == "__main__":
    port = start("line_server")
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(watch_calls(port))
