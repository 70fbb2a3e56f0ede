import asyncio
import os
import signal

import nest_asyncio

signal.alarm(120)

rates_ready = asyncio.Event()


def run_sync(coroutine):
    return asyncio.get_event_loop().run_until_complete(coroutine)


async def load_rates():
    await asyncio.sleep(0.2)
    rates_ready.set()


async def show_prices():
    run_sync(rates_ready.wait())


async def open_page():
    while True:
        rates_ready.clear()
        await asyncio.gather(load_rates(), show_prices())


if __name__ == "__main__":
    nest_asyncio.apply()
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(open_page())
