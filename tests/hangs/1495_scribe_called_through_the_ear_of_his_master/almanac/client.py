import asyncio
import itertools
import json
import sys


class Client:
    def __init__(self):
        self.numbers = itertools.count()
        self.waiting = {}
        self.server = None
        self.listener = None

    async def open(self, how):
        self.server = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "almanac.server",
            how,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        self.listener = asyncio.create_task(self._listen(), name="listener")

    async def _listen(self):
        while line := await self.server.stdout.readline():
            answer = json.loads(line)
            self.waiting.pop(answer["id"]).set_result(answer["result"])

    async def call(self, method, **params):
        number = next(self.numbers)
        answer = self.waiting[number] = asyncio.get_running_loop().create_future()
        line = json.dumps({"id": number, "method": method, "params": params})
        self.server.stdin.write(line.encode() + b"\n")
        await self.server.stdin.drain()
        return await answer
