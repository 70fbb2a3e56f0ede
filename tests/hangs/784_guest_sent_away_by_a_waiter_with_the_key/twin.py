import asyncio
import os
import signal

from quiet import QuietHall

signal.alarm(120)


async def run_evenings(hall):
    while True:
        for guest in ("Anna", "Ben"):
            hall.announce(guest)
        await asyncio.sleep(0.1)
        await hall.close()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(run_evenings(QuietHall(0)))
