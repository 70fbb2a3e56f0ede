import asyncio

import grpc


def number_in(raw):
    return int(raw)


def number_out(value):
    return b"%d" % value


class RiverOffice:
    def __init__(self):
        self.levels = []

    async def collect(self, readings, context):
        total = 0
        async for level in readings:
            total += level
            self.levels.append(level)
            del self.levels[:-50]
        return total

    def handlers(self):
        return grpc.method_handlers_generic_handler(
            "river.Office",
            {"Collect": grpc.stream_unary_rpc_method_handler(self.collect, number_in, number_out)},
        )

    async def serve(self):
        server = grpc.aio.server()
        server.add_generic_rpc_handlers((self.handlers(),))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        return server, port


class Bridge:
    def __init__(self, channel, closing):
        self.send_levels = channel.stream_unary("/river.Office/Collect", number_out, number_in)
        self.closing = closing
        self.sums = []

    async def report(self, day):
        call = self.send_levels()
        for hour in range(4):
            await call.write(day + hour)
            await asyncio.sleep(0.02)
        if self.closing:
            await call.done_writing()
        return await call

    async def report_days(self):
        day = 0
        while True:
            self.sums.append(await self.report(day))
            del self.sums[:-10]
            day += 1
            await asyncio.sleep(0.05)


class Beacon:
    def __init__(self):
        self.flashes = 0

    async def flash(self):
        while True:
            self.flashes += 1
            await asyncio.sleep(1)
