from aiohttp import web


class Gateway:
    def __init__(self, strict):
        self.strict = strict
        self.channels = {}

    async def session(self, request):
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            await self.handle(socket, message.json())
        return socket

    async def handle(self, socket, message):
        if message["op"] != "join":
            return
        if self.strict:
            await socket.send_json({"op": "probe", "nonce": 7})
            answer = await socket.receive_json()
            if answer.get("nonce") != 7:
                return
        self.channels.setdefault(message["channel"], []).append(socket)
        await socket.send_json({"op": "joined", "channel": message["channel"]})

    async def start(self):
        app = web.Application()
        app.router.add_get("/gateway", self.session)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        return runner, site._server.sockets[0].getsockname()[1]
