import asyncio
import os

from ferry import Landing, tide

PATIENCE = 86400


async def main():
    await asyncio.gather(
        asyncio.create_task(Landing(PATIENCE).season(), name="landing"),
        asyncio.create_task(tide(), name="tide"),
    )


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
