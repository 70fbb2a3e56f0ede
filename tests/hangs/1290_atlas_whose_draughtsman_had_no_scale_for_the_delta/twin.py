import asyncio
import os
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette


class Atlas:
    def __init__(self):
        self.drawn = asyncio.Event()
        self.maps = {}

    async def draw(self, sources):
        for name in sources:
            self.maps[name] = SCALES[name]
        self.drawn.set()

    async def opened(self):
        await self.drawn.wait()
        return self.maps


@asynccontextmanager
async def lifespan(app):
    app.state.atlas = Atlas()
    app.state.drawing = asyncio.create_task(app.state.atlas.draw(SOURCES))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await app.state.atlas.opened()
    yield


SCALES = {"harbour": 5000, "river": 20000}
SOURCES = ("harbour", "river")

if __name__ == "__main__":
    uvicorn.run(Starlette(lifespan=lifespan), host="127.0.0.1", port=0, log_level="error")
