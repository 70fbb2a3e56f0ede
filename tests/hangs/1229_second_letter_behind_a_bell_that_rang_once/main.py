import asyncio
import multiprocessing
import os
import tempfile

import zmq


def run_scheduler(address):
    socket = zmq.Context.instance().socket(zmq.PAIR)
    socket.connect(address)
    while True:
        names = socket.recv_json()
        for name in names:
            socket.send_json({"name": name, "text": name.upper()})


class Tokenizer:
    def __init__(self, address):
        self.socket = zmq.Context.instance().socket(zmq.PAIR)
        self.socket.bind(address)
        self.waiting = {}
        asyncio.get_running_loop().add_reader(self.socket.getsockopt(zmq.FD), self.on_letters)

    def on_letters(self):
        while self.socket.getsockopt(zmq.EVENTS) & zmq.POLLIN:
            letter = self.socket.recv_json()
            self.waiting.pop(letter["name"]).set_result(letter["text"])
            if ONE:
                break

    async def generate(self, names):
        loop = asyncio.get_running_loop()
        futures = []
        for name in names:
            future = self.waiting[name] = loop.create_future()
            futures.append(future)
        self.socket.send_json(names)
        return [await future for future in futures]


async def serve(address):
    tokenizer = Tokenizer(address)
    await tokenizer.generate(["hello"])
    turn = 0
    while True:
        await tokenizer.generate(["turn-%d-%d" % (turn, part) for part in range(4)])
        turn += 1
        await asyncio.sleep(0.01)


def main():
    address = "ipc://" + os.path.join(tempfile.mkdtemp(prefix="tokens-"), "letters")
    multiprocessing.get_context("spawn").Process(
        target=run_scheduler, args=(address,), name="scheduler", daemon=True
    ).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(serve(address))


ONE = True


if __name__ == "__main__":
    main()
