import asyncio
import os
import signal
import sys

import aiohttp

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)
responses = []


async def file_size(session, url):
    response = await session.get(url)
    responses.append(response)
    return int(response.headers["Content-Length"])


async def compare_files(session, url):
    ours = await file_size(session, url + "/big/ours")
    theirs = await file_size(session, url + "/big/theirs")
    return ours == theirs


async def main(port):
    connector = aiohttp.TCPConnector(limit=1)
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
        print("MARK main pid=%d" % os.getpid())
        url = f"http://127.0.0.1:{port}"
        await asyncio.create_task(compare_files(session, url), name="compare-files")


if __name__ == "__main__":
    asyncio.run(main(start("http_server")))
