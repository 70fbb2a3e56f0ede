import asyncio

from starlette.applications import Starlette
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route


class Teller:
    def __init__(self, chapters):
        self.chapters = chapters
        self.wishes = asyncio.Queue()
        self.told = 0

    async def story(self):
        told = 0
        while self.chapters is None or told < self.chapters:
            yield "chapter %d\n" % told
            if self.chapters is None:
                wish = await self.wishes.get()
                yield "now with %s\n" % wish
            told += 1
            self.told += 1

    async def tell(self, request):
        return StreamingResponse(self.story(), media_type="text/event-stream")

    async def wish(self, request):
        self.wishes.put_nowait((await request.body()).decode())
        return JSONResponse({"wishes": self.wishes.qsize()})

    async def health(self, request):
        return JSONResponse({"told": self.told})

    def application(self):
        return Starlette(
            routes=[
                Route("/story", self.tell),
                Route("/wish", self.wish, methods=["POST"]),
                Route("/health", self.health),
            ]
        )
