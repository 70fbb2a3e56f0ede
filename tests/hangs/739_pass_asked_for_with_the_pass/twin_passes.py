import asyncio
import time


class PassOffice:
    def __init__(self, address):
        self.address = address
        self.lock = asyncio.Lock()
        self.value = None
        self.expires = 0

    async def current(self, session):
        async with self.lock:
            if self.expires < time.monotonic():
                async with session.post(self.address + "/passes", middlewares=()) as answer:
                    granted = await answer.json()
                self.value = granted["pass"]
                self.expires = time.monotonic() + granted["seconds"]
            return self.value

    async def __call__(self, request, handler):
        request.headers["Authorization"] = "Bearer " + await self.current(request.session)
        return await handler(request)
