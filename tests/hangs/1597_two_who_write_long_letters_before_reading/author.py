import asyncio
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent


class Secretary:
    """A child that remarks on every word of a page while it reads."""

    def __init__(self, chatter):
        self.chatter = chatter
        self.pen = asyncio.Lock()
        self.pages = {}
        self.remarks = 0

    async def start(self):
        self.child = await asyncio.create_subprocess_exec(
            sys.executable,
            str(HERE / "secretary.py"),
            str(self.chatter),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )

    async def send(self, message):
        async with self.pen:
            self.child.stdin.write(json.dumps(message).encode() + b"\n")
            await self.child.stdin.drain()

    async def listen(self):
        async for line in self.child.stdout:
            letter = json.loads(line)
            if "done" in letter:
                page = self.pages.pop(letter["done"], None)
                if page is not None:
                    page.set_result(self.remarks)
            else:
                await self.note(letter)

    async def note(self, letter):
        self.remarks += 1
        if self.remarks % 100 == 0:
            await self.send({"number": -1, "words": []})

    async def read_page(self, number, words):
        self.pages[number] = asyncio.get_running_loop().create_future()
        await self.send({"number": number, "words": words})
        return await self.pages[number]


class Author:
    def __init__(self, secretary):
        self.secretary = secretary
        self.finished = 0

    async def write(self, words):
        number = 0
        while True:
            number += 1
            pages = [["word%d" % n * 30] * words for n in range(3)]
            await asyncio.gather(
                *(
                    self.secretary.read_page(number * 10 + place, page)
                    for place, page in enumerate(pages)
                )
            )
            self.finished += 1
            await asyncio.sleep(0.1)

    async def tea(self):
        while True:
            await asyncio.sleep(0.4)


async def main(chatter, words):
    secretary = Secretary(chatter)
    await secretary.start()
    author = Author(secretary)
    async with asyncio.TaskGroup() as group:
        group.create_task(secretary.listen(), name="listener")
        group.create_task(author.write(words), name="writer")
        group.create_task(author.tea(), name="tea")
        print("MARK main pid=%d" % os.getpid(), flush=True)


def run(chatter, words):
    asyncio.run(main(chatter, words))
