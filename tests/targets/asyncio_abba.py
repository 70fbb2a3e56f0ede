"""Two tasks move stock between two shelves in opposite directions; the event loop idles."""

import asyncio

from ready import ready


async def move(source, target, stock):
    async with source:
        await asyncio.sleep(0.02)
        async with target:
            stock.append(1)


async def rebalance(first, second, stock):
    await move(first, second, stock)


async def main():
    left_shelf, right_shelf = asyncio.Lock(), asyncio.Lock()
    stock = []
    asyncio.get_event_loop().call_later(0.06, ready)
    await asyncio.gather(
        move(left_shelf, right_shelf, stock),
        rebalance(right_shelf, left_shelf, stock),
    )


if __name__ == "__main__":
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(main())
