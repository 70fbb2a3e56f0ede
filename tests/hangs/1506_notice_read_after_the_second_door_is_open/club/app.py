import asyncio

from quart import Quart, request, websocket


class Members:
    def __init__(self, room):
        self.lock = asyncio.Lock()
        self.boxes = {}
        self.room = room

    async def join(self, name):
        async with self.lock:
            return self.boxes.setdefault(name, asyncio.Queue(self.room))

    async def leave(self, name):
        async with self.lock:
            self.boxes.pop(name, None)

    async def tell(self, notice):
        async with self.lock:
            for box in self.boxes.values():
                await box.put(notice)


def application(room, text):
    app = Quart("club")
    members = Members(room)

    @app.before_serving
    async def begin():
        app.add_background_task(announce)

    async def announce():
        while True:
            await members.tell(text)
            await asyncio.sleep(0.02)

    @app.websocket("/notices")
    async def notices():
        name = websocket.args["name"]
        box = await members.join(name)
        try:
            while True:
                await websocket.send(await box.get())
        finally:
            await members.leave(name)

    @app.post("/guests")
    async def guests():
        name = (await request.get_json())["name"]
        await members.join(name)
        await members.leave(name)
        return {"welcome": name}

    @app.get("/health")
    async def health():
        return {"members": len(members.boxes)}

    return app
