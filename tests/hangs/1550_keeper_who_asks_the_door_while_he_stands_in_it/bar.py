import asyncio

import pydle


class Barkeeper(pydle.Client):
    """Answers guests in the channel of the inn."""

    ROOM = "#parlour"

    def __init__(self, *args, aside=False, **named):
        super().__init__(*args, **named)
        self.aside = aside
        self.poured = {}

    async def on_connect(self):
        await super().on_connect()
        await self.join(self.ROOM)

    async def describe(self, guest):
        known = await self.whois(guest)
        self.poured[guest] = known.get("realname")
        await self.message(self.ROOM, "%s is %s" % (guest, known.get("realname")))

    async def on_message(self, target, source, message):
        await super().on_message(target, source, message)
        if message.startswith("who"):
            if self.aside:
                self.eventloop.create_task(self.describe(source))
            else:
                await self.describe(source)
        elif message.startswith("ale"):
            self.poured[source] = self.poured.get(source)


async def wind_clock(clock):
    while True:
        await asyncio.sleep(0.5)
        clock["ticks"] = clock.get("ticks", 0) + 1
