import asyncio
import os
import subprocess
import sys

import tornado.httpserver
import tornado.netutil

from board import application

PLACES = 3


async def main():
    sockets = tornado.netutil.bind_sockets(0, "127.0.0.1")
    server = tornado.httpserver.HTTPServer(application(PLACES))
    server.add_sockets(sockets)
    here = os.path.dirname(os.path.abspath(__file__))
    port = str(sockets[0].getsockname()[1])
    subprocess.Popen([sys.executable, os.path.join(here, "visitors.py"), port])
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
