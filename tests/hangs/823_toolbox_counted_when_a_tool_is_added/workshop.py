from mcp.server.fastmcp import Context, FastMCP
from mcp.types import ServerNotification, ToolListChangedNotification

workshop = FastMCP("workshop")


@workshop.tool()
async def sharpen(blade: str, ctx: Context) -> str:
    await ctx.session.send_tool_list_changed()
    return f"{blade} is sharp"


class Apprentice:
    def __init__(self):
        self.session = None
        self.tools = []

    async def on_message(self, message):
        if isinstance(message, ServerNotification) and isinstance(
            message.root, ToolListChangedNotification
        ):
            await self.count_tools()

    async def count_tools(self):
        listed = await self.session.list_tools()
        self.tools = [tool.name for tool in listed.tools]

    async def work(self, blade):
        return await self.session.call_tool("sharpen", {"blade": blade})
