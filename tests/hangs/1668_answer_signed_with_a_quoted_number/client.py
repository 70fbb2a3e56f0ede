import asyncio
import itertools
import json
import sys


class Refused(Exception):
    pass


class Line:
    """JSON-RPC to a program of ours, over its standard input and output."""

    def __init__(self):
        self.numbers = itertools.count(1)
        self.pending = {}
        self.program = None
        self.strays = 0

    async def start(self, script, *options):
        self.program = await asyncio.create_subprocess_exec(
            sys.executable,
            "-u",
            script,
            *options,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        return asyncio.create_task(self.listen(), name="listen")

    async def call(self, method, **params):
        number = next(self.numbers)
        answer = asyncio.get_running_loop().create_future()
        self.pending[number] = answer
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.program.stdin.write(json.dumps(message).encode() + b"\n")
        await self.program.stdin.drain()
        return await answer

    async def listen(self):
        while True:
            line = await self.program.stdout.readline()
            if not line:
                break
            self.take(json.loads(line))

    def take(self, message):
        answer = self.pending.pop(message.get("id"), None)
        if answer is None:
            self.strays += 1
        elif "error" in message:
            answer.set_exception(Refused(message["error"]))
        else:
            answer.set_result(message["result"])


class Herbarium:
    def __init__(self, line):
        self.line = line
        self.leaves = []

    async def describe(self, name):
        leaf = await self.line.call("describe", name=name)
        self.leaves.append(leaf)

    async def collect(self):
        for number in itertools.count():
            await self.describe("leaf %d" % number)
            await asyncio.sleep(0.05)


async def season():
    day = 0
    while True:
        await asyncio.sleep(0.4)
        day += 1
