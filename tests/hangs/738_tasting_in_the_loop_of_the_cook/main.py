import asyncio
import os
import signal

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

signal.alarm(120)


class Cook:
    def __init__(self):
        self.loop = asyncio.get_running_loop()

    async def season(self, dish):
        await asyncio.sleep(0.01)
        return dish + " with salt"

    async def serve(self, request):
        dish = request.path_params["dish"]
        seasoned = asyncio.run_coroutine_threadsafe(self.season(dish), self.loop)
        return JSONResponse(await asyncio.wrap_future(seasoned))


def make_kitchen(cook):
    return Starlette(routes=[Route("/dishes/{dish}", cook.serve)])


async def taste(dish):
    client = TestClient(make_kitchen(Cook()))
    return client.get("/dishes/" + dish).json()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(asyncio.run(taste("soup")))
