import asyncio
import os
import signal
import sys
from contextlib import AsyncExitStack

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

signal.alarm(120)

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools.py")


class Toolbox:
    def __init__(self):
        self.stack = AsyncExitStack()

    async def open(self):
        command = StdioServerParameters(command=sys.executable, args=[SERVER])
        read, write = await self.stack.enter_async_context(stdio_client(command))
        self.session = ClientSession(read, write)
        await self.session.initialize()

    async def names(self):
        return [tool.name for tool in (await self.session.list_tools()).tools]

    async def close(self):
        await self.stack.aclose()


async def show_tools():
    toolbox = Toolbox()
    await toolbox.open()
    try:
        print(await toolbox.names(), flush=True)
    finally:
        await toolbox.close()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(show_tools())
