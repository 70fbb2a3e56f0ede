import itertools

import trio
from aioresult import Future


class Exchange:
    """Questions go out over a channel; answers are given by their number."""

    def __init__(self, numbers):
        self.numbers = numbers
        self.open = {}
        self.outgoing, self.letters = trio.open_memory_channel(8)
        self.answered = 0

    async def ask(self, question):
        number = next(self.numbers)
        reply = Future()
        self.open[number] = reply
        await self.outgoing.send((number, question))
        await reply.wait_done()
        return reply.result()

    async def answer(self):
        async for number, question in self.letters:
            await trio.sleep(0.02)
            reply = self.open.pop(number, None)
            if reply is not None:
                self.answered += 1
                reply.set_result(question[::-1])


def short_numbers():
    return itertools.cycle(range(4))


def long_numbers():
    return itertools.count()
