import asyncio
import itertools
import json
import sys


class LanguageClient:
    def __init__(self, command, offers):
        self.command = command
        self.offers = offers
        self.numbers = itertools.count(1)
        self.pending = {}
        self.notices = []

    async def start(self):
        self.child = await asyncio.create_subprocess_exec(
            *self.command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        self.listener = asyncio.create_task(self.listen(), name="listener")

    def send(self, message):
        body = json.dumps(message).encode()
        self.child.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    async def read(self):
        size = 0
        while (line := await self.child.stdout.readline()).strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                size = int(value)
        return json.loads(await self.child.stdout.readexactly(size))

    async def listen(self):
        while True:
            message = await self.read()
            if "method" in message:
                self.on_notice(message)
            else:
                self.pending.pop(message["id"]).set_result(message["result"])

    def on_notice(self, message):
        self.notices.append(message["method"])
        if message["method"] in self.offers:
            answer = self.offers[message["method"]](message["params"])
            self.send({"id": message["id"], "result": answer})

    async def request(self, method, params):
        number = next(self.numbers)
        self.pending[number] = asyncio.get_running_loop().create_future()
        self.send({"id": number, "method": method, "params": params})
        await self.child.stdin.drain()
        return await self.pending[number]


def server_command(pace):
    return [sys.executable, "-m", "editor.server", str(pace)]
