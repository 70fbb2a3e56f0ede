import asyncio
import os
import signal

from mcp.shared.memory import create_connected_server_and_client_session

from workshop import Apprentice, workshop

signal.alarm(120)


async def main():
    apprentice = Apprentice()
    async with create_connected_server_and_client_session(
        workshop._mcp_server, message_handler=apprentice.on_message
    ) as session:
        apprentice.session = session
        print(await apprentice.work("chisel"))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
