import os

import trio
from exchange import Exchange


class Subscriber:
    def __init__(self, name, exchange, pause):
        self.name = name
        self.exchange = exchange
        self.pause = pause
        self.calls = 0

    async def chat(self):
        while True:
            await self.exchange.ask("how is " + self.name)
            self.calls += 1
            await trio.sleep(self.pause)


class Town:
    def __init__(self, numbers):
        self.exchange = Exchange(numbers)
        self.people = []

    async def clock(self):
        while True:
            await trio.sleep(0.25)

    async def live(self, names):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.exchange.answer)
            nursery.start_soon(self.clock)
            for place, name in enumerate(names):
                person = Subscriber(name, self.exchange, 0.03 * place)
                self.people.append(person)
                nursery.start_soon(person.chat, name="chat-" + name)
            print("MARK main pid=%d" % os.getpid(), flush=True)


NAMES = ["ada", "bert", "cleo", "dirk", "elsa", "fritz", "gina"]


def run(numbers):
    trio.run(Town(numbers).live, NAMES)
