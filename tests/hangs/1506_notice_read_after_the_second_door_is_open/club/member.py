import asyncio
import sys

import httpx
import websockets


async def dine(client):
    await asyncio.sleep(2)
    for number in range(5):
        await client.post("/guests", json={"name": "guest-%d" % number}, timeout=None)


async def read(notices, count):
    for _ in range(count):
        await notices.recv()


async def evening(port, name, reads_while):
    uri = "ws://127.0.0.1:%d/notices?name=%s" % (port, name)
    async with httpx.AsyncClient(base_url="http://127.0.0.1:%d" % port) as client:
        async with websockets.connect(
            uri, max_queue=2, ping_interval=None, compression=None
        ) as notices:
            await read(notices, 2)
            listening = asyncio.create_task(read(notices, 10**9)) if reads_while else None
            while True:
                await dine(client)
                if listening is None:
                    await read(notices, 20)


if __name__ == "__main__":
    asyncio.run(evening(int(sys.argv[1]), sys.argv[2], sys.argv[3] == "both"))
