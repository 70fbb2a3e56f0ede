import asyncio
import os

from mirror import Mirror, clock, serve

READS = True


async def main():
    server = await serve()
    mirror = Mirror(server.sockets[0].getsockname()[1], READS)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(
        asyncio.create_task(mirror.follow(), name="mirror"),
        asyncio.create_task(clock(), name="clock"),
    )


if __name__ == "__main__":
    asyncio.run(main())
