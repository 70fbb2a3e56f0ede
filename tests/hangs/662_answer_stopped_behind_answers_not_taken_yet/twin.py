import asyncio
import os
import signal

from claude_agent_sdk import AssistantMessage, ClaudeAgentOptions, ClaudeSDKClient

signal.alarm(120)

CLI = os.path.join(os.path.dirname(os.path.abspath(__file__)), "assistant.py")


class Editor:
    def __init__(self, client):
        self.client = client
        self.lines = []

    async def write_story(self, limit):
        await self.client.query("Write a long story, a line at a time.")
        async for message in self.client.receive_response():
            if isinstance(message, AssistantMessage):
                self.lines.append(message.content[0].text)
            if len(self.lines) == limit:
                stop = asyncio.create_task(self.client.interrupt())
        await stop
        self.lines.clear()


async def work():
    options = ClaudeAgentOptions(cli_path=CLI)
    async with ClaudeSDKClient(options) as client:
        editor = Editor(client)
        while True:
            await editor.write_story(20)
            await asyncio.sleep(0.1)


if __name__ == "__main__":
    os.environ["CLAUDE_AGENT_SDK_SKIP_VERSION_CHECK"] = "1"
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(work())
