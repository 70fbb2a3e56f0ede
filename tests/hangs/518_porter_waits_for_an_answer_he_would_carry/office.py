"""The bot server in a process of its own."""

import asyncio

from telegram import Office


async def main():
    office = Office()
    server = await asyncio.start_server(office.serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    office.post("parcel")
    await server.serve_forever()


asyncio.run(main())
