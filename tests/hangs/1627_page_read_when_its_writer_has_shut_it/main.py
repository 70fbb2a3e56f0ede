import asyncio
import os
import tempfile

from press.desk import Clock, Compositor
from press.reader import Reader

KEEPS_OPEN = True


async def main():
    tray = tempfile.mkdtemp(prefix="press")
    reader = Reader(tray)
    reader.look()
    compositor = Compositor(tray, reader, KEEPS_OPEN)
    clock = Clock()
    tasks = [
        asyncio.create_task(reader.work(), name="reader"),
        asyncio.create_task(compositor.work(), name="compositor"),
        asyncio.create_task(clock.strike(), name="clock"),
    ]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.run(main())
