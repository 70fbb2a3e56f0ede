import asyncio
import os

import grpc

from gauges import Beacon, Bridge, RiverOffice

CLOSING = True


async def main():
    server, port = await RiverOffice().serve()
    async with grpc.aio.insecure_channel("127.0.0.1:%d" % port) as channel:
        bridge = Bridge(channel, CLOSING)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        async with asyncio.TaskGroup() as group:
            group.create_task(bridge.report_days(), name="bridge")
            group.create_task(Beacon().flash(), name="beacon")
            group.create_task(server.wait_for_termination(), name="office")


if __name__ == "__main__":
    asyncio.run(main())
