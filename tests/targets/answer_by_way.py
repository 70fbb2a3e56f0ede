"""A request of a client of asyncio whose answer comes by way of two tasks and a queue.

``request`` waits, with a timeout, for a future in a table of all requests; ``dispatch`` gives it
its result, once it takes the answer out of a queue; ``receive`` puts it there, once the server has
sent it, which it never does. ``flush`` gives results too, but to other futures.
"""

import asyncio

from ready import ready

CONNECTIONS = []


class Client:
    def __init__(self, stream):
        self.stream = stream
        self.requests = {}
        self.inbox = asyncio.Queue()
        self.outbox = asyncio.Queue()

    async def request(self, key):
        answer = asyncio.get_running_loop().create_future()
        self.requests[key] = answer
        return await asyncio.wait_for(answer, 3600)

    async def dispatch(self):
        while True:
            key, value = await self.inbox.get()
            answer = self.requests.get(key)
            answer.set_result(value)

    async def flush(self):
        while True:
            flushed = await self.outbox.get()
            flushed.set_result(None)

    async def receive(self):
        while True:
            line = await self.stream.readline()
            self.inbox.put_nowait(line.split())


async def main():
    server = await asyncio.start_server(lambda _, out: CONNECTIONS.append(out), "127.0.0.1", 0)
    stream, out = await asyncio.open_connection(*server.sockets[0].getsockname())
    CONNECTIONS.append(out)
    client = Client(stream)
    tasks = [
        asyncio.ensure_future(run()) for run in (client.dispatch, client.flush, client.receive)
    ]
    asyncio.get_running_loop().call_later(0.2, ready)
    await client.request("a")
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.run(main())
