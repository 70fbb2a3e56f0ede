import asyncio
import os

import httpx

from audience import Listener, Nurse
from teller import Teller

CHAPTERS = None


async def main():
    transport = httpx.ASGITransport(app=Teller(CHAPTERS).application())
    async with httpx.AsyncClient(
        transport=transport, base_url="http://nursery", timeout=None
    ) as client:
        print("MARK main pid=%d" % os.getpid(), flush=True)
        await asyncio.gather(Listener(client).evenings(), Nurse(client).look_in())


if __name__ == "__main__":
    asyncio.run(main())
