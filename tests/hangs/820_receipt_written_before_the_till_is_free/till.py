import asyncio

from fastapi import BackgroundTasks, Depends, FastAPI

app = FastAPI()
drawer = asyncio.Lock()


async def hold_till():
    async with drawer:
        yield "till"


async def write_receipt(order):
    async with drawer:
        await asyncio.sleep(0.01)


@app.post("/orders/{order}")
async def pay(order: int, later: BackgroundTasks, till: str = Depends(hold_till)):
    later.add_task(write_receipt, order)
    return {"paid": order}
