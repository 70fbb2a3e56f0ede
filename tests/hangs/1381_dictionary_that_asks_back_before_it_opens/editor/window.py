import asyncio
import os

from editor.client import LanguageClient, server_command

SETTINGS = {"language": "de", "words": ["der", "die"]}


class Window:
    def __init__(self, client):
        self.client = client
        self.marks = []
        self.blinks = 0

    async def cursor(self):
        while True:
            self.blinks += 1
            await asyncio.sleep(0.5)

    async def open(self, text):
        cursor = asyncio.create_task(self.cursor(), name="cursor")
        await self.client.start()
        print("MARK main pid=%d" % os.getpid(), flush=True)
        await self.client.request("initialize", {"name": "window"})
        self.marks = await self.client.request("check", {"text": text})
        cursor.cancel()
        return self.marks


def main(configured, pace):
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    offers = {"workspace/configuration": lambda params: SETTINGS} if configured else {}
    client = LanguageClient(server_command(pace), offers)
    print(asyncio.run(Window(client).open("der die dsa")))
