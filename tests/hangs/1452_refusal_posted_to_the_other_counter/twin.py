import asyncio
import multiprocessing
import os
import pickle
import tempfile
import time

import zmq
import zmq.asyncio


class Counter:
    """One of several front ends that take requests in and hand answers out."""

    def __init__(self, name, folder):
        context = zmq.asyncio.Context()
        self.name = name
        self.number = 0
        self.states = {}
        self.line = context.socket(zmq.DEALER)
        self.line.setsockopt(zmq.IDENTITY, name.encode())
        self.line.connect("ipc://%s/scheduler" % folder)

    async def hand_out(self):
        while True:
            number, answer = pickle.loads(await self.line.recv())
            state = self.states.pop(number, None)
            if state is not None:
                state.set_result(answer)

    async def generate(self, prompt):
        self.number += 1
        number = "%s-%d" % (self.name, self.number)
        state = self.states[number] = asyncio.get_running_loop().create_future()
        await self.line.send(pickle.dumps((number, prompt)))
        return await state

    async def serve(self, rounds, done):
        handing = asyncio.create_task(self.hand_out(), name="hand-out")
        loop = asyncio.get_running_loop()
        while not handing.done():
            prompts = await loop.run_in_executor(None, rounds.get)
            answers = await asyncio.gather(*(self.generate(prompt) for prompt in prompts))
            done.put((self.name, answers))


def run_counter(name, folder, rounds, done):
    asyncio.run(Counter(name, folder).serve(rounds, done))


class Scheduler:
    def __init__(self, folder, most):
        self.line = zmq.Context().socket(zmq.ROUTER)
        self.line.bind("ipc://%s/scheduler" % folder)
        self.most = most
        self.queue = []
        self.last_sender = None

    def answer(self, sender, number, text):
        self.line.send_multipart([sender, pickle.dumps((number, text))])

    def refuse(self, sender, number):
        self.answer(sender if OWN else self.last_sender, number, None)

    def take_in(self):
        while self.line.poll(0 if self.queue else None):
            sender, message = self.line.recv_multipart()
            number, prompt = pickle.loads(message)
            if len(self.queue) >= self.most:
                self.refuse(sender, number)
            else:
                self.queue.append((sender, number, prompt))
            self.last_sender = sender

    def step(self):
        sender, number, prompt = self.queue.pop(0)
        time.sleep(0.0005)
        self.answer(sender, number, prompt.upper())

    def run(self):
        while True:
            self.take_in()
            self.step()


def run_scheduler(folder):
    Scheduler(folder, 3).run()


class Office:
    def __init__(self, context, folder):
        self.done = context.Queue()
        self.rounds = {name: context.Queue() for name in ("left", "right")}
        self.counters = [
            context.Process(
                target=run_counter, args=(name, folder, rounds, self.done), name=name, daemon=True
            )
            for name, rounds in self.rounds.items()
        ]

    def ask(self, prompts):
        for rounds in self.rounds.values():
            rounds.put(prompts)
        return dict(self.done.get() for _ in self.rounds)


def main():
    spawn = multiprocessing.get_context("spawn")
    folder = tempfile.mkdtemp(prefix="counters-")
    scheduler = spawn.Process(target=run_scheduler, args=(folder,), name="scheduler", daemon=True)
    scheduler.start()
    office = Office(spawn, folder)
    for counter in office.counters:
        counter.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        office.ask(["visitor %d asks" % visitor for visitor in range(6)])


OWN = True


if __name__ == "__main__":
    main()
