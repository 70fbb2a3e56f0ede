import asyncio
import os
import signal
import sys

from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult

signal.alarm(120)

HERE = os.path.dirname(os.path.abspath(__file__))


class Painter:
    """Calls the desk, one call at a time."""

    def __init__(self):
        self.turn = asyncio.Lock()
        self.desk = None

    async def call(self, tool, **arguments):
        async with self.turn:
            return (await self.desk.call_tool(tool, arguments)).content[0].text

    async def choose_colour(self, context, question):
        colours = await self.call("colours")
        return ElicitResult(action="accept", content={"colour": colours.split()[0]})

    async def paint_house(self):
        server = StdioServerParameters(command=sys.executable, args=[os.path.join(HERE, "desk.py")])
        async with Client(
            server, mode="legacy", elicitation_callback=self.choose_colour
        ) as self.desk:
            return await self.call("paint", thing="house")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(asyncio.run(Painter().paint_house()))
