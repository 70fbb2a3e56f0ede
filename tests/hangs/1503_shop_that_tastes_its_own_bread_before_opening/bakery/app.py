import asyncio

import httpx
from blacksheep import Application, get, json


class Prices:
    def __init__(self, base):
        self.base = base
        self.known = {}

    async def warm(self):
        async with httpx.AsyncClient(timeout=None) as client:
            for loaf in ("rye", "spelt"):
                answer = await client.get(self.base + "/price/" + loaf)
                self.known[loaf] = answer.json()["price"]


class Oven:
    def __init__(self):
        self.heat = 20
        self.task = None

    async def burn(self):
        while True:
            self.heat = min(self.heat + 5, 230)
            await asyncio.sleep(0.1)


def application(base, early):
    app = Application()
    prices = Prices(base)
    oven = Oven()

    @app.on_start
    async def light(app):
        oven.task = asyncio.create_task(oven.burn(), name="oven")

    @app.on_start
    async def taste(app):
        if early:
            await prices.warm()
        else:
            app.warming = asyncio.create_task(prices.warm())

    @get("/price/{loaf}")
    async def price(loaf: str):
        return json({"loaf": loaf, "price": len(loaf) * 0.9})

    @get("/health")
    async def health():
        return json({"heat": oven.heat})

    return app
