import asyncio
import os
import signal

from mcp.shared.memory import create_connected_server_and_client_session
from mcp.types import ServerNotification, ToolListChangedNotification

from workshop import Apprentice, workshop

signal.alarm(120)


class PatientApprentice(Apprentice):
    def __init__(self):
        super().__init__()
        self.counting = set()

    async def on_message(self, message):
        if isinstance(message, ServerNotification) and isinstance(
            message.root, ToolListChangedNotification
        ):
            task = asyncio.create_task(self.count_tools())
            self.counting.add(task)
            task.add_done_callback(self.counting.discard)


async def main():
    apprentice = PatientApprentice()
    async with create_connected_server_and_client_session(
        workshop._mcp_server, message_handler=apprentice.on_message
    ) as session:
        apprentice.session = session
        while True:
            await apprentice.work("chisel")
            await asyncio.sleep(0.1)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
