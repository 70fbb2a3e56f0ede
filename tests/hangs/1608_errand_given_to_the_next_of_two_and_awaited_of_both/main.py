import asyncio
import itertools
import multiprocessing
import os
import tempfile
import time

import zmq
import zmq.asyncio

SHARDS = 2


class Dispatcher:
    def __init__(self, folder):
        context = zmq.Context.instance()
        self.inbox = context.socket(zmq.PULL)
        self.inbox.bind("ipc://%s/inbox" % folder)
        self.shards = []
        for shard in range(SHARDS):
            outlet = context.socket(zmq.PUSH)
            outlet.bind("ipc://%s/shard-%d" % (folder, shard))
            self.shards.append(outlet)
        self.turn = itertools.cycle(self.shards)
        self.ways = {"tell": self.to_next, "flush": self.to_all}
        if KNOWN_TO_ALL:
            self.ways["trace"] = self.to_all

    def to_next(self, order):
        next(self.turn).send_pyobj(order)

    def to_all(self, order):
        for outlet in self.shards:
            outlet.send_pyobj(order)

    def serve(self):
        while True:
            order = self.inbox.recv_pyobj()
            self.ways.get(order[0], self.to_next)(order)


class Shard:
    def __init__(self, number, folder):
        context = zmq.Context.instance()
        self.number = number
        self.inbox = context.socket(zmq.PULL)
        self.inbox.connect("ipc://%s/shard-%d" % (folder, number))
        self.outbox = context.socket(zmq.PUSH)
        self.outbox.connect("ipc://%s/answers" % folder)

    def serve(self):
        while True:
            kind, key = self.inbox.recv_pyobj()
            if kind == "tell":
                time.sleep(0.002)
            self.outbox.send_pyobj((kind, key, self.number))


class Receipts:
    """Answers of all shards to one order."""

    def __init__(self, wanted):
        self.wanted = wanted
        self.here = []
        self.complete = asyncio.Event()

    def add(self, shard):
        self.here.append(shard)
        if len(self.here) == self.wanted:
            self.complete.set()


class Frontend:
    def __init__(self, folder):
        context = zmq.asyncio.Context.instance()
        self.outbox = context.socket(zmq.PUSH)
        self.outbox.connect("ipc://%s/inbox" % folder)
        self.answers = context.socket(zmq.PULL)
        self.answers.bind("ipc://%s/answers" % folder)
        self.stories = {}
        self.receipts = {}

    async def read_answers(self):
        while True:
            kind, key, shard = await self.answers.recv_pyobj()
            if kind == "tell":
                self.stories.pop(key).set_result(shard)
            else:
                self.receipts[kind].add(shard)

    async def tell(self, key):
        self.stories[key] = story = asyncio.get_running_loop().create_future()
        await self.outbox.send_pyobj(("tell", key))
        return await story

    async def all_do(self, kind):
        self.receipts[kind] = receipts = Receipts(SHARDS)
        await self.outbox.send_pyobj((kind, 0))
        await receipts.complete.wait()

    async def day(self, number):
        for story in range(20):
            await self.tell((number, story))
        await self.all_do("flush")
        if number % 5 == 4:
            await self.all_do("trace")


async def serve(folder):
    frontend = Frontend(folder)
    reader = asyncio.create_task(frontend.read_answers(), name="answers")
    number = 0
    while not reader.done():
        await frontend.day(number)
        number += 1


def run_dispatcher(folder):
    Dispatcher(folder).serve()


def run_shard(number, folder):
    Shard(number, folder).serve()


def main():
    spawn = multiprocessing.get_context("spawn")
    folder = tempfile.mkdtemp(prefix="tales-")
    spawn.Process(target=run_dispatcher, args=(folder,), name="dispatcher", daemon=True).start()
    for number in range(SHARDS):
        spawn.Process(
            target=run_shard, args=(number, folder), name="shard-%d" % number, daemon=True
        ).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(serve(folder))


KNOWN_TO_ALL = False


if __name__ == "__main__":
    main()
