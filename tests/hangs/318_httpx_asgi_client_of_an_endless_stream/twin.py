import asyncio
import os
import signal

import httpx
from starlette.applications import Starlette
from starlette.responses import StreamingResponse
from starlette.routing import Route

signal.alarm(120)

news = asyncio.Queue()


async def send_events():
    while (event := await news.get()) is not None:
        await asyncio.sleep(0.05)
        yield f"data: {event}\n\n"


async def events(request):
    return StreamingResponse(send_events(), media_type="text/event-stream")


async def check_first_event(app):
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(
        transport=transport, base_url="http://shop", timeout=None
    ) as client:
        while True:
            await news.put("opened")
            await news.put(None)
            async with client.stream("GET", "/events") as response:
                lines = response.aiter_lines()
                assert await anext(lines) == "data: opened"


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(check_first_event(Starlette(routes=[Route("/events", events)])))
