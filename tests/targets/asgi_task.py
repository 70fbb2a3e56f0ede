"""A server of ASGI that runs the application in a task of its own: ``asgi_task.py http`` has it a
request in hand, with ``websocket`` the connection of somebody who says nothing."""

import asyncio
import sys

from ready import ready


async def application(scope, receive, send):
    while True:
        await asyncio.sleep(3600)


async def main():
    server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    scope = {"type": sys.argv[1], "client": ("10.0.0.7", 4711)}
    kept = asyncio.ensure_future(application(scope, None, None))
    asyncio.get_running_loop().call_later(0.3, ready)
    async with server:
        await server.serve_forever()
    await kept


if __name__ == "__main__":
    asyncio.run(main())
