import asyncio
import os
import signal
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI

signal.alarm(120)


class Kitchen:
    def __init__(self):
        self.orders = asyncio.Queue()
        self.served = []

    async def cook_orders(self):
        while True:
            order = await self.orders.get()
            await asyncio.sleep(0.01)
            self.served.append(order)


@asynccontextmanager
async def lifespan(app):
    app.state.kitchen = Kitchen()
    cooking = asyncio.create_task(app.state.kitchen.cook_orders())
    yield
    cooking.cancel()


app = FastAPI(lifespan=lifespan)


@app.post("/orders/{dish}")
async def take_order(dish: str):
    await app.state.kitchen.orders.put(dish)
    return {"dish": dish}


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    uvicorn.run(app, host="127.0.0.1", port=0, log_level="error")
