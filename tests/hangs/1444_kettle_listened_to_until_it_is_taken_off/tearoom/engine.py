import asyncio
import json
import sys

from aiohttp import web


class Kettle:
    def __init__(self, number, stops):
        self.number = number
        self.lines = asyncio.Queue()
        self.off = asyncio.Event()
        self.stops = stops
        self.task = asyncio.create_task(self.heat(), name="kettle-%d" % number)

    async def heat(self):
        for degrees in range(20, 101, 20):
            self.lines.put_nowait("%d degrees" % degrees)
            await asyncio.sleep(0.03)
        if not self.stops:
            await self.off.wait()
        self.lines.put_nowait(None)


class Engine:
    def __init__(self):
        self.kettles = {}

    async def start(self, request):
        wish = await request.json()
        number = len(self.kettles)
        self.kettles[number] = Kettle(number, wish["stops"])
        return web.json_response({"kettle": number})

    async def log(self, request):
        kettle = self.kettles[int(request.match_info["kettle"])]
        answer = web.StreamResponse()
        await answer.prepare(request)
        while (line := await kettle.lines.get()) is not None:
            await answer.write((json.dumps({"line": line}) + "\n").encode())
        return answer

    async def take_off(self, request):
        self.kettles[int(request.match_info["kettle"])].off.set()
        return web.json_response({})

    async def health(self, request):
        return web.json_response({"kettles": len(self.kettles)})


async def serve(path):
    engine = Engine()
    app = web.Application()
    app.add_routes(
        [
            web.post("/kettles", engine.start),
            web.get("/kettles/{kettle}/log", engine.log),
            web.delete("/kettles/{kettle}", engine.take_off),
            web.get("/health", engine.health),
        ]
    )
    runner = web.AppRunner(app)
    await runner.setup()
    await web.UnixSite(runner, path).start()
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
