import asyncio
import sys

import aiohttp


class Mule:
    def __init__(self, session, base):
        self.session = session
        self.base = base
        self.heard = 0

    async def hear(self, socket):
        async for _message in socket:
            self.heard += 1

    async def greet(self):
        async with self.session.post(self.base + "/greet/mule") as answer:
            return await answer.json()

    async def stand(self, manner):
        async with self.session.ws_connect(self.base + "/listen/mule", max_msg_size=0) as socket:
            if manner == "attentive":
                ear = asyncio.create_task(self.hear(socket))
            await asyncio.sleep(3)
            await self.greet()
            if manner == "attentive":
                await ear
            await self.hear(socket)


async def main(port, manner):
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        await Mule(session, "http://127.0.0.1:" + port).stand(manner)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
