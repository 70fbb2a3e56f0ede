"""A task awaits a future that nobody is left to set; the event loop has nothing else to do."""

import asyncio

from ready import ready


class Channel:
    def __init__(self, loop):
        self.loop = loop
        self.pending = {}

    async def call(self):
        self.pending[1] = reply = self.loop.create_future()
        ready()
        return await reply


async def login(channel):
    return await channel.call()


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(login(Channel(loop)))
