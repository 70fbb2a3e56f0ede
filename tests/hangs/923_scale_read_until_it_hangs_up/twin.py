import asyncio
import os
import socket
import subprocess
import sys

import telnetlib3

COMMANDS = {"weigh": "12.5 kg", "tare": "ok", "name": "scale 4"}
ENDS = ("quit", "weigh")


async def attend(reader, writer):
    while True:
        command = (await reader.readline()).strip()
        if not command:
            break
        writer.write(COMMANDS.get(command, "?") + "\r\n")
        await writer.drain()
        if command in ENDS:
            break
    writer.close()


async def run_scale(port):
    server = await telnetlib3.create_server(
        host="127.0.0.1", port=port, shell=attend, connect_maxwait=0.1, timeout=0
    )
    await server.wait_closed()
    await asyncio.Event().wait()


class Counter:
    def __init__(self, port):
        self.port = port
        self.weights = []

    async def weigh(self, item):
        reader, writer = await telnetlib3.open_connection(
            "127.0.0.1", self.port, connect_minwait=0.05, connect_maxwait=0.2
        )
        writer.write("weigh\r\n")
        try:
            text = await reader.read()
        except ConnectionError:
            text = "?"
        writer.close()
        self.weights.append((item, text.strip()))

    async def serve(self):
        while True:
            for item in ("flour", "tea", "rice"):
                await self.weigh(item)
            self.weights.clear()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


async def wait_until_open(port):
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            await asyncio.sleep(0.1)


async def run_counter():
    port = free_port()
    subprocess.Popen([sys.executable, "-u", __file__, "scale", str(port)])
    await wait_until_open(port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await Counter(port).serve()


if __name__ == "__main__":
    if sys.argv[1:2] == ["scale"]:
        asyncio.run(run_scale(int(sys.argv[2])))
    else:
        asyncio.run(run_counter())
