import asyncio


class Listener:
    def __init__(self, client):
        self.client = client
        self.heard = []

    async def listen(self):
        async with self.client.stream("GET", "/story") as reply:
            async for line in reply.aiter_lines():
                self.heard.append(line)
                await self.client.post("/wish", content=b"a dragon")
        del self.heard[:-10]

    async def evenings(self):
        while True:
            await self.listen()
            await asyncio.sleep(0.05)


class Nurse:
    def __init__(self, client):
        self.client = client
        self.visits = 0

    async def look_in(self):
        while True:
            await self.client.get("/health")
            self.visits += 1
            await asyncio.sleep(0.5)
