import asyncio


async def add_up(ctx, *, month):
    await asyncio.sleep(0.02)
    return month * 17 % 100


async def close_year(ctx, *, year):
    """The sums of the months are jobs of their own."""
    queue = ctx["worker"].queue
    total = 0
    for month in range(1, 4):
        total += await queue.apply("add_up", month=year + month)
    return total


async def greet(ctx, *, name):
    return "hello " + name


FUNCTIONS = [add_up, close_year, greet]
