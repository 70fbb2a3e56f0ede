import asyncio

from starlette.applications import Starlette
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route


class Headphones:
    def __init__(self, pairs):
        self.pairs = asyncio.Semaphore(pairs)
        self.lent = 0

    async def lend(self):
        await self.pairs.acquire()
        self.lent += 1

    def take_back(self):
        self.lent -= 1
        self.pairs.release()


class Station:
    def __init__(self, pairs, notes):
        self.headphones = Headphones(pairs)
        self.notes = notes

    async def sing(self):
        for note in range(self.notes):
            await asyncio.sleep(0.01)
            yield b"%d\n" % note
        self.headphones.take_back()

    async def listen(self, request):
        await self.headphones.lend()
        return StreamingResponse(self.sing(), media_type="text/plain")

    async def health(self, request):
        return JSONResponse({"lent": self.headphones.lent})


def application(pairs, notes):
    station = Station(pairs, notes)
    return Starlette(routes=[Route("/listen", station.listen), Route("/health", station.health)])
