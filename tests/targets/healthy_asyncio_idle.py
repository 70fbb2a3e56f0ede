"""An idle server with a heartbeat, a worker at an empty queue and a pool: nothing is wrong."""

import asyncio
import threading

from ready import ready


async def handle(reader, writer):
    writer.write(await reader.readline())


async def beat():
    while True:
        await asyncio.sleep(0.5)


async def work(queue):
    while True:
        await queue.get()


async def main():
    loop, queue = asyncio.get_event_loop(), asyncio.Queue()
    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    stop = threading.Event()
    tasks = [loop.create_task(beat()), loop.create_task(work(queue))]
    tasks.append(loop.run_in_executor(None, stop.wait))
    ready()
    await asyncio.wait(tasks)
    server.close()


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(main())
