"""A server with one tool, which asks its client back."""

from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

desk = MCPServer("desk")


class Colour(BaseModel):
    colour: str


@desk.tool()
async def paint(thing: str, ctx: Context) -> str:
    """Paint a thing in a colour of the client's choice."""
    answer = await ctx.elicit("Which colour?", Colour)
    return "%s, %s" % (thing, answer.action)


@desk.tool()
async def colours() -> str:
    """The colours that there are."""
    return "red blue"


desk.run("stdio")
