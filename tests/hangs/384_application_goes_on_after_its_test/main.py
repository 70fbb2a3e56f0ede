import contextlib
import os
import signal

import anyio
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

signal.alarm(120)


async def store_votes(votes, counts):
    async for name in votes:
        counts[name] = counts.get(name, 0) + 1


@contextlib.asynccontextmanager
async def count_votes(app):
    app.state.ballot, votes = anyio.create_memory_object_stream(100)
    app.state.counts = {}
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(store_votes, votes, app.state.counts)
        yield


async def vote(request):
    await request.app.state.ballot.send(request.path_params["name"])
    return JSONResponse({"thanks": True})


def check_votes():
    app = Starlette(routes=[Route("/vote/{name}", vote)], lifespan=count_votes)
    with TestClient(app) as client:
        assert client.get("/vote/ada").json() == {"thanks": True}


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    check_votes()
