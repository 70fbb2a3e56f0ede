import asyncio

from websockets.asyncio.server import serve


async def quote(line):
    async for count in line:
        for number in range(int(count)):
            await line.send("rye %d " % number * 20)


async def run_exchange():
    async with serve(quote, "127.0.0.1", 0, ping_interval=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(run_exchange())
