import asyncio
import itertools
import sys

from aiohttp import web


class Engine:
    def __init__(self, exits):
        self.lifetime = exits
        self.exits = {}
        self.running = {}
        self.numbers = itertools.count(1)

    async def version(self, request):
        return web.json_response({"ApiVersion": "1.43", "Version": "24.0.7"})

    async def create(self, request):
        ident = "c%04d" % next(self.numbers)
        self.exits[ident] = asyncio.Event()
        return web.json_response({"Id": ident, "Warnings": []}, status=201)

    async def start(self, request):
        ident = request.match_info["ident"]
        self.running[ident] = asyncio.create_task(self.live(ident), name="run-" + ident)
        return web.Response(status=204)

    async def live(self, ident):
        await asyncio.sleep(self.lifetime)
        self.exits.pop(ident).set()
        del self.running[ident]

    async def wait(self, request):
        ident = request.match_info["ident"]
        exited = self.exits.setdefault(ident, asyncio.Event())
        await exited.wait()
        return web.json_response({"StatusCode": 0})


def main(path, lifetime):
    engine = Engine(lifetime)
    app = web.Application()
    app.router.add_get("/version", engine.version)
    app.router.add_post("/v1.43/containers/create", engine.create)
    app.router.add_post("/v1.43/containers/{ident}/start", engine.start)
    app.router.add_post("/v1.43/containers/{ident}/wait", engine.wait)
    web.run_app(app, path=path, print=None, access_log=None)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
