import asyncio
import queue
import threading

from microdot import Microdot


class Counter:
    """Customers wait for their loaf; the baker brings loaves at the back door."""

    def __init__(self):
        self.shelves = {}
        self.guard = threading.Lock()
        self.sold = 0

    def shelf(self, kind):
        with self.guard:
            return self.shelves.setdefault(kind, queue.Queue())

    def buy(self, kind):
        loaf = self.shelf(kind).get()
        self.sold += 1
        return loaf

    def bring(self, kind, loaf):
        self.shelf(kind).put(loaf)


def bakery(counter):
    app = Microdot()

    @app.get("/buy/<kind>")
    def buy(request, kind):
        return {"loaf": counter.buy(kind)}

    @app.post("/bring/<kind>")
    def bring(request, kind):
        counter.bring(kind, request.json["loaf"])
        return {"ok": True}

    @app.get("/sold")
    async def sold(request):
        return {"sold": counter.sold}

    return app


async def count_sales(counter):
    while True:
        await asyncio.sleep(0.5)
        with counter.guard:
            kinds = len(counter.shelves)
        _ = kinds
