"""The task that reads answers handles a message, and asks for something itself in that: the answer
would be taken by a method that it calls, out of those that wait for one."""

import asyncio

from ready import ready


class Session:
    def __init__(self, messages):
        self.messages = messages
        self.pending = {}

    async def ask(self, number):
        answer = asyncio.get_event_loop().create_future()
        self.pending[number] = answer
        if number == 2:
            ready()
        return await answer

    def take(self, number):
        answer = self.pending.pop(number, None)
        if answer is not None:
            answer.set_result(number)  # sets

    async def handle(self, number):
        await self.ask(number + 1)  # asks

    async def listen(self):
        while True:
            kind, number = await self.messages.get()
            if kind == "answer":
                self.take(number)
            else:
                await self.handle(number)


async def main():
    messages = asyncio.Queue()
    session = Session(messages)
    messages.put_nowait(("news", 1))
    listener = asyncio.ensure_future(session.listen())
    await session.ask(7)
    await listener


asyncio.get_event_loop_policy().new_event_loop().run_until_complete(main())
