import asyncio
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


class Translator:
    def __init__(self, words):
        self.words = words
        self.process = None

    async def open(self):
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            os.path.join(HERE, "translate.py"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )

    async def feed(self, pages):
        for page in pages:
            self.process.stdin.write(page.encode() + b"\n")
            await self.process.stdin.drain()
        self.process.stdin.close()

    async def translate(self, pages):
        await self.open()
        await self.feed(pages)
        text = await self.process.stdout.read()
        await self.process.wait()
        self.words += len(text.split())
        return text


class Publisher:
    def __init__(self, translator):
        self.translator = translator
        self.printed = []

    async def publish(self, title, pages):
        text = await self.translator.translate(pages)
        self.printed.append((title, len(text)))


def pages_of(count):
    return ["the sea was calm and the lamp was lit %d" % number * 20 for number in range(count)]


async def run_house():
    publisher = Publisher(Translator(0))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await publisher.publish("the lighthouse", pages_of(PAGES))
        await asyncio.sleep(0.05)


PAGES = 4000


if __name__ == "__main__":
    asyncio.run(run_house())
