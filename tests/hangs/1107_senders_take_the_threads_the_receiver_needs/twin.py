import asyncio
import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor


def run_engine(requests, answers):
    while True:
        name, text = requests.get()
        for word in text.split():
            answers.put((name, word))
        answers.put((name, None))


class Client:
    def __init__(self, size):
        self.requests, self.answers = multiprocessing.Queue(SIZE), multiprocessing.Queue(SIZE)
        self.streams = {}
        self.pool = ThreadPoolExecutor(size, thread_name_prefix="transport")

    async def call(self, function, *arguments):
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.pool, function, *arguments)

    async def receive_all(self):
        while True:
            name, word = await self.call(self.answers.get)
            self.streams[name].put_nowait(word)

    async def synthesize(self, name, text):
        stream = self.streams[name] = asyncio.Queue()
        await self.call(self.requests.put, (name, text))
        words = []
        while (word := await stream.get()) is not None:
            words.append(word)
        return words


async def serve(client):
    receiver = asyncio.create_task(client.receive_all(), name="receiver")
    number = 0
    while not receiver.done():
        calls = [client.synthesize((number, part), "one two three") for part in range(8)]
        await asyncio.gather(*calls)
        number += 1


SIZE = 100


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    client = Client(4)
    engine = multiprocessing.Process(
        target=run_engine, args=(client.requests, client.answers), name="engine", daemon=True
    )
    engine.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(serve(client))
