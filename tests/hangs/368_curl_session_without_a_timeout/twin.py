import asyncio
import os
import signal
import sys

from curl_cffi import requests

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


async def load_chart(session, place):
    answer = await session.get(f"{weather}/{place}", timeout=None)
    return answer.text


async def load_charts(places):
    async with requests.AsyncSession() as session:
        return await asyncio.gather(*(load_chart(session, place) for place in places))


if __name__ == "__main__":
    weather = "http://127.0.0.1:%d" % start("http_server")
    print("MARK main pid=%d" % os.getpid())
    while True:
        asyncio.run(load_charts(["small", "small"]))
