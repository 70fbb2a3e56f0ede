import asyncio
import os

from workshop.trades import Foreman, Painter, call_shifts, heat_glue

POLITELY = False


async def main():
    foreman = Foreman(POLITELY)
    foreman.painter = Painter(foreman)
    foreman.begin()
    foreman.painter.begin()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(call_shifts(foreman), heat_glue({}))


if __name__ == "__main__":
    asyncio.run(main())
