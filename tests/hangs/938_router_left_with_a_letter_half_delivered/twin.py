import asyncio
import os
import socket
import subprocess
import sys

import librouteros

CONFIRMED = True
RULES = 250000


def read_sentence(stream):
    words = []
    while True:
        size = stream.read(1)[0]
        if size >= 0xE0:
            size = (size & 0x1F) << 24 | int.from_bytes(stream.read(3), "big")
        elif size >= 0xC0:
            size = (size & 0x3F) << 16 | int.from_bytes(stream.read(2), "big")
        elif size >= 0x80:
            size = (size & 0x7F) << 8 | stream.read(1)[0]
        if not size:
            return words
        words.append(stream.read(size))


def apply_rules():
    if not CONFIRMED:
        sys.stdin.readline()


def run_router(listener):
    while True:
        link, _ = listener.accept()
        with link, link.makefile("rb") as stream:
            read_sentence(stream)
            link.sendall(b"\x05!done\0")
            apply_rules()
            while stream.read(65536):
                pass


class Office:
    def __init__(self, port):
        self.port = port
        self.sent = 0

    async def pick_up(self):
        return await librouteros.async_connect("127.0.0.1", "clerk", "-", port=self.port, timeout=3)

    async def send_rules(self, router):
        sentence = ["=rule=" + "x" * 50] * RULES
        try:
            await router.protocol.writeSentence("/ip/firewall/add", *sentence)
            self.sent += 1
        except TimeoutError:
            self.sent -= 1

    async def put_down(self, router):
        await router.close()

    async def work(self):
        while True:
            router = await self.pick_up()
            await self.send_rules(router)
            await self.put_down(router)
            await asyncio.sleep(2)


async def main():
    listener = socket.create_server(("127.0.0.1", 0))
    command = [sys.executable, "-u", __file__, str(listener.fileno())]
    router = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[listener.fileno()])
    port = listener.getsockname()[1]
    listener.close()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await Office(port).work()
    router.wait()


if __name__ == "__main__":
    if sys.argv[1:]:
        run_router(socket.socket(fileno=int(sys.argv[1])))
    else:
        asyncio.run(main())
