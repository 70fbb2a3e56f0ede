"""A client of a library waits for the answer of a server that accepts and says nothing.

The name of the library is the argument: ``aiohttp`` or ``httpx``.
"""

import asyncio
import socket
import sys

from ready import ready

SILENT = socket.socket()
SILENT.bind(("127.0.0.1", 0))
SILENT.listen(1)
URL = "http://127.0.0.1:%d/price" % SILENT.getsockname()[1]


async def price():
    asyncio.get_event_loop().call_later(0.5, ready)
    if sys.argv[1] == "aiohttp":
        import aiohttp

        limit = aiohttp.ClientTimeout(total=None)
        async with aiohttp.ClientSession(timeout=limit) as session:
            async with session.get(URL) as response:
                return await response.text()
    import httpx

    async with httpx.AsyncClient(timeout=None) as client:
        return (await client.get(URL)).text


asyncio.get_event_loop_policy().new_event_loop().run_until_complete(price())
