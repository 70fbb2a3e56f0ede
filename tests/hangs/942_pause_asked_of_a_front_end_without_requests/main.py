import asyncio
import multiprocessing
import os
import pickle
import tempfile

import zmq
import zmq.asyncio


class FrontEnd:
    def __init__(self, context, name, folder):
        self.name = name
        self.states = {}
        self.pausing = None
        self.handling = None
        self.from_router = context.socket(zmq.DEALER)
        self.from_router.setsockopt(zmq.IDENTITY, name.encode())
        self.from_router.connect("ipc://%s/router" % folder)

    def start_handle_loop(self):
        if self.handling is None:
            self.handling = asyncio.create_task(self.handle_loop(), name="handle " + self.name)

    async def handle_loop(self):
        while True:
            kind, number, value = await self.from_router.recv_pyobj()
            if kind == "pause" and self.pausing is not None:
                self.pausing.set_result(value)
                self.pausing = None
            elif kind == "request":
                self.states.pop(number).set_result(value)

    async def generate(self, number, prompt):
        self.start_handle_loop()
        state = self.states[number] = asyncio.get_running_loop().create_future()
        await self.from_router.send_pyobj(("request", number, prompt))
        return await state

    async def pause(self):
        self.pausing = pausing = asyncio.get_running_loop().create_future()
        await self.from_router.send_pyobj(("pause", 0, self.name))
        return await pausing


def route(folder):
    socket = zmq.Context().socket(zmq.ROUTER)
    socket.bind("ipc://%s/router" % folder)
    while True:
        sender, message = socket.recv_multipart()
        kind, number, value = pickle.loads(message)
        socket.send_multipart([sender, pickle.dumps((kind, number, value.upper()))])


async def pause_all(front_ends):
    for one in front_ends:
        await one.pause()


async def serve(folder):
    context = zmq.asyncio.Context()
    front_ends = [FrontEnd(context, name, folder) for name in ("first", "second")]
    number = 0
    while True:
        for one in front_ends[:BUSY]:
            await one.generate(number, "prompt %d" % number)
        number += 1
        if number % 20 == 0:
            await pause_all(front_ends)
        await asyncio.sleep(0.05)


BUSY = 1


if __name__ == "__main__":
    folder = tempfile.mkdtemp(prefix="front-")
    multiprocessing.Process(target=route, args=(folder,), name="router", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(serve(folder))
