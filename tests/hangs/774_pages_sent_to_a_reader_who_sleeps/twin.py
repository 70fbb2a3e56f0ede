import asyncio
import os
import signal
import subprocess
import sys

from aiohttp import web
from paper import Paper

signal.alarm(120)


async def open_paper(second):
    paper = Paper()
    app = web.Application()
    app.router.add_get("/", paper.subscribe)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    readers = os.path.join(os.path.dirname(os.path.abspath(__file__)), "readers.py")
    house = "http://127.0.0.1:%d/" % runner.addresses[0][1]
    subprocess.Popen([sys.executable, readers, house, second])
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await paper.print_pages()


if __name__ == "__main__":
    asyncio.run(open_paper("awake"))
