import asyncio
import os
import tempfile

import zmq
import zmq.asyncio


async def run_engine(address):
    socket = zmq.asyncio.Context.instance().socket(zmq.ROUTER)
    socket.bind(address)
    while True:
        client, number, prompt = await socket.recv_multipart()
        asyncio.create_task(answer(socket, client, number, prompt))


async def answer(socket, client, number, prompt):
    await asyncio.sleep(len(prompt) / 100)
    await socket.send_multipart([client, number, prompt.upper()])


class Client:
    def __init__(self, address):
        self.socket = zmq.asyncio.Context.instance().socket(zmq.DEALER)
        self.socket.connect(address)
        self.waiting = {}
        self.receiver = asyncio.create_task(self.receive_all(), name="receiver")

    async def receive_all(self):
        while True:
            number, text = await self.socket.recv_multipart()
            future = self.waiting.pop(int(number))
            if STRICT or not future.done():
                future.set_result(text)

    async def generate(self, number, prompt):
        future = self.waiting[number] = asyncio.get_running_loop().create_future()
        await self.socket.send_multipart([b"%d" % number, prompt])
        return await future


async def translate(client, number):
    return await client.generate(number, b"a sentence")


async def suggest(client, number):
    try:
        async with asyncio.timeout(0.05):
            return await client.generate(number, b"half a sentence")
    except TimeoutError:
        return b""


async def serve(address):
    client, number = Client(address), 0
    while True:
        await translate(client, number)
        await suggest(client, number + 1)
        number += 2


async def main(address):
    asyncio.create_task(run_engine(address), name="engine")
    await serve(address)


STRICT = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    folder = tempfile.mkdtemp(prefix="engine-")
    asyncio.run(main("ipc://" + os.path.join(folder, "requests")))
