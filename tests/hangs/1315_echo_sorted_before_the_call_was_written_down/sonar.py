import asyncio


class Probe:
    def __init__(self, depth_of):
        self.depth_of = depth_of
        self.listener = None
        self.pings = 0

    async def ping(self, serial, spot):
        self.pings += 1
        if spot not in self.depth_of:
            await asyncio.sleep(0.01)
            self.depth_of[spot] = spot * 3 + 7
        self.listener(serial, self.depth_of[spot])


class Survey:
    def __init__(self, probe):
        self.probe = probe
        self.awaited = {}
        self.strays = 0
        self.serial = 0
        self.running = set()
        probe.listener = self.heard

    def heard(self, serial, depth):
        reply = self.awaited.pop(serial, None)
        if reply is None:
            self.strays += 1
        elif not reply.done():
            reply.set_result(depth)

    async def depth(self, spot):
        self.serial += 1
        serial = self.serial
        sent = asyncio.create_task(self.probe.ping(serial, spot))
        self.running.add(sent)
        sent.add_done_callback(self.running.discard)
        reply = asyncio.get_running_loop().create_future()
        self.awaited[serial] = reply
        return await reply


class Chart:
    def __init__(self, survey, spots):
        self.survey = survey
        self.spots = spots
        self.lines = []

    async def draw_line(self):
        depths = []
        for spot in range(self.spots):
            depths.append(await self.survey.depth(spot))
        self.lines.append(max(depths))
        del self.lines[:-5]

    async def draw(self):
        while True:
            await self.draw_line()
            await asyncio.sleep(0.05)


class Position:
    def __init__(self):
        self.fixes = []

    async def follow(self):
        while True:
            self.fixes.append(len(self.fixes))
            del self.fixes[:-9]
            await asyncio.sleep(0.8)
