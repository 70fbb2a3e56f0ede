import asyncio
import multiprocessing
import os
import tempfile

import zmq
import zmq.asyncio


def run_scheduler(folder):
    context = zmq.Context()
    requests, replies = context.socket(zmq.PULL), context.socket(zmq.PUSH)
    requests.bind("ipc://" + folder + "/requests")
    replies.connect("ipc://" + folder + "/replies")
    while True:
        kind, body = requests.recv_pyobj()
        replies.send_pyobj((kind, body[::-1] if body else {"running": 0}))


class Communicator:
    def __init__(self, requests):
        self.requests = requests
        self.answered = asyncio.Event()
        self.reply = None

    async def ask(self, kind, body):
        self.answered.clear()
        await self.requests.send_pyobj((kind, body))
        await self.answered.wait()
        return self.reply

    def take(self, reply):
        self.reply = reply
        self.answered.set()


class Manager:
    def __init__(self, folder):
        context = zmq.asyncio.Context()
        self.replies, requests = context.socket(zmq.PULL), context.socket(zmq.PUSH)
        self.replies.bind("ipc://" + folder + "/replies")
        requests.connect("ipc://" + folder + "/requests")
        self.communicator = Communicator(requests)
        self.receiver = None

    async def receive(self):
        while True:
            _, reply = await self.replies.recv_pyobj()
            self.communicator.take(reply)

    def start_receiving(self):
        if self.receiver is None:
            self.receiver = asyncio.create_task(self.receive(), name="receiver")

    async def generate(self, prompt):
        self.start_receiving()
        return await self.communicator.ask("generate", prompt)

    async def server_info(self):
        return await self.communicator.ask("info", "")


async def probe(manager):
    while True:
        await manager.server_info()
        await asyncio.sleep(0.1)


async def serve(folder):
    manager = Manager(folder)
    if WARM:
        await manager.generate("hello")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.create_task(probe(manager), name="probe")


WARM = True


if __name__ == "__main__":
    folder = tempfile.mkdtemp(prefix="scheduler-")
    multiprocessing.Process(
        target=run_scheduler, args=(folder,), name="scheduler", daemon=True
    ).start()
    asyncio.run(serve(folder))
