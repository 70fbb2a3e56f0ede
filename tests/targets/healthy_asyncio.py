"""An echo server with its clients in one event loop, a lock and a queue between them."""

import asyncio
import itertools

from ready import ready


async def echo(reader, writer):
    while True:
        line = await reader.readline()
        if not line:
            return
        writer.write(line)
        await writer.drain()


async def client(port, lock, queue, totals):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for number in itertools.count():
        async with lock:
            writer.write(b"%d\n" % number)
            await writer.drain()
            totals.append(await reader.readline())
        await queue.put(number)


async def count(queue, totals):
    while True:
        await queue.get()
        if len(totals) > 1000:
            totals.clear()


async def main():
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    lock, queue, totals = asyncio.Lock(), asyncio.Queue(4), []
    clients = [client(port, lock, queue, totals) for _ in range(8)]
    asyncio.get_event_loop().call_later(0.1, ready)
    await asyncio.gather(count(queue, totals), *clients)


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(main())
